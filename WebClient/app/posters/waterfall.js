// Columns of cards, each put under the shortest column. Heights follow from the pictures' shapes, so nothing moves when
// pictures come.

import { h } from '../core/dom.js';
import { aspectOf } from './api.js';

/** @typedef {import('./api.js').Poster} Poster */

/** What a card has under its picture, CSS pixels: only for choosing a column, never for drawing. */
const WORDS = 64;

export class Waterfall {
  /** @type {Poster[]} */
  posters = [];
  /** @type {{ element: HTMLElement, height: number }[]} */
  #columns = [];
  #width = 0;

  /** @param {(card: { poster: Poster, width: number }) => HTMLElement} draw */
  constructor(draw) {
    this.draw = draw;
    this.element = h('div', { class: 'waterfall', role: 'list' });
    this.observer = new ResizeObserver(() => this.lay());
    this.observer.observe(this.element);
  }

  /** @param {Poster[]} posters */
  show(posters) {
    this.posters = [...posters];
    this.#width = 0;
    this.lay();
  }

  /** @param {Poster[]} posters */
  add(posters) {
    this.posters.push(...posters);
    for (const poster of posters) this.#put(poster);
  }

  /** Puts everything anew when the number of columns that fit has changed. */
  lay() {
    const { width } = this.element.getBoundingClientRect();
    if (!width || Math.abs(width - this.#width) < 1) return;
    this.#width = width;
    const count = Math.max(2, Math.min(6, Math.floor(width / 210)));
    this.#columns = Array.from({ length: count }, () => ({ element: h('div', { class: 'waterfall-column', role: 'presentation' }), height: 0 }));
    this.element.replaceChildren(...this.#columns.map(({ element }) => element));
    for (const poster of this.posters) this.#put(poster);
  }

  /** @param {Poster} poster */
  #put(poster) {
    if (!this.#columns.length) return;
    const width = this.#width / this.#columns.length;
    const column = this.#columns.reduce((best, each) => (each.height < best.height - 1 ? each : best));
    column.element.append(this.draw({ poster, width }));
    column.height += width / aspectOf(poster) + WORDS;
  }

  close() {
    this.observer.disconnect();
  }
}
