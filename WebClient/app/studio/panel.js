// What stands beside the map: the tabs, and the form of what is chosen.

import { h } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { keepFocus } from './focus.js';
import { overlayPanel } from './overlay-panel.js';
import { placePanel } from './place-panel.js';
import { placesPanel, worldPanel } from './world-panel.js';

const TABS = /** @type {const} */ ([['places', 'studio.places'], ['world', 'studio.world'], ['overlays', 'studio.overlays']]);

/**
 * Makes the form anew; what had the focus has it again.
 * @param {import('./editor.js').Editor} editor
 */
export function showPanel(editor) {
  const focus = keepFocus(editor.panel);
  const open = new Set([...editor.panel.querySelectorAll('details[open] > summary')].map((summary) => summary.getAttribute('data-i18n')));
  const top = editor.panel.scrollTop;
  const key = `${editor.tab} ${editor.selected}`;
  editor.tabs.replaceChildren(...TABS.map(([tab, text]) => localized(h('button', {
    type: 'button', role: 'tab', id: `tab-${tab}`, class: 'tab', 'aria-selected': String(tab === editor.tab), 'aria-controls': 'editor-panel',
    onclick: () => editor.showTab(tab),
  }), text)));
  const panel = editor.tab === 'world' ? worldPanel(editor)
    : editor.tab === 'overlays' ? overlayPanel(editor)
    : editor.selected ? placePanel(editor, editor.selected) : placesPanel(editor);
  editor.panel.replaceChildren(panel);
  if (editor.panel.dataset.key === key) {
    for (const summary of editor.panel.querySelectorAll('details > summary')) {
      if (open.has(summary.getAttribute('data-i18n'))) summary.parentElement?.setAttribute('open', '');
    }
    editor.panel.scrollTop = top;
  } else {
    editor.panel.scrollTop = 0;
  }
  editor.panel.dataset.key = key;
  focus();
}
