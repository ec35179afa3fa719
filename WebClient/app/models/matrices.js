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
 * A rotation and a shift.
 * @param {readonly number[]} q w, x, y, z
 * @param {readonly number[]} t
 * @returns {Float32Array}
 */
export function rigid([w, x, y, z], t) {
  return new Float32Array([
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
    t[0], t[1], t[2], 1,
  ]);
}

/**
 * Scaling, then a shift.
 * @param {number} scale
 * @param {readonly number[]} t
 */
export function scaled(scale, t = [0, 0, 0]) {
  return new Float32Array([scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, t[0], t[1], t[2], 1]);
}

/**
 * Turns about x, then y, then z, degrees.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
export function turned(x, y, z) {
  const about = (/** @type {number} */ degrees, /** @type {number} */ axis) => {
    const half = (degrees * Math.PI) / 360;
    const q = [Math.cos(half), 0, 0, 0];
    q[axis + 1] = Math.sin(half);
    return rigid(q, [0, 0, 0]);
  };
  return product(about(z, 2), product(about(y, 1), about(x, 0)));
}

/**
 * The projection of a picture's camera (x right, y down, z forward; pixel centres at integers) onto WebGL's clip cube.
 * @param {number} width of the picture, pixels
 * @param {number} height
 * @param {number} focal pixels
 * @param {number} near metres
 * @param {number} far
 */
export function projection(width, height, focal, near, far) {
  // A pixel's centre (width − 1) / 2 is the middle of the clip cube, so no shift is left; y turns over.
  return new Float32Array([
    (2 * focal) / width, 0, 0, 0,
    0, (-2 * focal) / height, 0, 0,
    0, 0, (far + near) / (far - near), 1,
    0, 0, (-2 * far * near) / (far - near), 0,
  ]);
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
