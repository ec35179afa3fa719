// The ground around a point of the web's map as a plane.

/** @typedef {{ x: number, y: number, side: number }} MapPoint as `Places.onMap` has it */

/**
 * Where a point is from another that is near: metres east and north.
 * @param {MapPoint} anchor
 * @param {{ x: number, y: number }} point
 * @returns {[number, number]}
 */
export const metresFrom = ({ x, y, side }, point) => [(point.x - x) * side, (y - point.y) * side];
