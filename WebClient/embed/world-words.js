// The words of labels, arrows and cards: the page's own texts, in the language of the page around the view. That page's language stays as it is.

import { apply } from '../app/core/i18n.js';
import { languageFor } from './texts.js';

/** @typedef {(code: string) => URL} Words where the words of a part lie in a language */

/** @type {Promise<void> | null} */
let ready = null;
let spoken = '';
/**
 * Of labels and cards, and of what worlds have besides.
 * @type {Set<Words>}
 */
const parts = new Set([(/** @type {string} */ code) => new URL(`../languages/${code}.json`, import.meta.url)]);

/** @param {Element} element the last one that asks is whose language is spoken */
export function speakLike(element) {
  const code = languageFor(element);
  if (code !== spoken || !ready) speak(code);
  return ready;
}

/**
 * The words of a part of worlds are known from now on, in every language that is spoken.
 * @param {Words} words
 */
export function learn(words) {
  if (parts.has(words)) return ready;
  parts.add(words);
  if (spoken) speak(spoken);
  return ready;
}

/** @param {string} code */
function speak(code) {
  spoken = code;
  const begun = ready = load(code).catch((error) => {
    console.warn(`Sightline: ${error}`);
    if (ready === begun) ready = null;
  });
}

/** @param {string} code */
async function load(code) {
  const all = await Promise.all([...parts].map((words) => textsAt(words(code))));
  if (code === spoken && all.length === parts.size) apply(code, Object.assign({}, ...all), null);
}

/**
 * @param {URL} address
 * @returns {Promise<Record<string, string>>}
 */
async function textsAt(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  return response.json();
}
