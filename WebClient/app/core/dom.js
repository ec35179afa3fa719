// Making and changing elements. No markup strings anywhere: text from a world can never become HTML.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props] `class`, `on…` listeners, `dataset`, properties of the element, else attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name.startsWith('on') && typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name in element && !name.startsWith('aria') && name !== 'role') /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [root]
 * @returns {T} the element; its absence is a fault of the page
 */
export function find(selector, type, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}`);
  return element;
}

/**
 * Sets an attribute only when it differs: reading is cheap, writing wakes the style engine.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * The node stays: another is a new box.
 * @param {Node} element
 * @param {string} text
 */
export function setText(element, text) {
  const only = element.firstChild;
  const node = only?.nodeType === 3 && !only.nextSibling ? only : element;
  if (node.textContent !== text) node.textContent = text;
}

const SVG = 'http://www.w3.org/2000/svg';
export const icons = { file: new URL('../../icons.svg', import.meta.url).href };

/**
 * A symbol of icons.svg.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `${icons.file}#${name}`);
  svg.append(use);
  return svg;
}

/**
 * @param {SVGSVGElement} svg
 * @param {string} name
 */
export function setIcon(svg, name) {
  const use = svg.firstElementChild;
  if (use) setAttribute(use, 'href', `${icons.file}#${name}`);
}

/**
 * Styles of a part that is opened by need.
 * @param {string} name of a file in ../../styles
 * @returns {Promise<void>} settles when they hold; without them the part still works
 */
export const loadStyle = (name) => addStyle(name, `styles/${name}.css`, null);

/** Styles that several parts share and the first frame of a world does without, in the order in which they hold. */
const SHARED = /** @type {const} */ (['start', 'panels', 'places', 'markers']);

/**
 * Whenever they come, they hold in this order: after what the page begins with, before those that belong to one part.
 * @param {...(typeof SHARED)[number]} names
 * @returns {Promise<unknown>} settles when they hold
 */
export function loadShared(...names) {
  return Promise.all(names.map((name) => {
    const later = [...document.querySelectorAll('link[id^="style-"]:not(#style-leaflet)')].find(({ id }) =>
      !SHARED.slice(0, SHARED.indexOf(name)).some((earlier) => id === `style-${earlier}`));
    return addStyle(name, `styles/${name}.css`, later ?? null);
  }));
}

/** Leaflet's own styles, as shipped: whatever the page says of maps holds against them. */
export const loadLeafletStyle = () => addStyle('leaflet', 'vendor/leaflet/leaflet.css', document.querySelector('link[rel="stylesheet"]'));

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * @param {string} name
 * @param {string} path
 * @param {Element | null} before what it has to stand, `null` for the end
 */
function addStyle(name, path, before) {
  const known = styles.get(name);
  if (known) return known;
  const link = h('link', { id: `style-${name}`, rel: 'stylesheet', href: new URL(`../../${path}`, import.meta.url).href });
  const ready = new Promise((/** @type {(value: void) => void} */ resolve) => {
    link.onload = () => resolve();
    link.onerror = () => resolve();
  });
  styles.set(name, ready);
  document.head.insertBefore(link, before);
  return ready;
}

/** Does something once nothing else is to be done; soon, where the browser does not say when that is. */
export const whenIdle = (/** @type {() => void} */ work) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => work(), { timeout: 2000 });
  else setTimeout(work, 200);
};

/** Whether the user asked for less movement. */
export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether clips can be made. */
export const makesClips = 'MediaRecorder' in globalThis && 'captureStream' in HTMLCanvasElement.prototype;

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No 2-D canvas');
  return context;
}
