// Small matrices for drawing, by columns as WebGL wants them. Poses come from the engine; here they are only put together.

/**
 * @param {ArrayLike<number>} a 4 × 4
 * @param {ArrayLike<number>} b 4 × 4
 * @param {number} [at] where b begins in its array
 * @param {Float32Array} [out] where to write it
 * @returns {Float32Array} a · b
 */
export function product(a, b, at = 0, out = new Float32Array(16)) {
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[at + 4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/**
 * The inverse transposed of the upper left 3 × 3: what normals are turned with.
 * @param {ArrayLike<number>} m 4 × 4
 * @param {Float32Array} [out] where to write it
 */
export function normalMatrix(m, out = new Float32Array(9)) {
  // The cofactors over the determinant are the inverse transposed.
  out[0] = m[5] * m[10] - m[9] * m[6];
  out[1] = m[8] * m[6] - m[4] * m[10];
  out[2] = m[4] * m[9] - m[8] * m[5];
  const determinant = m[0] * out[0] + m[1] * out[1] + m[2] * out[2] || 1;
  out[3] = m[9] * m[2] - m[1] * m[10];
  out[4] = m[0] * m[10] - m[8] * m[2];
  out[5] = m[8] * m[1] - m[0] * m[9];
  out[6] = m[1] * m[6] - m[5] * m[2];
  out[7] = m[4] * m[2] - m[0] * m[6];
  out[8] = m[0] * m[5] - m[4] * m[1];
  for (let k = 0; k < 9; k++) out[k] /= determinant;
  return out;
}
