// What stands on anchors: the held picture, the models and pictures in it, and labels, all of one and the same frame. Where it
// stands, how large it is and which labels there is room for the engine has decided; here it is drawn.

import { Emitter } from '../core/emitter.js';
import { h } from '../core/dom.js';
import { contactShadow } from '../models/contact-shadow.js';
import { pictureQuad } from '../models/picture-quad.js';
import { ModelRenderer } from '../models/renderer.js';
import { ModelReader } from '../../engine/models.js';
import { preloadModels } from '../session/engine-link.js';

/**
 * @typedef {Omit<import('../vision/camera-vision.js').Sight, 'image'> & { image: any, target?: import('../models/renderer.js').Target }} Sight
 *   `image` is `null` where the browser shows the camera itself; `target`: what is drawn into then, instead of the canvas
 * @typedef {import('../../engine/anchors.js').AnchorFrame} AnchorFrame
 * @typedef {import('../../engine/anchors.js').AnchoredItem} AnchoredItem
 * @typedef {import('../models/renderer.js').Drawable} Drawable
 * @typedef {{ key: string, feature: number, text: string, model?: () => Promise<Uint8Array>,
 *   picture?: () => Promise<ImageBitmap>, press?: () => void, hasShadow?: boolean }} Anchored what a feature that stands on an anchor looks
 *   like; `hasShadow`: its model darkens what it stands on
 * @typedef {{ feature: number, low: [number, number, number], high: [number, number, number] }} ModelBounds
 */

/** @typedef {{ element: HTMLElement, content: string }} Label */

/** Longest side of the drawing in pixels. */
const LARGEST = 1920;

/**
 * @typedef {{ found: Anchored, lost: Anchored, failed: { anchored: Anchored, error: unknown },
 *   measured: { feature: number, width: number, height: number }, bounds: ModelBounds }} AnchorLayerEvents
 */

/** @extends {Emitter<AnchorLayerEvents>} */
export class AnchorLayer extends Emitter {
  /** @type {Map<number, Anchored>} by their features */
  #anchored = new Map();
  /** @type {Map<string, Drawable | 'loading' | 'failed'>} */
  #drawables = new Map();
  /** Of those that have one. @type {WeakMap<object, Drawable>} */
  #shadows = new WeakMap();
  /** Features whose anchors are known. @type {Set<number>} */
  #found = new Set();
  /** @type {Map<string, Label>} */
  #labels = new Map();
  /** @type {ModelRenderer | null | undefined} */
  #renderer;
  /** @type {Promise<ModelReader> | null} */
  #reader = null;
  /** @type {Omit<Sight, 'image'> | null} */
  #last = null;
  /** @type {AnchoredItem[]} */
  #items = [];
  #closed = false;
  #isClear = true;

  /** @param {HTMLElement} host the element that holds the camera's video */
  constructor(host) {
    super();
    this.picture = h('canvas', { class: 'anchor-picture', 'aria-hidden': 'true', hidden: true });
    this.canvas = h('canvas', { class: 'anchor-models', 'aria-hidden': 'true' });
    this.labels = h('div', { class: 'anchor-labels' });
    this.painter = this.picture.getContext('2d', { alpha: false });
    const video = host.querySelector('video');
    if (video) video.after(this.picture, this.canvas);
    else host.prepend(this.picture, this.canvas);
    host.append(this.labels);
  }

  /** @param {Anchored[]} anchored */
  show(anchored) {
    const kept = new Set(anchored.map(({ key }) => key));
    for (const [key, drawable] of this.#drawables) {
      if (kept.has(key)) continue;
      if (typeof drawable === 'object') this.#delete(drawable);
      this.#drawables.delete(key);
    }
    for (const [key, label] of this.#labels) {
      if (kept.has(key)) continue;
      label.element.remove();
      this.#labels.delete(key);
    }
    const found = new Set([...this.#found].flatMap((feature) => this.#anchored.get(feature)?.key ?? []));
    this.#anchored = new Map(anchored.map((each) => [each.feature, each]));
    this.#found = new Set(anchored.filter(({ key }) => found.has(key)).map(({ feature }) => feature));
    // The engine has another world: it knows nothing of the models that were read.
    for (const each of anchored) this.#tellBounds(each);
  }

  get #drawer() {
    return (this.#renderer ??= new ModelRenderer(this.canvas));
  }

  /** What everything is drawn with. */
  get gl() {
    return this.#drawer.gl;
  }

  /**
   * What a label says is another from now on.
   * @param {string} key
   * @param {string} text none for no label
   */
  setText(key, text) {
    const anchored = this.#anchoredOf(key);
    if (anchored) anchored.text = text;
  }

  /**
   * A picture, with what stands on anchors in it.
   * @param {Sight} sight
   * @param {AnchorFrame} frame
   * @param {number} reach of its lens, see `Places.lensReach`
   */
  draw(sight, frame, reach) {
    const { image, ...rest } = sight;
    this.#last = rest;
    this.#items = frame.items;
    this.#follow(frame);
    // While anchors are near, the picture is the one they were found in; otherwise the live one is earlier.
    const isHeld = this.#found.size > 0 && Boolean(sight.image);
    if (isHeld) this.#hold(sight);
    if (this.picture.hidden === isHeld) this.picture.hidden = !isHeld;
    this.#drawModels(sight, frame, reach);
    this.#drawLabels(frame);
  }

  /** @param {AnchorFrame} frame */
  #follow({ items }) {
    const known = new Set(items.map(({ feature }) => feature));
    for (const anchored of this.#anchored.values()) {
      const isKnown = known.has(anchored.feature);
      if (isKnown === this.#found.has(anchored.feature)) continue;
      if (isKnown) {
        this.#found.add(anchored.feature);
        this.#prepare(anchored);
        this.emit('found', anchored);
      } else {
        this.#found.delete(anchored.feature);
        this.emit('lost', anchored);
      }
    }
  }

  /** @param {Sight} sight */
  #hold({ image, width, height }) {
    if (this.picture.width !== width) this.picture.width = width;
    if (this.picture.height !== height) this.picture.height = height;
    this.painter?.drawImage(image, 0, 0, width, height);
  }

  /**
   * @param {Sight} sight
   * @param {AnchorFrame} frame
   * @param {number} reach
   */
  #drawModels({ width, height, lens, target }, { items, clipFromCamera }, reach) {
    const renderer = this.#renderer;
    if (!renderer) return;
    renderer.target = target ?? null;
    if (!target) {
      const cover = Math.max(innerWidth / width, innerHeight / height) * Math.min(2, devicePixelRatio || 1);
      const scale = Math.min(cover, LARGEST / Math.max(width, height));
      renderer.resize(Math.round(width * scale), Math.round(height * scale));
    }
    const all = items.flatMap(({ feature, cameraFromFeature, age }) => {
      const drawable = this.#drawables.get(this.#anchored.get(feature)?.key ?? '');
      if (typeof drawable !== 'object' || !cameraFromFeature) return [];
      const shadow = this.#shadows.get(drawable);
      return [drawable, ...(shadow ? [shadow] : [])].map((model) => ({ model, cameraFromModel: cameraFromFeature, time: age }));
    });
    if (!all.length && this.#isClear && !target) return;
    this.#isClear = !all.length;
    const [k1 = 0, k2 = 0, k3 = 0] = lens;
    renderer.draw(all, target?.clipFromCamera ?? clipFromCamera, [k1, k2, k3, reach]);
  }

  /** @param {AnchorFrame} frame */
  #drawLabels({ items }) {
    const shown = new Set();
    for (const item of items) {
      const anchored = this.#anchored.get(item.feature);
      if (!anchored?.text || item.opacity === 0) continue;
      const { element } = this.#label(anchored, item.level === 'dot');
      shown.add(anchored.key);
      element.hidden = !item.label;
      if (item.label) {
        const { x, y } = item.label;
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        element.style.opacity = item.opacity < 1 ? item.opacity.toFixed(2) : '';
      }
      Object.assign(element.dataset, { x: item.x.toFixed(1), y: item.y.toFixed(1) });
    }
    for (const [key, { element }] of this.#labels) if (!shown.has(key)) element.hidden = true;
  }

  /**
   * The label of what stands on an anchor; measured whenever what it says changes.
   * @param {Anchored} anchored
   * @param {boolean} isDot
   * @returns {Label}
   */
  #label(anchored, isDot) {
    const content = `${isDot} ${anchored.text}`;
    let label = this.#labels.get(anchored.key);
    if (!label) {
      const element = h('button', {
        type: 'button', class: 'anchor-label', dataset: { anchored: anchored.key }, onclick: () => this.#anchoredOf(anchored.key)?.press?.(),
      });
      this.labels.append(element);
      this.#labels.set(anchored.key, label = { element, content: '' });
    }
    if (label.content !== content) {
      const { element } = label;
      element.hidden = false;
      element.textContent = isDot ? '' : anchored.text;
      element.classList.toggle('dot', isDot);
      element.setAttribute('aria-label', anchored.text);
      label.content = content;
      if (!isDot) this.emit('measured', { feature: anchored.feature, width: element.offsetWidth, height: element.offsetHeight });
    }
    return label;
  }

  /** @param {string} key */
  #anchoredOf(key) {
    return [...this.#anchored.values()].find((each) => each.key === key);
  }

  /** @param {Anchored} anchored */
  #prepare(anchored) {
    if (this.#drawables.has(anchored.key) || !(anchored.model || anchored.picture)) return;
    this.#drawables.set(anchored.key, 'loading');
    this.#make(anchored).then((drawable) => {
      // It may have been taken away meanwhile.
      if (this.#closed || this.#drawables.get(anchored.key) !== 'loading') return this.#delete(drawable);
      this.#drawables.set(anchored.key, drawable);
      const current = this.#anchoredOf(anchored.key);
      if (current) this.#tellBounds(current);
    }).catch((error) => {
      this.#drawables.set(anchored.key, 'failed');
      this.emit('failed', { anchored, error });
    });
  }

  /** @param {Drawable} drawable */
  #delete(drawable) {
    drawable.delete();
    this.#shadows.get(drawable)?.delete();
  }

  /** @param {Anchored} anchored */
  #tellBounds({ key, feature }) {
    const drawable = this.#drawables.get(key);
    const bounds = typeof drawable === 'object' ? /** @type {any} */ (drawable.model)?.description?.bounds : null;
    if (bounds) this.emit('bounds', { feature, low: bounds.low, high: bounds.high });
  }

  /**
   * @param {Anchored} anchored
   * @returns {Promise<Drawable>}
   */
  async #make({ picture, model, hasShadow }) {
    const { gl } = this;
    if (picture) {
      const bitmap = await picture();
      const quad = pictureQuad(gl, bitmap);
      bitmap.close();
      return quad;
    }
    if (!model) throw new Error('nothing to draw');
    this.#reader ??= preloadModels().then((module) => ModelReader.make(module));
    const [reader, file] = await Promise.all([this.#reader, model()]);
    try {
      const read = reader.read(file);
      const loaded = await this.#drawer.load(read);
      if (hasShadow && read.description.bounds) this.#shadows.set(loaded, contactShadow(gl, read.description.bounds));
      return loaded;
    } catch (error) {
      // A trap leaves a dead instance.
      if (error instanceof WebAssembly.RuntimeError) this.#reader = null;
      throw error;
    }
  }

  /** What tests look at. */
  state() {
    const observations = this.#last?.observations ?? [];
    return {
      size: this.#last && { width: this.#last.width, height: this.#last.height },
      focal: this.#last?.focal ?? 0,
      path: this.#last?.path ?? '',
      milliseconds: this.#last?.milliseconds ?? 0,
      observations,
      markers: observations.filter(({ kind, state }) => kind === 'marker' && state !== 'lost'),
      shown: [...this.#found].flatMap((feature) => {
        const anchored = this.#anchored.get(feature);
        return anchored
          ? [{
            key: anchored.key, isDrawn: this.#items.some((item) => item.feature === feature && item.opacity > 0),
            isLoaded: typeof this.#drawables.get(anchored.key) === 'object',
          }]
          : [];
      }),
    };
  }

  close() {
    this.#closed = true;
    this.show([]);
    this.#renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    for (const element of [this.picture, this.canvas, this.labels]) element.remove();
  }
}
