// Keeps what world tracking has learned of the lens, for every part of the page that looks through this camera.

import { load, save } from '../core/storage.js';
import { isLearned, lensesOf, sidesOf } from '../device/camera.js';
import { Places } from '../../engine/places.js';

/** @typedef {import('../../engine/odometry.js').Tracked} Tracked */

/** Relative deviation of the focal length from which on it is kept. */
const KNOWN_FOCAL = 0.01;
/** From one time that the lens is kept to the next, seconds. */
const INTERVAL = 5;
/** Of so many sizes of a camera's pictures is kept what was learned. */
const MOST_SIZES = 8;

/**
 * Keeps what was learned of a camera with pictures of a size; what somebody has set or measured goes before it.
 * @param {string} label
 * @param {import('../device/camera.js').Size} size
 * @param {import('../device/camera.js').LearnedLens} lens
 */
export function learnLens(label, size, lens) {
  if (!isLearned(lens)) return;
  const lenses = lensesOf(label);
  lenses.delete(sidesOf(size));
  const kept = [...lenses, [sidesOf(size), lens]].slice(-MOST_SIZES);
  save('learnedLens', { ...load('learnedLens', /** @type {Record<string, unknown>} */ ({})), [label]: Object.fromEntries(kept) });
}

export class LensKeeper {
  /** Seconds. */
  #kept = -Infinity;

  /**
   * @param {Tracked} tracked
   * @param {{ width: number, height: number, time: number }} picture pixels, seconds
   * @param {string} label of the camera
   * @param {import('../../engine/engine.js').Engine} engine
   * @returns {boolean} whether it was kept
   */
  keep({ state, focalDeviation, focal, lens, rowTime, timeOffset }, { width, height, time }, label, engine) {
    // A turn on the spot tells the lens, though no length.
    if ((state !== 'metric' && state !== 'uncertainScale') || !(focalDeviation < KNOWN_FOCAL) || time - this.#kept < INTERVAL) return false;
    this.#kept = time;
    const terms = [...lens, 0];
    // Within the picture a lens does not fold; a hair more than to its corner.
    const corner = (width * width + height * height) / 4 / (focal * focal);
    learnLens(label, { width, height }, {
      fieldOfView: engine.fieldOfView({ width, height, focal }), terms: engine.part(Places).lensReach(terms) > 1.05 * corner ? terms : [0, 0, 0],
      rowTime, timeOffset,
    });
    return true;
  }
}
