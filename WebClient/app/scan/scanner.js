// From the camera's video, or a picture, to QR codes: a worker looks at one picture after the other, a few in a second.

import { preloadVision } from '../session/engine-link.js';

/**
 * @typedef {import('../../engine/codes.js').FoundCode} FoundCode
 * @typedef {import('./scan-worker.js').Answer} Answer
 * @typedef {{ codes: FoundCode[], width: number, height: number, milliseconds: number, time: number, picture: CanvasImageSource | null }} Reading `time`:
 *   when the picture was handed over, seconds; `picture`: what was looked at, there only while `tell` runs
 */

/** From one picture to the next, milliseconds. */
const PAUSE = 120;
/** Every so many pictures without a code one is looked at with more effort. */
const THOROUGH_EVERY = 6;
/** Longest a worker may take for one picture before it is taken for dead, milliseconds. */
const PATIENCE = 8000;

export class Scanner {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {((reading: Reading | null) => void) | null} what waits for the worker's answer */
  #waiting = null;
  /** Counts the starts, so that an earlier round does not go on beside the new one. */
  #turn = 0;
  #time = 0;
  #useFrames = typeof (/** @type {any} */ (globalThis).VideoFrame) === 'function';
  /** @type {CanvasRenderingContext2D | null} */
  #painter = null;
  /** @type {any} the video frame that the worker has, once more: what it finds is drawn over this and not over a later one */
  #frame = null;
  /** Pictures that were looked at. */
  seen = 0;

  /**
   * @param {HTMLVideoElement} video
   * @param {(reading: Reading) => void} tell called for each picture
   */
  constructor(video, tell) {
    this.video = video;
    this.tell = tell;
  }

  async start() {
    const turn = ++this.#turn;
    let empty = 0;
    while (turn === this.#turn) {
      const reading = this.video.videoWidth ? await this.#look(this.video, empty % THOROUGH_EVERY === THOROUGH_EVERY - 1) : null;
      if (turn !== this.#turn) return this.#forgetFrame();
      if (reading) {
        this.seen += 1;
        empty = reading.codes.length ? 0 : empty + 1;
        this.tell(reading);
      }
      this.#forgetFrame();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  stop() {
    this.#turn += 1;
  }

  /**
   * Reads a picture, with all effort.
   * @param {ImageBitmap} picture
   */
  async read(picture) {
    return this.#look(picture, true);
  }

  close() {
    this.stop();
    this.#worker?.terminate();
    this.#worker = null;
    this.#settle(null);
  }

  /**
   * @param {HTMLVideoElement | ImageBitmap} source
   * @param {boolean} isThorough
   * @returns {Promise<Reading | null>} null when it could not be looked at
   */
  async #look(source, isThorough) {
    // One at a time: a picture of the user's waits for the camera's.
    while (this.#waiting) await new Promise((resolve) => setTimeout(resolve, 20));
    const answer = new Promise((/** @type {(reading: Reading | null) => void} */ resolve) => (this.#waiting = resolve));
    this.#time = performance.now() / 1000;
    const clock = setTimeout(() => this.#fail('no answer'), PATIENCE);
    try {
      const worker = await this.#ready();
      if (!this.#sendFrame(worker, source, isThorough)) this.#sendPixels(worker, source, isThorough);
    } catch (error) {
      this.#fail(String(error));
    }
    return answer.finally(() => clearTimeout(clock));
  }

  async #ready() {
    if (this.#worker) return this.#worker;
    const module = await preloadVision();
    const worker = new Worker(new URL('./scan-worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => {
      if (this.#worker !== worker) return;
      if (data.kind === 'failed') this.#fail(data.text);
      else if (data.kind === 'codes') this.#settle({ ...data, time: this.#time, picture: this.#frame ?? this.#painter?.canvas ?? null });
    };
    worker.onerror = (event) => this.#worker === worker && this.#fail(event.message);
    worker.postMessage({ kind: 'start', module });
    this.#worker = worker;
    return worker;
  }

  /** @param {Reading | null} reading */
  #settle(reading) {
    // A round that was stopped meanwhile tells nothing.
    if (!reading) this.#forgetFrame();
    const resolve = this.#waiting;
    this.#waiting = null;
    resolve?.(reading);
  }

  /** @param {string} text */
  #fail(text) {
    console.error(`reading codes failed: ${text}`);
    this.#worker?.terminate();
    this.#worker = null;
    this.#settle(null);
  }

  /**
   * @param {Worker} worker
   * @param {HTMLVideoElement | ImageBitmap} source
   * @param {boolean} isThorough
   * @returns {boolean} whether it worked
   */
  #sendFrame(worker, source, isThorough) {
    if (!this.#useFrames || !(source instanceof HTMLVideoElement)) return false;
    try {
      const frame = new (/** @type {any} */ (globalThis).VideoFrame)(source, { timestamp: performance.now() * 1000 });
      this.#forgetFrame();
      this.#frame = frame.clone();
      worker.postMessage({ kind: 'frame', frame, isThorough }, [frame]);
      return true;
    } catch (error) {
      console.info(`video frames cannot be used here: ${error}`);
      this.#useFrames = false;
      return false;
    }
  }

  /** Cameras have few frames to lend. */
  #forgetFrame() {
    this.#frame?.close();
    this.#frame = null;
  }

  /**
   * @param {Worker} worker
   * @param {HTMLVideoElement | ImageBitmap} source
   * @param {boolean} isThorough
   */
  #sendPixels(worker, source, isThorough) {
    const [width, height] = source instanceof HTMLVideoElement
      ? [source.videoWidth, source.videoHeight]
      : [source.width, source.height];
    this.#painter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true, alpha: false });
    const painter = this.#painter;
    if (!painter) throw new Error('no canvas');
    Object.assign(painter.canvas, { width, height });
    painter.drawImage(source, 0, 0, width, height);
    const { buffer } = painter.getImageData(0, 0, width, height).data;
    worker.postMessage({ kind: 'pixels', pixels: buffer, width, height, isThorough }, [buffer]);
  }
}
