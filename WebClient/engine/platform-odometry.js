// Where the phone is by what its platform says (WebXR), and what is set down there: see PlatformExports.swift. A frame is told in this
// order: its pose, where anchors are, what rays met and what is set down there, the middle's last; then `seen` tells what that gives.

import { Instance } from './instance.js';
import { Odometry } from './odometry.js';

/** @typedef {ArrayLike<number>} Matrix 4 × 4, by columns */

export class PlatformOdometry extends Odometry {
  /**
   * @override
   * @param {WebAssembly.Module} module
   */
  static async make(module) {
    const odometry = new PlatformOdometry(await Instance.make(module));
    odometry.instance.call.sl_odometry_given_begin();
    return odometry;
  }

  /**
   * @param {{ worldFromViewer: Matrix, clipFromViewer: Matrix, isEmulated: boolean } | null} pose of a frame, in the platform's axes; `null`
   *   when it knows none
   * @param {number} width of the picture that the projection fills, pixels
   * @param {number} height
   * @param {number} time seconds
   */
  pose(pose, width, height, time) {
    if (pose) this.#write(pose.worldFromViewer, pose.clipFromViewer);
    this.instance.call.sl_odometry_given_pose(width, height, pose ? Number(pose.isEmulated) : 2, time);
  }

  /**
   * Where the platform's anchor for something is.
   * @param {number} number of what was set down
   * @param {Matrix | null} worldFromAnchor `null` when it does not know
   */
  anchor(number, worldFromAnchor) {
    if (worldFromAnchor) this.#write(worldFromAnchor);
    this.instance.call.sl_odometry_given_anchor(number, worldFromAnchor ? 1 : 0);
  }

  /**
   * What the ray met that `place`, `drag` or the preview goes by.
   * @param {Matrix | null} worldFromHit its y axis is the surface's normal
   */
  met(worldFromHit) {
    if (worldFromHit) this.#write(worldFromHit);
    this.instance.call.sl_odometry_given_hit(worldFromHit ? 1 : 0);
  }

  /**
   * The direction of the ray through a point of the display, in the viewer's axes (x right, y up, z backward).
   * @param {number} x CSS pixels
   * @param {number} y
   * @param {boolean} [isHeld] the ray of the foot of what a finger there holds
   * @returns {[number, number, number] | null} `null` without a pose
   */
  ray(x, y, isHeld = false) {
    const address = this.instance.call.sl_odometry_given_ray(x, y, isHeld ? 1 : 0);
    return address ? /** @type {[number, number, number]} */ ([...this.instance.doubles(address, 3)]) : null;
  }

  /** The platform's world is another from now on: what has no anchor of its own is lost. */
  reset() {
    this.instance.call.sl_odometry_given_reset();
  }

  /** What the frame gave, as a picture gives it; deviations that a platform does not say are no numbers. */
  seen() {
    const count = this.instance.call.sl_odometry_given_look();
    if (count < 0) throw new RangeError('no pose was told');
    return this.read(count);
  }

  /** @param {...Matrix} matrices */
  #write(...matrices) {
    const room = this.instance.doubles(this.instance.call.sl_odometry_given_in(), 32);
    matrices.forEach((matrix, index) => room.set(Array.from(matrix).slice(0, 16), 16 * index));
  }
}
