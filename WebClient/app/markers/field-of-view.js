// The camera's field of view from a marker of known size at a known distance.

/**
 * @typedef {import('../vision/camera-vision.js').Sight} Sight
 */

const WANTED = 12;

/** Gathers pictures until the answer no longer depends on any one of them. */
export class FieldOfViewCheck {
  /** @type {number[]} */
  #values = [];

  /**
   * @param {number} distance from the lens to the middle of the marker, metres
   * @param {(view: { width: number, height: number, focal: number }) => number} fieldOfView of a focal length, degrees
   */
  constructor(distance, fieldOfView) {
    this.distance = distance;
    this.fieldOfView = fieldOfView;
  }

  /** Share of the pictures that are needed, 0 … 1. */
  get progress() {
    return Math.min(1, this.#values.length / WANTED);
  }

  /**
   * @param {Sight} sight with one marker whose size is known; others are no use
   * @returns {{ degrees: number, spread: number } | null} the answer once there are enough pictures
   */
  add({ observations, focal, width, height }) {
    const seen = observations.filter(({ kind, state, pose }) => kind === 'marker' && state !== 'carried' && pose);
    if (seen.length !== 1 || !seen[0].pose) return null;
    const [x, y, z] = seen[0].pose.translation;
    // A marker that looks so large is as far away as the focal length is long: the one follows from the other.
    const real = focal * this.distance / Math.hypot(x, y, z);
    this.#values.push(this.fieldOfView({ width, height, focal: real }));
    if (this.#values.length < WANTED) return null;
    const sorted = [...this.#values].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return { degrees: middle, spread: sorted[sorted.length - 1] - sorted[0] };
  }
}
