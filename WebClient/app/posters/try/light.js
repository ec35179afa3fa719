// How light falls on the wall: what white paper and black ink look like in the camera's picture, so that a poster can be
// shown by the same light.

/**
 * @typedef {{ white: [number, number, number], black: [number, number, number] }} Light linear, 0 … 1
 */

const WIDTH = 64;
/** Seconds between two looks. */
const EVERY = 0.2;
/** Within so many seconds most of a change is followed: light changes slowly, pictures flicker. */
const INERTIA = 0.8;
/** White paper is at least this bright; below it is night, and the poster would vanish. */
const DARKEST_WHITE = 0.12;
const BRIGHTEST_BLACK = 0.06;

/** @param {number} value 0 … 255 */
const linear = (value) => {
  const c = value / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

export class LightMeter {
  /** @type {Light | null} */
  light = null;
  #last = -Infinity;
  #painter = document.createElement('canvas').getContext('2d', { willReadFrequently: true, alpha: false });

  /**
   * Looks at a picture, unless it has just done so.
   * @param {CanvasImageSource} image
   * @param {number} width
   * @param {number} height
   * @param {number} time seconds
   */
  look(image, width, height, time) {
    const c = this.#painter;
    if (!c || time - this.#last < EVERY) return;
    const stays = Math.exp(-(time - this.#last) / INERTIA);
    this.#last = time;
    c.canvas.width = WIDTH;
    c.canvas.height = Math.max(1, Math.round((WIDTH * height) / width));
    c.drawImage(image, 0, 0, c.canvas.width, c.canvas.height);
    const next = lightOf(c.getImageData(0, 0, c.canvas.width, c.canvas.height).data);
    const old = this.light;
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a * stays + b * (1 - stays);
    this.light = old
      ? {
        white: [mix(old.white[0], next.white[0]), mix(old.white[1], next.white[1]), mix(old.white[2], next.white[2])],
        black: [mix(old.black[0], next.black[0]), mix(old.black[1], next.black[1]), mix(old.black[2], next.black[2])],
      }
      : next;
  }
}

/**
 * White and black of a scene: what only few pixels are brighter and darker than. Its colour is that of the bright part,
 * half believed: a yellow wall is no yellow lamp.
 * @param {Uint8ClampedArray} pixels red, green, blue and a byte
 * @returns {Light}
 */
export function lightOf(pixels) {
  /** @type {[number, number, number, number][]} */
  const all = [];
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = [linear(pixels[i]), linear(pixels[i + 1]), linear(pixels[i + 2])];
    all.push([0.2126 * r + 0.7152 * g + 0.0722 * b, r, g, b]);
  }
  all.sort((a, b) => a[0] - b[0]);
  const mean = (/** @type {number} */ from, /** @type {number} */ to) => {
    const part = all.slice(Math.floor(from * all.length), Math.max(Math.floor(from * all.length) + 1, Math.floor(to * all.length)));
    return [0, 1, 2, 3].map((k) => part.reduce((sum, each) => sum + each[k], 0) / part.length);
  };
  // White things are small in most rooms, lamps and their reflections smaller.
  const [bright, ...light] = mean(0.98, 0.997);
  const [dark] = mean(0.01, 0.04);
  const level = Math.min(1, Math.max(DARKEST_WHITE, bright));
  const tint = light.map((value) => (bright > 1e-4 ? 1 + 0.5 * (value / bright - 1) : 1));
  const black = Math.min(BRIGHTEST_BLACK, dark * 0.6);
  return {
    white: [Math.min(1, level * tint[0]), Math.min(1, level * tint[1]), Math.min(1, level * tint[2])],
    black: [black, black, black],
  };
}
