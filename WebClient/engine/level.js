// What the sensors call up, out of the engine: the mirror of AlignmentExports.swift.

export class Level {
  #call;
  #view;

  /**
   * @param {Record<string, (...values: number[]) => number>} call
   * @param {() => Float64Array} view
   */
  constructor(call, view) {
    this.#call = call;
    this.#view = view;
  }

  /**
   * Before any correction of the level: a unit vector to the device's right, top, and out of its screen.
   * @returns {{ right: number, top: number, out: number } | null} null before the first orientation
   */
  up() {
    const start = this.#call.sl_sensed_up() / 8;
    const [right, top, out] = this.#view().subarray(start, start + 3);
    return Number.isNaN(out) ? null : { right, top, out };
  }
}
