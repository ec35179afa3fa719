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
 * @param {Node} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = 'http://www.w3.org/2000/svg';
const SPRITE = new URL('../../icons.svg', import.meta.url).href;

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
  use.setAttribute('href', `${SPRITE}#${name}`);
  svg.append(use);
  return svg;
}

/**
 * @param {SVGSVGElement} svg
 * @param {string} name
 */
export function setIcon(svg, name) {
  const use = svg.firstElementChild;
  if (use) setAttribute(use, 'href', `${SPRITE}#${name}`);
}

/**
 * Styles of a part that is opened by need.
 * @param {string} name of a file in ../../styles
 * @returns {Promise<void>} settles when they hold; without them the part still works
 */
export function loadStyle(name) {
  const id = `style-${name}`;
  if (document.getElementById(id)) return Promise.resolve();
  const link = h('link', { id, rel: 'stylesheet', href: new URL(`../../styles/${name}.css`, import.meta.url).href });
  const ready = new Promise((/** @type {(value: void) => void} */ resolve) => {
    link.onload = () => resolve();
    link.onerror = () => resolve();
  });
  document.head.append(link);
  return ready;
}

/** Whether the user asked for less movement. */
export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
