// Directions in the ground frame that drawing needs: the screen's, and the pins' own.

/** @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame */

/** @typedef {{ right: number[], up: number[], out: number[], light: number[], pin: number[] }} Axes */

/**
 * The screen's axes in the ground frame, levelled, from the rows of the matrix; and the pins' own frame.
 * @param {GroundFrame} frame
 * @returns {Axes}
 */
export function screenAxes({ clipFromGround: m, pinAxis, roll }) {
  // The last row is the line of sight; the others are right and up, off by some of it where the lens is off the middle.
  const ahead = unit([m[3], m[7], m[11]]);
  const level = (/** @type {number[]} */ row) => {
    const part = row[0] * ahead[0] + row[1] * ahead[1] + row[2] * ahead[2];
    return unit(row.map((value, k) => value - part * ahead[k]));
  };
  const [x, y] = [level([m[0], m[4], m[8]]), level([m[1], m[5], m[9]])];
  const [s, c] = [Math.sin(roll), Math.cos(roll)];
  const right = x.map((value, k) => value * c - y[k] * s);
  const up = x.map((value, k) => value * s + y[k] * c);
  const out = ahead.map((value) => -value);
  const side = unit(cross(up, pinAxis).some((value) => Math.abs(value) > 1e-6) ? cross(pinAxis, out) : right);
  return {
    right, up, out, light: unit(up.map((value, k) => value * 0.8 - right[k] * 0.45 + out[k] * 0.65)),
    pin: [...side, ...cross(pinAxis, side), ...pinAxis],
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
