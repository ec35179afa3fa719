// Models: a GLB file in, triangles, materials and moving nodes out. The mirror of Sources/Web/SightlineModelsWasm/ModelExports.

import { Instance } from './instance.js';
import { ALPHA_MODE, IMAGE_ENCODING, MODEL_FAULT, MODEL_OMISSION, MODEL_PART } from './layout-of-models.js';

/**
 * @typedef {import('./bindings').ModelFault} ModelFault
 * @typedef {import('./bindings').ModelPart} ModelPart
 * @typedef {{ texture: number, set: number, offset: [number, number], scale: [number, number], rotation: number }} TextureUse
 * @typedef {{ baseColor: number[], metallic: number, roughness: number, normalScale: number, occlusionStrength: number,
 *   emissive: number[], alphaMode: import('./bindings').AlphaMode, alphaCutoff: number, isDoubleSided: boolean,
 *   isUnlit: boolean, baseColorTexture: TextureUse, metallicRoughnessTexture: TextureUse, normalTexture: TextureUse,
 *   occlusionTexture: TextureUse, emissiveTexture: TextureUse }} Material
 * @typedef {{ material: number, vertexCount: number, indexCount: number, has: boolean[] }} Primitive
 * @typedef {{ image: number, wrapU: number, wrapV: number, isNearest: boolean }} Texture
 * @typedef {{ type: string, data: Uint8Array }} Image
 * @typedef {{ node: number, first: number, count: number }} Drawn
 * @typedef {{ bounds: { low: number[], high: number[] } | null, omissions: import('./bindings').ModelOmission[], drawn: Drawn[],
 *   primitives: Primitive[], materials: Material[], textures: Texture[], images: Image[], durations: number[] }} Description
 */

/** Attributes by number; 6 is the indices. */
export const ATTRIBUTE = {
  position: 0, normal: 1, tangent: 2, textureCoordinates: 3, secondTextureCoordinates: 4, color: 5, indices: 6,
};
const WIDTH = [3, 3, 4, 2, 2, 4];

/** Why a file is no model, and where. */
export class ModelFailure extends Error {
  /**
   * @param {ModelFault} code
   * @param {ModelPart} part
   * @param {number} index of the part, −1 for none
   * @param {number} subindex −1 for none
   * @param {string} property empty for none
   * @param {number} offset bytes
   */
  constructor(code, part, index, subindex, property, offset) {
    const place = [part, index < 0 ? '' : index, subindex < 0 ? '' : `.${subindex}`, property && ` ${property}`].join('');
    super(`${code}: ${place}, byte ${offset}`);
    Object.assign(this, { name: 'ModelFailure' });
    this.code = code;
    this.part = part;
    this.index = index;
    this.subindex = subindex;
    this.property = property;
    this.offset = offset;
  }
}

/** One model in the engine. */
export class EngineModel {
  #instance;
  #number;

  /**
   * @param {Instance} instance
   * @param {number} number
   * @param {Uint8Array} file
   */
  constructor(instance, number, file) {
    this.#instance = instance;
    this.#number = number;
    /** @type {Description} */
    this.description = describe(instance, number, file);
  }

  /**
   * A copy of an attribute of a primitive.
   * @param {number} primitive
   * @param {number} attribute
   * @returns {Float32Array | Uint32Array | null}
   */
  attribute(primitive, attribute) {
    const { vertexCount, indexCount } = this.description.primitives[primitive];
    const address = this.#instance.call.sl_model_attribute(this.#number, primitive, attribute);
    if (address === 0) return null;
    const { buffer } = this.#instance.memory;
    return attribute === ATTRIBUTE.indices
      ? new Uint32Array(buffer, address, indexCount).slice()
      : new Float32Array(buffer, address, vertexCount * WIDTH[attribute]).slice();
  }

  /** Gives the engine's memory of the triangles back. */
  shed() {
    this.#instance.call.sl_model_shed(this.#number);
  }

  /**
   * Where the drawn nodes are: 17 numbers each, a matrix by columns and whether it mirrors.
   * @param {number} animation below 0: at rest
   * @param {number} time seconds
   * @returns {Float64Array} valid until the next call
   */
  pose(animation, time) {
    const address = this.#instance.call.sl_model_pose(this.#number, animation, time);
    return this.#instance.doubles(address, 17 * this.description.drawn.length);
  }

  release() {
    this.#instance.call.sl_model_release(this.#number);
  }
}

/** Reads models, with an instance of its own: a large or hostile file cannot harm the session. */
export class ModelReader {
  /** @param {Instance} instance */
  constructor(instance) {
    this.instance = instance;
  }

  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new ModelReader(await Instance.make(module));
  }

  /**
   * @param {Uint8Array} file
   * @returns {EngineModel}
   * @throws {ModelFailure}
   */
  read(file) {
    const { call } = this.instance;
    const room = call.sl_model_bytes(file.length);
    if (room === 0) throw new ModelFailure('limit', 'file', -1, -1, '', file.length);
    this.instance.bytes(room, file.length).set(file);
    const number = call.sl_model_load();
    if (number >= 0) return new EngineModel(this.instance, number, file);
    const at = this.instance.doubles(call.sl_model_failure(), 7);
    const property = new TextDecoder().decode(this.instance.bytes(at[5], at[6]));
    throw new ModelFailure(MODEL_FAULT[at[0]], MODEL_PART[at[1]], at[2], at[3], property, at[4]);
  }
}

/**
 * @param {Instance} instance
 * @param {number} number
 * @param {Uint8Array} file
 * @returns {Description}
 */
function describe(instance, number, file) {
  const head = instance.call.sl_model_describe(number);
  const counts = instance.doubles(head, 16).slice();
  const [drawnCount, primitiveCount, materialCount, textureCount, imageCount, animationCount] = counts.subarray(8, 14);
  const total = 16 + 3 * drawnCount + 9 * primitiveCount + 57 * materialCount + 4 * textureCount + 4 * imageCount +
    animationCount;
  const all = instance.doubles(head, total).slice();
  let p = 16;
  const next = () => all[p++];
  /**
   * @template T
   * @param {number} count
   * @param {(index: number) => T} make
   * @returns {T[]}
   */
  const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  const use = () => {
    const result = {
      texture: next(), set: next(), offset: /** @type {[number, number]} */ ([next(), next()]),
      scale: /** @type {[number, number]} */ ([next(), next()]), rotation: next(),
    };
    p += 1;
    return result;
  };
  const drawn = list(drawnCount, () => ({ node: next(), first: next(), count: next() }));
  const primitives = list(primitiveCount, () => ({
    material: next(), vertexCount: next(), indexCount: next(), has: list(6, () => next() !== 0),
  }));
  const materials = list(materialCount, () => {
    const plain = {
      baseColor: list(4, next), metallic: next(), roughness: next(), normalScale: next(), occlusionStrength: next(),
      emissive: list(3, next), alphaMode: ALPHA_MODE[next()], alphaCutoff: next(), isDoubleSided: next() !== 0,
      isUnlit: next() !== 0,
    };
    p += 2;
    return {
      ...plain, baseColorTexture: use(), metallicRoughnessTexture: use(), normalTexture: use(), occlusionTexture: use(),
      emissiveTexture: use(),
    };
  });
  const textures = list(textureCount, () => ({
    image: next(), wrapU: next(), wrapV: next(), isNearest: next() !== 0,
  }));
  const places = list(imageCount, () => ({ encoding: next(), start: next(), length: next(), isOutside: next() !== 0 }));
  const durations = list(animationCount, next);
  const images = places.map(({ encoding, start, length, isOutside }, index) => ({
    type: IMAGE_ENCODING[encoding],
    data: isOutside
      ? instance.bytes(instance.call.sl_model_image(number, index), length).slice()
      : file.subarray(start, start + length),
  }));
  return {
    bounds: counts[0] ? { low: [...counts.subarray(1, 4)], high: [...counts.subarray(4, 7)] } : null,
    omissions: MODEL_OMISSION.filter((_, bit) => (counts[7] >> bit) & 1), drawn, primitives, materials, textures, images,
    durations,
  };
}
