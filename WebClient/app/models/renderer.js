// Draws models with WebGL2 on a transparent canvas over the picture.

import { GPUModel } from './gpu-model.js';
import { normalMatrix, product } from './matrices.js';
import { link } from './program.js';
import { FRAGMENT, VERTEX } from './shaders.js';

/**
 * @typedef {import('../../engine/models.js').EngineModel} EngineModel
 * @typedef {import('../../engine/models.js').Material} Material
 * @typedef {import('../../engine/models.js').TextureUse} TextureUse
 * @typedef {{ model: { description: Pick<import('../../engine/models.js').Description, 'drawn' | 'materials' | 'durations'>,
 *   pose(animation: number, time: number): Float64Array },
 *   primitives: import('./gpu-model.js').GPUPrimitive[], textures: (WebGLTexture | null)[], delete(): void }} Drawable
 * @typedef {{ model: Drawable, cameraFromModel: Float32Array, time: number, opacity?: number, nearer?: number, isCoarse?: boolean }} Appearance
 *   `nearer`: the part of its depth that it is drawn at, where it is to lie before something; `isCoarse`: few triangles do
 * @typedef {{ framebuffer: WebGLFramebuffer | null, x: number, y: number, width: number, height: number, clipFromCamera: Float32Array }} Target
 *   pixels, and the projection of who shows them
 * @typedef {{ appearance: Appearance, primitive: import('./gpu-model.js').GPUPrimitive, cameraFromNode: Float32Array,
 *   isMirrored: boolean, material: Material }} Part objects and arrays are reused from picture to picture
 * @typedef {import('../../engine/things.js').Light} Light
 */

/** @type {TextureUse} */
const NONE = { texture: -1, set: 0, offset: [0, 0], scale: [1, 1], rotation: 0 };
/** @type {Material} */
const PLAIN = {
  baseColor: [1, 1, 1, 1], metallic: 1, roughness: 1, normalScale: 1, occlusionStrength: 1, emissive: [0, 0, 0],
  alphaMode: 'opaque', alphaCutoff: 0.5, isDoubleSided: false, isUnlit: false, baseColorTexture: NONE,
  metallicRoughnessTexture: NONE, normalTexture: NONE, occlusionTexture: NONE, emissiveTexture: NONE,
};
const TEXTURES = /** @type {const} */ ([
  'baseColorTexture', 'metallicRoughnessTexture', 'normalTexture', 'occlusionTexture', 'emissiveTexture',
]);
const HAS = TEXTURES.map((_, index) => `has[${index}]`);
const SETS = TEXTURES.map((_, index) => `sets[${index}]`);
const MAPS = TEXTURES.map((_, index) => `maps[${index}]`);
const WHITE = [1, 1, 1];
const ALPHA = { opaque: 0, mask: 1, blend: 2 };

export class ModelRenderer {
  /**
   * Where the program's uniforms are, and what they were set to: nobody else sets them, and what is the same is not set again.
   * @type {Map<string, { place: WebGLUniformLocation | null, value: number, vector: Float32Array | null }>}
   */
  #uniforms = new Map();
  /**
   * The parts of all models of a picture: the first `#count`.
   * @type {Part[]}
   */
  #parts = [];
  #count = 0;
  /**
   * Those among them that let light through, the farthest first.
   * @type {Part[]}
   */
  #clear = [];
  /**
   * The material that the uniforms are of, and whose it is.
   * @type {Material | null}
   */
  #material = null;
  /** @type {Drawable | null} */
  #model = null;
  /**
   * What lies on each texture unit, as far as this draws; others may put something else there between two pictures.
   * @type {(WebGLTexture | null | undefined)[]}
   */
  #bound = [];
  /**
   * What is drawn into; `null`: the canvas.
   * @type {Target | null}
   */
  target = null;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { alpha: true, premultipliedAlpha: true, antialias: true });
    if (!gl) throw new Error('this browser has no WebGL2');
    this.gl = gl;
    this.program = link(gl, VERTEX, FRAGMENT);
    // What others show cannot be drawn again.
    canvas.addEventListener('redraw', () => this.#last && !this.target && this.draw(...this.#last));
  }

  /**
   * What was drawn last without a light, for a picture of the view; who clears the canvas draws again by itself.
   * @type {[Appearance[], Float32Array, number[]] | null}
   */
  #last = null;

  /**
   * A model of the engine on the graphics card, with its pictures.
   * @param {EngineModel} model
   * @param {import('./gpu-model.js').Coarsen} [coarsen]
   */
  async load(model, coarsen) {
    const loaded = new GPUModel(this.gl, model, coarsen);
    await loaded.loadTextures();
    return loaded;
  }

  /**
   * @param {number} width device pixels
   * @param {number} height
   */
  resize(width, height) {
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  clear() {
    const { gl } = this;
    const { framebuffer, x, y, width, height } = this.target ?? { framebuffer: null, x: 0, y: 0, ...sizeOf(this.canvas) };
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(x, y, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /**
   * Draws everything, what is opaque first.
   * @param {Appearance[]} all
   * @param {Float32Array} clipFromCamera
   * @param {number[]} [lens] radial terms k1, k2, k3 of the camera that the picture is from, and up to which r² they hold; none for a
   *   straight one
   * @param {import('../../engine/things.js').Light | null} [light] that everything is in, on a canvas that was cleared; without one a sun over
   *   the viewer's shoulder
   */
  draw(all, clipFromCamera, lens = [0, 0, 0, 0], light = null) {
    if (!light) {
      this.#last = [all, clipFromCamera, lens];
      this.clear();
    }
    if (all.length === 0) return;
    const { gl } = this;
    gl.useProgram(this.program);
    gl.enable(gl.DEPTH_TEST);
    gl.uniformMatrix4fv(this.#at('clipFromCamera').place, false, clipFromCamera);
    this.#vector('lens', lens);
    this.#vector('sunlight', light?.sun ?? WHITE);
    this.#vector('skylight', light?.sky ?? WHITE);
    for (let index = 0; index < TEXTURES.length; index++) this.#whole(TEXTURES[index], index);
    this.#bound.length = 0;
    this.#material = null;
    GPUModel.setUsual(gl);
    this.#count = 0;
    for (const appearance of all) this.#take(appearance);
    const parts = this.#parts;
    const clear = this.#clear;
    clear.length = 0;
    let isFaded = false;
    for (let k = 0; k < this.#count; k++) {
      const part = parts[k];
      if (part.material.alphaMode === 'blend') clear.push(part);
      else if (opacityOf(part) < 1) isFaded = true;
      else this.#drawPart(part, light);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (let k = 0; isFaded && k < this.#count; k++) {
      const part = parts[k];
      if (part.material.alphaMode !== 'blend' && opacityOf(part) < 1) this.#drawPart(part, light);
    }
    gl.depthMask(false);
    if (clear.length > 1) clear.sort(fromFar);
    for (const part of clear) this.#drawPart(part, light);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  /** @param {Appearance} appearance */
  #take(appearance) {
    const { model, cameraFromModel, time } = appearance;
    const { drawn, durations, materials } = model.model.description;
    const duration = durations[0] ?? 0;
    const pose = model.model.pose(duration > 0 ? 0 : -1, duration > 0 ? time % duration : 0);
    for (let index = 0; index < drawn.length; index++) {
      const { first, count } = drawn[index];
      for (let k = first; k < first + count; k++) {
        const primitive = model.primitives[k];
        const material = materials[primitive.material] ?? PLAIN;
        const part = this.#parts[this.#count++] ??= { appearance, primitive, cameraFromNode: new Float32Array(16), isMirrored: false, material };
        part.appearance = appearance;
        part.primitive = primitive;
        part.material = material;
        product(cameraFromModel, pose, 17 * index, part.cameraFromNode);
        part.isMirrored = pose[17 * index + 16] !== 0;
      }
    }
  }

  /**
   * @param {Part} part
   * @param {Light | null} light
   */
  #drawPart({ appearance, primitive, cameraFromNode, isMirrored, material }, light) {
    const { gl } = this;
    const { model, nearer = 1, opacity = 1, isCoarse = false } = appearance;
    if (light) {
      this.#vector('up', light.up);
      this.#vector('towardsSun', light.towardsSun);
    } else {
      // What is above for the model is above for its light, which comes from above and a little to the left, behind the viewer.
      const m = appearance.cameraFromModel;
      const up = unit(m[4], m[5], m[6]);
      this.#vector('up', up);
      this.#vector('towardsSun', unit(up[0] - 0.45, up[1], up[2] - 0.75));
    }
    this.#number('opacity', opacity);
    this.#number('nearer', nearer);
    gl.frontFace(isMirrored ? gl.CW : gl.CCW);
    if (material.isDoubleSided) gl.disable(gl.CULL_FACE);
    else gl.enable(gl.CULL_FACE);
    gl.uniformMatrix4fv(this.#at('cameraFromNode').place, false, cameraFromNode);
    gl.uniformMatrix3fv(this.#at('cameraFromNormal').place, false, normalMatrix(cameraFromNode, NORMAL));
    this.#whole('isMirrored', isMirrored ? 1 : 0);
    this.#whole('hasTangent', primitive.hasTangent ? 1 : 0);
    if (this.#material !== material || this.#model !== model) this.#useMaterial(model, material);
    gl.bindVertexArray(primitive.array);
    const { count, coarse = 0 } = primitive;
    if (isCoarse && coarse) gl.drawElements(gl.TRIANGLES, coarse, gl.UNSIGNED_INT, 4 * count);
    else if (count > 0) gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
  }

  /**
   * @param {Drawable} model
   * @param {Material} material
   */
  #useMaterial(model, material) {
    const { gl } = this;
    this.#material = material;
    this.#model = model;
    this.#vector('baseColor', material.baseColor);
    PAIR[0] = material.metallic;
    PAIR[1] = material.roughness;
    this.#vector('metallicRoughness', PAIR);
    this.#vector('emissive', material.emissive);
    this.#number('normalScale', material.normalScale);
    this.#number('occlusionStrength', material.occlusionStrength);
    this.#number('alphaCutoff', material.alphaCutoff);
    this.#whole('alphaMode', ALPHA[material.alphaMode]);
    this.#whole('isUnlit', material.isUnlit ? 1 : 0);
    for (let index = 0; index < TEXTURES.length; index++) {
      const use = material[TEXTURES[index]];
      const texture = use.texture >= 0 ? model.textures[use.texture] : null;
      this.#whole(HAS[index], texture ? 1 : 0);
      if (this.#bound[index] !== texture) {
        this.#bound[index] = texture;
        gl.activeTexture(gl.TEXTURE0 + index);
        gl.bindTexture(gl.TEXTURE_2D, texture);
      }
      if (!texture) continue;
      this.#whole(SETS[index], use.set);
      gl.uniformMatrix3fv(this.#at(MAPS[index]).place, false, coordinateMap(use));
    }
  }

  /** @param {string} name */
  #at(name) {
    let known = this.#uniforms.get(name);
    if (!known) this.#uniforms.set(name, known = { place: this.gl.getUniformLocation(this.program, name), value: NaN, vector: null });
    return known;
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  #number(name, value) {
    const known = this.#at(name);
    if (known.value === value) return;
    known.value = value;
    this.gl.uniform1f(known.place, value);
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  #whole(name, value) {
    const known = this.#at(name);
    if (known.value === value) return;
    known.value = value;
    this.gl.uniform1i(known.place, value);
  }

  /**
   * @param {string} name
   * @param {ArrayLike<number>} value of two to four numbers
   */
  #vector(name, value) {
    const known = this.#at(name);
    const set = known.vector ??= new Float32Array(value.length).fill(NaN);
    let isSame = true;
    for (let k = 0; k < set.length; k++) {
      isSame &&= set[k] === Math.fround(value[k]);
      set[k] = value[k];
    }
    if (isSame) return;
    if (set.length === 2) this.gl.uniform2fv(known.place, set);
    else if (set.length === 3) this.gl.uniform3fv(known.place, set);
    else this.gl.uniform4fv(known.place, set);
  }
}

/** @param {HTMLCanvasElement} canvas */
const sizeOf = ({ width, height }) => ({ width, height });

/** @param {Part} part */
const opacityOf = ({ appearance }) => appearance.opacity ?? 1;

/** @type {(a: Part, b: Part) => number} */
const fromFar = (a, b) => b.cameraFromNode[14] - a.cameraFromNode[14];

/** For what the graphics card takes at once. */
const NORMAL = new Float32Array(9);
const MAP = new Float32Array(9);
const PAIR = new Float32Array(2);

/**
 * KHR_texture_transform: scaling, then turning, then shifting.
 * @param {TextureUse} use
 * @returns {Float32Array} valid until the next call
 */
function coordinateMap({ offset, scale, rotation }) {
  const [c, s] = [Math.cos(rotation), Math.sin(rotation)];
  MAP[0] = c * scale[0];
  MAP[1] = -s * scale[0];
  MAP[3] = s * scale[1];
  MAP[4] = c * scale[1];
  MAP[6] = offset[0];
  MAP[7] = offset[1];
  MAP[8] = 1;
  return MAP;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
function unit(x, y, z) {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
