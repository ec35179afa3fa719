// Readings of the motion sensors, kept until the next picture goes to the worker, where the engine makes of them how the phone moved.

/**
 * @typedef {import('./vision-worker.js').Turning} Turning
 * @typedef {{ time: number, beta: number, gamma: number }} Tilt seconds, degrees
 */

/** More readings between two pictures than that are too old to count. */
const MOST = 512;
/** Further from now than this an event's time stamp is on another clock, as in older versions of WebKit, milliseconds. */
const CLOCK_SLACK = 2000;

/** Whether the page has to ask before it may read the sensors, as on iOS. */
export const hasToAskForSensors = () => typeof (/** @type {any} */ (globalThis).DeviceMotionEvent)?.requestPermission === 'function';

export class MotionReadings {
  /** @type {Turning[]} */
  #readings = [];
  /**
   * How the platform says that the phone is held.
   * @type {Tilt | null}
   */
  tilt = null;
  #life = new AbortController();

  constructor() {
    addEventListener('devicemotion', ({ rotationRate, accelerationIncludingGravity, timeStamp }) => {
      const { alpha, beta, gamma } = rotationRate ?? {};
      const { x, y, z } = accelerationIncludingGravity ?? {};
      this.#readings.push({
        time: secondsOf(timeStamp), heard: performance.now() / 1000, rate: [alpha ?? NaN, beta ?? NaN, gamma ?? NaN], force: [x ?? NaN, y ?? NaN, z ?? NaN],
        angle: screen.orientation?.angle ?? 0,
      });
      if (this.#readings.length > MOST) this.#readings.shift();
    }, { signal: this.#life.signal });
    addEventListener('deviceorientation', ({ beta, gamma, timeStamp }) => {
      if (beta !== null && gamma !== null) this.tilt = { time: secondsOf(timeStamp), beta, gamma };
    }, { signal: this.#life.signal });
  }

  /** What came since the last call. */
  take() {
    const readings = this.#readings;
    this.#readings = [];
    return readings;
  }

  close() {
    this.#life.abort();
  }
}

/** @param {number} stamp of an event, milliseconds */
export function secondsOf(stamp) {
  const now = performance.now();
  return (Math.abs(stamp - now) < CLOCK_SLACK ? stamp : now) / 1000;
}
