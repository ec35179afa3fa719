// The models of one view: one canvas under its labels, drawn by the renderer that worlds have, in the frames of the view's tracker.

import { product } from '../app/models/matrices.js';
import { AnchorElement } from './anchor-elements.js';
import { canBeFetched } from './anchors.js';
import { pick } from './model-pick.js';
import { anchorFromModel, reachOf } from './model-pose.js';
import { ModelSources } from './model-sources.js';

/**
 * @typedef {import('./model-element.js').ModelElement} ModelElement
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 * @typedef {import('./model-sources.js').Source} Source
 * @typedef {import('../app/models/renderer.js').Appearance} Appearance
 * @typedef {import('./sightline-view.js').ViewElement} ViewElement
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
  #sources = new ModelSources(this.#canvas, (source) => this.#arrive(source));
  /** @type {Map<ModelElement, Placed | null>} `null`: something is wrong with its attributes */
  #elements = new Map();
  /** @type {Pick<TrackerFrame, 'projection' | 'width' | 'height' | 'time'> | null} */
  #frame = null;
  #isClear = true;

  /** @param {ViewElement} view */
  constructor(view) {
    this.#view = view;
    this.#setUp(this.#canvas);
    const { signal } = this.#life;
    view.addEventListener('frame', (event) => this.#follow(/** @type {CustomEvent<TrackerFrame>} */ (event).detail), { signal });
    view.addEventListener('statechange', () => view.state === 'idle' && this.#draw(), { signal });
    view.addEventListener('click', (event) => this.#tap(event), { signal });
  }

  /**
   * Puts the canvas in; a lost context comes back on another one, with nothing left of the old.
   * @param {HTMLCanvasElement} canvas
   */
  #setUp(canvas) {
    this.#canvas = canvas;
    canvas.setAttribute('part', 'models');
    canvas.setAttribute('aria-hidden', 'true');
    this.#view.shadowRoot?.querySelector('.anchors')?.before(canvas);
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#sources.lose();
    });
    canvas.addEventListener('webglcontextrestored', () => {
      if (this.#life.signal.aborted || canvas !== this.#canvas) return;
      canvas.remove();
      this.#setUp(document.createElement('canvas'));
      this.#sources.restore(this.#canvas);
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
    if (placed) this.#sources.release(element, placed.source);
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
    if (before && before.source !== placed?.source) this.#sources.release(element, before.source);
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
      const { localName, look } = /** @type {any} */ (element.anchorElement ?? {});
      const matrix = anchorFromModel({ scale, rotation, position, heading }, {
        hasNorth: localName === 'sightline-place', isUpright: localName === 'sightline-surface' && look?.facing !== 'up',
      });
      const source = this.#sources.take(element, address);
      const placed = { source, matrix, reach: 0, told: null };
      if (source.model) this.#ready(element, placed, before?.source !== source);
      return placed;
    } catch (error) {
      element.fail('attribute', `<${element.localName}>: ${error instanceof Error ? error.message : error}`);
      return null;
    }
  }

  /** @param {Source} source */
  #arrive(source) {
    for (const element of source.users) {
      const placed = this.#elements.get(element);
      if (placed) this.#ready(element, placed, source.isNew);
    }
    this.#draw();
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
    const [renderer, frame] = [this.#sources.renderer, this.#frame];
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
    const [renderer, frame] = [this.#sources.renderer, this.#frame];
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
    this.#sources.close();
    this.#canvas.remove();
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
  if (canBeFetched(url)) return url.href;
  throw new TypeError(`model.src: ${url.protocol} cannot be fetched: give an address with https:`);
}
