// What lies under the pins: the pictures of a map server that the operator has set, or else his own map, or else a plain grid.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { h, icon } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { fetchSettings } from '../net/settings.js';
import { isRemoved, whenAtRest } from './life.js';

/**
 * @param {L.LeafletMap} map
 * @param {number} maxZoom of the map
 * @param {{ explain?: boolean }} options `explain`: a map without pictures says why, and what an operator does about it: for those who work on it
 */
export async function addTiles(map, maxZoom, { explain = false } = {}) {
  const { tiles, ground } = await fetchSettings();
  if (isRemoved(map)) return;
  if (!tiles) {
    // Where there is no map a plain grid shows that, and how what is there moves.
    new (L.GridLayer.extend({ createTile: () => h('div', { class: 'map-grid' }) }))({ tileSize: 96 }).addTo(map);
    const note = explain ? whyGrey() : null;
    if (note) map.getContainer().querySelector('.leaflet-top.leaflet-left')?.append(note);
    if (ground) await lay(map, ground, maxZoom, note);
    return;
  }
  L.tileLayer(tiles.url, {
    attribution: tiles.attribution,
    maxZoom,
    maxNativeZoom: tiles.maxZoom,
    errorTileUrl: new URL('../../tile-failed.svg', import.meta.url).href,
  }).addTo(map);
}

/**
 * Lays the operator's own map over the grid. Where it is none the note stays.
 * @param {L.LeafletMap} map
 * @param {NonNullable<import('../types').ServerSettings['ground']>} ground
 * @param {number} maxZoom
 * @param {HTMLElement | null} note
 */
async function lay(map, ground, maxZoom, note) {
  const [{ addGround }, { covers }] = await Promise.all([import('./ground/layer.js'), import('./ground/area.js')]);
  if (isRemoved(map)) return;
  addGround(map, ground, maxZoom);
  if (!note) return;
  const look = () => {
    // At zoom 0 the world is 256 points wide.
    const { x, y } = map.project(map.getCenter(), 0);
    note.hidden = covers(ground, { x: x / 256, y: y / 256 });
  };
  whenAtRest(map, look);
  // Before it has been told where to look it has no centre.
  if (map.getZoom() !== undefined) look();
}

/** Why there is but a grid. */
function whyGrey() {
  const note = h('details', { class: 'map-grey leaflet-control' },
    h('summary', {}, icon('info'), localized(h('span'), 'map.grey')),
    localized(h('p'), 'map.greyText'), h('p', {}, h('code', {}, 'sightline serve --tiles')));
  // A tap on it is none on the map.
  for (const kind of ['click', 'dblclick', 'mousedown', 'pointerdown', 'touchstart', 'contextmenu']) note.addEventListener(kind, (event) => event.stopPropagation(), { passive: true });
  return note;
}
