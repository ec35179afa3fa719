// Places on the ground and on the web's map, and a phone that is led by hand: the mirror of Sources/Web/SightlineWasm/PlaceExports.
// A part of an engine, see `Engine.part`, that is fetched where it is needed.

import { HEIGHT_DATUM } from './layout.js';

/** @typedef {{ latitude: number, longitude: number }} Point degrees */

export class Places {
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

  /** @param {number} address @param {number} count */
  #values(address, count) {
    return this.#view().slice(address / 8, address / 8 + count);
  }

  /**
   * Where a short way along the ground leads.
   * @param {Point} from
   * @param {number} heading degrees clockwise from north
   * @param {number} forward metres
   * @param {number} [right] metres
   * @returns {Point}
   */
  moved(from, heading, forward, right = 0) {
    const [latitude, longitude] = this.#values(this.#call.sl_moved(from.latitude, from.longitude, heading, forward, right), 2);
    return { latitude, longitude };
  }

  /**
   * Where a position is on the web's map: 0 … 1 from west to east and from north to south.
   * @param {Point} position
   * @returns {{ x: number, y: number, side: number }} `side`: metres on the ground there that a side of the map stands for
   */
  onMap({ latitude, longitude }) {
    const [x, y, side] = this.#values(this.#call.sl_map_point(latitude, longitude), 3);
    return { x, y, side };
  }

  /**
   * The position of a point of the web's map.
   * @param {number} x
   * @param {number} y
   * @returns {Point}
   */
  position(x, y) {
    const [latitude, longitude] = this.#values(this.#call.sl_map_position(x, y), 2);
    return { latitude, longitude };
  }

  /**
   * Metres from a position to the border of an area, negative inside; NaN when there is none.
   * @param {Point} from
   * @param {Point[]} corners
   */
  distanceToBorder({ latitude, longitude }, corners) {
    const address = this.#call.sl_ground_input(2 * corners.length);
    if (!address) return NaN;
    this.#view().set(corners.flatMap((corner) => [corner.latitude, corner.longitude]), address / 8);
    return this.#call.sl_area_distance(corners.length, latitude, longitude);
  }

  /**
   * How far a phone turns that is dragged over the display, degrees.
   * @param {number} x points
   * @param {number} y
   * @param {number} up degrees that it looks up
   */
  dragTurn(x, y, up) {
    const [heading, pitch] = this.#values(this.#call.sl_drag_turn(x, y, up), 2);
    return { heading, pitch };
  }

  /**
   * The point of the display beside its middle, along the horizon.
   * @param {number} angle degrees to the right
   */
  beside(angle) {
    return this.#values(this.#call.sl_beside(angle), 2);
  }

  /**
   * Where a phone begins that may stand anywhere; `null` in a world without places.
   * @param {Point | null} given where it has to stand
   */
  viewpoint(given) {
    const address = this.#call.sl_viewpoint(given?.latitude ?? NaN, given?.longitude ?? NaN);
    if (!address) return null;
    const [latitude, longitude, altitude, heading, datum] = this.#values(address, 5);
    return { latitude, longitude, altitude: Number.isNaN(altitude) ? null : altitude, heading, altitudeDatum: HEIGHT_DATUM[datum] };
  }

  /**
   * Up to which r² the radial terms of a lens mean something.
   * @param {number[]} terms k1, k2, k3
   */
  lensReach([k1 = 0, k2 = 0, k3 = 0]) {
    return this.#call.sl_lens_reach(k1, k2, k3);
  }
}
