// The bars of the departures page: back, title, refresh; the tools at the side; the choice of view.

import { mapControls } from '../controls/map-controls.js';
import { segmented } from '../controls/segmented.js';
import { h, icon, makesClips } from '../core/dom.js';
import { labelled, localized } from '../core/i18n.js';

/**
 * @typedef {'view' | 'map' | 'list'} Shown
 * @typedef {{ leave: () => void, refresh: () => void, freeze: () => void, picture: () => void, clip: (event: Event) => void, menu: () => void, turnMap: () => void, toUser: () => void, find: () => void,
 *   zoom: (factor: number) => void, show: (view: Shown) => void }} Actions
 */

/** @param {Actions} actions */
export function makeBars(actions) {
  const round = (
    /** @type {string} */ id,
    /** @type {string} */ symbol,
    /** @type {import('../core/i18n.js').TextKey} */ key,
    /** @type {(event: Event) => void} */ run,
  ) => labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
  const note = h('p', { class: 'transit-note', role: 'status', id: 'transit-note' });
  const freeze = round('transit-freeze', 'freeze', 'control.freeze', actions.freeze);
  const map = mapControls(
    { zoomIn: () => actions.zoom(1 / 1.5), zoomOut: () => actions.zoom(1.5) },
    { id: 'transit', north: actions.turnMap, locate: actions.toUser },
  );
  const part = (/** @type {string} */ control) => /** @type {HTMLElement} */ (map.querySelector(`[data-control="${control}"]`));
  const views = segmented({
    label: 'view.switch', value: /** @type {Shown} */ ('view'), change: actions.show, id: 'transit-views',
    options: [
      { value: 'view', text: 'view.ar', icon: 'ar' }, { value: 'map', text: 'view.map', icon: 'map' }, { value: 'list', text: 'view.list', icon: 'list' },
    ],
  });
  views.dataset.occupies = '';
  return {
    note, freeze, views, north: part('north'), home: part('locate'),
    credit: h('p', { class: 'transit-credit', id: 'transit-credit' }),
    top: h('header', { class: 'transit-bar', 'data-occupies': '' }, round('transit-back', 'back', 'common.back', actions.leave),
      h('div', { class: 'transit-heading glass' }, localized(h('h1', {}), 'start.transit'), note),
      round('transit-refresh', 'refresh', 'transit.refresh', actions.refresh),
      round('transit-menu', 'menu', 'control.menu', actions.menu)),
    lights: h('div', { class: 'part-lights' }),
    tools: h('div', { class: 'transit-tools', 'data-occupies': '' },
      round('transit-find', 'search', 'transit.search', actions.find), map, freeze,
      round('transit-shot', 'camera', 'control.screenshot', actions.picture),
      makesClips && round('transit-clip', 'clip', 'control.clip', actions.clip)),
    dock: h('footer', { class: 'transit-dock' }, views),
  };
}
