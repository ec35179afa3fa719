// Models and pictures in true size of the last frame: the mirror of Sources/Web/SightlineWasm/ThingExports.
// A part of an engine, see `Engine.part`, that is fetched where it is needed.

import { THING_STATE } from './layout.js';
import { THING_HEAD, THING_ROW } from './layout-by-need.js';

/**
 * @typedef {{ feature: number, state: import('./bindings').ThingState, radius: number, distance: number, opacity: number,
 *   shadowOpacity: number, cameraFromThing: Float32Array, shadow: Float32Array }} Thing the matrix by columns; of the shadow its
 *   two half axes and its middle
 * @typedef {{ towardsSun: number[], up: number[], sun: number[], sky: number[], shadow: number }} Light directions in the camera's frame,
 *   red, green and blue linear; `shadow` 0 … 1
 * @typedef {{ things: Thing[], count: number, clipFromCamera: Float32Array, light: Light }} ThingFrame objects and arrays are reused; only
 *   the first `count` things are of the frame
 */

export class Things {
  #call;
  #view;
  /** @type {ThingFrame} */
  #frame = {
    things: [], count: 0, clipFromCamera: new Float32Array(16),
    light: { towardsSun: [0, 0, 0], up: [0, 0, 0], sun: [1, 1, 1], sky: [1, 1, 1], shadow: 1 },
  };

  /**
   * @param {Record<string, (...values: number[]) => number>} call the engine's functions
   * @param {() => Float64Array} view its memory
   */
  constructor(call, view) {
    this.#call = call;
    this.#view = view;
  }

  /**
   * What the last frame has before the camera, in the light of an hour.
   * @param {number} decimalYear universal time
   * @returns {ThingFrame}
   */
  read(decimalYear) {
    const start = this.#call.sl_things(decimalYear) / 8;
    const view = this.#view();
    const frame = this.#frame;
    frame.count = view[start + THING_HEAD.things];
    for (let k = 0; k < 16; k++) frame.clipFromCamera[k] = view[start + THING_HEAD.clipFromCamera + k];
    const { light } = frame;
    for (const name of /** @type {const} */ (['towardsSun', 'up', 'sun', 'sky'])) {
      for (let k = 0; k < 3; k++) light[name][k] = view[start + THING_HEAD[name] + k];
    }
    light.shadow = view[start + THING_HEAD.shadow];
    for (let index = 0, p = start + THING_HEAD.length; index < frame.count; index++, p += THING_ROW.length) {
      const thing = frame.things[index] ??= {
        feature: 0, state: 'wanted', radius: 0, distance: 0, opacity: 1, shadowOpacity: 0, cameraFromThing: new Float32Array(16),
        shadow: new Float32Array(9),
      };
      thing.feature = view[p + THING_ROW.feature];
      thing.state = THING_STATE[view[p + THING_ROW.state]];
      thing.radius = view[p + THING_ROW.radius];
      thing.distance = view[p + THING_ROW.distance];
      thing.opacity = view[p + THING_ROW.opacity];
      thing.shadowOpacity = view[p + THING_ROW.shadowOpacity];
      for (let k = 0; k < 16; k++) thing.cameraFromThing[k] = view[p + THING_ROW.cameraFromThing + k];
      for (let k = 0; k < 9; k++) thing.shadow[k] = view[p + THING_ROW.shadow + k];
    }
    return frame;
  }
}
