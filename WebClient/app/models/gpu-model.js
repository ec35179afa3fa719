// A model on the graphics card: vertex arrays, textures, materials.

import { ATTRIBUTE } from '../../engine/models.js';

/**
 * @typedef {import('../../engine/models.js').EngineModel} EngineModel
 * @typedef {import('../../engine/models.js').Material} Material
 * @typedef {{ array: WebGLVertexArrayObject, count: number, coarse?: number, material: number, hasTangent: boolean }} GPUPrimitive `coarse`: number
 *   of the indices behind the others that draw it coarsely
 * @typedef {(positions: ArrayLike<number>, indices: Uint32Array) => Uint32Array | null} Coarsen
 */

const WIDTH = [3, 3, 4, 2, 2, 4];
/** What a vertex has when the file says nothing. */
const USUAL = [[0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]];
const LARGEST_TEXTURE = 2048;

export class GPUModel {
  /**
   * @param {WebGL2RenderingContext} gl
   * @param {EngineModel} model
   * @param {Coarsen} [coarsen] what makes a coarser form for when it is small
   */
  constructor(gl, model, coarsen) {
    this.gl = gl;
    this.model = model;
    /** @type {WebGLBuffer[]} */
    this.buffers = [];
    /** @type {GPUPrimitive[]} */
    this.primitives = model.description.primitives.map((_, index) => this.#primitive(index, coarsen));
    /** @type {(WebGLTexture | null)[]} */
    this.textures = model.description.textures.map(() => null);
    model.shed();
  }

  /**
   * @param {number} index
   * @param {Coarsen} [coarsen]
   */
  #primitive(index, coarsen) {
    const { gl } = this;
    const { material, indexCount, has } = this.model.description.primitives[index];
    const array = gl.createVertexArray();
    if (!array) throw new Error('the graphics card gives no vertex array');
    gl.bindVertexArray(array);
    WIDTH.forEach((width, attribute) => {
      const values = has[attribute] ? this.model.attribute(index, attribute) : null;
      if (!values) {
        gl.disableVertexAttribArray(attribute);
        return;
      }
      this.#fill(gl.ARRAY_BUFFER, values);
      gl.enableVertexAttribArray(attribute);
      gl.vertexAttribPointer(attribute, width, gl.FLOAT, false, 0, 0);
    });
    const indices = /** @type {Uint32Array | null} */ (this.model.attribute(index, ATTRIBUTE.indices));
    const positions = indices && coarsen && this.model.attribute(index, ATTRIBUTE.position);
    const coarse = (positions && coarsen?.(positions, indices)) || new Uint32Array(0);
    if (indices) {
      const all = new Uint32Array(indexCount + coarse.length);
      all.set(indices);
      all.set(coarse, indexCount);
      this.#fill(gl.ELEMENT_ARRAY_BUFFER, all);
    }
    gl.bindVertexArray(null);
    return { array, count: indices ? indexCount : 0, coarse: coarse.length, material, hasTangent: has[ATTRIBUTE.tangent] };
  }

  /**
   * @param {number} target
   * @param {Float32Array | Uint32Array} values
   */
  #fill(target, values) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    if (!buffer) throw new Error('the graphics card gives no buffer');
    this.buffers.push(buffer);
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, values, gl.STATIC_DRAW);
  }

  /** Vertex attributes that an array lacks have these values; they belong to the context, not to the array. */
  static setUsual(/** @type {WebGL2RenderingContext} */ gl) {
    USUAL.forEach((value, attribute) => gl.vertexAttrib4fv(attribute, value));
  }

  /** Decodes the pictures; what cannot be decoded is left out, and the surface keeps its plain colour. */
  async loadTextures() {
    const { gl } = this;
    const { images, textures } = this.model.description;
    const used = new Set(textures.map(({ image }) => image).filter((image) => image >= 0));
    /** @type {Map<number, ImageBitmap>} */
    const bitmaps = new Map();
    await Promise.all([...used].map(async (image) => {
      try {
        const { data, type } = images[image];
        bitmaps.set(image, await decode(data, type));
      } catch (error) {
        console.info(`a picture of the model cannot be decoded: ${error}`);
      }
    }));
    textures.forEach(({ image, wrapU, wrapV, isNearest }, index) => {
      const bitmap = bitmaps.get(image);
      const texture = bitmap && gl.createTexture();
      if (!bitmap || !texture) return;
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
      gl.generateMipmap(gl.TEXTURE_2D);
      const wrap = [gl.REPEAT, gl.CLAMP_TO_EDGE, gl.MIRRORED_REPEAT];
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrap[wrapU]);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrap[wrapV]);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, isNearest ? gl.NEAREST : gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      this.textures[index] = texture;
    });
    for (const bitmap of bitmaps.values()) bitmap.close();
  }

  delete() {
    const { gl } = this;
    for (const { array } of this.primitives) gl.deleteVertexArray(array);
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    for (const texture of this.textures) gl.deleteTexture(texture);
    this.model.release();
  }
}

/**
 * As stored: no colour conversion, no premultiplied alpha; too large a picture is made smaller.
 * @param {Uint8Array} data
 * @param {string} type
 */
async function decode(data, type) {
  const options = /** @type {const} */ ({ colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const blob = new Blob([data], { type });
  const bitmap = await createImageBitmap(blob, options);
  const scale = LARGEST_TEXTURE / Math.max(bitmap.width, bitmap.height);
  if (scale >= 1) return bitmap;
  const small = await createImageBitmap(bitmap, {
    ...options,
    resizeWidth: Math.max(1, Math.round(bitmap.width * scale)),
    resizeHeight: Math.max(1, Math.round(bitmap.height * scale)),
  });
  bitmap.close();
  return small;
}
