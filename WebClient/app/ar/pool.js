// Elements that are made once and used again: what is shown changes at every frame, the document's structure does not.

/** @typedef {HTMLElement & { was: Record<string, unknown> }} Written `was`: what it was last told */

/** Whether an element is to be told something new. The document is not asked: reading a style costs as much as writing it. */
export const differs = (/** @type {Written} */ { was }, /** @type {string} */ what, /** @type {unknown} */ value) => was[what] !== value && (was[what] = value, true);

/** Finer than a display shows. */
export const hundredths = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** @type {(element: Written, x: number, y: number, size: { width: number, height: number }, more?: string) => void} by its middle, CSS pixels */
export function putBox(element, x, y, { width, height }, more = '') {
  const transform = `translate3d(${hundredths(x - width / 2)}px,${hundredths(y - height / 2)}px,0)${more}`;
  if (differs(element, 'transform', transform)) element.style.transform = transform;
  if (differs(element, 'width', width)) element.style.width = `${width}px`;
  if (differs(element, 'height', height)) element.style.height = `${height}px`;
}

export function putOpacity(/** @type {Written} */ element, /** @type {number} */ value) {
  const opacity = value >= 0.995 ? '' : value.toFixed(2);
  if (differs(element, 'opacity', opacity)) element.style.opacity = opacity;
}

export function putClass(/** @type {Written} */ element, /** @type {string} */ name, /** @type {boolean} */ on) {
  if (differs(element, name, on)) element.classList.toggle(name, on);
}

/** The transform of what is level. */
export const turnOf = (/** @type {number} */ roll) => ` rotate(${roll.toFixed(4)}rad)`;

/**
 * @template {Written} T
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
