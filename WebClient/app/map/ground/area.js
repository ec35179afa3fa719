// Where the operator's own map is.

/**
 * Whether there is a map around a point.
 * @param {import('./source.js').GroundSettings} ground
 * @param {{ x: number, y: number }} point on the web's map, 0 … 1
 */
export function covers({ zooms, areas }, { x, y }) {
  const side = 2 ** Math.max(...zooms);
  const [column, row] = [Math.floor(x * side), Math.floor(y * side)];
  return areas.some(([west, north, east, south]) => column >= west && column <= east && row >= north && row <= south);
}

/**
 * Whether a part of the web's map touches what there is a map of.
 * @param {import('./source.js').GroundSettings} ground
 * @param {{ x: number, y: number }} northWest on the web's map, 0 … 1
 * @param {{ x: number, y: number }} southEast
 */
export function touches({ zooms, areas }, northWest, southEast) {
  const side = 2 ** Math.max(...zooms);
  return areas.some(([west, north, east, south]) => northWest.x * side <= east + 1 && southEast.x * side >= west && northWest.y * side <= south + 1 && southEast.y * side >= north);
}
