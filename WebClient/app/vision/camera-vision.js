// From the camera's video to what is seen in it, by one worker: markers, flat pictures, codes, walls. Whoever has a use for one of
// them says what to look for; all are looked for in the same pictures.

import { readObservations } from '../../engine/observations.js';
import { lensOf, opticsOf } from '../device/camera.js';
import { preload } from '../session/engine-files.js';
import { preloadVision } from '../session/engine-link.js';
import { pictureNumber } from './picture-numbers.js';
import { WorkerPump } from './worker-pump.js';

/**
 * @typedef {import('./vision-worker.js').Answer} Answer
 * @typedef {import('./vision-worker.js').Question} Question
 * @typedef {import('./vision-worker.js').Still} Still
 * @typedef {import('./vision-worker.js').Rectangle} Rectangle
 * @typedef {import('../../engine/vision.js').MarkerWatch} MarkerWatch
 * @typedef {import('../../engine/vision.js').WallDescription} WallDescription
 * @typedef {import('../../engine/observations.js').Observation} Observation
 * @typedef {import('../../engine/codes.js').FoundCode} FoundCode
 * @typedef {import('../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {{ image: CanvasImageSource, width: number, height: number, time: number, focal: number, lens: number[],
 *   rows: Float64Array, observations: Observation[], codes: FoundCode[] | null, path: string, milliseconds: number, tracked?: Tracked }} Sight
 *   what is in a picture: `image` is closed when the listeners have returned; `rows` are the observations as the engine takes them;
 *   `codes` is null when the picture was not looked at for codes; `tracked` is where the camera was, of pictures that are followed
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {import('./extended-tracking.js').ExtendedTracking} ExtendedTracking
 */

/** For walls in still pictures. */
export const preloadWalls = () => preload('walls.wasm');

/** From one picture to the next where nothing but codes is looked for, milliseconds. */
const PAUSE_FOR_CODES = 120;

/** @extends {WorkerPump<{ sight: Sight }>} */
export class CameraVision extends WorkerPump {
  /** @type {MarkerWatch | null} */
  #markers = null;
  #looksForCodes = false;
  /** @type {WallDescription[]} */
  #walls = [];
  /** Radial terms k1, k2, k3 of the camera's lens, when they are known. */
  #lens = /** @type {number[]} */ ([]);
  /** @type {Map<string, { file: Uint8Array, width: number }>} what a new worker has to be told again */
  #pictures = new Map();
  /** @type {ExtendedTracking | null} */
  #extended = null;
  #isAsked = false;

  /**
   * @param {HTMLVideoElement} video
   * @param {() => string} label of the camera, by which its field of view and its lens are kept
   * @param {() => import('../../engine/engine.js').Engine | undefined} [engine] with it what is no longer seen is carried on
   * @param {() => Worker} [make] the worker, where a page of another origin cannot make it by its address
   */
  constructor(video, label, engine, make = () => new Worker(new URL('./vision-worker.js', import.meta.url), { type: 'module' })) {
    super(video, (size) => opticsOf(label(), size), preloadVision, make);
    this.label = label;
    this.engine = engine;
  }

  /** What tests look at. */
  get extended() {
    return this.#extended?.state();
  }

  /** @override */
  stop() {
    this.#extended?.rest();
    super.stop();
  }

  /** @override */
  close() {
    this.engine = undefined;
    this.#extended?.close();
    super.close();
  }

  /**
   * From now on what is no longer seen is carried on, or no longer; what was known of it before is forgotten.
   * @param {(() => import('../../engine/engine.js').Engine | undefined) | undefined} engine as of the constructor
   */
  carryOn(engine) {
    this.engine = engine;
    this.#extended?.close();
    this.#extended = null;
    this.#isAsked = false;
  }

  // What is looked for

  /** @param {MarkerWatch | null} watch `null`: no markers */
  watchMarkers(watch) {
    this.#extended?.watchMarkers(watch);
    this.#markers = watch;
    this.worker?.postMessage({ kind: 'markers', watch });
    this.#setPace();
  }

  /** @param {boolean} areWanted */
  watchCodes(areWanted) {
    this.#looksForCodes = areWanted;
    this.worker?.postMessage({ kind: 'codes', areWanted });
    this.#setPace();
  }

  /**
   * The walls whose poses are wanted, by what hangs on them.
   * @param {WallDescription[]} walls
   */
  watchWalls(walls) {
    this.#walls = walls;
    this.worker?.postMessage({ kind: 'walls', walls });
  }

  /**
   * Makes a target of a picture and looks for it from now on.
   * @param {string} key
   * @param {Still} still
   * @param {number} width of the whole picture, metres
   * @returns {Promise<{ description: TargetDescription, file: Uint8Array }>}
   */
  async addPicture(key, still, width) {
    const file = await this.#ask({ kind: 'build', name: key, still, width });
    return { ...await this.addFile(key, file, width), file };
  }

  /**
   * @param {string} key
   * @param {Uint8Array} file
   * @param {number} width metres
   * @returns {Promise<{ description: TargetDescription }>}
   */
  async addFile(key, file, width) {
    const description = await this.#ask({ kind: 'add', id: pictureNumber(key), file, width });
    this.#pictures.set(key, { file, width });
    this.#setPace();
    return { description };
  }

  /** @param {string[]} keys */
  remove(keys) {
    const ids = keys.filter((key) => this.#pictures.has(key)).map(pictureNumber);
    for (const key of keys) this.#pictures.delete(key);
    this.worker?.postMessage({ kind: 'remove', ids });
    this.#setPace();
  }

  /** Keys of the pictures that are looked for. */
  get keys() {
    return [...this.#pictures.keys()];
  }

  #setPace() {
    const isOnlyCodes = !this.#markers?.dictionaries.length && this.#pictures.size === 0;
    this.pause = isOnlyCodes && this.#looksForCodes ? PAUSE_FOR_CODES : 0;
  }

  // Still pictures

  /**
   * The sheet that stands out most in a still picture.
   * @param {Still} still
   * @returns {Promise<import('../../engine/wall.js').Corners | null>}
   */
  async findSheet(still) {
    return this.#ask({ kind: 'sheet', module: await preloadWalls(), still });
  }

  /**
   * The wall round a rectangle of a still picture, seen from the front.
   * @param {Still} still
   * @param {Rectangle} rectangle
   * @returns {Promise<import('../../engine/wall.js').Front | null>}
   */
  async wallFront(still, rectangle) {
    return this.#ask({ kind: 'front', module: await preloadWalls(), still, rectangle });
  }

  /**
   * The codes in a still picture, with all effort.
   * @param {Still} still
   * @returns {Promise<FoundCode[]>}
   */
  readCodes(still) {
    return this.#ask({ kind: 'codes', still });
  }

  /** The camera, or what is known of its lens, has changed. */
  checkLens() {
    const lens = this.#knownLens();
    if (lens.join() === this.#lens.join()) return;
    this.#lens = lens;
    this.worker?.postMessage({ kind: 'lens', lens });
  }

  #knownLens() {
    const { videoWidth: width, videoHeight: height } = this.video;
    return lensOf(this.label(), width ? { width, height } : undefined);
  }

  /**
   * @param {Question} question
   * @returns {Promise<any>}
   */
  #ask(question) {
    return this.ask(question);
  }

  /**
   * @override
   * @param {Worker} worker
   */
  greet(worker) {
    this.#lens = this.#knownLens();
    worker.postMessage({ kind: 'lens', lens: this.#lens });
    worker.postMessage({ kind: 'markers', watch: this.#markers });
    worker.postMessage({ kind: 'codes', areWanted: this.#looksForCodes });
    worker.postMessage({ kind: 'walls', walls: this.#walls });
    for (const [key, { file, width }] of this.#pictures) {
      worker.postMessage({ kind: 'ask', number: this.nextNumber(), question: { kind: 'add', id: pictureNumber(key), file, width } });
    }
  }

  /**
   * @override
   * @param {import('./worker-pump.js').Message} message
   */
  hear(message) {
    const answer = /** @type {Answer} */ (message);
    const held = answer.kind === 'seen' ? this.answered() : null;
    if (answer.kind !== 'seen' || !held) return;
    const { image, time } = held;
    const { kind, ...seen } = answer;
    /** @type {Sight} */
    const sight = { image, time, ...seen, lens: this.#lens, observations: readObservations(answer.rows) };
    const following = this.#extended?.follow(held, sight);
    if (!following) {
      this.#extend(held, sight);
      return this.#tell(sight, null);
    }
    void following.then((tracked) => this.answered() === held && this.#tell(sight, tracked));
  }

  /**
   * @param {Sight} sight
   * @param {Tracked | null} tracked
   */
  #tell(sight, tracked) {
    this.emit('sight', this.#extended?.complete(sight, tracked) ?? sight);
    this.done();
  }

  /**
   * Extended tracking comes when there is something to be carried on, and readings to do it by.
   * @param {import('./frame-pump.js').Held} held
   * @param {Sight} sight
   */
  #extend({ moment }, { observations }) {
    const { engine, label } = this;
    if (!engine || this.#isAsked || !moment.turning.length || !observations.some(({ pose }) => pose)) return;
    this.#isAsked = true;
    import('./extended-tracking.js').then(({ ExtendedTracking }) => {
      if (this.engine === engine) this.#extended = new ExtendedTracking({ engine, label, learned: () => this.checkLens(), markers: this.#markers });
    }, console.warn);
  }
}
