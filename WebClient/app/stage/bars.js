// The buttons around the stage: back, menu, the choice of view, and the view's own tools.

import { find, h, icon, makesClips } from '../core/dom.js';
import { labelled } from '../core/i18n.js';
import { segmented } from '../controls/segmented.js';

/**
 * @typedef {import('../core/router.js').ViewName} ViewName
 * @typedef {{ leave: () => void, menu: () => void, show: (view: ViewName) => void, freeze: () => void,
 *   screenshot: () => void, clip: (event: Event) => void }} Buttons
 */

const VIEWS = /** @type {const} */ (['ar', 'map', 'list']);
/** Where there is room for both, map and list stand beside each other. */
const wide = matchMedia('(min-width: 800px) and (min-height: 481px)');

/**
 * Whether a part of the page is shown while a view is.
 * @param {ViewName} view
 * @param {ViewName} part
 */
export function isPartShown(view, part) {
  return view === part || (wide.matches && view !== 'ar' && part !== 'ar');
}

export class Bars {
  /** @param {Buttons} on */
  constructor(on) {
    find('#topbar-left', HTMLElement).prepend(roundButton('back', 'back', 'common.back', on.leave));
    const menu = roundButton('menu', 'menu', 'control.menu', on.menu);
    menu.setAttribute('aria-haspopup', 'dialog');
    find('#topbar-right', HTMLElement).append(menu);
    this.views = segmented({
      id: 'views', label: 'view.switch', value: /** @type {ViewName} */ ('ar'), change: on.show,
      options: VIEWS.map((view) => ({ value: view, text: /** @type {const} */ (`view.${view}`), icon: view, id: `view-${view}` })),
    });
    find('#dock-row', HTMLElement).prepend(this.views);
    const freeze = roundButton('freeze', 'freeze', 'control.freeze', on.freeze);
    freeze.setAttribute('aria-pressed', 'false');
    const clip = roundButton('clip', 'clip', 'control.clip', on.clip);
    clip.hidden = !makesClips;
    find('#ar-tools', HTMLElement).append(freeze, roundButton('screenshot', 'camera', 'control.screenshot', on.screenshot), clip);
  }

  /** @param {ViewName} view the one that is shown */
  showView(view) {
    for (const name of VIEWS) find(`#${name}`, HTMLElement).hidden = !isPartShown(view, name);
    // Beside the map the list has no button of its own.
    this.views.value = view === 'list' && wide.matches ? 'map' : view;
  }
}

/**
 * Told when the room for map and list beside each other comes or goes.
 * @param {() => void} changed
 * @param {AbortSignal} until
 */
export function onRoom(changed, until) {
  wide.addEventListener('change', changed, { signal: until });
}

/** @param {boolean} frozen */
export function markFrozen(frozen) {
  const button = find('#freeze', HTMLElement);
  button.setAttribute('aria-pressed', String(frozen));
  labelled(button, frozen ? 'control.unfreeze' : 'control.freeze');
  document.documentElement.toggleAttribute('data-frozen', frozen);
}

/**
 * @param {string} id
 * @param {string} symbol
 * @param {import('../core/i18n.js').TextKey} key
 * @param {(event: Event) => void} run
 */
function roundButton(id, symbol, key, run) {
  return labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
}
