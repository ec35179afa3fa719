// Lines and areas of places, on the map.

import * as L from '../../vendor/leaflet/leaflet.esm.js';

/**
 * @typedef {import('../types').Place} Place
 */

/**
 * @param {Place} place
 * @param {number} hue of its category
 * @param {L.Renderer} renderer
 * @returns {L.Path[]}
 */
export function shapeLayers(place, hue, renderer) {
  const style = place.shapeStyle ?? {};
  const usual = `hsl(${hue} 75% 55%)`;
  const options = {
    renderer,
    color: style.stroke ?? usual,
    opacity: style.strokeOpacity ?? 0.9,
    weight: style.width ?? 4,
    fillColor: style.fill ?? style.stroke ?? usual,
    fillOpacity: style.fillOpacity ?? 0.18,
  };
  return (place.shapes ?? []).map(({ kind, parts }) => {
    const points = parts.map((part) => part.map(([longitude, latitude]) => /** @type {L.LatLngTuple} */ ([latitude, longitude])));
    return kind === 'area' ? L.polygon(points, options) : L.polyline(points, { ...options, fill: false });
  });
}
