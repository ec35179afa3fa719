// The bars of the departures page: back, title, refresh; the tools at the side; the choice of view.

import { h, icon, setAttribute } from '../core/dom.js';
import { labelled, localized, t } from '../core/i18n.js';

/**
 * @typedef {{ leave: () => void, refresh: () => void, freeze: () => void, turnMap: () => void, toUser: () => void, find: () => void,
 *   zoom: (factor: number) => void, show: (view: 'view' | 'map' | 'list') => void }} Actions
 */

/** @param {Actions} actions */
export function makeBars(actions) {
  const round = (
    /** @type {string} */ id,
    /** @type {string} */ symbol,
    /** @type {import('../core/i18n.js').TextKey} */ key,
    /** @type {() => void} */ run,
  ) => labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
  const note = h('p', { class: 'transit-note', role: 'status', id: 'transit-note' });
  const freeze = round('transit-freeze', 'freeze', 'control.freeze', actions.freeze);
  const north = round('transit-north', 'north', 'map.northUp', actions.turnMap);
  const home = round('transit-home', 'target', 'map.toMe', actions.toUser);
  const views = h('div', {
    class: 'segmented glass', 'data-occupies': '', role: 'group', 'data-i18n-label': 'view.switch', 'aria-label': t('view.switch'),
  }, ...(/** @type {const} */ (['view', 'map', 'list'])).map((name) =>
    h('button', { type: 'button', dataset: { view: name }, onclick: () => actions.show(name) },
      icon(name === 'view' ? 'ar' : name), localized(h('span'), name === 'view' ? 'view.ar' : `view.${name}`))));
  return {
    note, freeze, north, home,
    credit: h('p', { class: 'transit-credit', id: 'transit-credit' }),
    top: h('header', { class: 'transit-bar', 'data-occupies': '' }, round('transit-back', 'back', 'common.back', actions.leave),
      h('div', { class: 'transit-heading glass' }, localized(h('h1', {}), 'start.transit'), note),
      round('transit-refresh', 'refresh', 'transit.refresh', actions.refresh)),
    tools: h('div', { class: 'transit-tools', 'data-occupies': '' },
      round('transit-find', 'search', 'transit.search', actions.find),
      round('transit-closer', 'plus', 'map.zoomIn', () => actions.zoom(1 / 1.5)),
      round('transit-wider', 'minus', 'map.zoomOut', () => actions.zoom(1.5)), north, home, freeze),
    dock: h('footer', { class: 'transit-dock' }, views),
  };
}

/**
 * @param {HTMLElement} dock
 * @param {string} shown
 */
export function markPressed(dock, shown) {
  for (const button of dock.querySelectorAll('button')) {
    setAttribute(button, 'aria-pressed', String(button.dataset.view === shown));
  }
}
