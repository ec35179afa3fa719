// The buttons of a map: nearer and farther, to one's own position, everything at once, and where north is.

import { h, icon } from '../core/dom.js';
import { labelled, localized } from '../core/i18n.js';

/**
 * @typedef {{ zoomIn: () => unknown, zoomOut: () => unknown }} Zoomed a Leaflet map, or what does the same
 * @typedef {{ locate?: () => void, fit?: () => void, north?: true | (() => void), id?: string }} Wishes `locate`: goes to the user's position; `fit`: shows
 *   everything; `north`: true where north is always up, or what turns the map; `id` begins the buttons' ids
 */

/**
 * @param {Zoomed} map
 * @param {Wishes} [wishes]
 * @returns {HTMLElement} to be put over the map; its buttons have `data-control`: `zoom-in`, `zoom-out`, `locate`, `fit`, `north`
 */
export function mapControls(map, wishes = {}) {
  const { locate, fit, north, id } = wishes;
  const button = (
    /** @type {string} */ control, /** @type {string} */ symbol, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {() => void} */ run,
  ) => labelled(h('button', { type: 'button', class: 'round', id: id && `${id}-${control}`, dataset: { control }, onclick: run }, icon(symbol)), key);
  return h('div', { class: 'map-controls', 'data-occupies': 'children' },
    north === true && labelled(h('div', { class: 'map-compass', role: 'img', dataset: { control: 'north' } }, icon('north'), localized(h('span'), 'compass.n')), 'map.north'),
    h('div', { class: 'map-zoom' }, button('zoom-in', 'plus', 'map.zoomIn', () => map.zoomIn()), button('zoom-out', 'minus', 'map.zoomOut', () => map.zoomOut())),
    typeof north === 'function' && button('north', 'north', 'map.northUp', north),
    locate && button('locate', 'target', 'map.toMe', locate),
    fit && button('fit', 'fit', 'map.all', fit));
}
