// A poster as it hangs: paper, perhaps mat and frame, and its shadow, drawn once as a picture of true proportions.

/**
 * @typedef {import('../api.js').PosterSize} PosterSize
 * @typedef {{ id: string, border: number, mat: number, colour: string, light: string, dark: string, rails?: boolean }} Frame
 *   `border` and `mat` in metres
 * @typedef {{ canvas: HTMLCanvasElement, width: number, height: number, outerWidth: number, outerHeight: number }} Framed
 *   metres: of the whole picture with the room for its shadow, and of what hangs (paper or frame)
 */

/** @type {Frame[]} */
export const FRAMES = [
  { id: 'none', border: 0, mat: 0, colour: '', light: '', dark: '' },
  { id: 'black', border: 0.02, mat: 0, colour: '#1b1b1d', light: '#3a3a3e', dark: '#0c0c0d' },
  { id: 'white', border: 0.02, mat: 0, colour: '#eeece6', light: '#ffffff', dark: '#c9c5bb' },
  { id: 'oak', border: 0.022, mat: 0, colour: '#b88a58', light: '#d5ab79', dark: '#8c6238' },
  { id: 'gallery', border: 0.015, mat: 0.06, colour: '#1b1b1d', light: '#3a3a3e', dark: '#0c0c0d' },
  { id: 'rails', border: 0, mat: 0, colour: '#8c6238', light: '#b88a58', dark: '#5f4024', rails: true },
];

/** Room round it for its shadow, metres. */
const SHADOW = 0.05;
/** Longest side of the drawing, pixels. */
const LONGEST = 1800;

/** @param {string} id */
export const frameOf = (id) => FRAMES.find((frame) => frame.id === id) ?? FRAMES[0];

/**
 * @param {CanvasImageSource & { width: number, height: number }} picture
 * @param {PosterSize} size
 * @param {Frame} frame
 * @returns {Framed}
 */
export function framed(picture, size, frame) {
  const [paperWidth, paperHeight] = [size.width / 1000, size.height / 1000];
  const edge = frame.border + frame.mat;
  const [outerWidth, outerHeight] = [paperWidth + 2 * edge, paperHeight + 2 * edge];
  const [width, height] = [outerWidth + 2 * SHADOW, outerHeight + 2 * SHADOW];
  const canvas = document.createElement('canvas');
  const scale = Math.min(LONGEST / Math.max(width, height), (2 * Math.max(picture.width, picture.height)) / Math.max(paperWidth, paperHeight));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const c = canvas.getContext('2d');
  if (!c) throw new Error('no canvas');
  c.scale(canvas.width / width, canvas.height / height);
  c.save();
  c.shadowColor = 'rgb(0 0 0 / 0.45)';
  c.shadowBlur = (frame.border ? 0.022 : 0.01) * scale;
  c.shadowOffsetX = 0.004 * scale;
  c.shadowOffsetY = (frame.border ? 0.012 : 0.005) * scale;
  c.fillStyle = frame.border ? frame.colour : '#ffffff';
  c.fillRect(SHADOW, SHADOW, outerWidth, outerHeight);
  c.restore();
  if (frame.border) drawBorder(c, frame, outerWidth, outerHeight);
  if (frame.mat) {
    c.fillStyle = '#f7f4ec';
    c.fillRect(SHADOW + frame.border, SHADOW + frame.border, outerWidth - 2 * frame.border, outerHeight - 2 * frame.border);
  }
  const [left, top] = [SHADOW + edge, SHADOW + edge];
  c.fillStyle = '#ffffff';
  c.fillRect(left, top, paperWidth, paperHeight);
  // The whole picture on the paper; where shapes differ there is a white margin. Hardly any difference is filled.
  const contain = Math.min(paperWidth / picture.width, paperHeight / picture.height);
  const cover = Math.max(paperWidth / picture.width, paperHeight / picture.height);
  const fit = cover / contain < 1.02 ? cover : contain;
  const [w, h] = [picture.width * fit, picture.height * fit];
  c.save();
  c.beginPath();
  c.rect(left, top, paperWidth, paperHeight);
  c.clip();
  c.imageSmoothingQuality = 'high';
  c.drawImage(picture, left + (paperWidth - w) / 2, top + (paperHeight - h) / 2, w, h);
  c.restore();
  if (frame.rails) drawRails(c, frame, outerWidth, outerHeight);
  return { canvas, width, height, outerWidth, outerHeight };
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Frame} frame
 * @param {number} width
 * @param {number} height
 */
function drawBorder(c, { border, light, dark }, width, height) {
  const [l, t, r, b] = [SHADOW, SHADOW, SHADOW + width, SHADOW + height];
  const bevel = border * 0.3;
  const trapezium = (/** @type {string} */ colour, /** @type {number[][]} */ points) => {
    c.fillStyle = colour;
    c.beginPath();
    points.forEach(([x, y], index) => (index ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.fill();
  };
  // Light from above: the upper and left edges shine.
  trapezium(light, [[l, t], [r, t], [r - bevel, t + bevel], [l + bevel, t + bevel]]);
  trapezium(light, [[l, t], [l + bevel, t + bevel], [l + bevel, b - bevel], [l, b]]);
  trapezium(dark, [[l, b], [l + bevel, b - bevel], [r - bevel, b - bevel], [r, b]]);
  trapezium(dark, [[r, t], [r, b], [r - bevel, b - bevel], [r - bevel, t + bevel]]);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Frame} frame
 * @param {number} width
 * @param {number} height
 */
function drawRails(c, { colour, light, dark }, width, height) {
  const thick = 0.018;
  for (const y of [SHADOW - thick * 0.3, SHADOW + height - thick * 0.7]) {
    c.fillStyle = dark;
    c.fillRect(SHADOW - 0.008, y + 0.002, width + 0.016, thick);
    c.fillStyle = colour;
    c.fillRect(SHADOW - 0.008, y, width + 0.016, thick);
    c.fillStyle = light;
    c.fillRect(SHADOW - 0.008, y, width + 0.016, thick * 0.25);
  }
}
