// Directions that drawing on the ground map needs, put together from those of the engine's frame.

/** @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame */

/** @typedef {{ right: number[], up: number[], out: number[], light: number[], pin: number[] }} Axes */

/**
 * The screen's axes in the ground frame, where its light comes from, and the pins' own frame.
 * @param {GroundFrame} frame
 * @returns {Axes}
 */
export function screenAxes({ right, up, pinSide, pinAxis }) {
  const out = cross(right, up);
  return {
    right, up, out, light: unit(up.map((value, k) => value * 0.8 - right[k] * 0.45 + out[k] * 0.65)),
    pin: [...pinSide, ...cross(pinAxis, pinSide), ...pinAxis],
  };
}

/** @param {number[]} v */
export function unit(v) {
  const length = Math.hypot(v[0], v[1], v[2]) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
