// A session whose places come from the page: on the ground, on markers, on pictures. With sensors it waits until it is known where the
// phone is; without, everything stands on what the camera sees.

import { AnchorSession } from '../app/anchors/anchor-session.js';
import { SessionClock } from '../app/session/clock.js';
import { newEngine } from '../app/session/engine-link.js';

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 */

/** Round the axes of a place, metres: nothing far away is worth a pose that nobody could see something at. */
const BOX = /** @type {const} */ ({ low: [-5, -5, -5], high: [5, 5, 5] });

/** What is over as soon as it was said. */
const FLEETING = new Set(['observations', 'motion', 'open']);

export class PlacesSession extends AnchorSession {
  #clock = new SessionClock();
  /**
   * Features that stand at a place.
   * @type {number[]}
   */
  #onGround = [];
  /**
   * Worlds that hear what this session is told.
   * @type {Set<(event: EngineEvent, time?: number) => void>}
   */
  #hearers = new Set();
  /**
   * The last of each kind.
   * @type {Map<string, EngineEvent>}
   */
  #last = new Map();
  /** @type {(key: { assetID: string, width: number }) => number} */
  #pictures = () => -1;

  /**
   * @param {() => { width: number, height: number }} size of the view, CSS pixels
   * @param {{ radius: number, isOnGround: boolean, pictures: (target: { assetID: string, width: number }) => number }} options
   *   `radius` in metres; `isOnGround`: sensors will tell where the phone is
   */
  static async start(size, { radius, isOnGround, pictures }) {
    const session = new PlacesSession(await newEngine(), size);
    session.#pictures = pictures;
    if (isOnGround) {
      session.tell({ type: 'calendar', decimalYear: session.#clock.decimalYear() });
      session.tell({ type: 'setRadius', radius });
    } else {
      session.tell({ type: 'orientationUnavailable', reason: 'missing' });
      session.tell({ type: 'locationUnavailable', reason: 'missing' });
    }
    session.tellDisplay();
    return session;
  }

  /**
   * Nothing is told before it is known what there will be.
   * @override
   */
  begin() {}

  /**
   * @override
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time) {
    super.tell(event, time);
    this.answer();
    if (!FLEETING.has(event.type)) this.#last.set(event.type, event);
    for (const hear of this.#hearers) hear(event, time);
  }

  /**
   * From now on a world hears the same; first what is known already.
   * @param {(event: EngineEvent, time?: number) => void} hear
   */
  follow(hear) {
    for (const event of this.#last.values()) hear(event);
    this.#hearers.add(hear);
  }

  /** @param {(event: EngineEvent, time?: number) => void} hear */
  leave(hear) {
    this.#hearers.delete(hear);
  }

  /**
   * @override
   * @param {ContentPlace[]} places
   */
  show(places) {
    this.#onGround = places.flatMap(({ position }, feature) => (position ? [feature] : []));
    super.show(places);
  }

  /**
   * A new world knows nothing of the boxes of its models; what has none is not drawn, and so has no pose.
   * @override
   */
  answer() {
    const isAnswered = super.answer();
    if (!isAnswered) return false;
    for (const feature of this.#onGround) {
      super.tell({ type: 'modelTriangles', feature, count: 0 });
      super.tell({ type: 'modelBounds', feature, low: [...BOX.low], high: [...BOX.high] });
    }
    return true;
  }

  /**
   * @override
   * @param {{ assetID: string, width: number }} target
   */
  pictureOf(target) {
    return this.#pictures(target);
  }

  /**
   * @param {{ width: number, height: number, fieldOfView: number }} picture of the camera, pixels and degrees
   */
  tellPicture({ width, height, fieldOfView }) {
    this.tell({ type: 'camera', width, height, longSideFieldOfView: fieldOfView });
  }

  /** The hour in the light of which things are drawn. */
  decimalYear() {
    return this.#clock.decimalYear();
  }
}
