// What lies under the pins: the pictures of a map that the operator has set, or else a plain grid.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { h } from '../core/dom.js';
import { fetchSettings } from '../net/settings.js';

/**
 * @param {L.LeafletMap} map
 * @param {number} maxZoom of the map
 */
export async function addTiles(map, maxZoom) {
  const { tiles } = await fetchSettings();
  if (!tiles) {
    // Without pictures a plain grid shows that and how the map moves.
    new (L.GridLayer.extend({ createTile: () => h('div', { class: 'map-grid' }) }))({ tileSize: 96 }).addTo(map);
    return;
  }
  L.tileLayer(tiles.url, {
    attribution: tiles.attribution,
    maxZoom,
    maxNativeZoom: tiles.maxZoom,
    errorTileUrl: new URL('../../tile-failed.svg', import.meta.url).href,
  }).addTo(map);
}
