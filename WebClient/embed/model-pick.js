// Which model is where somebody has tapped: the models are drawn there once more, one after the other and with the same depth, and the
// last that leaves something is the one in front. What can be seen through is passed by where nothing of it is seen.

/**
 * @typedef {import('../app/models/renderer.js').ModelRenderer} ModelRenderer
 * @typedef {import('../app/models/renderer.js').Appearance} Appearance
 */

/** @type {import('../engine/things.js').Light} what colours it gives is of no interest */
const LIGHT = { towardsSun: [0, 0, -1], up: [0, -1, 0], sun: [1, 1, 1], sky: [1, 1, 1], shadow: 0 };

/**
 * @param {ModelRenderer} renderer who draws the frame again afterwards
 * @param {Appearance[]} all
 * @param {Float32Array} clipFromCamera
 * @param {{ x: number, y: number }} at pixels of the canvas, y down
 * @param {number} slack pixels around, where nothing is at the very point
 * @returns {number} −1 for none
 */
export function pick(renderer, all, clipFromCamera, { x, y }, slack) {
  const { gl, canvas } = renderer;
  const reach = Math.max(1, Math.round(slack));
  const [left, bottom, side] = [Math.floor(x) - reach, canvas.height - 1 - Math.floor(y) - reach, 2 * reach + 1];
  const pixels = new Uint8Array(4 * side * side);
  const middle = 4 * (reach * side + reach) + 3;
  let [exact, near] = [-1, -1];
  renderer.clear();
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(left, bottom, side, side);
  all.forEach((appearance, index) => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    renderer.draw([{ ...appearance, opacity: 1 }], clipFromCamera, undefined, LIGHT);
    pixels.fill(0);
    gl.readPixels(left, bottom, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    if (pixels[middle] > 0) exact = index;
    else if (pixels.some((value, k) => k % 4 === 3 && value > 0)) near = index;
  });
  gl.disable(gl.SCISSOR_TEST);
  return exact >= 0 ? exact : near;
}
