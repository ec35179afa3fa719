// A session whose places come from the page: on the ground, on markers, on pictures. With sensors it waits until it is known where the
// phone is; without, everything stands on what the camera sees.

import { AnchorSession } from '../app/anchors/anchor-session.js';
import { SessionClock } from '../app/session/clock.js';
import { toDegrees } from '../app/core/angles.js';
import { newEngine } from '../app/session/engine-link.js';
import { Things } from '../engine/things.js';
import { originOnView } from './display-matrix.js';
import { Hearers } from './hearers.js';

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 */

/** Metres around a place, until another reach is told. */
const REACH = 5;

export class PlacesSession extends AnchorSession {
  #clock = new SessionClock();
  /**
   * Features that stand at a place, and metres around them: nothing far away is worth a pose that nobody could see something at.
   * @type {Map<number, number>}
   */
  #onGround = new Map();
  /** Worlds that hear what this session is told. */
  hearers = new Hearers();
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
    this.hearers.tell(event, time);
  }

  /**
   * @override
   * @param {ContentPlace[]} places
   */
  show(places) {
    this.#onGround = new Map(places.flatMap(({ position }, feature) => (position ? [[feature, this.#onGround.get(feature) ?? REACH]] : [])));
    super.show(places);
  }

  /**
   * @param {number} feature that stands at a place
   * @param {number} metres
   */
  reach(feature, metres) {
    if (!this.#onGround.has(feature) || this.#onGround.get(feature) === metres) return;
    this.#onGround.set(feature, metres);
    this.#tellBox(feature, metres);
  }

  /**
   * @param {number} feature
   * @param {number} metres
   */
  #tellBox(feature, metres) {
    super.tell({ type: 'modelBounds', feature, low: [-metres, -metres, -metres], high: [metres, metres, metres] });
  }

  /**
   * A new world knows nothing of the boxes of its models; what has none is not drawn, and so has no pose.
   * @override
   */
  answer() {
    const isAnswered = super.answer();
    if (!isAnswered) return false;
    for (const [feature, metres] of this.#onGround) {
      super.tell({ type: 'modelTriangles', feature, count: 0 });
      this.#tellBox(feature, metres);
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

  /**
   * Where places are for now.
   * @param {number} now seconds
   * @returns {import('./frame-reader.js').SeenPlaces | null} `null` while it is not known where the phone is
   */
  seenPlaces(now) {
    const scene = this.engine.makeFrame(now);
    if (!scene.isValid) return null;
    /** @type {import('./frame-reader.js').SeenPlaces['places']} */
    const places = new Map();
    const see = (/** @type {number} */ feature, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ distance,
      /** @type {number} */ opacity) => places.set(feature, { x, y, distance, opacity, cameraFromPlace: null });
    for (const { feature, anchorX, anchorY, distance, opacity } of scene.items) see(feature, anchorX, anchorY, distance, opacity);
    for (const { members, anchorX, anchorY, nearestDistance, opacity } of scene.clusters) {
      for (const feature of members) see(feature, anchorX, anchorY, nearestDistance, opacity);
    }
    const things = this.engine.part(Things).read(this.#clock.decimalYear());
    for (const { feature, cameraFromThing, distance, opacity } of things.things.slice(0, things.count)) {
      // What is drawn in true size has no label in the scene: its origin is where the label belongs.
      const at = originOnView(things.clipFromCamera, cameraFromThing, this.size());
      if (at && !places.has(feature)) see(feature, at.x, at.y, distance, opacity);
      const place = places.get(feature);
      if (place) place.cameraFromPlace = cameraFromThing.slice();
    }
    return {
      places, projection: things.count ? things.clipFromCamera.slice() : null, clipFromWorld: scene.clipFromWorld.slice(),
      direction: { heading: toDegrees(scene.bearing), pitch: toDegrees(scene.pitch), roll: toDegrees(scene.roll) },
    };
  }
}
