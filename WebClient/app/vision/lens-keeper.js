// Keeps what world tracking has learned of the lens, for every part of the page that looks through this camera.

import { learnLens } from '../device/camera.js';
import { Places } from '../../engine/places.js';

/** @typedef {import('../../engine/odometry.js').Tracked} Tracked */

/** Relative deviation of the focal length from which on it is kept. */
const KNOWN_FOCAL = 0.01;
/** From one time that the lens is kept to the next, seconds. */
const INTERVAL = 5;

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
  keep({ state, focalDeviation, focal, lens }, { width, height, time }, label, engine) {
    if (state !== 'metric' || !(focalDeviation < KNOWN_FOCAL) || time - this.#kept < INTERVAL) return false;
    this.#kept = time;
    const terms = [...lens, 0];
    // Within the picture a lens does not fold; a hair more than to its corner.
    const corner = (width * width + height * height) / 4 / (focal * focal);
    learnLens(label, {
      fieldOfView: engine.fieldOfView({ width, height, focal }), terms: engine.part(Places).lensReach(terms) > 1.05 * corner ? terms : [0, 0, 0],
    });
    return true;
  }
}
