// A wall before the camera, and what hangs on it: the mirror of Sources/Web/SightlineWasm/PlaneExports. The wall's frame: x right, y up,
// z towards the viewer, metres.

import { Instance } from './instance.js';

/**
 * @typedef {[number, number]} Point
 * @typedef {{ width: number, height: number, focal: number }} View a picture and the focal length of its camera, pixels
 * @typedef {import('./observations.js').Pose} Pose
 * @typedef {{ x: number, y: number, turn: number }} Place metres, degrees counter-clockwise
 */

export class Plane {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new Plane(await Instance.make(module));
  }

  /** @param {Instance} instance */
  constructor(instance) {
    this.instance = instance;
    this.call = instance.call;
  }

  /** @param {number} count */
  #values(count) {
    return this.instance.doubles(this.call.sl_plane_values(), count);
  }

  /**
   * What follows is about this wall in this picture.
   * @param {Pose} pose
   * @param {View} view
   * @returns {this}
   */
  at({ rotation, translation }, { width, height, focal }) {
    this.#values(10).set([...rotation, ...translation, width, height, focal]);
    this.call.sl_plane_set();
    return this;
  }

  /**
   * Where a point of the wall is in the picture.
   * @param {Point} point
   * @returns {Point | null} `null` behind the camera
   */
  pixel([x, y]) {
    return this.#answer(this.call.sl_plane_pixel(x, y));
  }

  /**
   * The point of the wall that is seen at a point of the picture.
   * @param {Point} point
   * @returns {Point | null} `null` when the ray does not meet the wall
   */
  point([x, y]) {
    return this.#answer(this.call.sl_plane_point(x, y));
  }

  /** @param {number} isThere */
  #answer(isThere) {
    const [x, y] = this.#values(2);
    return isThere ? /** @type {Point} */ ([x, y]) : null;
  }

  /**
   * How far what hangs upright is turned against the wall, degrees counter-clockwise.
   * @param {{ beta: number, gamma: number }} held how the phone is held, as `deviceorientation` says
   * @param {number} screenAngle degrees
   * @returns {number | null} `null` for walls that lie, where nothing is upright
   */
  upright({ beta, gamma }, screenAngle) {
    const turn = this.call.sl_plane_upright(beta, gamma, screenAngle);
    return Number.isNaN(turn) ? null : turn;
  }

  /**
   * The corners of something that hangs on the wall, from its own top left clockwise.
   * @param {Place} place
   * @param {number} width metres
   * @param {number} height
   * @returns {Point[]}
   */
  corners({ x, y, turn }, width, height) {
    this.call.sl_plane_corners(x, y, turn, width, height);
    const v = this.#values(8);
    return [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]], [v[6], v[7]]];
  }

  /**
   * Whether a point of the wall is on what hangs there.
   * @param {Place} place
   * @param {number} width metres
   * @param {number} height
   * @param {Point} point
   */
  isOn({ x, y, turn }, width, height, [px, py]) {
    return this.call.sl_plane_is_on(x, y, turn, width, height, px, py) === 1;
  }

  /**
   * The matrix from a picture that hangs there, a unit wide, to the camera.
   * @param {Place} place
   * @param {number} width metres
   * @param {number} lift before the wall, metres
   * @returns {Float32Array}
   */
  matrix({ x, y, turn }, width, lift) {
    this.call.sl_plane_matrix(x, y, turn, width, lift);
    return Float32Array.from(this.#values(16));
  }

  /**
   * The matrix from the camera to the clip cube.
   * @param {View} view
   * @returns {Float32Array}
   */
  clip({ width, height, focal }) {
    this.call.sl_plane_clip(width, height, focal);
    return Float32Array.from(this.#values(16));
  }
}
