// The codes of markers, for printing: the mirror of Sources/Web/SightlineVisionWasm/MarkerExports.

import { Instance } from './instance.js';

/** Names of the dictionaries in the engine's order. */
export const DICTIONARY = [
  'aruco-original', '4x4-50', '4x4-100', '4x4-250', '4x4-1000', '5x5-50', '5x5-100', '5x5-250', '5x5-1000', '6x6-50',
  '6x6-100', '6x6-250', '6x6-1000', '7x7-50', '7x7-100', '7x7-250', '7x7-1000', 'aruco-mip-36h12', 'apriltag-16h5',
  'apriltag-25h9', 'apriltag-36h10', 'apriltag-36h11',
];

export class Markers {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Markers(await Instance.make(module));
  }

  /** @param {Instance} instance */
  constructor(instance) {
    this.instance = instance;
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
