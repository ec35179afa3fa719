// Records in the worker all that world tracking is given, in its order, and what it answers (Documentation/recording.md): run again
// natively, the same numbers come out.

import { ByteWriter, KIND } from '../recording/format.js';
import { Recorder } from '../recording/recorder.js';
import { png } from './png.js';

/**
 * @typedef {import('../../engine/odometry.js').Odometry} Odometry
 * @typedef {import('../../engine/odometry.js').Setup} Setup
 * @typedef {import('../../engine/picture-room.js').PictureLayout} PictureLayout
 * @typedef {import('../vision/vision-worker.js').Moment} Moment
 * @typedef {import('../vision/vision-worker.js').Turning} Turning
 * @typedef {{ time: number, created: Date, device: string, fields: Record<string, string> }} TapeOptions seconds; what the header tells
 * @typedef {{ pixels: Uint8Array, width: number, height: number, channels: 1 | 3, isLimited: boolean }} Kept a picture as tracking had it
 */

/** Kinds of chunks. */
const TRACKING = { began: 128, reading: 129, tilt: 130, frame: 131, answer: 132 };
/** The number of PNG among the formats of pictures. */
const PNG = 1;

export class Tape {
  #recorder;
  #dropped = -1;
  /** What is still being compressed. */
  #busy = Promise.resolve();

  /** @param {TapeOptions} options */
  constructor({ time, created, device, fields }) {
    // Pictures tell where somebody was, whether there are positions or not.
    this.#recorder = new Recorder({ positions: true, time, created, device, fields });
    this.last = time;
  }

  /** Bytes so far. */
  get size() {
    return this.#recorder.size;
  }

  /** @param {Setup} pictures */
  begun({ width, height, focal, screenAngle }) {
    this.#write(TRACKING.began, this.last, (out) => {
      out.i32(width);
      out.i32(height);
      out.f64(focal);
      out.i32(screenAngle);
      // As phones do.
      out.i32(-1);
    });
  }

  /** @param {Turning} reading */
  reading({ time, heard, rate, force }) {
    this.#write(TRACKING.reading, time, (out) => out.f64(...rate, ...force, heard));
  }

  /** @param {import('../vision/motion-readings.js').Tilt} tilt */
  tilt({ time, beta, gamma }) {
    this.#write(TRACKING.tilt, time, (out) => out.f64(beta, gamma));
  }

  /**
   * Something that the page knows beside: the platform's orientation, a fix.
   * @param {import('../../engine/types').EngineEvent} event
   * @param {number} time seconds
   */
  tell(event, time) {
    this.#recorder.event(event, time);
  }

  /**
   * A copy of the picture in the room, before tracking looks at it.
   * @param {PictureLayout} layout
   * @param {Odometry} odometry
   * @returns {Kept}
   */
  keep({ format, width, height, offset, stride, isLimited }, odometry) {
    const bytes = odometry.room(offset + stride * (height - 1) + width * (format === 'gray' ? 1 : 4)).subarray(offset);
    const channels = format === 'gray' ? 1 : 3;
    const pixels = new Uint8Array(width * height * channels);
    const [red, blue] = format === 'bgra' ? [2, 0] : [0, 2];
    for (let y = 0, to = 0; y < height; y++) {
      const row = bytes.subarray(y * stride);
      if (channels === 1) pixels.set(row.subarray(0, width), y * width);
      else {
        for (let x = 0; x < 4 * width; x += 4) {
          pixels[to++] = row[x + red];
          pixels[to++] = row[x + 1];
          pixels[to++] = row[x + blue];
        }
      }
    }
    return { pixels, width, height, channels, isLimited };
  }

  /**
   * The picture that tracking was given, and the numbers of its answer.
   * @param {Moment} moment
   * @param {Kept} kept
   * @param {Float64Array} row
   */
  frame({ time, heard, dropped }, kept, row) {
    this.#busy = this.#busy.then(async () => {
      const { width, height, channels, isLimited } = kept;
      const file = await png(kept.pixels, width, height, channels);
      const lost = this.#dropped < 0 ? 0 : dropped - this.#dropped;
      this.#dropped = dropped;
      this.#write(TRACKING.frame, time, (out) => {
        out.f64(heard);
        out.u32(lost);
        out.flag(isLimited);
      });
      this.#write(KIND.picture, time, (out) => {
        out.i32(width);
        out.i32(height);
        out.u8(PNG);
        out.raw(file);
      });
      this.#write(TRACKING.answer, time, (out) => out.f64(...row));
      this.last = time;
    });
    return this.#busy;
  }

  /**
   * The whole recording; nothing is added after it.
   * @returns {Promise<{ file: Blob, count: number }>}
   */
  async finish() {
    await this.#busy;
    return { file: this.#recorder.finish(), count: this.#recorder.count };
  }

  /**
   * @param {number} kind
   * @param {number} time seconds
   * @param {(out: ByteWriter) => void} write
   */
  #write(kind, time, write) {
    const out = new ByteWriter();
    write(out);
    this.#recorder.other(kind, time, out.bytes());
  }
}
