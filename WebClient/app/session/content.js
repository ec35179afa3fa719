// A loaded world as people see it: titles, texts, pictures, categories. The engine has its positions and numbers.

import { allowedLink } from '../net/addresses.js';
import { language, t } from '../core/i18n.js';
import { standsOnPrint } from '../show/prints.js';
import { inLanguage } from './wording.js';

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{ number: number, name: string, count: number }} Category
 */

export class Content {
  /**
   * @param {WorldAnswer} answer
   * @param {WorldAddress} address
   * @param {Map<string, number>} [numbers] of categories that have some already; those that are new here are added
   */
  constructor(answer, address, numbers = new Map()) {
    this.dimension = whereTheyStand(inLanguage(answer.dimension, language()));
    /** Whether it has texts in more than one language. */
    this.isMultilingual = Boolean(answer.dimension.translations) || answer.dimension.places.some((place) => place.translations) ||
      answer.dimension.overlays.some((overlay) => overlay.translations);
    this.problems = answer.problems ?? [];
    /** When the copy was saved that stands in for the server's world; '' for the server's own. */
    this.saved = answer.saved ?? '';
    this.address = address;
    this.id = answer.world?.id ?? (address.kind === 'url' ? address.url : address.id);
    /** Where relative addresses start from. */
    this.base = (address.kind === 'osm' ? location.origin : answer.world?.url) ??
      (address.kind === 'url' ? address.url.replace(/^gamaray:/i, 'http:') : location.origin);
    /** @type {Map<string, string>} */
    this.assets = new Map(this.dimension.assets.map((asset) => [asset.id, asset.url]));
    this.hasShapes = this.dimension.places.some((place) => place.shapes?.length);
    this.categoryNumbers = numbers;
    this.categories = categories(this.dimension.places, numbers);
  }

  get places() {
    return this.dimension.places;
  }

  get title() {
    return this.dimension.name?.trim() || t('menu.untitled');
  }

  /** @param {Place} place */
  placeTitle(place) {
    const text = place.title.trim() || (place.visual.kind === 'text' ? place.visual.text.trim() : '');
    return text.replace(/\s+/g, ' ') || t('card.unnamed');
  }

  /**
   * What stands on its label.
   * @param {Place} place
   */
  labelText(place) {
    return (place.visual.kind === 'text' && place.visual.text.trim()) || this.placeTitle(place);
  }

  /** @param {Place} place */
  categoryNumber(place) {
    return this.categoryNumbers.get(place.categories[0] ?? '') ?? 0;
  }

  /**
   * The colour of a place's category, degrees; null without one.
   * @param {number} place
   */
  hueOf(place) {
    const number = this.places[place] ? this.categoryNumber(this.places[place]) : 0;
    return number ? categoryHue(number) : null;
  }

  /** @param {string} id */
  assetURL(id) {
    const url = this.assets.get(id);
    return url === undefined ? undefined : this.absolute(url);
  }

  /**
   * @param {Place} place
   * @returns {string | undefined} the picture of its card
   */
  placePicture(place) {
    if (place.imageURL) return this.absolute(place.imageURL);
    return place.visual.kind === 'image' ? this.assetURL(place.visual.assetID) : undefined;
  }

  /** @param {string} url */
  absolute(url) {
    try {
      return new URL(url, this.base).href;
    } catch {
      return undefined;
    }
  }

  /**
   * @param {Place} place
   * @returns {URL | null}
   */
  link(place) {
    const url = place.link ?? (place.action?.kind === 'webPage' ? place.action.url : undefined);
    const absolute = url && this.absolute(url);
    return absolute ? allowedLink(absolute) : null;
  }

  /**
   * What a place is called as one of several worlds; '' when there is only this one.
   * @param {Place} _place
   */
  worldName(_place) {
    return '';
  }

  /** @param {string} id */
  placeByID(id) {
    return this.places.findIndex((place, index) => placeKey(place, index) === id);
  }
}

/**
 * What stands on a picture or marker that may be anywhere is there and nowhere else, whatever position its author gave it as well: it would be
 * shown twice.
 * @param {Dimension} dimension
 * @returns {Dimension} the same one when there is no such place
 */
function whereTheyStand(dimension) {
  if (!dimension.places.some((place) => place.position && standsOnPrint(place))) return dimension;
  const places = dimension.places.map((place) => {
    if (!standsOnPrint(place)) return place;
    const { position: _, ...rest } = place;
    return rest;
  });
  return { ...dimension, places };
}

/**
 * What a place is called in links and in the page: its id, else its number.
 * @param {Place} place
 * @param {number} index
 */
export function placeKey(place, index) {
  return place.id ?? `#${index}`;
}

/**
 * Numbers 1 … 63 in order of first appearance; what comes after that is "other", 0.
 * @param {Place[]} places
 * @param {Map<string, number>} numbers
 */
function categories(places, numbers) {
  /** @type {Map<string, Category>} */
  const found = new Map();
  /** @type {Category} */
  const other = { number: 0, name: '', count: 0 };
  for (const place of places) {
    const name = place.categories[0];
    let entry = name ? found.get(name) : other;
    if (!entry && name) {
      if (!numbers.has(name) && numbers.size < 63) numbers.set(name, numbers.size + 1);
      const number = numbers.get(name);
      if (number) found.set(name, entry = { number, name, count: 0 });
      else entry = other;
    }
    if (entry) entry.count += 1;
  }
  const all = [...found.values()];
  return other.count && all.length ? [...all, other] : all;
}

/** A calm colour for each category, far apart for neighbours in the list. */
export function categoryHue(/** @type {number} */ number) {
  return (165 + (number - 1) * 137.5) % 360;
}
