// Readings of the gyroscope, kept until the next picture goes to the worker, where the engine makes a turn of them.

/** @typedef {import('./vision-worker.js').Turning} Turning */

/** More readings between two pictures than that are too old to count. */
const MOST = 64;

export class Gyroscope {
  /** @type {Turning[]} */
  #readings = [];
  #life = new AbortController();

  constructor() {
    addEventListener('devicemotion', ({ rotationRate, timeStamp }) => {
      const { alpha, beta, gamma } = rotationRate ?? {};
      this.#readings.push({
        time: timeStamp / 1000, rate: [alpha ?? NaN, beta ?? NaN, gamma ?? NaN], angle: screen.orientation?.angle ?? 0,
      });
      if (this.#readings.length > MOST) this.#readings.shift();
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
