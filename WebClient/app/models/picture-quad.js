// A flat picture that is drawn as models are: one metre wide, in the plane x, y of its own frame, its middle at the origin.

/** @typedef {import('./renderer.js').Drawable} Drawable */

const NONE = { texture: -1, set: 0, offset: /** @type {[number, number]} */ ([0, 0]), scale: /** @type {[number, number]} */ ([1, 1]), rotation: 0 };
const REST = new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

/**
 * @param {WebGL2RenderingContext} gl
 * @param {TexImageSource & { width: number, height: number }} picture
 * @returns {Drawable}
 */
export function pictureQuad(gl, picture) {
  const y = picture.height / picture.width / 2;
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  return unlitQuad(gl, [-0.5, -y, 0, 0, 1, 0.5, -y, 0, 1, 1, 0.5, y, 0, 1, 0, -0.5, y, 0, 0, 0], texture);
}

/**
 * Four corners in the colours of a picture, in no light.
 * @param {WebGL2RenderingContext} gl
 * @param {number[]} corners counter-clockwise from the front: x, y, z, and two coordinates of the picture each
 * @param {WebGLTexture | null} texture with its filters; bound
 * @returns {Drawable}
 */
export function unlitQuad(gl, corners, texture) {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  const array = gl.createVertexArray();
  const buffers = [gl.createBuffer(), gl.createBuffer()];
  if (!array) throw new Error('the graphics card gives no vertex array');
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 20, 0);
  gl.enableVertexAttribArray(3);
  gl.vertexAttribPointer(3, 2, gl.FLOAT, false, 20, 12);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1]);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array([0, 1, 2, 0, 2, 3]), gl.STATIC_DRAW);
  gl.bindVertexArray(null);
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
