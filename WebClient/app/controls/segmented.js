// A choice of one of a few that are all in sight: buttons side by side, the chosen one pressed.

import { h, icon, setAttribute } from '../core/dom.js';
import { labelled, localized } from '../core/i18n.js';

/**
 * @template {string} V
 * @typedef {{ value: V, text: import('../core/i18n.js').TextKey, icon?: string, id?: string }} Option `icon`: a symbol of icons.svg, shown
 *   alone where there is no room for words
 */

/**
 * @template {string} V
 * @param {{ label: import('../core/i18n.js').TextKey, options: Option<V>[], value: V, change: (value: V) => void, id?: string }} setting `label` is said,
 *   not shown; `change` is not told what is chosen already
 * @returns {HTMLElement & { value: V }} setting `value` shows a choice without telling `change`
 */
export function segmented({ label, options, value, change, id }) {
  const element = labelled(h('div', { class: 'segmented', role: 'group', id }), label);
  let chosen = value;
  const show = () => {
    for (const button of element.children) setAttribute(button, 'aria-pressed', String(/** @type {HTMLElement} */ (button).dataset.value === chosen));
  };
  for (const option of options) {
    element.append(h('button', {
      type: 'button', id: option.id, dataset: { value: option.value },
      onclick: () => {
        if (chosen === option.value) return;
        chosen = option.value;
        show();
        change(chosen);
      },
    }, option.icon ? icon(option.icon) : null, localized(h('span'), option.text)));
  }
  show();
  Object.defineProperty(element, 'value', {
    get: () => chosen,
    set: (/** @type {V} */ next) => {
      chosen = next;
      show();
    },
  });
  return /** @type {any} */ (element);
}
