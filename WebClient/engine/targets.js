// Target files: made of a picture, and what they say of themselves. The mirror of Sources/Web/SightlineVisionWasm/TargetExports.

import { Instance } from './instance.js';
import { RATING_REASON } from './layout-by-need.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {import('./bindings').RatingReason} RatingReason
 * @typedef {{ name: string, width: number, height: number, referenceWidth: number, referenceHeight: number,
 *   printedWidth: number, stars: number, reasons: RatingReason[], features: number }} TargetDescription
 *   sizes in pixels; `printedWidth` in metres, 0 when unknown; `stars` 0 … 5, `reasons` why not more
 * @typedef {{ x: number, y: number, size: number, angle: number, isLight: boolean }} TargetFeature pixels of the picture
 *   the target was made from; `angle` in radians, clockwise from the x axis
 */

const FEATURE = 5;
const FAULT = ['', 'notATarget', 'version', 'length', 'checksum', 'value'];

/** Why bytes are no target file. */
export class TargetFailure extends Error {
  /**
   * @param {string} code `notATarget`, `version` (numbers: the version), `length` (needed, given), `checksum` or `value` (byte)
   * @param {number[]} numbers
   */
  constructor(code, numbers) {
    super(`no target file: ${code} ${numbers.join(', ')}`.trim());
    this.code = code;
    this.numbers = numbers;
  }
}

export class Targets extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Targets(await Instance.make(module));
  }

  /**
   * Makes a target file of a picture; the same picture gives the same bytes.
   * @param {Uint8Array | Uint8ClampedArray} pixels
   * @param {PictureLayout} layout
   * @param {{ name?: string, width?: number }} options `width` of the whole print in metres
   * @returns {Uint8Array} the file: to be stored, sent, or handed to `add` and `describe`
   */
  build(pixels, layout, { name = '', width = 0 } = {}) {
    const text = new TextEncoder().encode(name);
    const room = this.room(text.length + pixels.length);
    room.set(text);
    room.set(pixels, text.length);
    const count = this.instance.call.sl_target_build(
      text.length, ...this.numbers({ ...layout, offset: text.length + layout.offset }), width,
    );
    if (count < 0) throw new RangeError('the bytes do not hold such a picture');
    return this.instance.bytes(this.instance.call.sl_target_file(), count).slice();
  }

  /**
   * What a target file says of itself.
   * @param {Uint8Array} file
   * @returns {TargetDescription}
   */
  describe(file) {
    this.#load(file);
    const fault = this.instance.call.sl_target_describe(file.length);
    const [width, height, referenceWidth, referenceHeight, printedWidth, stars, bits, features, start, length] =
      this.#values(10);
    if (fault !== 0) {
      const numbers = { 2: [width], 3: [width, height], 5: [width] }[fault] ?? [];
      throw new TargetFailure(FAULT[fault], numbers);
    }
    return {
      name: new TextDecoder().decode(file.subarray(start, start + length)), width, height, referenceWidth,
      referenceHeight, printedWidth, stars, reasons: RATING_REASON.filter((_, bit) => bits >> bit & 1), features,
    };
  }

  /**
   * What it is found by, strongest first.
   * @param {Uint8Array} file
   * @returns {TargetFeature[]}
   */
  features(file) {
    this.#load(file);
    const count = this.instance.call.sl_target_features(file.length);
    if (count < 0) this.describe(file);
    const all = this.#values(count * FEATURE);
    return Array.from({ length: count }, (_, k) => {
      const [x, y, size, angle, isLight] = all.subarray(k * FEATURE, (k + 1) * FEATURE);
      return { x, y, size, angle, isLight: isLight === 1 };
    });
  }

  /** @param {Uint8Array} file */
  #load(file) {
    this.room(Math.max(1, file.length)).set(file);
  }

  /** @param {number} count */
  #values(count) {
    return this.instance.doubles(this.instance.call.sl_target_values(), count).slice();
  }
}
