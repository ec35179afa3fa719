// Fingers, wheel and keys on the map: moving it, and its scale. The map is the engine's; here is what the user wants of it.

import { reducedMotion } from '../core/dom.js';

/**
 * @typedef {import('../../engine/ground.js').Ground} Ground
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 */

const HEIGHT = { low: 60, high: 9000, start: 720 };

export class MapGestures {
  /** @type {'automatic' | 'view' | 'map'} */
  mode = 'automatic';
  isNorthUp = false;
  height = HEIGHT.start;
  /** Metres from the user to the middle of the map. */
  offset = [0, 0];
  /** @type {Map<number, { x: number, y: number }>} */
  #fingers = new Map();
  #life = new AbortController();

  /**
   * @param {HTMLElement} surface
   * @param {() => Ground} ground
   * @param {() => GroundFrame | null} frame
   * @param {() => void} changed told whenever the map is wanted otherwise
   */
  constructor(surface, ground, frame, changed) {
    this.changed = changed;
    this.ground = ground;
    this.frame = frame;
    const { signal } = this.#life;
    surface.addEventListener('pointerdown', ({ pointerId, clientX, clientY }) => {
      this.#fingers.set(pointerId, { x: clientX, y: clientY });
    }, { signal });
    surface.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel', 'pointerleave'])) {
      surface.addEventListener(type, ({ pointerId }) => this.#fingers.delete(pointerId), { signal });
    }
    surface.addEventListener('wheel', (event) => {
      if (!frame()?.isMap) return;
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY * (event.deltaMode ? 16 : 1))) * 0.004));
    }, { signal, passive: false });
  }

  /** Whether the map is away from the user. */
  get isMoved() {
    return Math.hypot(this.offset[0], this.offset[1]) > 1;
  }

  /** @param {PointerEvent} event */
  #move({ pointerId, clientX, clientY }) {
    const finger = this.#fingers.get(pointerId);
    if (!finger) return;
    const before = { ...finger };
    Object.assign(finger, { x: clientX, y: clientY });
    if (!this.frame()?.isMap) return;
    if (this.#fingers.size > 1) {
      const other = [...this.#fingers].find(([id]) => id !== pointerId)?.[1];
      if (!other) return;
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(clientX - other.x, clientY - other.y);
      if (was > 10 && is > 10) this.zoom(was / is);
      return;
    }
    const [a, b] = [this.ground().at(before.x, before.y), this.ground().at(clientX, clientY)];
    if (!a || !b) return;
    this.offset = [this.offset[0] + a[0] - b[0], this.offset[1] + a[1] - b[1]];
    this.apply();
  }

  /** @param {number} factor of the height; above 1 shows more */
  zoom(factor) {
    this.height = Math.min(HEIGHT.high, Math.max(HEIGHT.low, this.height * factor));
    this.apply();
  }

  toUser() {
    this.offset = [0, 0];
    this.apply();
  }

  /** @param {boolean} isNorthUp */
  setNorthUp(isNorthUp) {
    this.isNorthUp = isNorthUp;
    this.apply();
  }

  /** @param {'automatic' | 'view' | 'map'} mode */
  setMode(mode) {
    this.mode = mode;
    this.apply();
  }

  apply() {
    this.ground().setMap({
      mode: this.mode, height: this.height, east: this.offset[0], north: this.offset[1], isNorthUp: this.isNorthUp,
      transition: reducedMotion() ? 0 : 0.4,
    });
    this.changed();
  }

  close() {
    this.#life.abort();
  }
}
