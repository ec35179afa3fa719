// Buildings into the engine, and what stands behind them out of it: the mirror of BuildingExports.swift. A part of an engine, see
// `Engine.part`, that is fetched where there is a map with buildings.

/** @typedef {'partlySeen' | 'hidden'} Visibility */

/** As the engine counts them. */
export const HIDDEN_LABEL_KINDS = /** @type {const} */ (['dim', 'roofLine', 'leaveOut']);

export class Buildings {
  #call;
  #view;
  /**
   * What the engine was told last and took, for a recording: of each building top, bottom, number of rings, and of each ring the number of
   * its corners and their latitudes and longitudes by turns, degrees, to the last bit what the engine made of them.
   */
  told = { count: 0, numbers: new Float64Array() };

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
    const taken = this.#call.sl_buildings(time, count);
    if (taken >= 0) this.told = { count: taken, numbers: this.#view().slice(address / 8, address / 8 + count) };
    return taken;
  }

  /**
   * What becomes of labels of hidden things.
   * @param {typeof HIDDEN_LABEL_KINDS[number]} kind
   * @param {number} time seconds
   */
  labels(kind, time) {
    this.#call.sl_hidden_labels(time, HIDDEN_LABEL_KINDS.indexOf(kind));
  }

  /** @returns {Map<number, Visibility>} by feature, in view or not: those of the last frame that are not seen whole */
  hidden() {
    let at = this.#call.sl_frame_hidden() / 8;
    const view = this.#view();
    /** @type {Map<number, Visibility>} */
    const found = new Map();
    for (const visibility of /** @type {const} */ (['hidden', 'partlySeen'])) {
      for (const end = at + 1 + view[at++]; at < end; at++) found.set(view[at], visibility);
    }
    return found;
  }
}
