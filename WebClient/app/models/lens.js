// How a lens bends a picture, for what is drawn over it: the radial terms of OpenCV's model, as the engine has them.

/**
 * Up to which r² the terms mean something: beyond it the picture would fold back on itself.
 * @param {number[]} terms k1, k2, k3
 */
export function reach([k1 = 0, k2 = 0, k3 = 0]) {
  const most = 4;
  for (let r2 = 0; r2 < most; r2 += 0.01) {
    // The derivative of r (1 + k1 r² + k2 r⁴ + k3 r⁶).
    if (1 + r2 * (3 * k1 + r2 * (5 * k2 + r2 * 7 * k3)) < 0.1) return r2;
  }
  return most;
}

/**
 * By how much a ray's x/z and y/z grow.
 * @param {number[]} terms
 * @param {number} x of the ray at z = 1
 * @param {number} y
 */
export function bend(terms, x, y) {
  const [k1 = 0, k2 = 0, k3 = 0] = terms;
  const r2 = Math.min(x * x + y * y, reach(terms));
  return 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
}
