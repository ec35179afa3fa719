// The ground map of an engine's session: see GroundExports.swift. Positions cross as degrees once and are metres east and
// north of the ground frame's origin from then on.

import { GROUND_HEAD, PLACED_PIN_LENGTH, fillPlacedPin, newPlacedPin } from './layout-by-need.js';

/**
 * @typedef {import('./bindings').PlacedPin} PlacedPin
 * @typedef {object} GroundFrame
 * @property {boolean} isValid
 * @property {boolean} isMap
 * @property {number} mapPart 0 the view … 1 the map
 * @property {[number, number, number]} eye
 * @property {[number, number]} user
 * @property {number} heading radians clockwise from north
 * @property {number} mapHeading
 * @property {number} pitch
 * @property {number} roll
 * @property {number} focal points
 * @property {{ x: number, y: number, direction: number } | null} arrow
 * @property {[number, number, number]} pinAxis
 * @property {Float32Array} clipFromGround
 * @property {number[]} right of the screen, turned upright by `roll`; in the ground frame, as the two below
 * @property {number[]} up
 * @property {number[]} pinSide across a pin
 * @property {PlacedPin[]} pins
 */

const MODE = ['automatic', 'view', 'map'];

export class Ground {
  #call;
  #view;
  /** @type {GroundFrame} */
  #frame = {
    isValid: false, isMap: false, mapPart: 0, eye: [0, 0, 0], user: [0, 0], heading: 0, mapHeading: 0, pitch: 0, roll: 0,
    focal: 1, arrow: null, pinAxis: [0, 0, 1], clipFromGround: new Float32Array(16), right: [1, 0, 0],
    up: [0, 0, 1], pinSide: [1, 0, 0], pins: [],
  };
  #arrow = { x: 0, y: 0, direction: 0 };

  /**
   * @param {Record<string, (...values: number[]) => number>} call the engine's functions
   * @param {() => Float64Array} view its memory
   */
  constructor(call, view) {
    this.#call = call;
    this.#view = view;
  }

  /**
   * Forgets everything and puts the origin at a position.
   * @param {number} latitude degrees
   * @param {number} longitude degrees
   */
  begin(latitude, longitude) {
    this.#call.sl_ground_begin(latitude, longitude);
  }

  /**
   * Moves the origin; whatever was converted has to be converted anew.
   * @param {number} latitude degrees
   * @param {number} longitude degrees
   */
  setOrigin(latitude, longitude) {
    this.#call.sl_ground_origin(latitude, longitude);
  }

  /** @param {number} count @returns {Float64Array} */
  #room(count) {
    const address = this.#call.sl_ground_input(count);
    if (address === 0) throw new RangeError(`no memory for ${count} numbers`);
    return this.#view().subarray(address / 8, address / 8 + count);
  }

  /**
   * Latitudes and longitudes by turns into metres east and north by turns.
   * @param {ArrayLike<number>} degrees
   * @returns {Float64Array}
   */
  convert(degrees) {
    if (degrees.length === 0) return new Float64Array(0);
    this.#room(degrees.length).set(degrees);
    this.#call.sl_ground_convert(degrees.length / 2);
    return this.#room(degrees.length).slice();
  }

  /** @param {{ east: number, north: number, width: number, height: number }[]} pins label sizes in points */
  setPins(pins) {
    const room = this.#room(4 * pins.length);
    pins.forEach((pin, k) => room.set([pin.east, pin.north, pin.width, pin.height], 4 * k));
    this.#call.sl_ground_pins(pins.length);
  }

  /**
   * What covers the screen: no label lies under it.
   * @param {import('./types').Rectangle[]} covers points
   */
  setCovers(covers) {
    const room = this.#room(4 * covers.length);
    covers.forEach(({ x, y, width, height }, k) => room.set([x, y, x + width, y + height], 4 * k));
    this.#call.sl_ground_covers(covers.length);
  }

  /** @param {number | null} pin */
  select(pin) {
    this.#call.sl_ground_select(pin ?? -1);
  }

  /**
   * @param {{ mode: 'automatic' | 'view' | 'map', height: number, east: number, north: number, isNorthUp: boolean,
   *   transition: number }} map
   */
  setMap({ mode, height, east, north, isNorthUp, transition }) {
    this.#call.sl_ground_map(MODE.indexOf(mode), height, east, north, isNorthUp ? 1 : 0, transition);
  }

  /** @param {number} most */
  setLabels(most) {
    this.#call.sl_ground_labels(most);
  }

  /**
   * For the session's last frame. The object and everything in it is reused by the next call.
   * @returns {GroundFrame}
   */
  frame() {
    const start = this.#call.sl_ground_frame() / 8;
    const v = this.#view();
    const frame = this.#frame;
    const at = GROUND_HEAD;
    const p = (/** @type {number} */ place) => v[start + place];
    frame.isValid = p(at.isValid) !== 0;
    frame.isMap = p(at.isMap) !== 0;
    frame.mapPart = p(at.mapPart);
    for (let k = 0; k < 3; k++) frame.eye[k] = p(at.eye + k);
    for (let k = 0; k < 2; k++) frame.user[k] = p(at.user + k);
    frame.heading = p(at.heading);
    frame.mapHeading = p(at.mapHeading);
    frame.pitch = p(at.pitch);
    frame.roll = p(at.roll);
    frame.focal = p(at.focal);
    frame.arrow = p(at.hasArrow) !== 0 ? this.#arrow : null;
    this.#arrow.x = p(at.arrow);
    this.#arrow.y = p(at.arrow + 1);
    this.#arrow.direction = p(at.arrowDirection);
    for (let k = 0; k < 3; k++) frame.pinAxis[k] = p(at.pinAxis + k);
    for (let k = 0; k < 16; k++) frame.clipFromGround[k] = p(at.clipFromGround + k);
    for (let k = 0; k < 3; k++) {
      frame.right[k] = p(at.right + k);
      frame.up[k] = p(at.up + k);
      frame.pinSide[k] = p(at.pinSide + k);
    }
    const count = p(at.pins);
    while (frame.pins.length < count) frame.pins.push(newPlacedPin());
    frame.pins.length = count;
    for (let k = 0; k < count; k++) fillPlacedPin(v, start + at.length + k * PLACED_PIN_LENGTH, frame.pins[k]);
    return frame;
  }

  /**
   * The pin that a touch means.
   * @param {number} x
   * @param {number} y
   * @returns {number | null}
   */
  hit(x, y) {
    const pin = this.#call.sl_ground_hit(x, y);
    return pin < 0 ? null : pin;
  }

  /**
   * The place on the ground at a point of the screen, metres; null above the horizon.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    return this.#point(this.#call.sl_ground_at(x, y));
  }

  /**
   * The point of the screen where a place on the ground is; null behind the eye.
   * @param {number} east metres
   * @param {number} north metres
   */
  screen(east, north) {
    return this.#point(this.#call.sl_ground_screen(east, north));
  }

  /** @param {number} address @returns {[number, number] | null} */
  #point(address) {
    const v = this.#view();
    const start = address / 8;
    return v[start] !== 0 ? [v[start + 1], v[start + 2]] : null;
  }
}
