// Whether a map is still there: Leaflet tells those who listen of the end of a movement up to 200 ms after the map was removed.

/** @param {import('../../vendor/leaflet/leaflet.esm.js').LeafletMap} map */
export const isRemoved = (map) => !map.getPane('mapPane');

/**
 * Does something whenever the map has come to rest, as long as it is there.
 * @param {import('../../vendor/leaflet/leaflet.esm.js').LeafletMap} map
 * @param {() => void} look
 */
export function whenAtRest(map, look) {
  map.on('moveend', () => {
    if (!isRemoved(map)) look();
  });
}
