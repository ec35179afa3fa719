// Position fixes of the browser.

import { Emitter } from '../core/emitter.js';

/**
 * @typedef {import('./orientation.js').SensorState} SensorState
 * @typedef {{ latitude: number, longitude: number, altitude: number | null, altitudeDatum?: import('../../engine/bindings').HeightDatum, horizontalAccuracy: number,
 *   verticalAccuracy: number | null, course?: number | null, speed?: number | null, timestamp?: number }} Fix
 */

/**
 * What this browser's `altitude` is measured from: WebClient/README.md has how that is known.
 * @returns {import('../../engine/bindings').HeightDatum}
 */
export function altitudeDatum(agent = navigator.userAgent) {
  return /iPhone|iPad|iPod|Macintosh/.test(agent) ? 'seaLevel' : 'ellipsoid';
}

/** @extends {Emitter<{ state: SensorState, fix: Fix }>} */
export class LocationSensor extends Emitter {
  /** @type {SensorState} */
  state = 'idle';
  /** @type {Fix | null} */
  last = null;
  #watch = 0;

  start() {
    if (this.state === 'running' || this.state === 'waiting') return;
    if (!navigator.geolocation) return this.#set('missing');
    this.#set('waiting');
    this.#clear();
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        this.last = {
          latitude: coords.latitude,
          longitude: coords.longitude,
          altitude: coords.altitude,
          altitudeDatum: altitudeDatum(),
          horizontalAccuracy: coords.accuracy,
          verticalAccuracy: coords.altitudeAccuracy,
          course: coords.heading,
          speed: coords.speed,
          timestamp,
        };
        this.#set('running');
        this.emit('fix', this.last);
      },
      (error) => {
        if (error.code === error.PERMISSION_DENIED) this.#set('denied');
        // A time-out or a lost signal is not the end: the watch goes on, and the age of the last fix is shown.
        else if (!this.last) this.#set('missing');
      },
      { enableHighAccuracy: true, maximumAge: 1000, timeout: 15000 },
    );
  }

  /**
   * The position, from now on; asks the user if they were not asked before.
   * @returns {Promise<Fix | null>} null when there is none to be had
   */
  find() {
    this.start();
    if (this.last && this.state === 'running') return Promise.resolve(this.last);
    return new Promise((resolve) => {
      const done = () => {
        offFix();
        offState();
        resolve(this.state === 'running' ? this.last : null);
      };
      const offFix = this.on('fix', done);
      const offState = this.on('state', (state) => state !== 'waiting' && done());
      if (this.state === 'denied' || this.state === 'missing') done();
    });
  }

  stop() {
    this.#clear();
    this.#set('idle');
  }

  #clear() {
    if (this.#watch) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = 0;
  }

  /** @param {SensorState} state */
  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.emit('state', state);
  }
}

/** Whether the position may be read without a question. */
export async function isLocationAllowed() {
  try {
    return (await navigator.permissions?.query({ name: 'geolocation' }))?.state === 'granted';
  } catch {
    return false;
  }
}

/**
 * A position without asking anybody: only when the permission is there already.
 * @returns {Promise<Fix | null>}
 */
export async function quietPosition() {
  if (!(await isLocationAllowed())) return null;
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          latitude: coords.latitude,
          longitude: coords.longitude,
          altitude: coords.altitude,
          altitudeDatum: altitudeDatum(),
          horizontalAccuracy: coords.accuracy,
          verticalAccuracy: coords.altitudeAccuracy,
        }),
      () => resolve(null),
      { maximumAge: 60_000, timeout: 5000 },
    );
  });
}
