// Elements that are made once and used again: what is shown changes at every frame, the document's structure does not.

/**
 * @template {HTMLElement} T
 */
export class Pool {
  /** @type {Map<string | number, T>} */
  #used = new Map();
  /** @type {T[]} */
  #free = [];
  /** @type {Set<string | number>} */
  #touched = new Set();
  /**
   * Keys whose elements show something that may be outdated.
   * @type {Set<string | number>}
   */
  #stale = new Set();

  /**
   * @param {HTMLElement} parent
   * @param {() => T} make
   */
  constructor(parent, make) {
    this.parent = parent;
    this.make = make;
  }

  begin() {
    this.#touched.clear();
  }

  /**
   * @param {string | number} key
   * @returns {{ element: T, isNew: boolean }} `isNew`: the element showed something else before
   */
  take(key) {
    this.#touched.add(key);
    const known = this.#used.get(key);
    if (known) return { element: known, isNew: this.#stale.delete(key) };
    let element = this.#free.pop();
    if (!element) {
      element = this.make();
      this.parent.append(element);
    }
    element.hidden = false;
    this.#used.set(key, element);
    return { element, isNew: true };
  }

  /** Hides what was not taken since `begin`. */
  end() {
    for (const [key, element] of this.#used) {
      if (this.#touched.has(key)) continue;
      element.hidden = true;
      this.#used.delete(key);
      this.#stale.delete(key);
      this.#free.push(element);
    }
  }

  /** Keeps the elements, and with them the keyboard's focus, but has all of them filled again. */
  invalidate() {
    this.#stale = new Set(this.#used.keys());
  }
}
