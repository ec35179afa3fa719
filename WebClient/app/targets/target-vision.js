// From the camera's video to flat pictures and markers in it: each picture is held until what was found in it is known, so
// that picture and drawing always belong together. While one picture is looked at, others are let go by.

import { Emitter } from '../core/emitter.js';
import { preloadVision } from '../session/engine-link.js';
import { Gyro } from './gyro.js';

/**
 * @typedef {import('./target-worker.js').Answer} Answer
 * @typedef {import('./target-worker.js').FoundMarker} FoundMarker
 * @typedef {import('./target-worker.js').FoundTarget} FoundTarget
 * @typedef {import('./target-worker.js').MarkerWatch} MarkerWatch
 * @typedef {import('./target-worker.js').Question} Question
 * @typedef {import('./target-worker.js').Still} Still
 * @typedef {import('./target-worker.js').Rectangle} Rectangle
 * @typedef {import('../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {{ image: CanvasImageSource, width: number, height: number, time: number, markers: FoundMarker[],
 *   targets: FoundTarget[], focal: number, path: string, milliseconds: number }} Sight `image` is closed when the
 *   listeners have returned
 */

/** Longest a worker may take for one picture before it is taken for dead, milliseconds. */
const PATIENCE = 5000;

/** @extends {Emitter<{ sight: Sight, restarted: void }>} */
export class TargetVision extends Emitter {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<Worker> | null} */
  #starting = null;
  #running = false;
  /** Counts the starts, so that the waiting callback of an earlier one does not go on beside the new one. */
  #turn = 0;
  /** @type {{ image: any, width: number, height: number, time: number } | null} */
  #held = null;
  #sent = 0;
  #useFrames = typeof (/** @type {any} */ (globalThis).VideoFrame) === 'function';
  /** @type {CanvasRenderingContext2D | null} */
  #painter = null;
  #gyro = new Gyro();
  /** @type {MarkerWatch | null} */
  #markers = null;
  /** @type {Map<string, { file: Uint8Array, width: number }>} what a new worker has to be told again */
  #files = new Map();
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #questions = new Map();
  #number = 0;
  /** Pictures that were looked at, and that were let go by. */
  counts = { seen: 0, dropped: 0 };

  /**
   * @param {HTMLVideoElement} video
   * @param {() => number} fieldOfView along the picture's longer side, degrees
   */
  constructor(video, fieldOfView) {
    super();
    this.video = video;
    this.fieldOfView = fieldOfView;
  }

  /** @param {MarkerWatch | null} watch `null`: no markers */
  watchMarkers(watch) {
    this.#markers = watch;
    this.#worker?.postMessage({ kind: 'markers', watch });
  }

  /**
   * Makes a target of a picture and looks for it from now on.
   * @param {string} key
   * @param {Still} still
   * @param {number} width of the whole picture, metres
   * @returns {Promise<{ description: TargetDescription, file: Uint8Array }>}
   */
  async addPicture(key, still, width) {
    const made = await this.#ask({ kind: 'add', key, name: key, still, width });
    this.#files.set(key, { file: made.file, width });
    return made;
  }

  /**
   * @param {string} key
   * @param {Uint8Array} file
   * @param {number} width metres
   * @returns {Promise<{ description: TargetDescription }>}
   */
  async addFile(key, file, width) {
    const made = await this.#ask({ kind: 'addFile', key, file, width });
    this.#files.set(key, { file, width });
    return made;
  }

  /** @param {string[]} keys */
  remove(keys) {
    for (const key of keys) this.#files.delete(key);
    this.#worker?.postMessage({ kind: 'remove', keys });
  }

  get keys() {
    return [...this.#files.keys()];
  }

  /**
   * The sheet that stands out most in a still picture.
   * @param {Still} still
   * @returns {Promise<import('../../engine/wall.js').Corners | null>}
   */
  findSheet(still) {
    return this.#ask({ kind: 'sheet', still });
  }

  /**
   * The wall round a rectangle of a still picture, seen from the front.
   * @param {Still} still
   * @param {Rectangle} rectangle
   * @returns {Promise<import('../../engine/wall.js').Front | null>}
   */
  wallFront(still, rectangle) {
    return this.#ask({ kind: 'front', still, rectangle });
  }

  /**
   * @param {Question} question
   * @returns {Promise<any>}
   */
  async #ask(question) {
    const worker = await this.#begin();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#questions.set(number, { resolve, reject });
      worker.postMessage({ kind: 'ask', number, question });
    });
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    void this.#begin().catch((error) => console.error(`looking for pictures failed: ${error}`));
    this.#next(++this.#turn);
  }

  /** Pictures are no longer looked at; what was added stays. */
  stop() {
    this.#running = false;
    this.#letGo();
  }

  close() {
    this.stop();
    this.#end('closed');
    this.#gyro.close();
  }

  /** @returns {Promise<Worker>} */
  #begin() {
    this.#starting ??= this.#make();
    this.#starting.catch(() => (this.#starting = null));
    return this.#starting;
  }

  async #make() {
    const module = await preloadVision();
    const worker = new Worker(new URL('./target-worker.js', import.meta.url), { type: 'module' });
    await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
      worker.onmessage = ({ data }) => (data.kind === 'ready' ? resolve() : reject(new Error(data.text)));
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ kind: 'start', module });
    });
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => this.#worker === worker && this.#answer(data);
    worker.onerror = (event) => this.#worker === worker && this.#fail(event.message);
    this.#worker = worker;
    worker.postMessage({ kind: 'markers', watch: this.#markers });
    for (const [key, { file, width }] of this.#files) {
      worker.postMessage({ kind: 'ask', number: ++this.#number, question: { kind: 'addFile', key, file, width } });
    }
    return worker;
  }

  /** @param {Answer} answer */
  #answer(answer) {
    if (answer.kind === 'failed') return this.#fail(answer.text);
    if (answer.kind === 'answer') {
      const question = this.#questions.get(answer.number);
      this.#questions.delete(answer.number);
      if (answer.error) question?.reject(new Error(answer.error));
      else question?.resolve(answer.value);
      return;
    }
    const held = this.#held;
    if (answer.kind !== 'found' || !held) return;
    this.counts.seen += 1;
    const focal = this.focalShare * Math.max(answer.width, answer.height);
    this.emit('sight', { ...held, ...answer, focal });
    this.#letGo();
  }

  /** @param {string} text */
  #fail(text) {
    console.error(`looking for pictures failed: ${text}`);
    this.#end(text);
    setTimeout(() => {
      if (!this.#running) return;
      void this.#begin().then(() => this.emit('restarted', undefined), () => undefined);
    }, 1000);
  }

  /** @param {string} reason */
  #end(reason) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#starting = null;
    for (const { reject } of this.#questions.values()) reject(new Error(reason));
    this.#questions.clear();
    this.#letGo();
  }

  #letGo() {
    this.#held?.image.close?.();
    this.#held = null;
  }

  /** @param {number} turn */
  #next(turn) {
    if (!this.#running || turn !== this.#turn) return;
    const { video } = this;
    if (typeof video.requestVideoFrameCallback === 'function') {
      video.requestVideoFrameCallback((now, data) => {
        this.#take((data.captureTime ?? data.expectedDisplayTime ?? now) / 1000);
        this.#next(turn);
      });
    } else {
      requestAnimationFrame((now) => {
        this.#take(now / 1000);
        this.#next(turn);
      });
    }
  }

  /** @param {number} time seconds */
  #take(time) {
    const worker = this.#worker;
    if (!this.#running || !worker || !this.video.videoWidth) return;
    if (this.#held) {
      this.counts.dropped += 1;
      if (performance.now() - this.#sent > PATIENCE) this.#fail('no answer');
      return;
    }
    this.#sent = performance.now();
    const moment = { focalShare: this.focalShare, time, turn: this.#gyro.take() };
    if (this.#useFrames && this.#takeFrame(worker, moment)) return;
    this.#takePixels(worker, moment);
  }

  /** Focal length over the picture's longer side. */
  get focalShare() {
    return 0.5 / Math.tan((this.fieldOfView() * Math.PI) / 360);
  }

  /** @typedef {{ focalShare: number, time: number, turn: import('./gyro.js').Turn | null }} Moment */

  /**
   * @param {Worker} worker
   * @param {Moment} moment
   * @returns {boolean} whether it worked
   */
  #takeFrame(worker, moment) {
    try {
      const frame = new (/** @type {any} */ (globalThis).VideoFrame)(this.video, { timestamp: moment.time * 1e6 });
      const copy = frame.clone();
      worker.postMessage({ kind: 'frame', frame: copy, ...moment }, [copy]);
      this.#held = { image: frame, width: frame.displayWidth, height: frame.displayHeight, time: moment.time };
      return true;
    } catch (error) {
      console.info(`video frames cannot be used here: ${error}`);
      this.#useFrames = false;
      return false;
    }
  }

  /**
   * @param {Worker} worker
   * @param {Moment} moment
   */
  #takePixels(worker, moment) {
    const painter = this.#painted();
    if (!painter) return;
    const { width, height } = painter.canvas;
    const { buffer } = painter.getImageData(0, 0, width, height).data;
    worker.postMessage({ kind: 'pixels', pixels: buffer, width, height, ...moment }, [buffer]);
    this.#held = { image: painter.canvas, width, height, time: moment.time };
  }

  #painted() {
    const { videoWidth: width, videoHeight: height } = this.video;
    this.#painter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true, alpha: false });
    const painter = this.#painter;
    if (!painter || !width) return null;
    if (painter.canvas.width !== width) painter.canvas.width = width;
    if (painter.canvas.height !== height) painter.canvas.height = height;
    painter.drawImage(this.video, 0, 0, width, height);
    return painter;
  }
}

/**
 * Pixels of anything that can be drawn.
 * @param {CanvasImageSource} image
 * @param {number} width
 * @param {number} height
 * @returns {Still}
 */
export function stillOf(image, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const painter = canvas.getContext('2d', { willReadFrequently: true, alpha: false });
  if (!painter) throw new Error('no canvas');
  painter.drawImage(image, 0, 0, width, height);
  const { data } = painter.getImageData(0, 0, width, height);
  return { pixels: data, layout: { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false } };
}
