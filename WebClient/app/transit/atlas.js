// Small pictures for the graphics card, drawn when they are first asked for: marks of pins, vehicles, shadows, the user.

import { roundBox } from '../core/canvas.js';

const SIZE = 1024;
const CELL = 128;

/** @typedef {[left: number, top: number, right: number, bottom: number]} Part of the texture, 0 … 1 */

export class Atlas {
  /** @type {Map<string, Part>} */
  #parts = new Map();
  #isNew = true;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.canvas = document.createElement('canvas');
    this.canvas.width = this.canvas.height = SIZE;
    const context = this.canvas.getContext('2d');
    if (!context) throw new Error('no 2-D canvas');
    this.context = context;
    this.texture = gl.createTexture();
  }

  /**
   * The part with a picture; what does not fit any more is the last that did.
   * @param {string} key
   * @param {(context: CanvasRenderingContext2D, size: number) => void} draw on a field of `size` pixels a side
   * @returns {Part}
   */
  part(key, draw) {
    let part = this.#parts.get(key);
    if (part) return part;
    const index = this.#parts.size;
    const perRow = SIZE / CELL;
    if (index >= perRow * perRow) {
      // Lines change as people walk about; an atlas that is full begins anew, and fills itself in the next frames.
      this.#parts.clear();
      this.context.clearRect(0, 0, SIZE, SIZE);
      return this.part(key, draw);
    }
    const [x, y] = [(index % perRow) * CELL, Math.floor(index / perRow) * CELL];
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.beginPath();
    c.rect(0, 0, CELL, CELL);
    c.clip();
    draw(c, CELL);
    c.restore();
    part = [(x + 1) / SIZE, (y + 1) / SIZE, (x + CELL - 1) / SIZE, (y + CELL - 1) / SIZE];
    this.#parts.set(key, part);
    this.#isNew = true;
    return part;
  }

  /** Puts the texture into use, with what is new in it. */
  bind() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (!this.#isNew) return;
    this.#isNew = false;
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.canvas);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.generateMipmap(gl.TEXTURE_2D);
  }
}

/** @typedef {CanvasRenderingContext2D} Context */

/**
 * @param {Context} c
 * @param {number} n
 */
export function drawShadow(c, n) {
  const gradient = c.createRadialGradient(n / 2, n / 2, 0, n / 2, n / 2, n / 2);
  gradient.addColorStop(0, 'rgb(0 0 0 / 0.62)');
  gradient.addColorStop(0.35, 'rgb(0 0 0 / 0.34)');
  gradient.addColorStop(1, 'rgb(0 0 0 / 0)');
  c.fillStyle = gradient;
  c.fillRect(0, 0, n, n);
}

/**
 * The user, looking to the top.
 * @param {Context} c
 * @param {number} n
 */
export function drawUser(c, n) {
  const m = n / 2;
  const cone = c.createRadialGradient(m, m, 0, m, m, m);
  cone.addColorStop(0.15, 'rgb(90 190 255 / 0.75)');
  cone.addColorStop(1, 'rgb(90 190 255 / 0)');
  c.fillStyle = cone;
  c.beginPath();
  c.moveTo(m, m);
  c.arc(m, m, m, -Math.PI / 2 - 0.5, -Math.PI / 2 + 0.5);
  c.fill();
  c.beginPath();
  c.arc(m, m, n * 0.15, 0, 2 * Math.PI);
  c.fillStyle = '#fff';
  c.fill();
  c.beginPath();
  c.arc(m, m, n * 0.108, 0, 2 * Math.PI);
  c.fillStyle = '#1f8fff';
  c.fill();
}

/**
 * A triangle to the top, for the way a vehicle goes.
 * @param {string} color
 */
export const drawNose = (color) => (/** @type {Context} */ c, /** @type {number} */ n) => {
  c.beginPath();
  c.moveTo(n / 2, n * 0.04);
  c.lineTo(n * 0.74, n * 0.42);
  c.arc(n / 2, n / 2, n * 0.25, -0.32, Math.PI + 0.32);
  c.lineTo(n * 0.26, n * 0.42);
  c.closePath();
  c.fillStyle = color;
  c.strokeStyle = '#fff';
  c.lineWidth = n * 0.05;
  c.lineJoin = 'round';
  c.stroke();
  c.fill();
};

/**
 * A vehicle's name plate.
 * @param {string} name
 * @param {string} color
 * @param {string} textColor
 */
export const drawPlate = (name, color, textColor) => (/** @type {Context} */ c, /** @type {number} */ n) => {
  const short = name.length > 6 ? `${name.slice(0, 5)}…` : name;
  c.font = `700 ${short.length > 3 ? n * 0.26 : n * 0.34}px system-ui, sans-serif`;
  const width = Math.min(n * 0.94, Math.max(n * 0.5, c.measureText(short).width + n * 0.22));
  c.beginPath();
  roundBox(c, (n - width) / 2, n * 0.27, width, n * 0.46, n * 0.13);
  c.fillStyle = color;
  c.fill();
  c.lineWidth = n * 0.035;
  c.strokeStyle = '#fff';
  c.stroke();
  c.fillStyle = textColor;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(short, n / 2, n * 0.515, width - n * 0.1);
};

/**
 * The face of a pin: what goes there, in the pin's colour on white.
 * @param {string} mode
 * @param {string} color
 * @param {boolean} isFavourite
 */
export const drawFace = (mode, color, isFavourite) => (/** @type {Context} */ c, /** @type {number} */ n) => {
  c.beginPath();
  c.arc(n / 2, n / 2, n * 0.47, 0, 2 * Math.PI);
  c.fillStyle = '#fff';
  c.fill();
  c.save();
  c.translate(n * 0.2, n * 0.2);
  c.scale((n * 0.6) / 24, (n * 0.6) / 24);
  c.fillStyle = c.strokeStyle = color;
  c.lineWidth = 2.2;
  c.lineCap = c.lineJoin = 'round';
  drawMode(c, mode);
  c.restore();
  if (!isFavourite) return;
  c.beginPath();
  c.arc(n * 0.8, n * 0.2, n * 0.17, 0, 2 * Math.PI);
  c.fillStyle = '#ffcf5c';
  c.fill();
  c.fillStyle = '#3a2b00';
  c.font = `${n * 0.26}px system-ui, sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText('★', n * 0.8, n * 0.215);
};

/**
 * @param {Context} c on a field of 24 × 24
 * @param {string} mode
 */
function drawMode(c, mode) {
  const box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h, /** @type {number} */ r) => {
    c.beginPath();
    roundBox(c, x, y, w, h, r);
  };
  const hole = (/** @type {() => void} */ draw) => {
    c.save();
    c.fillStyle = '#fff';
    draw();
    c.restore();
  };
  const dot = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) => {
    c.beginPath();
    c.arc(x, y, r, 0, 2 * Math.PI);
    c.fill();
  };
  if (mode === 'ferry') {
    c.beginPath();
    c.moveTo(2, 13);
    c.lineTo(22, 13);
    c.lineTo(18, 19);
    c.lineTo(6, 19);
    c.closePath();
    c.fill();
    box(7, 6.5, 10, 5, 1);
    c.fill();
    c.beginPath();
    c.moveTo(2, 22.5);
    c.quadraticCurveTo(7, 20, 12, 22.5);
    c.quadraticCurveTo(17, 25, 22, 22.5);
    c.stroke();
    return;
  }
  if (mode === 'metro') {
    c.font = '800 24px system-ui, sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.fillText('M', 12, 13);
    return;
  }
  if (mode === 'taxi' || mode === 'other' || mode === 'aerialLift') {
    dot(12, 12, 7);
    return;
  }
  const isRail = mode === 'rail' || mode === 'tram' || mode === 'cableTram' || mode === 'funicular' || mode === 'monorail';
  if (mode === 'tram' || mode === 'cableTram' || mode === 'trolleybus') {
    c.beginPath();
    c.moveTo(8, 0.5);
    c.lineTo(16, 0.5);
    c.moveTo(12, 0.5);
    c.lineTo(12, 4);
    c.stroke();
  }
  box(4, mode === 'rail' ? 2 : 4, 16, mode === 'rail' ? 17 : 15, isRail ? 4.5 : 2.5);
  c.fill();
  hole(() => {
    box(6.5, mode === 'rail' ? 5.5 : 7, 11, 5.5, 1.2);
    c.fill();
    dot(8.2, 15.6, 1.4);
    dot(15.8, 15.6, 1.4);
  });
  if (isRail) {
    c.beginPath();
    c.moveTo(7, 20.5);
    c.lineTo(4.5, 24);
    c.moveTo(17, 20.5);
    c.lineTo(19.5, 24);
    c.stroke();
  } else {
    box(5.5, 18, 3.4, 4, 1);
    c.fill();
    box(15.1, 18, 3.4, 4, 1);
    c.fill();
  }
}
