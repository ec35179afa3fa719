// The files of one view's models on its graphics card: each once, for all that show it, as long as one does.

import { ModelRenderer } from '../app/models/renderer.js';
import { preload } from '../app/session/engine-files.js';
import { ModelReader } from '../engine/models.js';
import { ModelError, fetchModel, modelErrorOf } from './model-file.js';

/**
 * @typedef {import('./model-element.js').ModelElement} ModelElement
 * @typedef {import('../app/models/gpu-model.js').GPUModel} GPUModel
 * @typedef {{ address: string, users: Set<ModelElement>, file: Promise<Uint8Array>, model: GPUModel | null, isNew: boolean,
 *   life: AbortController }} Source `isNew`: nobody has heard yet that it is there
 */

export class ModelSources {
  /** @type {ModelRenderer | null} */
  renderer = null;
  #canvas;
  #ready;
  /** @type {Promise<ModelReader> | null} */
  #reader = null;
  /** @type {Map<string, Source>} by address */
  #sources = new Map();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(source: Source) => void} ready a model is on the graphics card
   */
  constructor(canvas, ready) {
    this.#canvas = canvas;
    this.#ready = ready;
  }

  /**
   * @param {ModelElement} user
   * @param {string} address
   */
  take(user, address) {
    let source = this.#sources.get(address);
    if (!source) {
      const life = new AbortController();
      source = { address, users: new Set(), file: fetchModel(address, life.signal), model: null, isNew: true, life };
      // Whoever draws it hears of it.
      source.file.catch(() => undefined);
      this.#sources.set(address, source);
      void this.#load(source);
    }
    if (!source.users.has(user)) user.state = 'loading';
    source.users.add(user);
    return source;
  }

  /**
   * @param {ModelElement} user
   * @param {Source} source
   */
  release(user, source) {
    source.users.delete(user);
    if (source.users.size > 0) return;
    source.life.abort();
    drop(source);
    if (this.#sources.get(source.address) === source) this.#sources.delete(source.address);
  }

  /** The graphics card has lost everything. */
  lose() {
    this.renderer = null;
    for (const source of this.#sources.values()) drop(source);
  }

  /**
   * The graphics card is there again.
   * @param {HTMLCanvasElement} canvas a new one
   */
  restore(canvas) {
    this.#canvas = canvas;
    for (const source of this.#sources.values()) void this.#load(source);
  }

  /** @param {Source} source */
  async #load(source) {
    const { life: { signal }, address } = source;
    try {
      const renderer = this.renderer ??= this.#makeRenderer();
      const [reader, file] = await Promise.all([this.#reader ??= this.#makeReader(), source.file]);
      if (signal.aborted) return;
      const model = await upload(renderer, reader.read(file));
      // Nobody may want it any more, or the graphics card has begun anew.
      if (signal.aborted || renderer !== this.renderer) return model.delete();
      source.model = model;
      this.#ready(source);
      source.isNew = false;
    } catch (error) {
      // A trap leaves a dead instance.
      if (error instanceof WebAssembly.RuntimeError) this.#reader = null;
      // What a lost context refuses comes when it is back.
      if (signal.aborted || this.renderer?.gl.isContextLost()) return;
      const { code, message } = modelErrorOf(error);
      // What comes later with the same address tries again.
      this.#sources.delete(address);
      for (const user of source.users) user.fail(code, `${address.slice(0, 200)}: ${message}`);
    }
  }

  #makeRenderer() {
    try {
      return new ModelRenderer(this.#canvas);
    } catch (error) {
      throw new ModelError('model-no-webgl', `${error instanceof Error ? error.message : error}: show a picture in place of the model`);
    }
  }

  #makeReader() {
    const reader = preload('models.wasm').then((module) => ModelReader.make(module));
    // What could not be fetched may be there later.
    reader.catch(() => this.#reader === reader && (this.#reader = null));
    return reader;
  }

  close() {
    this.renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.renderer = this.#reader = null;
  }
}

/** @param {Source} source */
function drop(source) {
  source.model?.delete();
  source.model = null;
}

/**
 * @param {ModelRenderer} renderer
 * @param {import('../engine/models.js').EngineModel} read
 */
async function upload(renderer, read) {
  try {
    if (!read.description.bounds) throw new ModelError('model-invalid', 'there is nothing in it to be seen: see whether its scene has triangles');
    return await renderer.load(read);
  } catch (error) {
    read.release();
    throw error;
  }
}
