// The words of labels, arrows and cards: the page's own texts, in the language of the page around the view. That page's language stays as it is.

import { apply } from '../app/core/i18n.js';
import { languageFor } from './texts.js';

/** @type {Promise<void> | null} */
let ready = null;
let spoken = '';

/** @param {Element} element the last one that asks is whose language is spoken */
export function speakLike(element) {
  const code = languageFor(element);
  if (code === spoken && ready) return ready;
  spoken = code;
  ready = load(code).catch((error) => {
    console.warn(`Sightline: ${error}`);
    ready = null;
  });
  return ready;
}

/** @param {string} code */
async function load(code) {
  const response = await fetch(new URL(`../languages/${code}.json`, import.meta.url));
  if (!response.ok) throw new Error(`languages/${code}.json: ${response.status}`);
  const texts = await response.json();
  if (code === spoken) apply(code, texts, null);
}
