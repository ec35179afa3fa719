// Points that are dragged over a picture which covers the screen: corners of a sheet, ends of an edge. By finger, mouse and
// arrow keys.

import { h } from '../../core/dom.js';
import { t } from '../../core/i18n.js';

/**
 * @typedef {[number, number]} Point
 * @typedef {{ width: number, height: number }} Size of the picture, pixels
 */

/**
 * From a pixel of the picture to the screen that it covers.
 * @param {Size} size
 * @param {Point} point
 * @returns {Point}
 */
export function toScreen({ width, height }, [x, y]) {
  const scale = Math.max(innerWidth / width, innerHeight / height);
  return [innerWidth / 2 + (x + 0.5 - width / 2) * scale, innerHeight / 2 + (y + 0.5 - height / 2) * scale];
}

/**
 * @param {Size} size
 * @param {Point} point
 * @returns {Point}
 */
export function toPicture({ width, height }, [x, y]) {
  const scale = Math.max(innerWidth / width, innerHeight / height);
  return [(x - innerWidth / 2) / scale + width / 2 - 0.5, (y - innerHeight / 2) / scale + height / 2 - 0.5];
}

const SVG = 'http://www.w3.org/2000/svg';

export class Handles {
  /** @type {HTMLButtonElement[]} */
  #buttons;
  #life = new AbortController();

  /**
   * @param {Size} size
   * @param {Point[]} points pixels of the picture
   * @param {{ isClosed: boolean, moved?: (points: Point[]) => void }} options whether the last point joins the first
   */
  constructor(size, points, { isClosed, moved }) {
    this.size = size;
    this.points = points.map((point) => /** @type {Point} */ ([...point]));
    this.moved = moved;
    this.line = document.createElementNS(SVG, isClosed ? 'polygon' : 'polyline');
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', 'handles-lines');
    svg.setAttribute('aria-hidden', 'true');
    svg.append(this.line);
    this.#buttons = this.points.map((_, index) => this.#button(index));
    this.element = h('div', { class: 'handles' }, svg, ...this.#buttons);
    addEventListener('resize', () => this.draw(), { signal: this.#life.signal });
    this.draw();
  }

  /** @param {number} index */
  #button(index) {
    const button = h('button', { type: 'button', class: 'handle', 'aria-label': t('posters.handle', { number: index + 1 }), dataset: { handle: index } });
    button.addEventListener('pointerdown', (event) => {
      button.setPointerCapture(event.pointerId);
      const [sx, sy] = toScreen(this.size, this.points[index]);
      // The point stays under the finger where it was taken, not under its middle.
      const grip = [sx - event.clientX, sy - event.clientY];
      const move = (/** @type {PointerEvent} */ at) => this.#set(index, toPicture(this.size, [at.clientX + grip[0], at.clientY + grip[1]]));
      const end = () => {
        button.removeEventListener('pointermove', move);
        button.removeEventListener('pointerup', end);
        button.removeEventListener('pointercancel', end);
      };
      button.addEventListener('pointermove', move);
      button.addEventListener('pointerup', end);
      button.addEventListener('pointercancel', end);
      event.preventDefault();
    });
    button.addEventListener('keydown', (event) => {
      const step = event.shiftKey ? 10 : 1;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      this.#set(index, [this.points[index][0] + by[0], this.points[index][1] + by[1]]);
    });
    return button;
  }

  /**
   * @param {number} index
   * @param {Point} point
   */
  #set(index, [x, y]) {
    this.points[index] = [Math.min(this.size.width - 1, Math.max(0, x)), Math.min(this.size.height - 1, Math.max(0, y))];
    this.draw();
    this.moved?.(this.points);
  }

  /** @param {Point[]} points */
  put(points) {
    this.points = points.map((point) => /** @type {Point} */ ([...point]));
    this.draw();
  }

  draw() {
    const all = this.points.map((point) => toScreen(this.size, point));
    this.line.setAttribute('points', all.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '));
    all.forEach(([x, y], index) => (this.#buttons[index].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`));
  }

  close() {
    this.#life.abort();
    this.element.remove();
  }
}
