// A session for places alone: places.wasm, a third of the whole engine. It has what `PlacesSession` has, without prints.

import { toDegrees } from '../app/core/angles.js';
import { preload } from '../app/session/engine-files.js';
import { SessionClock } from '../app/session/clock.js';
import { PlaceEngine } from '../engine/place-engine.js';
import { originOnView } from './display-matrix.js';
import { Hearers } from './hearers.js';

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 * @typedef {import('./frame-reader.js').SeenPlaces} SeenPlaces
 */

/** Begins loading what it needs. */
export const preloadGeo = () => preload('places.wasm');

export class GeoSession {
  /** Worlds that hear what this session is told. */
  hearers = new Hearers();
  #life = new AbortController();
  #engine;
  #size;

  /**
   * @param {PlaceEngine} engine
   * @param {() => { width: number, height: number }} size of the view, CSS pixels
   */
  constructor(engine, size) {
    this.#engine = engine;
    this.#size = size;
  }

  /**
   * @param {() => { width: number, height: number }} size of the view, CSS pixels
   * @param {{ radius: number }} options in metres
   */
  static async start(size, { radius }) {
    const session = new GeoSession(await PlaceEngine.make(await preloadGeo()), size);
    session.tell({ type: 'calendar', decimalYear: new SessionClock().decimalYear() });
    session.tell({ type: 'setRadius', radius });
    session.tellDisplay();
    return session;
  }

  /** Aborted when the session is closed. */
  get closed() {
    return this.#life.signal;
  }

  close() {
    this.#life.abort();
  }

  /**
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time = performance.now() / 1000) {
    this.#engine.handle(event, time);
    this.hearers.tell(event, time);
  }

  tellDisplay() {
    this.tell({ type: 'display', ...this.#size(), screenAngle: screen.orientation?.angle ?? 0 });
  }

  /** @param {{ width: number, height: number, fieldOfView: number }} picture of the camera, pixels and degrees */
  tellPicture({ width, height, fieldOfView }) {
    this.tell({ type: 'camera', width, height, longSideFieldOfView: fieldOfView });
  }

  /**
   * Shows these places, whose indices are their features, in place of those before.
   * @param {ContentPlace[]} places
   */
  show(places) {
    this.#engine.setPlaces(places.map(({ position, altitudeMode }) => ({
      latitude: position?.latitude ?? NaN, longitude: position?.longitude ?? NaN, altitude: position?.altitude ?? 0,
      altitudeDatum: altitudeMode ?? 'eye',
    })));
  }

  /**
   * Where places are for now.
   * @param {number} now seconds
   * @returns {SeenPlaces | null} `null` while it is not known where the phone is
   */
  seenPlaces(now) {
    const frame = this.#engine.frame(now);
    if (!frame.isValid) return null;
    const places = new Map();
    for (const { place, distance, opacity, cameraFromPlace } of frame.items) {
      const at = originOnView(frame.clipFromCamera, cameraFromPlace, this.#size());
      if (at) places.set(place, { ...at, distance, opacity, cameraFromPlace });
    }
    return {
      places, projection: frame.clipFromCamera, clipFromWorld: frame.clipFromEastNorthUp,
      direction: { heading: toDegrees(frame.bearing), pitch: toDegrees(frame.pitch), roll: toDegrees(frame.roll) },
    };
  }
}
