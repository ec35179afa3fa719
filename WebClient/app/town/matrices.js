// From directions at the eye to the screen and back, out of the matrices that the engine gives.

/**
 * The engine's matrix for directions from the eye, with the depths of another one.
 * @param {ArrayLike<number>} clipFromWorld 4 × 4 by columns
 * @param {number} slope depth is `slope · w + shift`
 * @param {number} shift
 * @param {Float32Array} out
 */
export function clipFromEye(clipFromWorld, slope, shift, out) {
  for (let column = 0; column < 4; column++) {
    const isDirection = column < 3;
    const w = isDirection ? clipFromWorld[4 * column + 3] : 0;
    out[4 * column] = isDirection ? clipFromWorld[4 * column] : 0;
    out[4 * column + 1] = isDirection ? clipFromWorld[4 * column + 1] : 0;
    out[4 * column + 2] = isDirection ? slope * w : shift;
    out[4 * column + 3] = w;
  }
  return out;
}

/**
 * Where a point before the camera lies from the eye: east, north, up.
 * @param {ArrayLike<number>} clipFromWorld
 * @param {ArrayLike<number>} clipFromCamera of the same picture
 * @param {ArrayLike<number>} point in the camera's frame
 * @returns {number[] | null} null where the matrix has no inverse
 */
export function fromEye(clipFromWorld, clipFromCamera, point) {
  const row = (/** @type {ArrayLike<number>} */ m, /** @type {number} */ k) => [m[k], m[4 + k], m[8 + k]];
  const rows = [0, 1, 3].map((k) => row(clipFromWorld, k));
  const sides = [0, 1, 3].map((k) => dot(row(clipFromCamera, k), [point[0], point[1], point[2]]));
  const columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
  const determinant = dot(rows[0], columns[0]);
  if (Math.abs(determinant) < 1e-12) return null;
  return [0, 1, 2].map((k) => (sides[0] * columns[0][k] + sides[1] * columns[1][k] + sides[2] * columns[2][k]) / determinant);
}

/** @type {(a: number[], b: number[]) => number} */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @type {(a: number[], b: number[]) => number[]} */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
