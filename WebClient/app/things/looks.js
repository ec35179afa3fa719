// The files of things that were read, and which of them go when they are too many.

/**
 * @typedef {import('../models/renderer.js').Drawable} Drawable
 * @typedef {{ drawable: Drawable | null, state: 'loading' | 'ready' | 'failed', low: number[], high: number[], triangles: number,
 *   isMoving: boolean, bytes: number }} Look `bytes`: of the file, of a picture its pixels
 */

/** Files that are kept: more than a frame can show at a time. */
const MOST = 200;
/** Bytes of them that are kept; textures take a multiple of a model's. */
const MOST_BYTES = 128 * 1024 * 1024;

export class Looks {
  /**
   * By kind and address; what was drawn longest ago comes first.
   * @type {Map<string, Look>}
   */
  #all = new Map();
  /**
   * Drawn since the frame began.
   * @type {Set<string>}
   */
  #drawn = new Set();

  constructor(most = MOST, mostBytes = MOST_BYTES) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  get all() {
    return [...this.#all.values()];
  }

  /** A frame begins: what it does not draw may go. */
  begin() {
    this.#drawn.clear();
  }

  /**
   * The look that a frame draws, or would.
   * @param {string} key
   * @returns {Look | undefined}
   */
  take(key) {
    const look = this.#all.get(key);
    if (look && !this.#drawn.has(key)) {
      this.#drawn.add(key);
      this.#all.delete(key);
      this.#all.set(key, look);
    }
    return look;
  }

  /**
   * A look whose file is being fetched.
   * @param {string} key
   * @returns {Look}
   */
  add(key) {
    /** @type {Look} */
    const look = { drawable: null, state: 'loading', low: [0, 0, 0], high: [0, 0, 0], triangles: 0, isMoving: false, bytes: 0 };
    this.#all.set(key, look);
    return look;
  }

  /**
   * Lets those go that were drawn longest ago until there are as many as are kept; what the frame draws stays.
   * @returns {string[]} their keys
   */
  shrink() {
    const ready = [...this.#all].filter(([, { state }]) => state === 'ready');
    let count = ready.length;
    let bytes = ready.reduce((sum, [, look]) => sum + look.bytes, 0);
    /** @type {string[]} */
    const gone = [];
    for (const [key, look] of ready) {
      if (count <= this.most && bytes <= this.mostBytes) break;
      if (this.#drawn.has(key)) continue;
      look.drawable?.delete();
      this.#all.delete(key);
      gone.push(key);
      count -= 1;
      bytes -= look.bytes;
    }
    return gone;
  }

  clear() {
    for (const { drawable } of this.#all.values()) drawable?.delete();
    this.#all.clear();
    this.#drawn.clear();
  }
}
