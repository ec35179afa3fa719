// The few words of the element, in the language of the page around it, else in that of the browser. The page's own language is left alone.

/** As many as there are files in ../languages/embed. */
const CODES = ['en', 'de', 'es', 'fr', 'nl', 'sv', 'zh'];
/** @typedef {Record<string, string>} Texts */
/** @type {Map<string, Promise<Texts>>} */
const loaded = new Map();

/**
 * The first language that there are words in.
 * @param {readonly string[]} wanted BCP 47
 */
export function languageOf(wanted) {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find((code) => CODES.includes(code)) ?? 'en';
}

/**
 * The language of the page around an element, else the browser's.
 * @param {Element} element
 */
export function languageFor(element) {
  const marked = element.closest('[lang]')?.getAttribute('lang');
  return languageOf([...(marked ? [marked] : []), ...navigator.languages]);
}

/**
 * @param {Element} element
 * @returns {Promise<Texts>} by the names of the states they are for; nothing where not even English can be had
 */
export async function textsFor(element) {
  try {
    return await load(languageFor(element));
  } catch (error) {
    console.warn(`Sightline: ${error}`);
    return {};
  }
}

/** @param {string} code */
function load(code) {
  let texts = loaded.get(code);
  if (!texts) {
    texts = fetchTexts(code);
    loaded.set(code, texts);
    texts.catch(() => loaded.delete(code));
  }
  return texts;
}

/**
 * @param {string} code
 * @returns {Promise<Texts>}
 */
async function fetchTexts(code) {
  const response = await fetch(new URL(`../languages/embed/${code}.json`, import.meta.url));
  if (!response.ok) throw new Error(`languages/embed/${code}.json: ${response.status}`);
  return response.json();
}
