// The soft dark spot under a model that stands on something: drawn as models are, in the model's own frame, a little larger than its foot.

import { unlitQuad } from './picture-quad.js';

/** How far the shadow reaches beyond the model's box, as a share of that, and the side of its picture in pixels. */
const [BEYOND, SIDE] = [1.5, 64];
/** Darkest it gets, 0 … 255. */
const DARKEST = 200;

/** @type {Uint8Array | null} */
let pixels = null;

/** Black, the less opaque the farther from the middle. */
function spot() {
  if (pixels) return pixels;
  pixels = new Uint8Array(SIDE * SIDE * 4);
  for (let k = 0; k < SIDE * SIDE; k++) {
    const x = ((k % SIDE) + 0.5) / SIDE * 2 - 1;
    const y = (Math.floor(k / SIDE) + 0.5) / SIDE * 2 - 1;
    const share = Math.max(0, Math.min(1, (1 - Math.hypot(x, y)) / 0.75));
    pixels[4 * k + 3] = Math.round(DARKEST * share * share * (3 - 2 * share));
  }
  return pixels;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {{ low: number[], high: number[] }} bounds of the model
 * @returns {import('./renderer.js').Drawable}
 */
export function contactShadow(gl, { low, high }) {
  const [x, z] = [(low[0] + high[0]) / 2, (low[2] + high[2]) / 2];
  // No narrower than half as long: what is thin casts some shadow too.
  const [wide, deep] = [high[0] - low[0], high[2] - low[2]];
  const [a, b] = [Math.max(wide, deep / 2) / 2 * BEYOND, Math.max(deep, wide / 2) / 2 * BEYOND];
  const y = low[1] + 0.002 * Math.max(wide, deep);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, SIDE, SIDE, 0, gl.RGBA, gl.UNSIGNED_BYTE, spot());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  return unlitQuad(gl, [x - a, y, z - b, 0, 0, x - a, y, z + b, 0, 1, x + a, y, z + b, 1, 1, x + a, y, z - b, 1, 0], texture);
}
