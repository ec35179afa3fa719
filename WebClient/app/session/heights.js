// Heights that agree: fetches the geoid where heights over the sea and over the ellipsoid meet.

import { altitudeDatum } from '../device/height-datum.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./content.js').Content} Content
 */

const FILE = new URL('../../data/egm96.geoid', import.meta.url);
/** The one file, for all sessions of the page. */
let file = /** @type {Promise<Uint8Array> | null} */ (null);

async function fetchGeoid() {
  const answer = await fetch(FILE);
  if (!answer.ok) throw new Error(`${FILE}: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export class Heights {
  #isAsked = false;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    session.on('world', (content) => {
      if (content.places.some(isOverEllipsoid)) this.needGeoid();
    });
  }

  /** A position will come: where the platform counts from the ellipsoid the geoid is wanted before it does. */
  positionWanted() {
    if (altitudeDatum() === 'ellipsoid') this.needGeoid();
  }

  needGeoid() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    file ??= fetchGeoid();
    file.then(
      (bytes) => this.session.closed.aborted || this.session.tell({ type: 'geoid', bytes }),
      (error) => {
        // Places stand at eye level without it; the next position asks again.
        console.warn(error);
        file = null;
        this.#isAsked = false;
      },
    );
  }
}

/** @param {import('../types').Place} place */
function isOverEllipsoid({ altitudeMode, position }) {
  return altitudeMode === 'ellipsoid' && position?.altitude !== undefined;
}
