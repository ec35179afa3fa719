// From the camera's video to markers: each picture is held until what was found in it is known, so that picture and
// drawing always belong together. While one picture is looked at, others are let go by.

import { Emitter } from '../core/emitter.js';
import { preloadVision } from '../session/engine-link.js';

/**
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('./vision-worker.js').Answer} Answer
 * @typedef {{ dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }} Watch
 * @typedef {{ image: CanvasImageSource, width: number, height: number, time: number, markers: FoundMarker[],
 *   focal: number, path: string, milliseconds: number }} Sight `image` is closed when the listeners have returned
 */

/** Longest a worker may take for one picture before it is taken for dead, milliseconds. */
const PATIENCE = 5000;

/** @extends {Emitter<{ sight: Sight }>} */
export class MarkerVision extends Emitter {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Watch} */
  #watch = { dictionaries: [], sides: [], usual: 0 };
  #isReady = false;
  #running = false;
  /** Counts the starts, so that the waiting callback of an earlier one does not go on beside the new one. */
  #turn = 0;
  /** @type {{ image: any, width: number, height: number, time: number } | null} */
  #held = null;
  #sent = 0;
  #useFrames = typeof (/** @type {any} */ (globalThis).VideoFrame) === 'function';
  /** @type {CanvasRenderingContext2D | null} */
  #painter = null;
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

  /** @param {Watch} watch what to look for */
  watch(watch) {
    this.#watch = watch;
    if (this.#isReady) this.#worker?.postMessage({ kind: 'watch', ...watch });
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    void this.#begin();
    this.#next(++this.#turn);
  }

  stop() {
    this.#running = false;
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#letGo();
  }

  async #begin() {
    const module = await preloadVision();
    if (!this.#running || this.#worker) return;
    const worker = new Worker(new URL('./vision-worker.js', import.meta.url), { type: 'module' });
    this.#worker = worker;
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => this.#worker === worker && this.#answer(data);
    worker.onerror = (event) => this.#worker === worker && this.#fail(event.message);
    worker.postMessage({ kind: 'start', module });
  }

  /** @param {Answer} answer */
  #answer(answer) {
    if (answer.kind === 'failed') return this.#fail(answer.text);
    if (answer.kind === 'ready') {
      this.#isReady = true;
      this.#worker?.postMessage({ kind: 'watch', ...this.#watch });
      return;
    }
    const held = this.#held;
    if (!held) return;
    this.counts.seen += 1;
    const focal = this.#focalShare() * Math.max(answer.width, answer.height);
    this.emit('sight', { ...held, ...answer, focal });
    this.#letGo();
  }

  /** @param {string} text */
  #fail(text) {
    console.error(`looking for markers failed: ${text}`);
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#letGo();
    setTimeout(() => this.#running && void this.#begin(), 1000);
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
    if (!this.#running || !worker || !this.#isReady || !this.video.videoWidth) return;
    if (this.#held) {
      this.counts.dropped += 1;
      if (performance.now() - this.#sent > PATIENCE) this.#fail('no answer');
      return;
    }
    this.#sent = performance.now();
    if (this.#useFrames && this.#takeFrame(worker, time)) return;
    this.#takePixels(worker, time);
  }

  #focalShare() {
    return 0.5 / Math.tan((this.fieldOfView() * Math.PI) / 360);
  }

  /**
   * @param {Worker} worker
   * @param {number} time
   * @returns {boolean} whether it worked
   */
  #takeFrame(worker, time) {
    try {
      const frame = new (/** @type {any} */ (globalThis).VideoFrame)(this.video, { timestamp: time * 1e6 });
      const copy = frame.clone();
      worker.postMessage({ kind: 'frame', frame: copy, focalShare: this.#focalShare(), time }, [copy]);
      this.#held = { image: frame, width: frame.displayWidth, height: frame.displayHeight, time };
      return true;
    } catch (error) {
      console.info(`video frames cannot be used here: ${error}`);
      this.#useFrames = false;
      return false;
    }
  }

  /**
   * @param {Worker} worker
   * @param {number} time
   */
  #takePixels(worker, time) {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!this.#painter) {
      this.#painter = document.createElement('canvas').getContext('2d', { willReadFrequently: true, alpha: false });
    }
    const painter = this.#painter;
    if (!painter) return;
    if (painter.canvas.width !== width) painter.canvas.width = width;
    if (painter.canvas.height !== height) painter.canvas.height = height;
    painter.drawImage(this.video, 0, 0, width, height);
    const { buffer } = painter.getImageData(0, 0, width, height).data;
    worker.postMessage({ kind: 'pixels', pixels: buffer, width, height, focalShare: this.#focalShare(), time }, [buffer]);
    this.#held = { image: painter.canvas, width, height, time };
  }
}
