// From the camera's video to a worker, picture by picture: each one is held until what was found in it is known, so that the
// picture shown and what is drawn on it always belong together. While one picture is looked at, others are let go by.

import { Emitter } from '../core/emitter.js';
import { takenAt } from '../device/picture-age.js';
import { MotionReadings } from './motion-readings.js';

/**
 * @typedef {import('./vision-worker.js').Moment} Moment
 * @typedef {{ image: any, width: number, height: number, time: number, moment: Moment }} Held
 */

/** Longest a worker may take for one picture before it is taken for dead, milliseconds. */
const PATIENCE = 5000;

/**
 * @template {Record<string, any>} Events
 * @extends {Emitter<Events>}
 */
export class FramePump extends Emitter {
  /** @type {Worker | null} who looks at the pictures; none are taken without */
  worker = null;
  isRunning = false;
  /** Pictures go by unseen for a while: behind a dialog. */
  isHeld = false;
  /** From one picture to the next, at least, milliseconds. */
  pause = 0;
  /** Counts the starts, so that the waiting callback of an earlier one does not go on beside the new one. */
  #turn = 0;
  /** @type {Held | null} */
  #held = null;
  #sent = 0;
  #useFrames = typeof (/** @type {any} */ (globalThis).VideoFrame) === 'function';
  /** @type {CanvasRenderingContext2D | null} */
  #painter = null;
  /** @type {MotionReadings | null} */
  #motion = null;
  /** Pictures that were looked at, that were let go by, and that came within a pause. */
  counts = { seen: 0, dropped: 0, paused: 0 };

  /**
   * @param {HTMLVideoElement} video
   * @param {(size: import('../device/camera.js').Size) => import('../device/camera.js').Optics} optics of the camera's pictures
   */
  constructor(video, optics) {
    super();
    this.video = video;
    this.optics = optics;
  }

  /** Pictures are taken from now on, whenever there is a worker. */
  run() {
    this.isRunning = true;
    this.#motion ??= new MotionReadings();
    this.#next(++this.#turn);
  }

  /** No more pictures are taken. */
  rest() {
    this.isRunning = false;
    this.#motion?.close();
    this.#motion = null;
    this.letGo();
  }

  /**
   * The picture that an answer belongs to; it stays held until `done` or `letGo`.
   * @returns {Held | null} `null` when the answer comes too late
   */
  answered() {
    return this.#held;
  }

  /** All that was to be found in the picture is known, and told. */
  done() {
    this.counts.seen += 1;
    this.letGo();
  }

  letGo() {
    this.#held?.image.close?.();
    this.#held = null;
  }

  /**
   * The worker is of no use any more.
   * @param {string} _text why
   */
  fail(_text) {}

  /** @param {number} turn */
  #next(turn) {
    if (!this.isRunning || turn !== this.#turn) return;
    const { video } = this;
    if (typeof video.requestVideoFrameCallback === 'function') {
      video.requestVideoFrameCallback((_now, data) => {
        this.#take(takenAt(performance.now(), data) / 1000);
        this.#next(turn);
      });
    } else {
      requestAnimationFrame((now) => {
        this.#take(takenAt(now, {}) / 1000);
        this.#next(turn);
      });
    }
  }

  /** @param {number} time seconds */
  #take(time) {
    const { worker } = this;
    if (this.isHeld || !this.isRunning || !worker || !this.video.videoWidth) return;
    if (performance.now() - this.#sent < this.pause) {
      this.counts.paused += 1;
      return;
    }
    if (this.#held) {
      this.counts.dropped += 1;
      if (performance.now() - this.#sent > PATIENCE) this.fail('no answer');
      return;
    }
    this.#sent = performance.now();
    const { videoWidth: width, videoHeight: height } = this.video;
    /** @type {Moment} */
    const moment = {
      ...this.optics({ width, height }), time, heard: this.#sent / 1000, dropped: this.counts.dropped, turning: this.#motion?.take() ?? [],
      tilt: this.#motion?.tilt ?? null,
    };
    if (this.#useFrames && this.#takeFrame(worker, moment)) return;
    this.#takePixels(worker, moment);
  }

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
      this.#held = { image: frame, width: frame.displayWidth, height: frame.displayHeight, time: moment.time, moment };
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
    const { videoWidth: width, videoHeight: height } = this.video;
    this.#painter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true, alpha: false });
    const painter = this.#painter;
    if (!painter) return;
    if (painter.canvas.width !== width) painter.canvas.width = width;
    if (painter.canvas.height !== height) painter.canvas.height = height;
    painter.drawImage(this.video, 0, 0, width, height);
    const { buffer } = painter.getImageData(0, 0, width, height).data;
    worker.postMessage({ kind: 'pixels', pixels: buffer, width, height, ...moment }, [buffer]);
    this.#held = { image: painter.canvas, width, height, time: moment.time, moment };
  }
}
