// The models of one view: one canvas under its labels, drawn by the renderer that worlds have, in the frames of the view's tracker.

import { ModelRenderer } from '../app/models/renderer.js';
import { product } from '../app/models/matrices.js';
import { preloadModels } from '../app/session/engine-link.js';
import { ModelReader } from '../engine/models.js';
import { AnchorElement } from './anchor-elements.js';
import { ModelError, fetchModel, modelErrorOf } from './model-file.js';
import { anchorFromModel, reachOf } from './model-pose.js';
import { pick } from './model-pick.js';

/**
 * @typedef {import('./model-element.js').ModelElement} ModelElement
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 * @typedef {import('../app/models/gpu-model.js').GPUModel} GPUModel
 * @typedef {import('../app/models/renderer.js').Appearance} Appearance
 * @typedef {import('./sightline-view.js').ViewElement} ViewElement
 * @typedef {{ users: Set<ModelElement>, file: Promise<Uint8Array>, model: GPUModel | null, life: AbortController }} Source a file, once
 *   for all elements that show it
 * @typedef {{ source: Source, matrix: Float32Array, reach: number, told: import('./anchor.js').Anchor | null }} Placed `told`: the anchor
 *   whose tracker knows of the reach
 */

/** Longest side of the drawing in pixels. */
const LARGEST = 2560;
/** How far beside a model a tap may be, CSS pixels: a finger is no pointer. */
const SLACK = 8;

/** @type {WeakMap<HTMLElement, ModelLayer>} */
const layers = new WeakMap();

/** @param {HTMLElement} view */
export function layerOf(view) {
  let layer = layers.get(view);
  if (!layer) layers.set(view, layer = new ModelLayer(/** @type {ViewElement} */ (view)));
  return layer;
}

export class ModelLayer {
  #view;
  #canvas = document.createElement('canvas');
  #life = new AbortController();
  /** @type {ModelRenderer | null} */
  #renderer = null;
  /** @type {Promise<ModelReader> | null} */
  #reader = null;
  /** @type {Map<string, Source>} by address */
  #sources = new Map();
  /** @type {Map<ModelElement, Placed | null>} `null`: something is wrong with its attributes */
  #elements = new Map();
  /** @type {Pick<TrackerFrame, 'projection' | 'width' | 'height' | 'time'> | null} */
  #frame = null;
  #isClear = true;

  /** @param {ViewElement} view */
  constructor(view) {
    this.#view = view;
    this.#setUp();
    const { signal } = this.#life;
    view.addEventListener('frame', (event) => this.#follow(/** @type {CustomEvent<TrackerFrame>} */ (event).detail), { signal });
    view.addEventListener('statechange', () => view.state === 'idle' && this.#draw(), { signal });
    view.addEventListener('click', (event) => this.#tap(event), { signal });
  }

  /** Puts the canvas in; a lost context comes back on another one, with nothing left of the old. */
  #setUp() {
    const canvas = this.#canvas = document.createElement('canvas');
    canvas.setAttribute('part', 'models');
    canvas.setAttribute('aria-hidden', 'true');
    this.#view.shadowRoot?.querySelector('.anchors')?.before(canvas);
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#renderer = null;
      for (const source of this.#sources.values()) this.#drop(source);
    });
    canvas.addEventListener('webglcontextrestored', () => {
      if (this.#life.signal.aborted || canvas !== this.#canvas) return;
      canvas.remove();
      this.#setUp();
      for (const [address, source] of this.#sources) void this.#load(address, source);
    });
  }

  // What is shown

  /** @param {ModelElement} element */
  enter(element) {
    this.#elements.set(element, null);
    this.change(element);
  }

  /** @param {ModelElement} element */
  leave(element) {
    const placed = this.#elements.get(element);
    this.#elements.delete(element);
    if (placed) this.#release(element, placed.source);
    if (this.#elements.size === 0) return this.#close();
    this.#draw();
  }

  /**
   * Its attributes are others.
   * @param {ModelElement} element
   */
  change(element) {
    const before = this.#elements.get(element) ?? null;
    const placed = this.#read(element, before);
    this.#elements.set(element, placed);
    if (before && before.source !== placed?.source) this.#release(element, before.source);
    this.#draw();
  }

  /**
   * @param {ModelElement} element
   * @param {Placed | null} before
   * @returns {Placed | null}
   */
  #read(element, before) {
    try {
      const address = addressOf(element.getAttribute('src'));
      const [scale, rotation, position, heading] = ['scale', 'rotation', 'position', 'heading'].map((name) => element.getAttribute(name));
      const matrix = anchorFromModel({ scale, rotation, position, heading }, element.anchorElement?.localName === 'sightline-place');
      const source = this.#source(element, address);
      const placed = { source, matrix, reach: 0, told: null };
      if (source.model) this.#ready(element, placed, before?.source !== source);
      return placed;
    } catch (error) {
      element.fail('attribute', `<${element.localName}>: ${error instanceof Error ? error.message : error}`);
      return null;
    }
  }

  /**
   * @param {ModelElement} element
   * @param {string} address
   */
  #source(element, address) {
    let source = this.#sources.get(address);
    if (!source) {
      const life = new AbortController();
      source = { users: new Set(), file: fetchModel(address, life.signal), model: null, life };
      // Whoever draws it hears of it.
      source.file.catch(() => undefined);
      this.#sources.set(address, source);
      void this.#load(address, source);
    }
    if (!source.users.has(element)) element.state = 'loading';
    source.users.add(element);
    return source;
  }

  /**
   * @param {ModelElement} element
   * @param {Source} source
   */
  #release(element, source) {
    source.users.delete(element);
    if (source.users.size > 0) return;
    source.life.abort();
    this.#drop(source);
    for (const [address, known] of this.#sources) if (known === source) this.#sources.delete(address);
  }

  /** @param {Source} source */
  #drop(source) {
    source.model?.delete();
    source.model = null;
  }

  /**
   * @param {string} address
   * @param {Source} source
   */
  async #load(address, source) {
    const isRestored = [...source.users].some(({ state }) => state === 'ready');
    try {
      const renderer = this.#renderer ??= this.#makeRenderer();
      this.#reader ??= preloadModels().then((module) => ModelReader.make(module));
      const [reader, file] = await Promise.all([this.#reader, source.file]);
      if (source.life.signal.aborted) return;
      const model = await upload(renderer, reader.read(file));
      // Nobody may want it any more, or the graphics card has begun anew.
      if (source.life.signal.aborted || renderer !== this.#renderer) return model.delete();
      source.model = model;
      for (const element of source.users) {
        const placed = this.#elements.get(element);
        if (placed) this.#ready(element, placed, !isRestored);
      }
      this.#draw();
    } catch (error) {
      // A trap leaves a dead instance.
      if (error instanceof WebAssembly.RuntimeError) this.#reader = null;
      // What a lost context refuses comes when it is back.
      if (source.life.signal.aborted || this.#renderer?.gl.isContextLost()) return;
      const { code, message } = modelErrorOf(error);
      // What comes later with the same address tries again.
      this.#sources.delete(address);
      for (const element of source.users) element.fail(code, `${address.slice(0, 200)}: ${message}`);
    }
  }

  #makeRenderer() {
    try {
      return new ModelRenderer(this.#canvas);
    } catch (error) {
      throw new ModelError('model-no-webgl', `${error instanceof Error ? error.message : error}: show a picture in place of the model`);
    }
  }

  /**
   * @param {ModelElement} element
   * @param {Placed} placed
   * @param {boolean} isNew
   */
  #ready(element, placed, isNew) {
    const bounds = placed.source.model?.model.description.bounds;
    if (!bounds) return;
    placed.reach = reachOf(placed.matrix, bounds);
    placed.told = null;
    if (isNew) queueMicrotask(() => this.#elements.get(element) === placed && element.succeed({ bounds }));
  }

  // Drawing

  /** @param {TrackerFrame} frame */
  #follow({ projection, width, height, time }) {
    this.#frame = { projection, width, height, time };
    this.#draw();
  }

  /** @returns {{ element: ModelElement, appearance: Appearance }[]} */
  #shown() {
    return [...this.#elements].flatMap(([element, placed]) => {
      const anchor = element.anchorElement?.anchor;
      const model = placed?.source.model;
      if (!placed || !model || !anchor) return [];
      // What is larger than an anchor is thought to be is seen from farther away.
      if (placed.told !== anchor) this.#view.tracker?.reach(placed.told = anchor, placed.reach);
      if (!anchor.isVisible || !anchor.cameraFromAnchor) return [];
      const cameraFromModel = product(anchor.cameraFromAnchor, placed.matrix);
      return [{ element, appearance: { model, cameraFromModel, time: this.#frame?.time ?? 0, opacity: anchor.opacity } }];
    });
  }

  #draw() {
    const [renderer, frame] = [this.#renderer, this.#frame];
    if (!renderer || !frame?.projection) return;
    const shown = this.#shown();
    const drawn = new Set(shown.map(({ element }) => element));
    for (const element of this.#elements.keys()) element.toggleAttribute('data-visible', drawn.has(element));
    const all = shown.map(({ appearance }) => appearance);
    if (!all.length && this.#isClear) return;
    this.#isClear = !all.length;
    const ratio = ratioOf(frame);
    renderer.resize(Math.round(frame.width * ratio), Math.round(frame.height * ratio));
    renderer.draw(all, frame.projection);
  }

  /** @param {MouseEvent} event */
  #tap(event) {
    const [renderer, frame] = [this.#renderer, this.#frame];
    // HTML lies over the models.
    if (!renderer || !frame?.projection || event.composedPath().some((node) => node instanceof AnchorElement)) return;
    const shown = this.#shown();
    if (!shown.length) return;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const ratio = ratioOf(frame);
    const at = { x: (event.clientX - left) * ratio, y: (event.clientY - top) * ratio };
    const hit = pick(renderer, shown.map(({ appearance }) => appearance), frame.projection, at, SLACK * ratio);
    this.#isClear = false;
    this.#draw();
    shown[hit]?.element.select();
  }

  #close() {
    this.#life.abort();
    layers.delete(this.#view);
    this.#renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.#renderer = this.#reader = null;
    this.#canvas.remove();
  }
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

/**
 * Pixels of the drawing for one of CSS.
 * @param {{ width: number, height: number }} view
 */
const ratioOf = ({ width, height }) => Math.min(2, devicePixelRatio || 1, LARGEST / Math.max(width, height, 1));

/** @param {string | null} src */
function addressOf(src) {
  if (src === null || src.trim() === '') throw new TypeError('model.src: nothing is given: give the address of a .glb file');
  let url;
  try {
    url = new URL(src, document.baseURI);
  } catch {
    throw new TypeError(`model.src: ${JSON.stringify(src)} is no address: give that of a .glb file`);
  }
  if (['http:', 'https:', 'data:', 'blob:'].includes(url.protocol)) return url.href;
  throw new TypeError(`model.src: ${url.protocol} cannot be fetched: give an address with https:`);
}
