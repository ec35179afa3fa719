// Orientation and motion events of the browser: which kinds there are, whether they come, and what their north is.
// Numbers are only turned into the engine's units; what they mean on which platform the engine finds out by itself.

import { toRadians } from '../core/angles.js';
import { Emitter } from '../core/emitter.js';

/**
 * @typedef {'idle' | 'waiting' | 'running' | 'denied' | 'missing'} SensorState
 * @typedef {{ alpha: number, beta: number, gamma: number, north: 'magnetic' | 'arbitrary' }
 *   | { alpha: number, beta: number, gamma: number, heading: number, accuracy: number }} Reading
 * @typedef {import('../../engine/types').MotionEvent} Motion
 */

/** A phone at rest may send nothing; still, no event at all for so long means that there is no sensor. */
const PATIENCE_MS = 3000;

/**
 * A browser that knows north tells it beside the readings that do not, a moment later at first. So long the others wait
 * for it: the first request would else go out with an arbitrary bearing.
 */
const NORTH_PATIENCE_MS = 1000;

/** Further from now than this an event's time stamp is on another clock, as in older versions of WebKit. */
const CLOCK_SLACK_MS = 2000;

/**
 * Asks for permission. Must be called inside the tap and before any `await`: iOS refuses otherwise.
 * @returns {Promise<boolean>} whether the page may read the sensors
 */
export async function askForSensors() {
  /** @type {any} */
  const { DeviceMotionEvent, DeviceOrientationEvent } = globalThis;
  const ask = async (/** @type {any} */ type) => type?.requestPermission?.();
  const answers = await Promise.all([DeviceMotionEvent, DeviceOrientationEvent].map((type) => ask(type).catch(() => 'denied')));
  return !answers.includes('denied');
}

/** @extends {Emitter<{ state: SensorState, reading: Reading, motion: { event: Motion, time: number } }>} */
export class OrientationSensor extends Emitter {
  /** @type {SensorState} */
  state = 'idle';
  #absolute = false;
  /**
   * While it runs, readings without north are held back.
   * @type {ReturnType<typeof setTimeout> | undefined}
   */
  #northTimer;
  #northOverdue = !('ondeviceorientationabsolute' in globalThis);
  /** @type {Reading | null} */
  #heldBack = null;
  #listening = false;
  #moved = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * Asks for permission. Must be called inside the tap and before any `await`: iOS refuses otherwise.
   * @returns {Promise<void>}
   */
  async start() {
    if (this.state === 'running') return;
    this.#set('waiting');
    const asked = askForSensors();
    if (!('DeviceOrientationEvent' in globalThis)) this.#set('missing');
    else if (await asked) this.#listen();
    else this.#set('denied');
  }

  stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#northTimer);
    this.#northTimer = undefined;
    removeEventListener('deviceorientation', this.#relative);
    removeEventListener('deviceorientationabsolute', this.#fromNorth);
    removeEventListener('devicemotion', this.#motion);
    this.#listening = false;
    this.#moved = false;
    this.#set('idle');
  }

  #listen() {
    clearTimeout(this.#timer);
    // Motion alone is enough to look around with, though not to find north.
    this.#timer = setTimeout(
      () => this.state === 'waiting' && this.#set(this.#moved ? 'running' : 'missing'),
      PATIENCE_MS,
    );
    if (this.#listening) return;
    this.#listening = true;
    addEventListener('deviceorientation', this.#relative);
    addEventListener('deviceorientationabsolute', this.#fromNorth);
    addEventListener('devicemotion', this.#motion);
  }

  /** @param {DeviceMotionEvent} event */
  #motion = ({ rotationRate, accelerationIncludingGravity, timeStamp }) => {
    const rate = vector(rotationRate?.alpha, rotationRate?.beta, rotationRate?.gamma);
    const force = vector(
      accelerationIncludingGravity?.x,
      accelerationIncludingGravity?.y,
      accelerationIncludingGravity?.z,
    );
    if (!rate && !force) return;
    if (rate && force) this.#moved = true;
    // Before the first orientation the engine would begin with a north of its own.
    if (this.state !== 'running') return;
    const now = performance.now();
    this.emit('motion', {
      event: {
        type: 'motion',
        angularVelocity: rate && { x: toRadians(rate.x), y: toRadians(rate.y), z: toRadians(rate.z) },
        specificForce: force,
      },
      time: (Math.abs(timeStamp - now) < CLOCK_SLACK_MS ? timeStamp : now) / 1000,
    });
  };

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
      this.#deliverWithoutNorth({ alpha, beta, gamma, north: 'arbitrary' });
    }
  };

  /** @param {Reading} reading */
  #deliverWithoutNorth(reading) {
    if (this.#northOverdue) return this.#deliver(reading);
    this.#heldBack = reading;
    // A phone at rest may send no second event: the last one is delivered then.
    this.#northTimer ??= setTimeout(() => {
      this.#northOverdue = true;
      if (this.#listening && !this.#absolute && this.#heldBack) this.#deliver(this.#heldBack);
    }, NORTH_PATIENCE_MS);
  }

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

/**
 * @param {number | null | undefined} x
 * @param {number | null | undefined} y
 * @param {number | null | undefined} z
 * @returns {{ x: number, y: number, z: number } | null} `null` when the device has no such sensor
 */
function vector(x, y, z) {
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? { x, y, z } : null;
}
