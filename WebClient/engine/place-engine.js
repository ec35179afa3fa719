// places.wasm: a session for places alone, the mirror of Sources/Web/SightlinePlacesWasm. It takes the engine's events that tell of
// the phone. This file moves numbers across; it decides nothing.

import { tell } from './events.js';
import { Instance } from './instance.js';
import { PLACE_HEAD, PLACE_INPUT, PLACE_ITEM } from './layout-by-need.js';
import { HEIGHT_DATUM } from './layout.js';

/**
 * @typedef {{ latitude: number, longitude: number, altitude: number, altitudeDatum: import('./bindings').HeightDatum }} PlaceInput degrees,
 *   metres over the datum
 * @typedef {{ place: number, distance: number, opacity: number, cameraFromPlace: Float32Array }} PlaceItem the matrix by columns, metres
 * @typedef {{ isValid: boolean, items: PlaceItem[], clipFromCamera: Float32Array, clipFromEastNorthUp: Float32Array, bearing: number,
 *   pitch: number, roll: number }} PlaceFrame matrices by columns, radians
 */

export class PlaceEngine {
  #instance;

  /** @param {Instance} instance */
  constructor(instance) {
    this.#instance = instance;
  }

  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new PlaceEngine(await Instance.make(module));
  }

  /**
   * @param {import('./types').EngineEvent} event
   * @param {number} time seconds
   */
  handle(event, time) {
    const instance = this.#instance;
    tell(instance.call, (address, count) => instance.doubles(address, count), event, time);
  }

  /** @param {PlaceInput[]} places in place of those before */
  setPlaces(places) {
    const { call } = this.#instance;
    const address = call.sl_places_in(places.length);
    if (!address) throw new RangeError(`${places.length} places are too many`);
    const rows = this.#instance.doubles(address, places.length * PLACE_INPUT.length);
    places.forEach(({ latitude, longitude, altitude, altitudeDatum }, k) => {
      const row = k * PLACE_INPUT.length;
      rows[row + PLACE_INPUT.latitude] = latitude;
      rows[row + PLACE_INPUT.longitude] = longitude;
      rows[row + PLACE_INPUT.altitude] = altitude;
      rows[row + PLACE_INPUT.datum] = HEIGHT_DATUM.indexOf(altitudeDatum);
    });
    call.sl_places(places.length);
  }

  /**
   * @param {number} time seconds
   * @returns {PlaceFrame}
   */
  frame(time) {
    const address = this.#instance.call.sl_places_frame(time);
    const head = this.#instance.doubles(address, PLACE_HEAD.length);
    const count = head[PLACE_HEAD.places];
    const rows = this.#instance.doubles(address + 8 * PLACE_HEAD.length, count * PLACE_ITEM.length);
    const matrix = (/** @type {Float64Array} */ from, /** @type {number} */ at) => Float32Array.from(from.subarray(at, at + 16));
    const items = Array.from({ length: count }, (_, k) => {
      const row = k * PLACE_ITEM.length;
      return {
        place: rows[row + PLACE_ITEM.place], distance: rows[row + PLACE_ITEM.distance], opacity: rows[row + PLACE_ITEM.opacity],
        cameraFromPlace: matrix(rows, row + PLACE_ITEM.cameraFromPlace),
      };
    });
    return {
      isValid: head[PLACE_HEAD.isValid] !== 0, items,
      clipFromCamera: matrix(head, PLACE_HEAD.clipFromCamera), clipFromEastNorthUp: matrix(head, PLACE_HEAD.clipFromEastNorthUp),
      bearing: head[PLACE_HEAD.bearing], pitch: head[PLACE_HEAD.pitch], roll: head[PLACE_HEAD.roll],
    };
  }
}
