// Where the phone is in its surroundings, and what was set down there, by one instance of the engine: see OdometryExports.swift.

import { Instance } from './instance.js';
import { ODOMETRY_ROW, SURFACE_HIT_ROW } from './layout-by-need.js';
import { OBSERVATION } from './observations.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {'none' | 'orientation' | 'uncertainScale' | 'metric'} OdometryState
 * @typedef {'none' | 'noMotion' | 'moreLight' | 'tooFast' | 'morePattern' | 'moveSideways' | 'lookAtFloor'} Advice
 * @typedef {'floor' | 'level' | 'upright' | 'ceiling' | 'points' | 'guessedFloor'} Surface
 * @typedef {{ width: number, height: number, focal: number, screenAngle: number, readout?: Readout }} Setup of the pictures that will
 *   come: pixels, a guess of the focal length in pixels, by how much the screen is turned, degrees, and which way the sensor's lines are
 *   read, without it as phones do
 * @typedef {'flat' | 'standing'} Posture how something is set down: as a picture, or as a thing that stands upright
 * @typedef {'right' | 'left' | 'down' | 'up'} Readout as the picture is seen
 * @typedef {{ state: OdometryState, time: number, position: number[], rotation: number[], positionDeviation: number,
 *   yawDeviation: number, scaleDeviation: number, focalDeviation: number, focal: number, center: [number, number], lens: number[], timeOffset: number,
 *   rowTime: number, tracks: number, advice: Advice, isResting: boolean, isLost: boolean, rows: Float64Array,
 *   preview: SurfaceHit | null }} Tracked where the camera was in a picture:
 *   metres in a world of its own (z up), world from camera with w first, relative deviations of all lengths and of the focal length, pixels, k1, k2, seconds; `rows`
 *   are observations of what was set down and of what is carried on, as the session takes them; `preview`: what lies under the middle of the display
 * @typedef {{ surface: Surface, distance: number, deviation: number, point: number[], normal: number[] }} SurfaceHit metres
 */

const STATE = /** @type {OdometryState[]} */ (['none', 'orientation', 'uncertainScale', 'metric']);
const ADVICE = /** @type {Advice[]} */ (['none', 'noMotion', 'moreLight', 'tooFast', 'morePattern', 'moveSideways', 'lookAtFloor']);
const SURFACE = /** @type {Surface[]} */ (['floor', 'level', 'upright', 'ceiling', 'points', 'guessedFloor']);
const READOUT = ['right', 'left', 'down', 'up'];

export class Odometry extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Odometry(await Instance.make(module));
  }

  /**
   * What was learned of the camera another time, when the focal length that `begin` and `goOn` are told next was learned as well.
   * @param {{ terms: number[], rowTime: number, timeOffset: number } | null} camera k1, k2; seconds from one line to the next, and lateness
   */
  learned(camera) {
    const { terms: [k1, k2], rowTime, timeOffset } = camera ?? { terms: [0, 0], rowTime: 0, timeOffset: 0 };
    this.instance.call.sl_odometry_learned(camera ? 1 : 0, k1, k2, rowTime, timeOffset);
  }

  /**
   * Begins to track pictures of a camera; what was known is forgotten.
   * @param {Setup} setup
   */
  begin({ width, height, focal, screenAngle, readout }) {
    if (!this.instance.call.sl_odometry_begin(width, height, focal, screenAngle, READOUT.indexOf(readout ?? ''))) {
      throw new RangeError(`pictures of ${width} × ${height} pixels cannot be tracked`);
    }
  }

  /**
   * Goes on with a picture of another size, or of a screen that is turned otherwise. What is set down stays where the pictures were turned with
   * the screen; of others it is lost until the surroundings are recognised.
   * @param {Setup} setup
   * @param {number} time the picture's stamp, seconds
   * @returns {boolean} whether it is to be looked at: not as long as its size is that of before the turn and the angle that of after it
   */
  goOn({ width, height, focal, screenAngle }, time) {
    const answer = this.instance.call.sl_odometry_pictures(width, height, focal, screenAngle, time);
    if (answer < 0) throw new RangeError(`pictures of ${width} × ${height} pixels cannot be tracked`);
    return answer > 0;
  }

  /**
   * @param {number} width of a picture, pixels
   * @param {number} height
   * @param {number} fieldOfView along its longer side, degrees
   * @returns {number} focal length, pixels
   */
  focal(width, height, fieldOfView) {
    return this.instance.call.sl_odometry_focal(width, height, fieldOfView);
  }

  /**
   * A reading of the motion sensors, as the platform gives it.
   * @param {number} time seconds, of the same clock as the pictures'
   * @param {readonly number[]} rate degrees a second about the device's axes x, y, z
   * @param {readonly number[]} force m/s² with gravity, of either sign
   */
  motion(time, [x, y, z], [fx, fy, fz]) {
    this.instance.call.sl_odometry_motion(time, x, y, z, fx, fy, fz);
  }

  /**
   * The platform's own orientation, which tells the sign of its accelerations.
   * @param {number} time seconds
   * @param {number} beta degrees
   * @param {number} gamma degrees
   */
  tilt(time, beta, gamma) {
    this.instance.call.sl_odometry_tilt(time, beta, gamma);
  }

  /**
   * What vision saw in the picture that comes next. From now on `look` also tells where what was seen is when it is not: rows of what is
   * carried on, and once one of what is lost.
   * @param {Float64Array} rows as vision made them
   * @param {number} focal that vision took the picture to have, pixels
   * @param {readonly number[]} lens k1, k2, k3 that it took it to have; none for a straight one
   */
  see(rows, focal, [k1 = 0, k2 = 0, k3 = 0]) {
    const { call } = this.instance;
    const count = rows.length / OBSERVATION;
    const address = call.sl_odometry_seen_in(count);
    if (!address) throw new RangeError(`${count} observations are too many`);
    this.instance.doubles(address, rows.length).set(rows);
    call.sl_odometry_seen(count, focal, k1, k2, k3);
  }

  /**
   * Looks at the picture that was put into the room.
   * @param {PictureLayout} layout
   * @param {number} time its stamp, seconds, later than the last one's
   * @returns {Tracked}
   */
  look(layout, time) {
    const { call } = this.instance;
    const count = call.sl_odometry_frame(...this.numbers(layout), time);
    if (count < 0) throw new RangeError('the room does not hold such a picture');
    return this.read(count);
  }

  /**
   * What the last picture gave.
   * @param {number} count of numbers
   * @returns {Tracked}
   */
  read(count) {
    const v = this.instance.doubles(this.instance.call.sl_odometry_values(), count).slice();
    const at = ODOMETRY_ROW;
    const end = at.length + v[at.observations] * OBSERVATION;
    const list = (/** @type {number} */ place, /** @type {number} */ length) => Array.from(v.subarray(place, place + length));
    return {
      state: STATE[v[at.state]], time: v[at.time], position: list(at.position, 3), rotation: list(at.rotation, 4),
      positionDeviation: v[at.positionDeviation], yawDeviation: v[at.yawDeviation], scaleDeviation: v[at.scaleDeviation],
      focalDeviation: v[at.focalDeviation], focal: v[at.focal], center: [v[at.center], v[at.center + 1]], lens: list(at.lens, 2), timeOffset: v[at.timeOffset],
      rowTime: v[at.rowTime], tracks: v[at.tracks], advice: ADVICE[v[at.coaching]], isResting: v[at.isResting] !== 0, isLost: v[at.isLost] !== 0,
      rows: v.slice(at.length, end), preview: count > end ? hitOf(v.subarray(end)) : null,
    };
  }

  /** The numbers of the last picture's row, as the engine wrote them. */
  get row() {
    return this.instance.doubles(this.instance.call.sl_odometry_values(), ODOMETRY_ROW.observations).slice();
  }

  // What is set down. Points are those of the display that the picture fills, CSS pixels.

  /**
   * @param {number} width of the display
   * @param {number} height
   */
  setDisplay(width, height) {
    this.instance.call.sl_odometry_display(width, height);
  }

  /**
   * From now on each picture tells where something would be that is set down under the middle of the display.
   * @param {number | null} number of its anchor; `null`: no more
   * @param {Posture} [posture]
   */
  setPreview(number, posture = 'flat') {
    this.instance.call.sl_odometry_preview(number ?? -1, posture === 'standing' ? 1 : 0);
  }

  /**
   * What lies under a point of the last picture.
   * @param {number} x
   * @param {number} y
   */
  hit(x, y) {
    return this.#hit(this.instance.call.sl_odometry_hit(x, y));
  }

  /**
   * Sets something down.
   * @param {number} number of its anchor; one that has it moves
   * @param {number} x
   * @param {number} y
   * @param {Posture} posture
   * @param {number} height of the thing, metres
   * @returns {SurfaceHit | null} what it stands on; `null` when nothing is known there
   */
  place(number, x, y, posture, height) {
    return this.#hit(this.instance.call.sl_odometry_place(number, x, y, posture === 'standing' ? 1 : 0, height));
  }

  /**
   * The number of what lies under a point.
   * @param {number} x
   * @param {number} y
   */
  nearest(x, y) {
    const number = this.instance.call.sl_odometry_nearest(x, y);
    return number < 0 ? null : number;
  }

  /**
   * A finger takes something.
   * @param {number} number
   * @param {number} x
   * @param {number} y
   */
  hold(number, x, y) {
    this.instance.call.sl_odometry_hold(number, x, y);
  }

  /**
   * The finger that took something is at a point.
   * @param {number} x
   * @param {number} y
   */
  drag(x, y) {
    return this.#hit(this.instance.call.sl_odometry_drag(x, y));
  }

  /**
   * @param {number} number
   * @param {number} degrees by how much more, counter-clockwise from its front or from above
   */
  turn(number, degrees) {
    this.instance.call.sl_odometry_turn(number, degrees);
  }

  /**
   * Turns something as two fingers turn that lie on it.
   * @param {number} number
   * @param {[number, number][]} before where the two were
   * @param {[number, number][]} now
   */
  twist(number, before, now) {
    this.instance.call.sl_odometry_twist(number, ...before.flat(), ...now.flat());
  }

  /** @param {number} number */
  remove(number) {
    this.instance.call.sl_odometry_remove(number);
  }

  /** @param {number} address */
  #hit(address) {
    return address ? hitOf(this.instance.doubles(address, SURFACE_HIT_ROW.length)) : null;
  }
}

/**
 * @param {Float64Array} v
 * @returns {SurfaceHit}
 */
function hitOf(v) {
  const at = SURFACE_HIT_ROW;
  return {
    surface: SURFACE[v[at.kind]], distance: v[at.distance], deviation: v[at.deviation],
    point: Array.from(v.subarray(at.point, at.point + 3)), normal: Array.from(v.subarray(at.normal, at.normal + 3)),
  };
}
