// Buildings into the engine, and what stands behind them out of it: the mirror of BuildingExports.swift. A part of an engine, see
// `Engine.part`, that is fetched where there is a map with buildings.

/** @typedef {'partlySeen' | 'hidden'} Visibility */

const VISIBILITY = /** @type {Record<number, Visibility>} */ ({ 1: 'partlySeen', 2: 'hidden' });

export class Buildings {
  #call;
  #view;

  /**
   * @param {Record<string, (...values: number[]) => number>} call the engine's functions
   * @param {() => Float64Array} view its memory
   */
  constructor(call, view) {
    this.#call = call;
    this.#view = view;
  }

  /**
   * @param {{ top: number, bottom: number, rings: ArrayLike<number>[] }[]} buildings metres over the ground; of each ring x and y by turns on the
   *   web's map, 0 … 1, the first the border, the others courtyards
   * @param {number} time seconds
   * @returns {number} how many the engine took, −1 for none of them
   */
  set(buildings, time) {
    const count = buildings.reduce((sum, { rings }) => sum + 3 + rings.reduce((all, ring) => all + 1 + ring.length, 0), 0);
    const address = this.#call.sl_buildings_in(count);
    if (!address) return -1;
    const room = this.#view();
    let at = address / 8;
    for (const { top, bottom, rings } of buildings) {
      room[at++] = top;
      room[at++] = bottom;
      room[at++] = rings.length;
      for (const ring of rings) {
        room[at++] = ring.length / 2;
        room.set(ring, at);
        at += ring.length;
      }
    }
    return this.#call.sl_buildings(time, count);
  }

  /**
   * What becomes of labels of hidden things.
   * @param {'dim' | 'roofLine' | 'leaveOut'} kind
   * @param {number} time seconds
   */
  labels(kind, time) {
    this.#call.sl_hidden_labels(time, ['dim', 'roofLine', 'leaveOut'].indexOf(kind));
  }

  /** @returns {Map<number, Visibility>} by feature, those of the last frame that are not seen whole */
  hidden() {
    const view = this.#view();
    const start = this.#call.sl_frame_hidden() / 8;
    const found = new Map();
    for (let k = 0; k < view[start]; k++) found.set(view[start + 1 + 2 * k], VISIBILITY[view[start + 2 + 2 * k]]);
    return found;
  }
}
