// From video frames to pixels in the engine's room, in a worker: without a detour where the format can be copied.

/**
 * @typedef {import('../../engine/picture-room.js').PictureLayout} PictureLayout
 * @typedef {{ layout: PictureLayout, path: 'frame' | 'painted' | 'canvas' }} Placed `path` is how the picture came there
 */

/** @type {Record<string, PictureLayout['format']>} */
const FORMATS = {
  I420: 'gray', I420A: 'gray', I422: 'gray', I444: 'gray', NV12: 'gray', RGBA: 'rgba', RGBX: 'rgba', BGRA: 'bgra',
  BGRX: 'bgra',
};

export class FramePixels {
  /** @type {OffscreenCanvasRenderingContext2D | null} */
  #painter = null;

  /** @param {import('../../engine/picture-room.js').PictureRoom} room */
  constructor(room) {
    this.room = room;
  }

  /**
   * @param {any} frame a VideoFrame; closed here
   * @returns {Promise<Placed>}
   */
  async place(frame) {
    try {
      const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight };
      const isTurned = Boolean(frame.rotation) || Boolean(frame.flip) || frame.displayWidth !== width ||
        frame.displayHeight !== height;
      const format = isTurned ? undefined : FORMATS[String(frame.format)];
      if (!format) return this.#paint(frame);
      const count = frame.allocationSize();
      const [plane] = await frame.copyTo(this.room.room(count).subarray(0, count));
      const isLimited = format === 'gray' && frame.colorSpace?.fullRange !== true;
      return { layout: { format, width, height, offset: plane.offset, stride: plane.stride, isLimited }, path: 'frame' };
    } finally {
      frame.close();
    }
  }

  /**
   * The way for formats that cannot be copied, and for pictures that have to be turned first.
   * @param {any} frame
   * @returns {Placed}
   */
  #paint(frame) {
    const { displayWidth: width, displayHeight: height } = frame;
    const canvas = this.#painter?.canvas;
    if (!canvas || canvas.width !== width || canvas.height !== height) {
      this.#painter = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true, alpha: false });
    }
    if (!this.#painter) throw new Error('no canvas');
    this.#painter.drawImage(frame, 0, 0, width, height);
    return this.placePixels(this.#painter.getImageData(0, 0, width, height).data, width, height, 'painted');
  }

  /**
   * @param {Uint8Array | Uint8ClampedArray} pixels red, green, blue and a byte
   * @param {number} width
   * @param {number} height
   * @param {Placed['path']} [path]
   * @returns {Placed}
   */
  placePixels(pixels, width, height, path = 'canvas') {
    this.room.room(pixels.length).set(pixels);
    return { layout: { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false }, path };
  }
}
