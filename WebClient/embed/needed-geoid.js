// The heights of the sea over the ellipsoid, fetched once when a world or the phone counts from the other one.

import { altitudeDatum } from '../app/device/location.js';
import { geoid } from '../app/session/geoid.js';

/** @param {import('../app/session/content.js').Content} content */
export const needsGeoid = ({ places }) => altitudeDatum() === 'ellipsoid' || places.some(({ altitudeMode }) => altitudeMode === 'ellipsoid');

export class NeededGeoid {
  #isThere = false;
  #tell;
  #fail;

  /**
   * @param {(bytes: Uint8Array) => void} tell
   * @param {(error: unknown) => void} fail it cannot be had; it is asked for again when it is needed again
   */
  constructor(tell, fail) {
    this.#tell = tell;
    this.#fail = fail;
  }

  need() {
    if (this.#isThere) return;
    this.#isThere = true;
    geoid().then(this.#tell).catch((error) => {
      this.#isThere = false;
      this.#fail(error);
    });
  }
}
