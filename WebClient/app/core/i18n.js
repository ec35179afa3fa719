// Texts in the user's language: a JSON file a language in ../../languages; English is complete by definition, its keys
// are the type of all others. Parts that are opened by need (`tours` …) keep theirs in ../../languages/AREA, where every
// key begins with `AREA.`; they call `loadTexts(AREA)` once before they show anything.

import { load, save } from './storage.js';

/**
 * @typedef {typeof import('../../languages/en.json')} English
 * @typedef {'transit' | 'tours' | 'studio' | 'posters' | 'targets' | 'accounts' | 'scan' | 'worlds' | 'around' | 'show' | 'find' | 'design' | 'align' | 'model' | 'record' | 'clip' | 'sensors' | 'sound' | 'place' | 'walk' | 'ground' | 'lens'} Area folders of ../../languages
 * @typedef {`${Area}.${string}`} AreaKey the tests look whether the key is there
 * @typedef {keyof English | AreaKey} TextKey
 * @typedef {AreaKey | (keyof English extends infer K ? K extends `${infer Stem}.other` ? Stem : never : never)} PluralKey
 */

/** Texts that came with this build; the server may have more, see `offerLanguages`. */
let codes = ['en', 'sv', 'fr', 'de', 'nl', 'es', 'zh'];
const RIGHT_TO_LEFT = /^(ar|fa|he|ur|yi|dv|ps|ckb)\b/;

/** @type {Record<string, string>} */
const english = {};
/** @type {Record<string, string>} */
let texts = {};
let code = 'en';
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');
/** @type {Set<() => void>} */
const listeners = new Set();
/**
 * The areas asked for, each with what settles when its texts are there.
 * @type {Map<Area, Promise<void>>}
 */
const areas = new Map();

/** The language in use, a BCP 47 code. */
export const language = () => code;

/**
 * The languages there are, each with its own name for itself.
 * @returns {{ code: string, name: string }[]}
 */
export function languages() {
  return codes.map((entry) => {
    const name = new Intl.DisplayNames([entry], { type: 'language' }).of(entry) ?? entry;
    return { code: entry, name: name.charAt(0).toLocaleUpperCase(entry) + name.slice(1) };
  });
}

/** @param {string[] | undefined} more what the server has files for */
export function offerLanguages(more) {
  codes = [...new Set([...codes, ...(more ?? []).filter((entry) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(entry))])];
}

/**
 * @param {string} tag
 * @param {Area} [area] none for what every visit needs
 * @returns {Promise<Record<string, string>>}
 */
async function fetchTexts(tag, area) {
  const path = area ? `${area}/${tag}.json` : `${tag}.json`;
  const response = await fetch(new URL(`../../languages/${path}`, import.meta.url));
  if (!response.ok) throw new Error(`languages/${path}: ${response.status}`);
  return response.json();
}

/**
 * The texts of areas in a language; an area without that language is left out, and so speaks English.
 * @param {string} tag
 */
async function fetchAreas(tag) {
  const found = await Promise.all([...areas.keys()].map((area) => fetchTexts(tag, area).catch(() => ({}))));
  return Object.assign({}, ...found);
}

/** Picks the stored language, else the first of the browser's that exists. */
export async function startLanguage() {
  const wanted = [load('language', ''), ...navigator.languages];
  const found = wanted.flatMap((tag) => codes.filter((entry) => entry === tag || entry === tag.split('-')[0]))[0] ??
    'en';
  const ready = fetchTexts('en').then((answer) => Object.assign(english, answer));
  const chosen = found === 'en' ? ready : fetchTexts(found).catch(() => ready);
  await ready;
  apply(found, { ...await chosen, ...await fetchAreas(found) });
}

/** @param {string} next */
export async function useLanguage(next) {
  const [core, more] = await Promise.all([next === 'en' ? english : fetchTexts(next), fetchAreas(next)]);
  apply(next, { ...core, ...more });
  save('language', next);
}

/** Everything is said again: something else that texts depend on has changed, such as the unit of lengths. */
export function sayAnew() {
  apply(code, texts);
}

/**
 * Makes the texts of an area known to `t`, `tn`, `localized` and `labelled`, in this language and in every one chosen
 * from now on. Loads at most once.
 * @param {Area} area a folder of ../../languages
 * @returns {Promise<void>} rejects when not even the English texts can be had; asking again tries again
 */
export function loadTexts(area) {
  let ready = areas.get(area);
  if (!ready) {
    ready = addArea(area);
    areas.set(area, ready);
    ready.catch(() => areas.delete(area));
  }
  return ready;
}

/** @param {Area} area */
async function addArea(area) {
  let wanted;
  do {
    wanted = code;
    const [model, own] = await Promise.all([
      fetchTexts('en', area),
      wanted === 'en' ? {} : fetchTexts(wanted, area).catch(() => ({})),
    ]);
    Object.assign(english, model);
    texts = { ...texts, ...model, ...own };
    // The language may have been changed meanwhile.
  } while (wanted !== code);
  translate(document);
}

/**
 * @param {string} next
 * @param {Record<string, string>} found
 * @param {Document | null} [page] that speaks it too
 */
export function apply(next, found, page = document) {
  texts = found;
  code = next;
  plurals = new Intl.PluralRules(code);
  numbers = new Intl.NumberFormat(code);
  if (page) {
    page.documentElement.lang = code;
    page.documentElement.dir = RIGHT_TO_LEFT.test(code) ? 'rtl' : 'ltr';
    translate(page);
  }
  for (const listener of listeners) listener();
}

/**
 * @param {() => void} listener called after each change of language
 * @param {AbortSignal} [until] takes the listener off again
 */
export function onLanguage(listener, until) {
  listeners.add(listener);
  until?.addEventListener('abort', () => listeners.delete(listener));
}

/**
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values] for the `{name}` parts
 */
export function t(key, values) {
  const text = texts[key] ?? english[key] ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;
}

/**
 * A text that depends on a number: `places.one`, `places.other` …
 * @param {PluralKey} stem
 * @param {number} count
 * @param {Record<string, string | number>} [values]
 */
export function tn(stem, count, values) {
  const key = `${stem}.${plurals.select(count)}`;
  const text = texts[key] ?? texts[`${stem}.other`] ?? english[`${stem}.other`] ?? key;
  return text.replace(
    /\{(\w+)\}/g,
    (whole, name) => name === 'n' ? numbers.format(count) : String(values?.[name] ?? whole),
  );
}

/**
 * Gives an element a text that follows the language.
 * @template {Element} T
 * @param {T} element
 * @param {TextKey} key
 */
export function localized(element, key) {
  element.setAttribute('data-i18n', key);
  element.textContent = t(key);
  return element;
}

/**
 * Gives an element an accessible name and a tooltip that follow the language.
 * @template {Element} T
 * @param {T} element
 * @param {TextKey} key
 */
export function labelled(element, key) {
  element.setAttribute('data-i18n-label', key);
  element.setAttribute('aria-label', t(key));
  if (element instanceof HTMLElement && element.tagName !== 'INPUT') element.title = t(key);
  return element;
}

/** @param {ParentNode} root */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-i18n]')) {
    element.textContent = t(/** @type {TextKey} */ (element.getAttribute('data-i18n')));
  }
  for (const element of root.querySelectorAll('[data-i18n-label]')) {
    labelled(element, /** @type {TextKey} */ (element.getAttribute('data-i18n-label')));
  }
  for (const element of root.querySelectorAll('[data-i18n-placeholder]')) {
    element.setAttribute('placeholder', t(/** @type {TextKey} */ (element.getAttribute('data-i18n-placeholder'))));
  }
}
