// The codes of markers, for printing: see MarkerExports.swift.

import { Instance } from './instance.js';
import { MARKER_DICTIONARY } from './layout.js';

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
    return this.instance.call.sl_marker_count(MARKER_DICTIONARY.indexOf(dictionary));
  }

  /**
   * The cells inside the black border, row by row; true is white.
   * @param {string} dictionary
   * @param {number} id
   * @returns {boolean[][]}
   */
  cells(dictionary, id) {
    const number = MARKER_DICTIONARY.indexOf(dictionary);
    const n = this.instance.call.sl_marker_cells(number);
    return Array.from({ length: n }, (_, row) =>
      Array.from({ length: n }, (_, column) => this.instance.call.sl_marker_cell(number, id, row, column) === 1));
  }
}
