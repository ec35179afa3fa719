// Flat pictures as targets: built from a picture, found and followed in frames. The mirror of
// Sources/Web/SightlineWasm/TargetExports.

import { Instance } from './instance.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {'too-small' | 'little-texture' | 'low-contrast' | 'repeats-itself' | 'unevenly-spread'} RatingReason
 * @typedef {{ name: string, width: number, height: number, referenceWidth: number, referenceHeight: number,
 *   printedWidth: number, stars: number, reasons: RatingReason[], features: number }} TargetDescription
 *   sizes in pixels; `printedWidth` in metres, 0 when unknown; `stars` 0 … 5, `reasons` why not more
 * @typedef {{ x: number, y: number, size: number, angle: number, isLight: boolean }} TargetFeature pixels of the picture
 *   the target was made from; `angle` in radians, clockwise from the x axis
 * @typedef {{ focalX: number, focalY: number, centerX: number, centerY: number }} CameraIntrinsics pixels of the frames;
 *   the centre of the first pixel is (0, 0)
 * @typedef {'lost' | 'detected' | 'tracked' | 'extrapolated'} TargetStateName `lost`: not seen, and looked for; `detected`:
 *   found in this frame; `tracked`: followed and seen in this one; `extrapolated`: not seen in this one, carried on
 * @typedef {{ rotation: [number, number, number, number], translation: [number, number, number], unit: 'metres' | 'widths'
 * }} FoundPose `rotation` is w, x, y, z of cameraFromPicture. Camera axes: x right, y down, z forward. Axes of the picture, as of
 *   everything flat: x to its right, y to its top, z out of the paper, origin in its middle. `widths`: in widths of the target, when its printed
 *   width is not known
 * @typedef {{ id: number, state: TargetStateName, corners: [number, number][] | null, uncertainty: number,
 *   agreement: number, agreeing: number, pose: FoundPose | null, homography: number[] | null, unseen: number
 * }} TargetResult `corners` are the outer ones, clockwise from the picture's own top left, frame pixels; `uncertainty` is
 *   their standard deviation in pixels; `agreement` 0 … 1 and `agreeing` (patches) how well the frame agrees; `homography`
 *   takes pixels of the picture to those of the frame, row by row; `unseen` in seconds since the last sight, −1 for never
 */

/** @type {TargetStateName[]} */
const STATE = ['lost', 'detected', 'tracked', 'extrapolated'];
/** @type {RatingReason[]} */
const REASON = ['little-texture', 'repeats-itself', 'low-contrast', 'unevenly-spread', 'too-small'];
const ROW = 32;
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

/** Several targets at once, looked for in frames after one another. */
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
      referenceHeight, printedWidth, stars, reasons: REASON.filter((_, bit) => bits >> bit & 1), features,
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

  /**
   * Looks for a target from now on; those already followed stay followed.
   * @param {Uint8Array} file
   * @param {{ width?: number }} options `width` of the whole print in metres, before what the file says
   * @returns {number} its number, never given again
   */
  add(file, { width = 0 } = {}) {
    this.#load(file);
    const id = this.instance.call.sl_target_add(file.length, width);
    if (id >= 0) return id;
    this.describe(file);
    throw new RangeError('there are 65,535 targets already');
  }

  /** @param {number} id */
  remove(id) {
    this.instance.call.sl_target_remove(id);
  }

  /**
   * The camera of the next frames; without it there are no poses, only corners.
   * @param {CameraIntrinsics | null} camera
   */
  setCamera(camera) {
    this.instance.call.sl_target_camera(
      camera?.focalX ?? 0, camera?.focalY ?? 0, camera?.centerX ?? 0, camera?.centerY ?? 0,
    );
  }

  /**
   * Finds and follows the targets in the frame that was put into the room.
   * @param {PictureLayout} layout
   * @param {number} time seconds, later than the last frame's
   * @param {[number, number, number, number] | null} [turn] how the camera turned since the last frame, w, x, y, z: from its
   *   axes now to those then (the product of exp(½ ω dt) of the gyroscope's readings in camera axes, in their order)
   * @returns {TargetResult[]} one for each target that was added and not removed, in that order
   */
  process(layout, time, turn = null) {
    const [w, x, y, z] = turn ?? [1, 0, 0, 0];
    const count = this.instance.call.sl_target_frame(...this.numbers(layout), time, turn ? 1 : 0, w, x, y, z);
    if (count < 0) throw new RangeError('the room does not hold such a picture');
    const all = this.#values(count * ROW);
    return Array.from({ length: count }, (_, k) => result(all.subarray(k * ROW, (k + 1) * ROW)));
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

/**
 * @param {Float64Array} v
 * @returns {TargetResult}
 */
function result(v) {
  const isSeen = v[1] > 0;
  return {
    id: v[0], state: STATE[v[1]],
    corners: isSeen ? [[v[2], v[3]], [v[4], v[5]], [v[6], v[7]], [v[8], v[9]]] : null,
    uncertainty: v[10], agreement: v[11], agreeing: v[12],
    pose: v[13]
      ? {
        rotation: [v[14], v[15], v[16], v[17]], translation: [v[18], v[19], v[20]],
        unit: v[21] > 0 ? 'metres' : 'widths',
      }
      : null,
    homography: isSeen ? Array.from(v.subarray(22, 31)) : null, unseen: v[31],
  };
}
