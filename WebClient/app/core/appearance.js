// Dark or light, and how large the text is. The camera's pages, their map and their list are always dark glass; everything else
// follows the phone, or what the reader chose.

import { load, save } from './storage.js';

/** @typedef {'auto' | 'light' | 'dark'} Theme */

/** Views with a picture in them: never light. */
const OVER_PICTURE = ['ar', 'markers', 'scan', 'transit', 'posters-try', 'place'];
/** Views beside the picture: light only for who asked for it. */
const BESIDE_PICTURE = ['map', 'list'];
/** Sizes of text that are offered, percent of the browser's own. */
export const TEXT_SIZES = [100, 125, 150, 200];

const prefersLight = matchMedia('(prefers-color-scheme: light)');

/** @returns {Theme} */
export function theme() {
  const kept = /** @type {string} */ (load('theme', 'auto'));
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** @param {Theme} value */
export function setTheme(value) {
  save('theme', value === 'auto' ? undefined : value);
  apply();
}

/** Percent of the browser's own size of text. */
export function textSize() {
  const kept = load('textSize', 100);
  return TEXT_SIZES.includes(kept) ? kept : 100;
}

/** @param {number} percent one of `TEXT_SIZES` */
export function setTextSize(percent) {
  save('textSize', percent === 100 ? undefined : percent);
  apply();
}

/**
 * @param {string | undefined} view as `data-view` names it
 * @returns {'light' | 'dark'}
 */
export function schemeOf(view = 'start') {
  const wish = theme();
  if (OVER_PICTURE.includes(view)) return 'dark';
  if (BESIDE_PICTURE.includes(view)) return wish === 'light' ? 'light' : 'dark';
  return wish === 'auto' ? (prefersLight.matches ? 'light' : 'dark') : wish;
}

let appliedSize = 100;

function apply() {
  const { dataset, style } = document.documentElement;
  const scheme = schemeOf(dataset.view);
  const percent = textSize();
  // What is not set here is the browser's, and whoever else sets it.
  if (percent !== appliedSize) style.fontSize = percent === 100 ? '' : `${percent}%`;
  appliedSize = percent;
  if (dataset.scheme === scheme) return;
  dataset.scheme = scheme;
  // The bars of the phone around the page.
  const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ink);
}

/** From now on the page looks as its view, the phone and the reader want it. */
export function startAppearance() {
  apply();
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-view'] });
  prefersLight.addEventListener('change', apply);
}
