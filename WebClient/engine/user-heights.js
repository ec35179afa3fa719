// How high the user is: see HeightExports.swift. A part of an engine, see `Engine.part`, that is fetched where it is needed.

import { HEIGHTS, HEIGHT_DATUM } from './layout.js';

/**
 * Metres. `datum`: what `altitude` is measured from; `geoid`: from the ellipsoid up to the sea; `ground`: over the sea. `null`: not known.
 * @typedef {{ altitude: number | null, datum: import('./bindings').HeightDatum | null, geoid: number | null, ground: number | null }} Heights
 */

export class UserHeights {
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

  /** @returns {Heights} */
  read() {
    const start = this.#call.sl_heights() / 8;
    const v = this.#view();
    const known = (/** @type {number} */ place) => (Number.isNaN(v[start + place]) ? null : v[start + place]);
    return {
      altitude: known(HEIGHTS.altitude), datum: HEIGHT_DATUM[v[start + HEIGHTS.datum]] ?? null, geoid: known(HEIGHTS.geoid),
      ground: known(HEIGHTS.ground),
    };
  }
}
