// What lies over the view: one list of rectangles, which the engine keeps labels, fans and arrows out of.
//
// Whoever shows something over the picture puts `data-occupies` on its element (or calls `occupy`); with the value
// `children` each of its children counts by itself, so that a bar of round buttons leaves free what is between them.
// Nothing is measured frame by frame: only when an element that counts comes, goes, changes its size, ends a transition,
// or says so by `remeasure`.

/** @typedef {import('../../engine/types').Rectangle} Rectangle */

const ATTRIBUTE = 'data-occupies';
/** What decides on whether and where an element is shown, beside its size. */
const TELLING = [ATTRIBUTE, 'hidden', 'class', 'open', 'data-gate', 'data-view', 'data-stop', 'data-shown', 'data-ground', 'data-state', 'data-board'];
const SIDES = /** @type {const} */ (['top', 'right', 'bottom', 'left']);

/** @type {Set<Occupied>} */
const all = new Set();
/**
 * @template {Element} T
 * @param {T} element that lies over the view
 * @returns {T} the same
 */
export function occupy(element) {
  element.setAttribute(ATTRIBUTE, '');
  return element;
}

/** Something moved without changing its size. */
export function remeasure() {
  for (const occupied of all) occupied.measureSoon();
}

export class Occupied {
  /** @type {Rectangle[]} */
  rectangles = [];
  #request = 0;
  #key = '';
  /** @type {Set<Element>} */
  #watched = new Set();
  #sizes = new ResizeObserver(() => this.measureSoon());

  /**
   * @param {(rectangles: Rectangle[]) => void} tell called when the list has changed
   * @param {AbortSignal} signal ends it
   * @param {Element[]} also what counts for this list alone
   */
  constructor(tell, signal, also = []) {
    this.tell = tell;
    this.also = also;
    const changes = new MutationObserver((records) => {
      if (records.some((record) => isChange(record) && counts(record.target))) this.measureSoon();
    });
    changes.observe(document.body, { subtree: true, childList: true, attributeOldValue: true, attributeFilter: TELLING });
    const moved = () => this.measureSoon();
    addEventListener('resize', moved, { signal });
    document.addEventListener('transitionend', moved, { signal });
    document.addEventListener('animationend', moved, { signal });
    all.add(this);
    signal.addEventListener('abort', () => {
      all.delete(this);
      changes.disconnect();
      this.#sizes.disconnect();
      cancelAnimationFrame(this.#request);
    });
    this.measureSoon();
  }

  /** Once before the next picture, however often it is asked for. */
  measureSoon() {
    this.#request ||= requestAnimationFrame(() => {
      this.#request = 0;
      this.measure();
    });
  }

  measure() {
    const elements = new Set([...document.querySelectorAll(`[${ATTRIBUTE}]`)].flatMap((element) =>
      element.getAttribute(ATTRIBUTE) === 'children' ? [element, ...element.children] : [element]));
    for (const element of this.#watched) if (!elements.has(element)) this.#sizes.unobserve(element);
    for (const element of elements) if (!this.#watched.has(element)) this.#sizes.observe(element);
    this.#watched = elements;
    const rectangles = safeAreas();
    for (const element of [...elements, ...this.also]) {
      if (element.getAttribute(ATTRIBUTE) === 'children') continue;
      const rectangle = shownRectangle(element);
      if (rectangle) rectangles.push(rectangle);
    }
    const key = JSON.stringify(rectangles);
    if (key === this.#key) return;
    this.#key = key;
    this.rectangles = rectangles;
    this.tell(rectangles);
  }
}

/**
 * An attribute that is set to what it was is no change; nor is another text: what grows by it tells its size.
 * @param {MutationRecord} record
 */
export function isChange({ type, target, attributeName, oldValue, addedNodes, removedNodes }) {
  if (type === 'childList') return [...addedNodes, ...removedNodes].some((node) => node instanceof Element);
  return !attributeName || !(target instanceof Element) || target.getAttribute(attributeName) !== oldValue;
}

/**
 * Whether a change there can change the list. What is drawn in the scene changes all the time and is laid out by the engine.
 * @param {Node} target
 */
function counts(target) {
  const element = target instanceof Element ? target : target.parentElement;
  return Boolean(element) && !element?.closest('#scene, .transit-labels, .leaflet-pane');
}

/**
 * @param {Element} element
 * @returns {Rectangle | null} whole CSS pixels around what is on the screen of it
 */
function shownRectangle(element) {
  if (element.checkVisibility?.({ visibilityProperty: true }) === false) return null;
  const box = element.getBoundingClientRect();
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const width = Math.min(innerWidth, Math.ceil(box.right)) - left;
  const height = Math.min(innerHeight, Math.ceil(box.bottom)) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : null;
}

/** The rims that a notch or the system's own bars cover. */
function safeAreas() {
  const style = getComputedStyle(document.documentElement);
  const [top, right, bottom, left] = SIDES.map((side) => parseFloat(style.getPropertyValue(`--safe-${side}`)) || 0);
  /** @type {Rectangle[]} */
  const rims = [
    { x: 0, y: 0, width: innerWidth, height: top },
    { x: innerWidth - right, y: 0, width: right, height: innerHeight },
    { x: 0, y: innerHeight - bottom, width: innerWidth, height: bottom },
    { x: 0, y: 0, width: left, height: innerHeight },
  ];
  return rims.filter(({ width, height }) => width > 0 && height > 0);
}
