// What stands on markers: the held picture, the models and pictures on it, and labels, all of one and the same frame.

import { Emitter } from '../core/emitter.js';
import { h } from '../core/dom.js';
import { placeAnchored } from '../ar/anchored.js';
import { bend } from '../models/lens.js';
import { product, projection, rigid, scaled, turned } from '../models/matrices.js';
import { pictureQuad } from '../models/picture-quad.js';
import { ModelRenderer } from '../models/renderer.js';
import { ModelReader } from '../../engine/models.js';
import { preloadEngine } from '../session/engine-link.js';
import { covered, occupyAreas } from '../stage/occupied.js';

/**
 * @typedef {import('./marker-vision.js').Sight} Sight
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('../models/renderer.js').Drawable} Drawable
 * @typedef {{ key: string, dictionary: string, id: number, side: number, text: string,
 *   model?: { load: () => Promise<Uint8Array>, rotation: [number, number, number], scale: number | 'fit' },
 *   picture?: { load: () => Promise<ImageBitmap>, width: number }, offset?: [number, number, number],
 *   press?: () => void, isSelected?: () => boolean }} Anchored what stands on a marker; lengths in metres in the marker's frame
 */

/** @typedef {{ element: HTMLElement, content: string, width: number, height: number, last: [number, number] | null }} Label */

/** After so long without being seen a marker counts as lost, seconds. */
const LOST_AFTER = 0.5;
const NEAR = 0.01;
const FAR = 100;
/** Longest side of the drawing in pixels. */
const LARGEST = 1920;
/** @type {NonNullable<Anchored['model']>} */
const AT_REST = { rotation: [0, 0, 0], scale: 1, load: async () => new Uint8Array() };

/** @extends {Emitter<{ found: Anchored, lost: Anchored, failed: { anchored: Anchored, error: unknown } }>} */
export class MarkerLayer extends Emitter {
  /** @type {Anchored[]} */
  #anchored = [];
  /** @type {Map<string, Drawable | 'loading' | 'failed'>} */
  #drawables = new Map();
  /** @type {Map<string, { anchored: Anchored, since: number, last: number, found: FoundMarker | null }>} */
  #seen = new Map();
  /**
   * Their elements, how large these are, and how far from their places they stood.
   * @type {Map<string, Label>}
   */
  #labels = new Map();
  /** @type {ModelRenderer | null | undefined} */
  #renderer;
  /** @type {Promise<ModelReader> | null} */
  #reader = null;
  /** @type {Sight | null} */
  #last = null;
  #closed = false;
  #isClear = true;

  /** @param {HTMLElement} host the element that holds the camera's video */
  constructor(host) {
    super();
    this.picture = h('canvas', { class: 'marker-picture', 'aria-hidden': 'true', hidden: true });
    this.canvas = h('canvas', { class: 'marker-models', 'aria-hidden': 'true' });
    this.labels = h('div', { class: 'marker-labels' });
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
      if (typeof drawable === 'object') drawable.delete();
      this.#drawables.delete(key);
    }
    for (const [key, label] of this.#labels) {
      if (kept.has(key)) continue;
      label.element.remove();
      this.#labels.delete(key);
    }
    for (const key of this.#seen.keys()) if (!kept.has(key)) this.#seen.delete(key);
    this.#anchored = anchored;
  }

  /**
   * A picture with what was found in it.
   * @param {Sight} sight
   */
  draw(sight) {
    this.#last = { ...sight, image: this.picture };
    this.#follow(sight);
    const shown = [...this.#seen.values()].filter(({ found }) => found?.pose);
    // While markers are near, the picture is the one they were found in; otherwise the live one is earlier.
    const isHeld = this.#seen.size > 0;
    if (isHeld) this.#hold(sight);
    if (this.picture.hidden === isHeld) this.picture.hidden = !isHeld;
    this.#drawModels(sight, shown);
    this.#drawLabels(sight);
  }

  /** @param {Sight} sight */
  #follow(sight) {
    for (const anchored of this.#anchored) {
      const found = sight.markers.filter(({ dictionary, id }) => dictionary === anchored.dictionary && id === anchored.id)
        .sort((a, b) => b.confidence - a.confidence)[0] ?? null;
      const state = this.#seen.get(anchored.key);
      if (found) {
        if (state) Object.assign(state, { last: sight.time, found });
        else {
          this.#seen.set(anchored.key, { anchored, since: sight.time, last: sight.time, found });
          this.#prepare(anchored);
          this.emit('found', anchored);
        }
      } else if (state) {
        // An old place on a new picture would be wrong, so nothing is drawn at once; "lost" waits for a blink to pass.
        state.found = null;
        if (sight.time - state.last > LOST_AFTER) {
          this.#seen.delete(anchored.key);
          this.emit('lost', anchored);
        }
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
   * @param {{ anchored: Anchored, since: number, found: FoundMarker | null }[]} shown
   */
  #drawModels({ width, height, focal, time, lens }, shown) {
    const renderer = this.#renderer;
    if (!renderer) return;
    const cover = Math.max(innerWidth / width, innerHeight / height) * Math.min(2, devicePixelRatio || 1);
    const scale = Math.min(cover, LARGEST / Math.max(width, height));
    renderer.resize(Math.round(width * scale), Math.round(height * scale));
    const all = shown.flatMap(({ anchored, since, found }) => {
      const drawable = this.#drawables.get(anchored.key);
      if (typeof drawable !== 'object' || !found?.pose) return [];
      const cameraFromMarker = rigid(found.pose.rotation, found.pose.translation);
      const cameraFromModel = product(cameraFromMarker, markerFromModel(anchored, drawable));
      return [{ model: drawable, cameraFromModel, time: time - since }];
    });
    if (!all.length && this.#isClear) return;
    this.#isClear = !all.length;
    renderer.draw(all, projection(width, height, focal, NEAR, FAR), lens);
  }

  /**
   * All labels together, the selected one first: none lies on another, or under what covers the view.
   * @param {Sight} sight
   */
  #drawLabels(sight) {
    /** @type {{ label: Label, x: number, y: number }[]} */
    const shown = [];
    for (const anchored of this.#anchored) {
      const found = this.#seen.get(anchored.key)?.found ?? null;
      const label = found && anchored.text ? this.#label(anchored) : null;
      if (!found || !label) {
        const known = this.#labels.get(anchored.key);
        if (known) known.element.hidden = true;
        continue;
      }
      const [x, y] = screenPoint(sight, labelPoint(anchored, found, sight));
      if (anchored.isSelected?.()) shown.unshift({ label, x, y });
      else shown.push({ label, x, y });
    }
    const screen = { width: innerWidth, height: innerHeight };
    const wanted = shown.map(({ label: { width, height, last }, x, y }) => ({ x, y, width, height, last }));
    const places = placeAnchored(wanted, screen, covered());
    shown.forEach(({ label, x, y }, k) => {
      const place = places[k];
      label.last = place?.moved ?? null;
      label.element.hidden = !place;
      if (place) label.element.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
      Object.assign(label.element.dataset, { x: x.toFixed(1), y: y.toFixed(1) });
    });
    // Labels of places around keep out of their way.
    occupyAreas(this, places.flatMap((place) => (place ? [whole(place)] : [])));
  }

  /**
   * The label of what stands on a marker. Names do not cover pictures and models: these have a dot, until they are selected.
   * @param {Anchored} anchored
   * @returns {Label}
   */
  #label(anchored) {
    const isDot = Boolean(anchored.picture || anchored.model) && anchored.isSelected?.() === false;
    const content = `${isDot} ${anchored.text}`;
    let label = this.#labels.get(anchored.key);
    if (!label) {
      const element = h('button', {
        type: 'button', class: 'marker-label', dataset: { marker: anchored.key }, onclick: () => anchored.press?.(),
      });
      this.labels.append(element);
      this.#labels.set(anchored.key, label = { element, content: '', width: 0, height: 0, last: null });
    }
    if (label.content !== content) {
      const { element } = label;
      element.hidden = false;
      element.textContent = isDot ? '' : anchored.text;
      element.classList.toggle('dot', isDot);
      element.setAttribute('aria-label', anchored.text);
      Object.assign(label, { content, width: element.offsetWidth, height: element.offsetHeight });
    }
    return label;
  }

  /** @param {Anchored} anchored */
  #prepare(anchored) {
    if (this.#drawables.has(anchored.key) || !(anchored.model || anchored.picture)) return;
    this.#drawables.set(anchored.key, 'loading');
    this.#make(anchored).then((drawable) => {
      // It may have been taken away meanwhile.
      if (this.#closed || this.#drawables.get(anchored.key) !== 'loading') drawable.delete();
      else this.#drawables.set(anchored.key, drawable);
    }).catch((error) => {
      this.#drawables.set(anchored.key, 'failed');
      this.emit('failed', { anchored, error });
    });
  }

  /**
   * @param {Anchored} anchored
   * @returns {Promise<Drawable>}
   */
  async #make(anchored) {
    this.#renderer ??= new ModelRenderer(this.canvas);
    if (anchored.picture) {
      const picture = await anchored.picture.load();
      const quad = pictureQuad(this.#renderer.gl, picture);
      picture.close();
      return quad;
    }
    if (!anchored.model) throw new Error('nothing to draw');
    this.#reader ??= preloadEngine().then((module) => ModelReader.make(module));
    const [reader, file] = await Promise.all([this.#reader, anchored.model.load()]);
    try {
      return await this.#renderer.load(reader.read(file));
    } catch (error) {
      // A trap leaves a dead instance.
      if (error instanceof WebAssembly.RuntimeError) this.#reader = null;
      throw error;
    }
  }

  /** What tests and the field-of-view check look at. */
  state() {
    return {
      size: this.#last && { width: this.#last.width, height: this.#last.height },
      focal: this.#last?.focal ?? 0,
      path: this.#last?.path ?? '',
      milliseconds: this.#last?.milliseconds ?? 0,
      markers: this.#last?.markers ?? [],
      shown: [...this.#seen.values()].map(({ anchored, found }) => ({
        key: anchored.key,
        isDrawn: found !== null,
        isLoaded: typeof this.#drawables.get(anchored.key) === 'object',
      })),
    };
  }

  close() {
    this.#closed = true;
    this.show([]);
    occupyAreas(this, []);
    this.#renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    for (const element of [this.picture, this.canvas, this.labels]) element.remove();
  }
}

/**
 * A picture lies on the paper; a model stands on it: its "up" is out of the paper, its front towards the marker's lower edge.
 * @param {Anchored} anchored
 * @param {Drawable} drawable
 */
function markerFromModel(anchored, drawable) {
  const offset = anchored.offset ?? [0, 0, 0];
  if (anchored.picture) return scaled(anchored.picture.width, offset);
  const { rotation: [x, y, z], scale } = anchored.model ?? AT_REST;
  const bounds = /** @type {any} */ (drawable.model).description.bounds;
  const standing = turned(90, 0, 0);
  if (scale !== 'fit' || !bounds) {
    return product(scaled(1, offset), product(standing, product(turned(x, y, z), scaled(scale === 'fit' ? 1 : scale))));
  }
  // As wide as the marker, its middle over the marker's, its foot on the paper.
  const { low, high } = bounds;
  const factor = anchored.side / Math.max(high[0] - low[0], high[2] - low[2], 1e-6);
  const foot = [-(low[0] + high[0]) / 2, -low[1], -(low[2] + high[2]) / 2].map((value) => value * factor);
  return product(standing, product(turned(x, y, z), scaled(factor, foot)));
}

/**
 * Over the marker's upper edge, in pixels of the picture.
 * @param {Anchored} anchored
 * @param {FoundMarker} found
 * @param {Sight} sight
 * @returns {[number, number]}
 */
function labelPoint(anchored, found, { focal, width, height, lens = [] }) {
  const [dx, dy, dz] = anchored.offset ?? [0, 0, 0];
  if (!found.pose || (dx === 0 && dy === 0 && dz === 0)) {
    const top = Math.min(...found.corners.map(([, y]) => y));
    const x = found.corners.reduce((sum, [value]) => sum + value, 0) / 4;
    return [x, top];
  }
  const m = rigid(found.pose.rotation, found.pose.translation);
  const p = [0, 1, 2].map((row) => m[row] * dx + m[4 + row] * dy + m[8 + row] * dz + m[12 + row]);
  const grown = focal * bend(lens, p[0] / p[2], p[1] / p[2]);
  return [(width - 1) / 2 + (grown * p[0]) / p[2], (height - 1) / 2 + (grown * p[1]) / p[2]];
}

/**
 * From the picture to the screen, which it covers.
 * @param {{ width: number, height: number }} picture
 * @param {[number, number]} point
 */
export function screenPoint({ width, height }, [x, y]) {
  const scale = Math.max(innerWidth / width, innerHeight / height);
  return [innerWidth / 2 + (x + 0.5 - width / 2) * scale, innerHeight / 2 + (y + 0.5 - height / 2) * scale];
}

/** @type {(box: import('../../engine/types').Rectangle) => import('../../engine/types').Rectangle} on whole pixels */
function whole({ x, y, width, height }) {
  return { x: Math.floor(x), y: Math.floor(y), width: Math.ceil(width) + 1, height: Math.ceil(height) + 1 };
}
