// Walls: the sheet that gives the scale, and the wall round it seen from the front. The mirror of
// Sources/Web/SightlineWallsWasm/WallExports.

import { Instance } from './instance.js';
import { PictureRoom } from './picture-room.js';

/**
 * @typedef {import('./picture-room.js').PictureLayout} PictureLayout
 * @typedef {[number, number][]} Corners clockwise from the top left, pixels
 * @typedef {{ pixels: Uint8Array, width: number, height: number, left: number, top: number, right: number, bottom: number,
 *   rectangleHeight: number }} Front grey pixels; edges in the wall's frame: origin in the rectangle's middle, y to its top
 */

export class WallPictures extends PictureRoom {
  /** @param {WebAssembly.Module} module */
  static async make(module) {
    return new WallPictures(await Instance.make(module));
  }

  /**
   * The sheet, card or frame that stands out most.
   * @param {Uint8Array | Uint8ClampedArray} pixels
   * @param {PictureLayout} layout
   * @returns {Corners | null}
   */
  sheet(pixels, layout) {
    const found = this.instance.call.sl_wall_sheet(...this.#put(pixels, layout));
    if (found < 0) throw new RangeError('the bytes do not hold such a picture');
    if (found === 0) return null;
    const v = this.#values(8);
    return [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]], [v[6], v[7]]];
  }

  /**
   * The wall round a rectangle, seen from the front.
   * @param {Uint8Array | Uint8ClampedArray} pixels
   * @param {PictureLayout} layout
   * @param {{ corners: Corners, width: number, height: number, focal: number, margin: number }} rectangle `width` in any
   *   unit, `height` in the same or 0 when unknown; `focal` in pixels; `margin` in lengths of the rectangle's longer edge
   * @returns {Front | null} `null` when the corners are no rectangle's
   */
  front(pixels, layout, { corners, width, height, focal, margin }) {
    const picture = this.#put(pixels, layout);
    this.#values(8).set(corners.flat());
    const made = this.instance.call.sl_wall_front(...picture, width, height, focal, margin);
    if (made < 0) throw new RangeError('the bytes do not hold such a picture');
    if (made === 0) return null;
    const [wide, tall, left, top, right, bottom, rectangleHeight] = this.#values(7);
    const address = this.instance.call.sl_wall_picture();
    return {
      pixels: this.instance.bytes(address, wide * tall).slice(), width: wide, height: tall, left, top, right, bottom,
      rectangleHeight,
    };
  }

  /**
   * @param {Uint8Array | Uint8ClampedArray} pixels
   * @param {PictureLayout} layout
   */
  #put(pixels, layout) {
    this.room(pixels.length).set(pixels);
    return this.numbers(layout);
  }

  /** @param {number} count */
  #values(count) {
    return this.instance.doubles(this.instance.call.sl_wall_values(), count);
  }
}
