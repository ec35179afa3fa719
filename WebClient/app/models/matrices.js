// Small matrices for drawing, by columns as WebGL wants them. Poses come from the engine; here they are only put together.

/**
 * @param {ArrayLike<number>} a 4 × 4
 * @param {ArrayLike<number>} b 4 × 4
 * @returns {Float32Array} a · b
 */
export function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/**
 * The inverse transposed of the upper left 3 × 3: what normals are turned with.
 * @param {ArrayLike<number>} m 4 × 4
 */
export function normalMatrix(m) {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
  const cofactors = [
    e * i - f * h, f * g - d * i, d * h - e * g, c * h - b * i, a * i - c * g, b * g - a * h, b * f - c * e, c * d - a * f,
    a * e - b * d,
  ];
  const determinant = a * cofactors[0] + b * cofactors[1] + c * cofactors[2] || 1;
  // The cofactors over the determinant are the inverse transposed, here by rows; WebGL reads by columns.
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = cofactors.map((value) => value / determinant);
  return new Float32Array([r0, r3, r6, r1, r4, r7, r2, r5, r8]);
}
