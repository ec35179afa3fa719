// Markers that hang where their place says, and face a known way: seeing one tells where the phone is and where north is.

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../types').Place} Place
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {{ markers: FoundMarker[], width: number, height: number, time: number }} Seen
 */

/** Between two sightings that the engine is told of, seconds: what follows one another closer says the same. */
const STEP = 0.2;
/** Shorter sides than that tell the way it faces too roughly, pixels. */
const SHORTEST = 24;

export class SurveyedMarkers {
  /** @type {Map<string, import('../../engine/types').CodeAnchor>} */
  #anchors = new Map();
  #last = -Infinity;
  /** Sightings that the engine was told of. */
  told = 0;

  /**
   * @param {Session} session
   * @param {Device} device
   */
  constructor(session, device) {
    this.session = session;
    this.device = device;
  }

  /** @param {Place[]} places of the open world: who opened it believes it */
  use(places) {
    this.#anchors.clear();
    const ambiguous = new Set();
    for (const { marker, position, altitudeMode } of places) {
      if (!marker || marker.facing === undefined || !position) continue;
      const key = `${marker.dictionary} ${marker.id}`;
      const anchor = {
        latitude: position.latitude, longitude: position.longitude,
        // From whatever level the world's heights are counted, they are counted from the same one.
        altitude: altitudeMode === 'ellipsoid' || altitudeMode === 'seaLevel' ? position.altitude ?? null : null,
        facing: marker.facing, tilt: marker.tilt ?? 0, roll: marker.roll ?? 0, size: marker.length,
      };
      // Several things may stand on one marker; but one that hangs in two places tells nothing.
      const known = this.#anchors.get(key);
      if (known && JSON.stringify(known) !== JSON.stringify(anchor)) ambiguous.add(key);
      this.#anchors.set(key, anchor);
    }
    for (const key of ambiguous) this.#anchors.delete(key);
  }

  /** @param {Seen} sight */
  see({ markers, width, height, time }) {
    if (this.#anchors.size === 0 || time - this.#last < STEP) return;
    // The one that is seen largest is known best.
    const [best] = markers
      .map((marker) => ({ marker, anchor: this.#anchors.get(`${marker.dictionary} ${marker.id}`), side: shortest(marker) }))
      .filter(({ anchor, side }) => anchor && side >= SHORTEST).sort((a, b) => b.side - a.side);
    if (!best?.anchor) return;
    this.#last = time;
    const age = Math.max(0, performance.now() / 1000 - time);
    this.session.tell({ type: 'codeSeen', anchor: best.anchor, corners: best.marker.corners, width, height, age });
    this.device.isAnchored = true;
    this.told += 1;
  }
}

/** @param {FoundMarker} marker */
function shortest({ corners }) {
  return Math.min(...corners.map(([x, y], i) => Math.hypot(x - corners[(i + 1) % 4][0], y - corners[(i + 1) % 4][1])));
}
