// The buttons around the stage: back, menu, the choice of view, and the view's own tools.

import { find, h, icon } from '../core/dom.js';
import { labelled, localized } from '../core/i18n.js';

/**
 * @typedef {import('../core/router.js').ViewName} ViewName
 * @typedef {{ leave: () => void, menu: () => void, show: (view: ViewName) => void, freeze: () => void,
 *   screenshot: () => void }} Buttons
 */

const VIEWS = /** @type {const} */ (['ar', 'map', 'list']);

/** @param {Buttons} on */
export function makeBars(on) {
  find('#topbar-left', HTMLElement).append(roundButton('back', 'back', 'common.back', on.leave));
  const menu = roundButton('menu', 'menu', 'control.menu', on.menu);
  menu.setAttribute('aria-haspopup', 'dialog');
  find('#topbar-right', HTMLElement).append(menu);
  for (const view of VIEWS) {
    const choice = h('button', { type: 'button', class: 'segment', id: `view-${view}`, onclick: () => on.show(view) });
    choice.append(icon(view), localized(h('span'), `view.${view}`));
    find('#views', HTMLElement).append(choice);
  }
  const freeze = roundButton('freeze', 'freeze', 'control.freeze', on.freeze);
  freeze.setAttribute('aria-pressed', 'false');
  const screenshot = roundButton('screenshot', 'camera', 'control.screenshot', on.screenshot);
  find('#ar-tools', HTMLElement).append(freeze, screenshot);
}

/** @param {ViewName} view the one that is shown */
export function markView(view) {
  for (const name of VIEWS) {
    find(`#${name}`, HTMLElement).hidden = name !== view;
    find(`#view-${name}`, HTMLElement).setAttribute('aria-pressed', String(name === view));
  }
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
 * @param {() => void} run
 */
function roundButton(id, symbol, key, run) {
  return labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
}
