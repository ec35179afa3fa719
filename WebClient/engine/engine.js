// The Swift engine in a page: one WebAssembly instance, one session. This file moves numbers across; it decides nothing.

import { readEffect } from './effects.js';
import { readFrame, newFrame } from './frame.js';
import { Ground } from './ground.js';
import { CONTENT, FAILURE, HEADING, LAYOUT_VERSION, LOCATION, NORTH, QUALITY, UNAVAILABLE } from './layout.js';
import { readPaths } from './paths.js';
import { countsOf, readCompiled, readRecord, readShown, writeNumbers, writeTexts } from './world.js';

/**
 * @typedef {import('./types').EngineEvent} EngineEvent
 * @typedef {import('./types').EngineEffect} EngineEffect
 * @typedef {import('./types').SceneFrame} SceneFrame
 * @typedef {import('./types').SessionStatus} SessionStatus
 * @typedef {import('./types').WorldRecord} WorldRecord
 * @typedef {import('./types').WorldSource} WorldSource
 * @typedef {Record<string, (a?: number, b?: number, c?: number, d?: number, e?: number, f?: number, g?: number,
 *   h?: number, i?: number, j?: number) => number>} Functions
 */

/**
 * @typedef {object} Options
 * @property {(error: WebAssembly.RuntimeError) => void} [onTrap] called once, when the engine dies
 * @property {(level: number, text: string) => void} [log] takes the engine's lines; level above 0 is an error
 */

/** What the engine takes of what covers the view. */
const MOST_RECTANGLES = 64;
const MOST_ARROWS = 5;

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
    const version = this.#call.sl_layout_version();
    if (version !== LAYOUT_VERSION) {
      throw new Error(`engine.wasm has memory layout ${version}, this page needs ${LAYOUT_VERSION}: reload the page`);
    }
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
   * @returns {Functions}
   */
  #guarded(exports) {
    /** @type {Functions} */
    const functions = {};
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== 'function') continue;
      functions[name] = (a, b, c, d, e, f, g, h, i, j) => {
        if (this.#isDead) throw new WebAssembly.RuntimeError('this engine has stopped: make a new one');
        try {
          return value(a, b, c, d, e, f, g, h, i, j);
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
    const call = this.#call;
    switch (event.type) {
      case 'orientation':
        return void call.sl_orientation_angles(time, event.alpha, event.beta, event.gamma, NORTH.indexOf(event.north));
      case 'orientationQuaternion':
        return void call.sl_orientation_quaternion(time, event.w, event.x, event.y, event.z, NORTH.indexOf(event.north));
      case 'orientationWithCompass':
        return void call.sl_orientation_compass(
          time, event.alpha, event.beta, event.gamma, event.heading, event.accuracy);
      case 'motion': return void this.#motion(event, time);
      case 'orientationUnavailable':
        return void call.sl_orientation_unavailable(time, UNAVAILABLE.indexOf(event.reason));
      case 'fix':
        return void call.sl_fix(
          time, event.latitude, event.longitude, event.altitude ?? NaN, event.horizontalAccuracy,
          event.verticalAccuracy ?? NaN, event.course ?? NaN, event.speed ?? NaN);
      case 'locationUnavailable':
        return void call.sl_location_unavailable(time, UNAVAILABLE.indexOf(event.reason));
      case 'display': return void call.sl_display(time, event.width, event.height, event.screenAngle);
      case 'camera': return void call.sl_camera(time, event.width, event.height, event.longSideFieldOfView);
      case 'pictureAge': return void call.sl_picture_age(time, event.seconds);
      case 'calendar': return void call.sl_calendar(time, event.decimalYear);
      case 'open': return void call.sl_open(time, event.address);
      case 'openBeside': return void call.sl_open_beside(time, event.world, event.address);
      case 'closeWorld': return void call.sl_close_world(time, event.world);
      case 'hideWorld': return void call.sl_hide_world(time, event.world, event.hidden ? 1 : 0);
      case 'failed':
        return void call.sl_failed(
          time, event.request, FAILURE.indexOf(event.reason.kind),
          event.reason.kind === 'status' ? event.reason.status : 0);
      case 'refreshByHand': return void call.sl_refresh_by_hand(time);
      case 'labelSize': return void call.sl_label_size(time, event.feature, event.width, event.height);
      case 'occupied': return void this.#occupied(event, time);
      case 'touch': return void call.sl_touch(time, event.x, event.y);
      case 'press': return void call.sl_press(time, event.feature);
      case 'pressOverlay': return void call.sl_press_overlay(time, event.overlay);
      case 'select': return void call.sl_select(time, event.feature ?? -1);
      case 'toggleCluster': return void call.sl_toggle_cluster(time, event.cluster);
      case 'setRadius': return void call.sl_set_radius(time, event.radius);
      case 'setCategories':
        return void call.sl_set_categories(
          time, Number(BigInt.asIntN(32, event.mask)), Number(BigInt.asIntN(32, event.mask >> 32n)));
      case 'dragWorld': return void call.sl_drag_world(time, event.fromX, event.fromY, event.toX, event.toY);
      case 'pointAtPlace':
        return void call.sl_point_at_place(
          time, event.latitude, event.longitude, event.altitude ?? NaN, event.x ?? NaN, event.y ?? NaN);
      case 'pointAtFeature':
        return void call.sl_point_at_feature(time, event.feature, event.x ?? NaN, event.y ?? NaN);
      case 'pointAtBody':
        return void call.sl_point_at_body(time, event.body === 'moon' ? 1 : 0, event.x ?? NaN, event.y ?? NaN);
      case 'restoreHeadingCorrection': {
        const c = event.correction;
        return void call.sl_restore_heading_correction(
          time, c.angle, c.deviation, c.latitude, c.longitude, c.decimalYear ?? NaN);
      }
      case 'forgetHeadingCorrections': return void call.sl_forget_heading_corrections(time);
      case 'codeSeen': return void this.#codeSeen(event, time);
      case 'setFrozen': return void call.sl_set_frozen(time, event.frozen ? 1 : 0);
      case 'suspend': return void call.sl_suspend(time);
      case 'resume': return void call.sl_resume(time);
      default: {
        /** @type {never} */
        const unknown = event;
        throw new TypeError(`no such event: ${JSON.stringify(unknown)}`);
      }
    }
  }

  /**
   * @param {import('./types').CodeSighting} event
   * @param {number} time seconds
   */
  #codeSeen({ anchor, corners, width, height, age }, time) {
    const start = this.#call.sl_code_values_in() / 8;
    this.#view.set([
      ...corners.flat(), width, height, age, anchor.latitude, anchor.longitude, anchor.altitude ?? NaN, anchor.facing,
      anchor.tilt, anchor.roll, anchor.size,
    ], start);
    this.#call.sl_code_seen(time);
  }

  /**
   * @param {Extract<EngineEvent, { type: 'occupied' }>} event
   * @param {number} time seconds
   */
  #occupied({ rectangles, arrows }, time) {
    const start = this.#call.sl_occupied_values_in() / 8;
    const shown = rectangles.slice(0, MOST_RECTANGLES);
    this.#view.set([
      ...shown.flatMap(({ x, y, width, height }) => [x, y, width, height]),
      ...arrows.slice(0, MOST_ARROWS).flatMap(({ width, height }) => [width, height]),
    ], start);
    this.#call.sl_occupied(time, shown.length, Math.min(arrows.length, MOST_ARROWS));
  }

  /**
   * @param {import('./types').MotionEvent} event
   * @param {number} time seconds
   */
  #motion({ angularVelocity: w, specificForce: f, magneticField: m }, time) {
    this.#call.sl_motion(
      time, w?.x ?? NaN, w?.y ?? NaN, w?.z ?? NaN, f?.x ?? NaN, f?.y ?? NaN, f?.z ?? NaN,
      m?.x ?? NaN, m?.y ?? NaN, m?.z ?? NaN);
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

  /**
   * What the engine knows of a world, for a recording.
   * @param {number | null} number of an open world; `null`: what was compiled and is not loaded yet
   * @returns {WorldRecord | null}
   */
  worldRecord(number) {
    const start = this.#call.sl_world_rows(number ?? -1) / 8;
    if (!start) return null;
    const record = readRecord(this.#view, start);
    this.#call.sl_world_rows_end();
    return record;
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
    return {
      content: { reason: CONTENT[at(0)], quality: QUALITY[at(1)] },
      location: { reason: LOCATION[at(2)], quality: QUALITY[at(3)] },
      heading: { reason: HEADING[at(4)], quality: QUALITY[at(5)] },
      tiltBound: at(6),
      headingBound: at(7),
      standpoint: Number.isNaN(at(8)) ? null : { latitude: at(8), longitude: at(9), accuracy: at(10) },
    };
  }

  /**
   * State of one of the worlds that are shown together.
   * @param {number} world
   * @returns {SessionStatus['content']['reason'] | null} `null` when there is none
   */
  worldStatus(world) {
    return CONTENT[this.#call.sl_world_status(world)] ?? null;
  }

  /** @type {Ground | null} */
  #ground = null;

  /** The ground map of this engine's session. */
  get ground() {
    this.#ground ??= new Ground(
      /** @type {Record<string, (...values: number[]) => number>} */ (this.#call), () => this.#view);
    return this.#ground;
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
    return Array.from({ length: view[start] }, (_, k) => {
      const at = start + 1 + 5 * k;
      return {
        angle: view[at], deviation: view[at + 1], latitude: view[at + 2], longitude: view[at + 3],
        decimalYear: Number.isNaN(view[at + 4]) ? null : view[at + 4],
      };
    });
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
