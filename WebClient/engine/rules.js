// When visuals of a world are shown, and how large, where its document says so: a part of an engine, see `Engine.part`.

import { DISPLAY_SELECTION } from './layout-by-need.js';

export class Rules {
  #call;

  /** @param {Record<string, (...values: number[]) => number>} call the engine's functions */
  constructor(call) {
    this.#call = call;
  }

  /**
   * Of the world that was compiled and is not handed over yet.
   * @param {import('./types').ContentPlace[]} places
   */
  give(places) {
    /** @type {Map<string, number>} */
    const groups = new Map();
    places.forEach(({ display }, index) => {
      if (!display) return;
      const { visibleFrom = 0, scaling, shownWhile = '', feature } = display;
      if (feature !== undefined && !groups.has(feature)) groups.set(feature, groups.size);
      const { near = NaN, far = Infinity, factor = 1 } = scaling ?? {};
      const group = feature === undefined ? -1 : groups.get(feature) ?? -1;
      this.#call.sl_world_rule(index, visibleFrom, near, far, factor, DISPLAY_SELECTION.indexOf(shownWhile), group);
    });
  }
}

/**
 * What tells an engine of it, once it has compiled the world.
 * @param {{ dimension: { places: import('./types').ContentPlace[] } }} answer
 * @returns {(engine: import('./engine.js').Engine) => void}
 */
export const rulesOf = ({ dimension: { places } }) => (engine) => engine.part(Rules).give(places);
