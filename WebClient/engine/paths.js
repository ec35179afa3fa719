// Lines and areas out of the engine's frames: the mirror of PathExport.swift.

/**
 * @typedef {{ feature: number, shape: number, isRing: boolean, isHidden: boolean, points: Float64Array }} PathRun `isHidden`: behind buildings; `points`: x
 *   and y in turn
 */

const PATH = 4;
/** `Visibility.hidden`. */
const HIDDEN = 2;

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
      feature: view[p], shape: view[p + 1], isRing: view[p + 2] % 2 === 1, isHidden: view[p + 2] >= 2 * HIDDEN, points: view.subarray(p + PATH, p + PATH + 2 * number),
    });
    p += PATH + 2 * number;
  }
  return runs;
}
