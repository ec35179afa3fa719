// Orientation events of the browser: which kind there is, whether they come, and what their north is.

import { Emitter } from '../core/emitter.js';

/**
 * @typedef {'idle' | 'waiting' | 'running' | 'denied' | 'missing'} SensorState
 * @typedef {{ alpha: number, beta: number, gamma: number, north: 'magnetic' | 'arbitrary' }
 *   | { alpha: number, beta: number, gamma: number, heading: number, accuracy: number }} Reading
 */

/** A phone at rest may send nothing; still, no event at all for so long means that there is no sensor. */
const PATIENCE_MS = 3000;

/** @extends {Emitter<{ state: SensorState, reading: Reading }>} */
export class OrientationSensor extends Emitter {
  /** @type {SensorState} */
  state = 'idle';
  #absolute = false;
  #listening = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * Asks for permission. Must be called inside the tap and before any `await`: iOS refuses otherwise.
   * @returns {Promise<void>}
   */
  start() {
    if (this.state === 'running') return Promise.resolve();
    this.#set('waiting');
    /** @type {Promise<string>[]} */
    const asked = [];
    for (const type of ['DeviceMotionEvent', 'DeviceOrientationEvent']) {
      const ask = /** @type {any} */ (globalThis)[type]?.requestPermission;
      if (typeof ask !== 'function') continue;
      try {
        asked.push(Promise.resolve(ask.call(/** @type {any} */ (globalThis)[type])).catch(() => 'denied'));
      } catch {
        asked.push(Promise.resolve('denied'));
      }
    }
    if (!('DeviceOrientationEvent' in globalThis)) {
      this.#set('missing');
      return Promise.resolve();
    }
    return Promise.all(asked).then((answers) => {
      if (answers.includes('denied')) this.#set('denied');
      else this.#listen();
    });
  }

  stop() {
    clearTimeout(this.#timer);
    removeEventListener('deviceorientation', this.#relative);
    removeEventListener('deviceorientationabsolute', this.#fromNorth);
    this.#listening = false;
    this.#set('idle');
  }

  #listen() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.state === 'waiting' && this.#set('missing'), PATIENCE_MS);
    if (this.#listening) return;
    this.#listening = true;
    addEventListener('deviceorientation', this.#relative);
    addEventListener('deviceorientationabsolute', this.#fromNorth);
  }

  /** @param {Event} event */
  #fromNorth = (event) => {
    const { alpha, beta, gamma } = /** @type {DeviceOrientationEvent} */ (event);
    if (alpha === null || beta === null || gamma === null) return;
    this.#absolute = true;
    this.#deliver({ alpha, beta, gamma, north: 'magnetic' });
  };

  /** @param {DeviceOrientationEvent} event */
  #relative = (event) => {
    const { alpha, beta, gamma, webkitCompassHeading, webkitCompassAccuracy } = event;
    // The first event of a device without sensors has null angles.
    if (alpha === null || beta === null || gamma === null) return;
    if (typeof webkitCompassHeading === 'number') {
      this.#deliver({ alpha, beta, gamma, heading: webkitCompassHeading, accuracy: webkitCompassAccuracy ?? -1 });
    } else if (event.absolute) {
      this.#deliver({ alpha, beta, gamma, north: 'magnetic' });
    } else if (!this.#absolute) {
      this.#deliver({ alpha, beta, gamma, north: 'arbitrary' });
    }
  };

  /** @param {Reading} reading */
  #deliver(reading) {
    clearTimeout(this.#timer);
    if (this.state !== 'running') this.#set('running');
    this.emit('reading', reading);
  }

  /** @param {SensorState} state */
  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.emit('state', state);
  }
}
