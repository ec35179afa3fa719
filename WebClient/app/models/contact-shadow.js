// The soft dark spot under a model that stands on something: drawn as models are, in the model's own frame, a little larger than its foot.

/** @typedef {import('./renderer.js').Drawable} Drawable */

const NONE = { texture: -1, set: 0, offset: /** @type {[number, number]} */ ([0, 0]), scale: /** @type {[number, number]} */ ([1, 1]), rotation: 0 };
const REST = new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
/** How far the shadow reaches beyond the model's box, as a share of that, and the side of its picture in pixels. */
const [BEYOND, SIDE] = [1.35, 64];
/** Darkest it gets, 0 … 255. */
const DARKEST = 130;

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
 * @returns {Drawable}
 */
export function contactShadow(gl, { low, high }) {
  const [x, z] = [(low[0] + high[0]) / 2, (low[2] + high[2]) / 2];
  // No narrower than half as long: what is thin casts some shadow too.
  const [wide, deep] = [high[0] - low[0], high[2] - low[2]];
  const [a, b] = [Math.max(wide, deep / 2) / 2 * BEYOND, Math.max(deep, wide / 2) / 2 * BEYOND];
  const y = low[1] + 0.002 * Math.max(wide, deep);
  const vertices = new Float32Array([x - a, y, z - b, 0, 0, x - a, y, z + b, 0, 1, x + a, y, z + b, 1, 1, x + a, y, z - b, 1, 0]);
  const array = gl.createVertexArray();
  const buffers = [gl.createBuffer(), gl.createBuffer()];
  const texture = gl.createTexture();
  if (!array) throw new Error('the graphics card gives no vertex array');
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
  gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 20, 0);
  gl.enableVertexAttribArray(3);
  gl.vertexAttribPointer(3, 2, gl.FLOAT, false, 20, 12);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1]);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array([0, 1, 2, 0, 2, 3]), gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, SIDE, SIDE, 0, gl.RGBA, gl.UNSIGNED_BYTE, spot());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  return {
    model: {
      description: {
        drawn: [{ node: 0, first: 0, count: 1 }],
        durations: [],
        materials: [{
          baseColor: [1, 1, 1, 1], metallic: 0, roughness: 1, normalScale: 1, occlusionStrength: 1, emissive: [0, 0, 0],
          alphaMode: 'blend', alphaCutoff: 0.5, isDoubleSided: true, isUnlit: true,
          baseColorTexture: { ...NONE, texture: 0 }, metallicRoughnessTexture: NONE, normalTexture: NONE,
          occlusionTexture: NONE, emissiveTexture: NONE,
        }],
      },
      pose: () => REST,
    },
    primitives: [{ array, count: 6, material: 0, hasTangent: false }],
    textures: [texture],
    delete() {
      gl.deleteVertexArray(array);
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
      gl.deleteTexture(texture);
    },
  };
}
