// The Swift engine in a page: one WebAssembly instance, one session. This file moves numbers across; it decides nothing.

import { readAnchors } from './anchors.js';
import { readEffect, tell } from './events.js';
import { readFrame, newFrame } from './frame.js';
import {
  CONTENT_STATUS, HEADING_CORRECTION_LENGTH, HEADING_STATUS, LOCATION_STATUS, QUALITY, STANDPOINT, STATUS, checkBindings,
  readHeadingCorrection,
} from './layout.js';
import { readPaths } from './paths.js';
import { countsOf, readCompiled, readShown, writeNumbers, writeTexts } from './world.js';

/**
 * @typedef {import('./types').EngineEvent} EngineEvent
 * @typedef {import('./types').EngineEffect} EngineEffect
 * @typedef {import('./types').SceneFrame} SceneFrame
 * @typedef {import('./types').SessionStatus} SessionStatus
 * @typedef {import('./types').WorldSource} WorldSource
 */

/** @typedef {Record<string, (...values: number[]) => number>} Calls */

/**
 * @typedef {object} Options
 * @property {(error: WebAssembly.RuntimeError) => void} [onTrap] called once, when the engine dies
 * @property {(level: number, text: string) => void} [log] takes the engine's lines; level above 0 is an error
 */

/** After a trap an engine is dead: every further call throws. Make a new one and tell it what the old one knew. */
export class Engine {
  #call;
  #memory;
  /** @type {Options['onTrap']} */
  #onTrap;
  #isDead = false;
  /** @type {Float64Array} */
  #doubles = new Float64Array(0);
  #effectValues;
  #frame = newFrame();
  #frameStart = 0;

  /**
   * @param {WebAssembly.Instance} instance
   * @param {Options} [options]
   */
  constructor(instance, options = {}) {
    this.#onTrap = options.onTrap;
    this.#call = this.#guarded(instance.exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    checkBindings(instance.exports, 'engine.wasm');
    this.#effectValues = this.#call.sl_effect_values() / 8;
  }

  /**
   * An engine from the compiled module, its bytes, or its address.
   * @param {WebAssembly.Module | BufferSource | string | URL} source
   * @param {Options} [options]
   * @returns {Promise<Engine>}
   */
  static async load(source, options = {}) {
    const log = options.log ?? ((level, text) => (level > 0 ? console.error(text) : console.log(text)));
    const module = await compile(source);
    /** @type {WebAssembly.Memory | undefined} */
    let memory;
    const imports = {
      env: {
        /** @type {(level: number, start: number, count: number) => void} */
        sl_host_log: (level, start, count) => {
          if (memory) log(level, new TextDecoder().decode(new Uint8Array(memory.buffer, start, count)));
        },
      },
    };
    const instance = await WebAssembly.instantiate(module, imports);
    memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    return new Engine(instance, options);
  }

  /** Whether it trapped and can do nothing any more. */
  get isDead() {
    return this.#isDead;
  }

  /**
   * The engine's functions, which notice when they trap. No function has more than ten arguments; what is not given
   * is ignored, and a fixed list costs no allocation.
   * @param {WebAssembly.Exports} exports
   * @returns {Calls}
   */
  #guarded(exports) {
    /** @type {Calls} */
    const functions = {};
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== 'function') continue;
      functions[name] = (a, b, c, d, e, f, g, h, i, j, k, l) => {
        if (this.#isDead) throw new WebAssembly.RuntimeError('this engine has stopped: make a new one');
        try {
          return value(a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (error) {
          throw this.#die(error);
        }
      };
    }
    return functions;
  }

  /**
   * @param {unknown} error
   * @returns {unknown} what to throw
   */
  #die(error) {
    // An overflow of the stack arrives as a RangeError.
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error;
    const trap = error instanceof RangeError ? new WebAssembly.RuntimeError(error.message) : error;
    this.#isDead = true;
    this.#onTrap?.(trap);
    return trap;
  }

  /** The memory as doubles. Growing makes every older view empty, so it is asked for anew. */
  get #view() {
    if (this.#doubles.buffer !== this.#memory.buffer) this.#doubles = new Float64Array(this.#memory.buffer);
    return this.#doubles;
  }

  /** Bytes of memory in use by the instance. */
  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * @param {EngineEvent} event
   * @param {number} time seconds
   */
  handle(event, time) {
    tell(this.#call, this.#room, event, time);
  }

  /** A view of the engine's memory, valid until the next call of anything. */
  #room = (/** @type {number} */ address, /** @type {number} */ count) => new Float64Array(this.#memory.buffer, address, count);

  /**
   * What stands on anchors in the newest picture of the camera.
   * @returns {import('./anchors.js').AnchorFrame}
   */
  anchors() {
    return readAnchors(this.#call, this.#room);
  }

  /**
   * What a camera sees along the longer side of its picture, degrees.
   * @param {{ width: number, height: number, focal: number }} view pixels
   */
  fieldOfView({ width, height, focal }) {
    return this.#call.sl_field_of_view(width, height, focal);
  }

  /** How often a surveyed anchor has set the position. */
  get surveyCount() {
    return this.#call.sl_survey_count();
  }

  /**
   * Makes a world of a document's content, as the answer to a request; `loaded` hands it to the session.
   * @param {number} request
   * @param {WorldSource} source
   * @returns {import('./types').CompiledWorld}
   */
  compile(request, source) {
    const { places, overlays, names, parts, corners, units } = countsOf(source.dimension);
    const begin = this.#call.sl_world_begin;
    const whole = begin(places, overlays, names, parts, corners, units);
    // Too many lines are left out; the places are worth more.
    const start = whole || begin(places, overlays, names, 0, 0, units);
    if (start === 0) throw new RangeError(`a world of ${places} places is more than the engine takes`);
    const texts = this.#call.sl_world_texts();
    writeNumbers(this.#view, start / 8, source, whole !== 0);
    writeTexts(new Uint16Array(this.#memory.buffer, texts, units), source.dimension);
    const compiled = this.#call.sl_world_compile(request) / 8;
    return readCompiled(this.#view, compiled);
  }

  /**
   * The answer to a request is what was compiled last.
   * @param {number} request
   * @param {number} time seconds
   */
  loaded(request, time) {
    this.#call.sl_world_loaded(time, request);
  }

  /** The worlds that are shown, as one after the other they make up the scene. */
  shownWorlds() {
    const start = this.#call.sl_shown_worlds() / 8;
    return readShown(this.#view, start);
  }

  /**
   * The frame for a moment. The object and everything in it is reused by the next call.
   * @param {number} time seconds
   * @returns {SceneFrame}
   */
  makeFrame(time) {
    this.#frameStart = this.#call.sl_frame(time) / 8;
    return readFrame(this.#view, this.#frameStart, this.#frame);
  }

  /**
   * Lines and areas of the last frame: views, valid until the engine is called again.
   * @returns {import('./paths.js').PathRun[]}
   */
  paths() {
    return readPaths(this.#view, this.#call.sl_frame_paths() / 8);
  }

  /**
   * Lets time pass while nothing is drawn.
   * @param {number} time seconds
   */
  advance(time) {
    this.#call.sl_advance(time);
  }

  /** @returns {SessionStatus} */
  status() {
    const start = this.#call.sl_status() / 8;
    const view = this.#view;
    const at = (/** @type {number} */ k) => view[start + k];
    const standpoint = (/** @type {number} */ k) => at(STATUS.length + k);
    return {
      content: { reason: CONTENT_STATUS[at(STATUS.content)], quality: QUALITY[at(STATUS.contentQuality)] },
      location: { reason: LOCATION_STATUS[at(STATUS.location)], quality: QUALITY[at(STATUS.locationQuality)] },
      heading: { reason: HEADING_STATUS[at(STATUS.heading)], quality: QUALITY[at(STATUS.headingQuality)] },
      tiltBound: at(STATUS.tiltBound),
      headingBound: at(STATUS.headingBound),
      standpoint: Number.isNaN(standpoint(STANDPOINT.latitude)) ? null : {
        latitude: standpoint(STANDPOINT.latitude), longitude: standpoint(STANDPOINT.longitude),
        accuracy: standpoint(STANDPOINT.accuracy),
      },
    };
  }

  /**
   * State of one of the worlds that are shown together.
   * @param {number} world
   * @returns {SessionStatus['content']['reason'] | null} `null` when there is none
   */
  worldStatus(world) {
    return CONTENT_STATUS[this.#call.sl_world_status(world)] ?? null;
  }

  /** @type {Map<Function, any>} */
  #parts = new Map();

  /**
   * A part of this engine that few pages need, from a module of its own; the same one each time.
   * @template T
   * @param {new (call: Record<string, (...values: number[]) => number>, view: () => Float64Array) => T} Part
   * @returns {T}
   */
  part(Part) {
    if (!this.#parts.has(Part)) {
      this.#parts.set(Part, new Part(
        /** @type {Record<string, (...values: number[]) => number>} */ (this.#call), () => this.#view));
    }
    return this.#parts.get(Part);
  }

  /**
   * The next thing to do, oldest first.
   * @returns {EngineEffect | null}
   */
  nextEffect() {
    const kind = this.#call.sl_next_effect();
    const view = this.#view;
    const at = (/** @type {number} */ k) => view[this.#effectValues + k];
    return readEffect(kind, at);
  }

  /**
   * What the user found out about north: plain values to store, and to hand back with `restoreHeadingCorrection`.
   * @returns {import('./types').HeadingCorrection[]}
   */
  headingCorrections() {
    const start = this.#call.sl_heading_corrections() / 8;
    const view = this.#view;
    return Array.from(
      { length: view[start] }, (_, k) => readHeadingCorrection(view, start + 1 + k * HEADING_CORRECTION_LENGTH));
  }

  /**
   * Metres along the ground; degrees in.
   * @param {number} latitude1
   * @param {number} longitude1
   * @param {number} latitude2
   * @param {number} longitude2
   */
  distance(latitude1, longitude1, latitude2, longitude2) {
    return this.#call.sl_distance(latitude1, longitude1, latitude2, longitude2);
  }

  /**
   * Degrees clockwise from true north, NaN for the same place; degrees in.
   * @param {number} latitude1
   * @param {number} longitude1
   * @param {number} latitude2
   * @param {number} longitude2
   */
  bearing(latitude1, longitude1, latitude2, longitude2) {
    return this.#call.sl_bearing(latitude1, longitude1, latitude2, longitude2);
  }

  /**
   * Where the sun or the moon is seen, degrees: azimuth clockwise from true north, elevation through the atmosphere.
   * @param {'sun' | 'moon'} body
   * @param {number} latitude degrees
   * @param {number} longitude degrees
   * @param {number} decimalYear
   */
  body(body, latitude, longitude, decimalYear) {
    const number = body === 'moon' ? 1 : 0;
    return {
      azimuth: this.#call.sl_body_azimuth(number, latitude, longitude, decimalYear),
      elevation: this.#call.sl_body_elevation(number, latitude, longitude, decimalYear),
    };
  }

  /**
   * Magnetic declination: degrees east of true north, NaN outside the model's years.
   * @param {number} latitude degrees
   * @param {number} longitude degrees
   * @param {number} altitude metres above the ellipsoid
   * @param {number} decimalYear
   */
  declination(latitude, longitude, altitude, decimalYear) {
    return this.#call.sl_declination(latitude, longitude, altitude, decimalYear);
  }
}

/**
 * @param {WebAssembly.Module | BufferSource | string | URL} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`the engine could not be loaded: ${response.status} for ${source}`);
    // Streaming wants `application/wasm`; a server that says otherwise is no reason to fail.
    if (response.headers.get('content-type')?.startsWith('application/wasm')) {
      return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compile(source);
}
