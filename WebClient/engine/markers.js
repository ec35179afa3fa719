// Markers in camera pictures, and their codes for printing: the mirror of Sources/Web/SightlineWasm/MarkerExports.

import { Instance } from './instance.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {{ dictionary: string, id: number, corners: [number, number][], confidence: number, side: number,
 *   track?: number, isResting?: boolean,
 *   pose: { rotation: [number, number, number, number], translation: [number, number, number], error: number } | null
 * }} FoundMarker `rotation` is w, x, y, z of cameraFromMarker; camera frame: x right, y down, z forward; `track` tells apart
 *   the markers that are followed, also two of one id, and is -1 when they are not
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 */

/** Names of the dictionaries in the engine's order. */
export const DICTIONARY = [
  'aruco-original', '4x4-50', '4x4-100', '4x4-250', '4x4-1000', '5x5-50', '5x5-100', '5x5-250', '5x5-1000', '6x6-50',
  '6x6-100', '6x6-250', '6x6-1000', '7x7-50', '7x7-100', '7x7-250', '7x7-1000', 'aruco-mip-36h12', 'apriltag-16h5',
  'apriltag-25h9', 'apriltag-36h10', 'apriltag-36h11',
];
const STRIDE = 23;

export class Markers extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Markers(await Instance.make(module));
  }

  /**
   * What to look for, and the side of each marker's black border in metres; `usual` is that of markers not named.
   * @param {string[]} dictionaries
   * @param {{ dictionary: string, id: number, side: number }[]} sides
   * @param {number} usual 0 when unknown: such markers get no pose
   */
  watch(dictionaries, sides, usual) {
    const mask = dictionaries.reduce((bits, name) => bits | maskOf(name), 0);
    this.instance.call.sl_marker_dictionaries(mask);
    for (const { dictionary, id, side } of sides) {
      this.instance.call.sl_marker_side(DICTIONARY.indexOf(dictionary), id, side);
    }
    this.instance.call.sl_marker_side(0, -1, usual);
  }

  /**
   * How the camera's lens bends what is straight: k1, k2, p1, p2, k3 as OpenCV has them.
   * @param {number[]} [coefficients] none for a straight lens
   */
  setLens(coefficients = []) {
    const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = coefficients;
    this.instance.call.sl_marker_lens(k1, k2, p1, p2, k3);
  }

  /**
   * Finds the markers in the picture that was put into the room, whatever was in the one before.
   * @param {PictureLayout} layout
   * @param {number} focal pixels; 0 for no poses
   * @returns {FoundMarker[]}
   */
  detect(layout, focal) {
    return this.#read(this.instance.call.sl_marker_detect(...this.numbers(layout), focal));
  }

  /**
   * Follows the markers of the pictures before into the one that was put into the room.
   * @param {PictureLayout} layout
   * @param {number} focal pixels; 0 for no poses
   * @param {number} time seconds
   * @param {number[]} [turn] w, x, y, z of worldFromCamera by the gyroscope, when it is known
   * @returns {FoundMarker[]} those seen in it
   */
  track(layout, focal, time, turn = [0, 0, 0, 0]) {
    return this.#read(this.instance.call.sl_marker_track(...this.numbers(layout), focal, time, ...turn));
  }

  /** @param {number} count */
  #read(count) {
    if (count < 0) throw new RangeError('the room does not hold such a picture');
    const all = this.instance.doubles(this.instance.call.sl_marker_values(), count * STRIDE).slice();
    return Array.from({ length: count }, (_, index) => foundMarker(all.subarray(index * STRIDE, (index + 1) * STRIDE)));
  }

  /**
   * Number of markers of a dictionary.
   * @param {string} dictionary
   */
  count(dictionary) {
    return this.instance.call.sl_marker_count(DICTIONARY.indexOf(dictionary));
  }

  /**
   * The cells inside the black border, row by row; true is white.
   * @param {string} dictionary
   * @param {number} id
   * @returns {boolean[][]}
   */
  cells(dictionary, id) {
    const number = DICTIONARY.indexOf(dictionary);
    const n = this.instance.call.sl_marker_cells(number);
    return Array.from({ length: n }, (_, row) =>
      Array.from({ length: n }, (_, column) => this.instance.call.sl_marker_cell(number, id, row, column) === 1));
  }
}

/** @param {string} name */
function maskOf(name) {
  const index = DICTIONARY.indexOf(name);
  return index < 0 ? 0 : 1 << index;
}

/**
 * @param {Float64Array} v
 * @returns {FoundMarker}
 */
function foundMarker(v) {
  return {
    dictionary: DICTIONARY[v[0]], id: v[1], corners: [[v[2], v[3]], [v[4], v[5]], [v[6], v[7]], [v[8], v[9]]],
    confidence: v[10], side: v[20], track: v[21], isResting: v[22] === 1,
    pose: v[11]
      ? { rotation: [v[12], v[13], v[14], v[15]], translation: [v[16], v[17], v[18]], error: v[19] }
      : null,
  };
}
