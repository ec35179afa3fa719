// A poster on the wall: where, how large, in which frame.

import { fetchChosen, pictureBlob } from '../api.js';
import { ownPosters } from '../own.js';
import { framed, frameOf } from './framing.js';

/**
 * @typedef {import('../api.js').Poster} Poster
 * @typedef {import('./framing.js').Framed} Framed
 */

let count = 0;

export class Hung {
  x = 0;
  y = 0;
  /** Degrees counter-clockwise. */
  turn = 0;
  frame = 'none';
  /** @type {Framed | null} */
  framed = null;
  /** Whether the drawing has changed since it was put on the wall. */
  isNew = true;
  /** @type {ImageBitmap | null} */
  #picture = null;

  /**
   * @param {Poster} poster
   * @param {number} size which of its sizes
   */
  constructor(poster, size) {
    this.poster = poster;
    this.size = Number.isInteger(size) && poster.sizes[size] ? size : 0;
    this.key = `hung-${++count}`;
  }

  /** Metres. */
  get paper() {
    const { width, height } = this.poster.sizes[this.size];
    return { width: width / 1000, height: height / 1000 };
  }

  /** Fetches the picture; until then nothing hangs. */
  async load() {
    this.#picture = await createImageBitmap(await pictureBlob(this.poster, 1200));
    this.#draw();
  }

  /**
   * @param {number} x metres
   * @param {number} y
   */
  move(x, y) {
    // Not further than a large wall reaches.
    this.x = Math.max(-20, Math.min(20, x));
    this.y = Math.max(-20, Math.min(20, y));
  }

  /** @param {number} index */
  setSize(index) {
    this.size = index;
    this.#draw();
  }

  /** @param {string} id */
  setFrame(id) {
    this.frame = id;
    this.#draw();
  }

  #draw() {
    if (!this.#picture) return;
    this.framed = framed(this.#picture, this.poster.sizes[this.size], frameOf(this.frame));
    this.isNew = true;
  }
}

/**
 * What hung on a wall that was kept. Posters that are no longer in the catalogue are left out; those that could not be
 * asked for (no network) are `missing`, to be kept as they are.
 * @param {import('../kept.js').KeptPoster[]} kept
 * @returns {Promise<{ hung: Hung[], missing: import('../kept.js').KeptPoster[] }>}
 */
export async function hungAgain(kept) {
  if (!kept.length) return { hung: [], missing: [] };
  const found = await fetchChosen(kept.map(({ id }) => id)).catch(() => null);
  const posters = found ?? [...ownPosters.values()];
  const hung = kept.flatMap((each) => {
    const poster = posters.find(({ id }) => id === each.id);
    if (!poster) return [];
    const one = new Hung(poster, each.size);
    one.move(each.x, each.y);
    one.turn = each.turn;
    one.frame = each.frame;
    return [one];
  });
  return { hung, missing: found ? [] : kept.filter(({ id }) => !posters.some((poster) => poster.id === id)) };
}
