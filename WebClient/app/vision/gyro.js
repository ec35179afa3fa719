// How the camera turned between two pictures, from the gyroscope: a product of small turns.

/** @typedef {[number, number, number, number]} Turn w, x, y, z */

/** A gap longer than this is no turn that anything is known of, seconds. */
const LONGEST_GAP = 0.1;

export class Gyro {
  /** @type {Turn} */
  #turn = [1, 0, 0, 0];
  #last = NaN;
  #isWhole = false;
  #life = new AbortController();

  constructor() {
    addEventListener('devicemotion', (event) => this.#hear(event), { signal: this.#life.signal });
  }

  /** @param {DeviceMotionEvent} event */
  #hear({ rotationRate, timeStamp }) {
    const time = timeStamp / 1000;
    const step = time - this.#last;
    this.#last = time;
    const { alpha, beta, gamma } = rotationRate ?? {};
    if (typeof alpha !== 'number' || typeof beta !== 'number' || typeof gamma !== 'number') return;
    if (!(step > 0) || step > LONGEST_GAP) {
      this.#isWhole = false;
      return;
    }
    const [x, y, z] = inCamera([alpha, beta, gamma], screen.orientation?.angle ?? 0).map((rate) => (rate * Math.PI) / 180);
    const speed = Math.hypot(x, y, z);
    const half = (speed * step) / 2;
    const k = speed > 1e-9 ? Math.sin(half) / speed : step / 2;
    this.#turn = product(this.#turn, [Math.cos(half), x * k, y * k, z * k]);
  }

  /**
   * The turn since the last call: from the camera's axes now to those then.
   * @returns {Turn | null} `null` when there were gaps, or there is no gyroscope
   */
  take() {
    const turn = this.#isWhole && performance.now() / 1000 - this.#last < LONGEST_GAP ? this.#turn : null;
    this.#turn = [1, 0, 0, 0];
    this.#isWhole = Number.isFinite(this.#last);
    return turn;
  }

  close() {
    this.#life.abort();
  }
}

/**
 * From the axes of the portrait phone (x right, y to its top, z out of the screen) to those of the rear camera's picture as
 * the screen is held (x right, y down, z forward).
 * @param {[number, number, number]} vector
 * @param {number} angle of the screen, degrees
 * @returns {[number, number, number]}
 */
export function inCamera([x, y, z], angle) {
  const a = (angle * Math.PI) / 180;
  const [c, s] = [Math.cos(a), Math.sin(a)];
  return [c * x - s * y, -(s * x + c * y), -z];
}

/**
 * One turn after the other, `b` first.
 * @param {Turn} a
 * @param {Turn} b
 * @returns {Turn} of unit length, as far as both are
 */
export function product([aw, ax, ay, az], [bw, bx, by, bz]) {
  return [
    aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/**
 * Which way is up, in the camera's axes, from the platform's orientation.
 *
 * Angles instead of the accelerometer: its sign differs between platforms, the angles do not.
 */
export class UpDirection {
  /** @type {[number, number, number] | null} */
  value = null;
  #life = new AbortController();

  constructor() {
    addEventListener('deviceorientation', ({ beta, gamma }) => {
      if (beta === null || gamma === null) return;
      const [b, g] = [(beta * Math.PI) / 180, (gamma * Math.PI) / 180];
      this.value = inCamera([-Math.cos(b) * Math.sin(g), Math.sin(b), Math.cos(b) * Math.cos(g)], screen.orientation?.angle ?? 0);
    }, { signal: this.#life.signal });
  }

  close() {
    this.#life.abort();
  }
}
