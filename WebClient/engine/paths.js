// Lines and areas out of the engine's frames: the mirror of PathExport.swift.

/**
 * @typedef {{ feature: number, shape: number, isRing: boolean, points: Float64Array }} PathRun x and y in turn
 */

const PATH = 4;

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
