// Lines and areas of a world, into the engine and out of its frames: the mirror of WorldImport.swift and PathExport.swift.

/**
 * @typedef {{ feature: number, shape: number, isRing: boolean, points: number[][] }} PathRecord `points` are longitude,
 *   latitude and perhaps altitude
 * @typedef {{ feature: number, shape: number, isRing: boolean, points: Float64Array }} PathRun x and y in turn
 */

const PATH = 4;

/**
 * Numbers that the engine needs for paths.
 * @param {PathRecord[]} paths
 */
export const vertexCount = (paths) => paths.reduce((sum, { points }) => sum + points.length, 0);

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {PathRecord[]} paths
 */
export function writePaths(view, start, paths) {
  let p = start;
  for (const { feature, shape, isRing, points } of paths) {
    view.set([feature, shape, isRing ? 1 : 0, points.length], p);
    p += PATH;
  }
  for (const { points } of paths) {
    for (const [longitude, latitude, altitude] of points) {
      view[p++] = latitude;
      view[p++] = longitude;
      view[p++] = altitude ?? NaN;
    }
  }
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {PathRun[]} views, valid until the engine is called again
 */
export function readPaths(view, start) {
  /** @type {PathRun[]} */
  const runs = [];
  let p = start + 1;
  for (let count = view[start]; count > 0; count -= 1) {
    const number = view[p + 3];
    runs.push({
      feature: view[p], shape: view[p + 1], isRing: view[p + 2] !== 0, points: view.subarray(p + PATH, p + PATH + 2 * number),
    });
    p += PATH + 2 * number;
  }
  return runs;
}
