// The streams beside the camera's pictures: motion, orientation, fixes. Counted here, and handed on to whoever records.

import { secondsOf } from '../vision/motion-readings.js';
import { Rates } from './rates.js';

/**
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {'picture' | 'motion' | 'orientation' | 'fix'} Stream
 */

export const STREAMS = /** @type {Stream[]} */ (['picture', 'motion', 'orientation', 'fix']);

/** A position that was taken longer ago than this has the time of another clock, milliseconds. */
const OLDEST = 10_000;

/**
 * When a position was taken, on the page's clock; that it is now where the time stamp says something that cannot be, as when the system's
 * clock was set meanwhile.
 * @param {number} timestamp milliseconds since 1970
 * @param {number} time milliseconds on the page's clock
 * @returns {number} seconds
 */
export function stampOf(timestamp, time = performance.now()) {
  const stamp = timestamp - performance.timeOrigin;
  return (stamp <= time && time - stamp < OLDEST ? stamp : time) / 1000;
}

export class SensorStreams {
  /** @type {Record<Stream, Rates>} */
  #rates = { picture: new Rates(), motion: new Rates(), orientation: new Rates(), fix: new Rates() };
  /** @type {(event: EngineEvent, time: number) => void} */
  #tell;

  /**
   * @param {AbortSignal} until
   * @param {(event: EngineEvent, time: number) => void} tell orientations and fixes, with their stamps, seconds
   */
  constructor(until, tell) {
    this.#tell = tell;
    addEventListener('devicemotion', ({ timeStamp }) => this.#rates.motion.add(secondsOf(timeStamp), now()), { signal: until });
    addEventListener('deviceorientation', (event) => this.#orientation(event), { signal: until });
    addEventListener('deviceorientationabsolute', (event) => this.#orientation(/** @type {DeviceOrientationEvent} */ (event)), { signal: until });
  }

  /** @param {DeviceOrientationEvent} event */
  #orientation({ type, alpha, beta, gamma, absolute, timeStamp, webkitCompassHeading: heading, webkitCompassAccuracy: accuracy }) {
    if (alpha === null || beta === null || gamma === null) return;
    const time = secondsOf(timeStamp);
    // One of the two kinds is counted: a phone that has both sends them together.
    if (type === 'deviceorientation') this.#rates.orientation.add(time, now());
    if (typeof heading === 'number') this.#tell({ type: 'orientationWithCompass', alpha, beta, gamma, heading, accuracy: accuracy ?? -1 }, time);
    else this.#tell({ type: 'orientation', alpha, beta, gamma, north: absolute ? 'magnetic' : 'arbitrary' }, time);
  }

  /** @param {import('../device/location.js').Fix} fix */
  fix({ timestamp = NaN, ...fix }) {
    const heard = now();
    const time = stampOf(timestamp);
    this.#rates.fix.add(time, heard);
    this.#tell({ type: 'fix', ...fix, course: fix.course ?? null, speed: fix.speed ?? null }, time);
  }

  /**
   * @param {number} stamp seconds
   * @param {number} heard seconds
   */
  picture(stamp, heard) {
    this.#rates.picture.add(stamp, heard);
  }

  /** Of each stream how much came, and what is known of its clock. */
  get figures() {
    return STREAMS.map((name) => ({ name, count: this.#rates[name].count, clock: this.#rates[name].figures }));
  }
}

const now = () => performance.now() / 1000;
