// The room in an instance's memory that a camera picture is put into: the mirror of Sources/Web/SightlineWasmPictures/PictureInput.

/**
 * @typedef {{ format: 'gray' | 'rgba' | 'bgra', width: number, height: number, offset: number, stride: number,
 *   isLimited: boolean }} PictureLayout `offset` and `stride` are bytes; `isLimited`: luminance runs from 16 to 235
 */

const FORMAT = ['gray', 'rgba', 'bgra'];

export class PictureRoom {
  /** @param {import('./instance.js').Instance} instance */
  constructor(instance) {
    this.instance = instance;
  }

  /**
   * Room for a picture.
   * @param {number} count bytes
   * @returns {Uint8Array} a view, valid until the next call of anything
   */
  room(count) {
    const address = this.instance.call.sl_picture(count);
    if (address === 0) throw new RangeError(`no memory for a picture of ${count} bytes`);
    return this.instance.bytes(address, count);
  }

  /**
   * What the engine's functions want to know of a picture.
   * @param {PictureLayout} layout
   */
  numbers({ format, width, height, offset, stride, isLimited }) {
    return [FORMAT.indexOf(format), width, height, offset, stride, isLimited ? 1 : 0];
  }
}
