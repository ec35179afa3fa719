// Models and pictures in true size at places, over the camera's picture and under the labels: one canvas. Which are drawn, how they lie and
// in what light they are the engine has decided; here their files are fetched as they come into view, and drawn.

import { Emitter } from '../core/emitter.js';
import { h } from '../core/dom.js';
import { lookOf } from '../anchors/anchored-content.js';
import { coarser } from '../models/coarse.js';
import { pictureQuad } from '../models/picture-quad.js';
import { ModelRenderer } from '../models/renderer.js';
import { Shadows } from '../models/shadows.js';
import { ModelReader } from '../../engine/models.js';
import { Things } from '../../engine/things.js';
import { preloadModels } from '../session/engine-link.js';
import { Looks } from './looks.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../models/renderer.js').Appearance} Appearance
 * @typedef {import('./looks.js').Look} Look
 */

/** Files that are fetched at a time. */
const AT_A_TIME = 4;
/** Longest side of the drawing in pixels. */
const LARGEST = 2560;

/** @extends {Emitter<{ failed: { place: number, error: unknown }, changed: null }>} */
export class ThingLayer extends Emitter {
  /** @type {ModelRenderer | null} */
  #renderer = null;
  /** @type {Shadows | null} */
  #shadows = null;
  /** @type {Promise<ModelReader> | null} */
  #reader = null;
  #looks = new Looks();
  /**
   * Features whose look the engine knows of, with its key.
   * @type {Map<number, string>}
   */
  #told = new Map();
  #loading = 0;
  #isClear = true;
  #closed = false;
  /** @type {Appearance[]} */
  #all = [];
  #milliseconds = 0;
  /** @type {[import('../../engine/types').SceneFrame, number] | null} */
  #last = null;

  /**
   * @param {HTMLElement} below the element that the drawing lies over
   * @param {Session} session
   */
  constructor(below, session) {
    super();
    this.session = session;
    this.canvas = h('canvas', { id: 'things', 'aria-hidden': 'true' });
    below.after(this.canvas);
    // What was drawn is gone with the task that drew it: a picture of the view asks for it again.
    this.canvas.addEventListener('redraw', () => this.#last && this.draw(...this.#last));
    // The engine has another world then: it knows nothing of what was read.
    session.on('world', () => this.#told.clear());
    session.closed.addEventListener('abort', () => this.close());
  }

  /**
   * @param {import('../../engine/types').SceneFrame} frame
   * @param {number} ratio device pixels per CSS pixel
   */
  draw(frame, ratio) {
    const begin = performance.now();
    this.#last = [frame, ratio];
    const { content } = this.session;
    const seen = content && frame.isValid ? this.session.things(Things) : null;
    const all = this.#all;
    let count = 0;
    let isMoving = false;
    this.#looks.begin();
    for (let k = 0; seen && content && k < seen.count; k++) {
      const thing = seen.things[k];
      const look = this.#look(content, thing.feature);
      if (thing.state === 'wanted' || !look?.drawable) continue;
      const isResting = thing.state === 'small';
      const appearance = all[count] ??= { model: look.drawable, cameraFromModel: thing.cameraFromThing, time: 0 };
      appearance.model = look.drawable;
      appearance.cameraFromModel = thing.cameraFromThing;
      appearance.opacity = thing.opacity;
      appearance.time = isResting ? 0 : frame.time;
      appearance.isCoarse = isResting;
      isMoving ||= look.isMoving && !isResting;
      count += 1;
    }
    all.length = count;
    if (count || !this.#isClear) {
      this.#isClear = !count;
      const renderer = this.#renderer;
      if (renderer && seen) {
        const scale = Math.min(2, ratio, LARGEST / Math.max(frame.width, frame.height));
        renderer.resize(Math.round(frame.width * scale), Math.round(frame.height * scale));
        renderer.clear();
        // What stands behind houses is cut by them.
        const nearer = this.session.town?.hide(renderer.gl, frame, seen.clipFromCamera) ?? null;
        for (const one of all) one.nearer = nearer?.(one.cameraFromModel) ?? 1;
        this.#shadows?.draw(seen, nearer !== null);
        renderer.draw(all, seen.clipFromCamera, undefined, seen.light);
      } else {
        renderer?.clear();
      }
    }
    this.#milliseconds = performance.now() - begin;
    if (isMoving) this.emit('changed', null);
  }

  /**
   * What a place looks like, once it is there; it is fetched when it is asked for.
   * @param {Content} content
   * @param {number} feature
   */
  #look(content, feature) {
    const place = content.places[feature];
    if (!place || place.visual.kind === 'text') return null;
    const key = keyOf(content, place);
    const look = this.#looks.take(key);
    if (!look) {
      if (this.#loading < AT_A_TIME) void this.#load(content, feature, key);
      return null;
    }
    if (look.state !== 'loading' && !this.#told.has(feature)) {
      this.#told.set(feature, key);
      this.#tell(feature, look);
    }
    return look;
  }

  /**
   * Of what cannot be shown the box is empty: the engine leaves the place its label, and asks for others.
   * @param {number} feature
   * @param {Look} look
   */
  #tell(feature, { low, high, triangles }) {
    this.session.tell({ type: 'modelTriangles', feature, count: triangles });
    this.session.tell({
      type: 'modelBounds', feature, low: /** @type {[number, number, number]} */ (low), high: /** @type {[number, number, number]} */ (high),
    });
  }

  /**
   * @param {Content} content
   * @param {number} feature
   * @param {string} key
   */
  async #load(content, feature, key) {
    const look = this.#looks.add(key);
    this.#loading += 1;
    try {
      const made = await this.#make(lookOf(content, content.places[feature]));
      if (this.#closed) made.drawable?.delete();
      else Object.assign(look, made, { state: 'ready' });
    } catch (error) {
      look.state = 'failed';
      if (!this.#closed) this.emit('failed', { place: feature, error });
    } finally {
      this.#loading -= 1;
      if (!this.#closed) {
        this.#shrink();
        this.emit('changed', null);
      }
    }
  }

  /** What goes is fetched again, and told anew, when it is in view. */
  #shrink() {
    const gone = new Set(this.#looks.shrink());
    if (!gone.size) return;
    for (const [feature, key] of this.#told) if (gone.has(key)) this.#told.delete(feature);
  }

  /**
   * @param {Pick<import('../anchors/anchor-layer.js').Anchored, 'model' | 'picture'>} look
   * @returns {Promise<Omit<Look, 'state'>>}
   */
  async #make({ picture, model }) {
    this.#renderer ??= new ModelRenderer(this.canvas);
    this.#shadows ??= new Shadows(this.#renderer.gl);
    if (picture) {
      const bitmap = await picture();
      const drawable = pictureQuad(this.#renderer.gl, bitmap);
      const y = bitmap.height / bitmap.width / 2;
      const bytes = 4 * bitmap.width * bitmap.height;
      bitmap.close();
      return { drawable, low: [-0.5, -y, 0], high: [0.5, y, 0], triangles: 2, isMoving: false, bytes };
    }
    if (!model) throw new Error('nothing to draw');
    this.#reader ??= preloadModels().then((module) => ModelReader.make(module));
    const [reader, file] = await Promise.all([this.#reader, model()]);
    try {
      const read = reader.read(file);
      const { bounds, primitives, durations, drawn } = read.description;
      if (!bounds) throw new Error('the model is empty');
      let triangles = 0;
      for (const { first, count } of drawn) {
        for (let k = first; k < first + count; k++) triangles += primitives[k].indexCount / 3;
      }
      const drawable = await this.#renderer.load(read, coarser);
      return { drawable, low: bounds.low, high: bounds.high, triangles, isMoving: durations.length > 0, bytes: file.byteLength };
    } catch (error) {
      // A trap leaves a dead instance.
      if (error instanceof WebAssembly.RuntimeError) this.#reader = null;
      throw error;
    }
  }

  /** What tests look at. */
  state() {
    const states = this.#looks.all.map(({ state }) => state);
    return {
      drawn: this.#all.length, coarse: this.#all.filter(({ isCoarse, model }) => isCoarse && model.primitives.some(({ coarse }) => coarse)).length, loading: this.#loading, ready: states.filter((state) => state === 'ready').length,
      failed: states.filter((state) => state === 'failed').length, milliseconds: this.#milliseconds,
    };
  }

  close() {
    this.#closed = true;
    this.#shadows?.delete();
    this.#looks.clear();
    this.#renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.canvas.remove();
  }
}

/**
 * @param {Content} content
 * @param {import('../types').Place} place
 */
function keyOf(content, { visual }) {
  return visual.kind === 'text' ? '' : `${visual.kind} ${content.assetURL(visual.assetID) ?? visual.assetID}`;
}
