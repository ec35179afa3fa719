// A loaded world as people see it: titles, texts, pictures, categories. The engine has its positions and numbers.

import { measureLabel, measurePill } from '../ar/measure.js';
import { allowedLink } from '../net/addresses.js';
import { pictureNumber } from '../vision/picture-numbers.js';
import { language, t } from '../core/i18n.js';
import { inLanguage } from './wording.js';

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {import('../net/addresses.js').AddressTable} AddressTable
 * @typedef {{ number: number, name: string, count: number }} Category
 */

export class Content {
  /**
   * @param {WorldAnswer} answer
   * @param {WorldAddress} address
   */
  constructor(answer, address) {
    /** As it came, in all its languages. */
    this.answer = answer;
    this.dimension = inLanguage(answer.dimension, language());
    /** Whether it has texts in more than one language. */
    this.isMultilingual = Boolean(answer.dimension.translations) || answer.dimension.places.some((place) => place.translations) ||
      answer.dimension.overlays.some((overlay) => overlay.translations);
    this.problems = answer.problems ?? [];
    /** When the copy was saved that stands in for the server's world; '' for the server's own. */
    this.saved = answer.saved ?? '';
    this.address = address;
    this.id = answer.world?.id ?? (address.kind === 'url' ? address.url : address.id);
    /** Where relative addresses start from. */
    this.base = (address.kind === 'osm' || address.kind === 'transit' ? location.origin : answer.world?.url) ??
      (address.kind === 'url' ? address.url.replace(/^gamaray:/i, 'http:') : location.origin);
    /** @type {Map<string, string>} */
    this.assets = new Map(this.dimension.assets.map((asset) => [asset.id, asset.url]));
    this.hasShapes = this.dimension.places.some((place) => place.shapes?.length);
    /** Whether models or pictures stand at places in true size. */
    this.hasThings = this.dimension.places.some(({ position, followsUser, marker, target, visual, size }) =>
      (position || followsUser) && !marker && !target && (visual.kind === 'model' || (visual.kind === 'image' && size)));
    /** @type {Map<string, number>} */
    this.categoryNumbers = new Map();
    /**
     * Those with a name that there are, and "other" if there are both.
     * @type {Category[]}
     */
    this.categories = [];
    /**
     * "Other" too where there is nothing else.
     * @type {Category[]}
     */
    this.allCategories = [];
  }

  /**
   * Takes over what the engine made of it: the numbers of its categories, and which places have no position.
   * @param {import('../../engine/types').CompiledWorld} compiled
   */
  adopt({ categories, unplaced }) {
    this.setCategories(categories.map(({ number, first, count }) => (
      { number, name: number ? this.places[first].categories[0] : '', count })));
    if (unplaced.length === 0) return;
    const without = new Set(unplaced);
    const places = this.places.map((place, index) => {
      if (!without.has(index)) return place;
      const { position: _, ...rest } = place;
      return rest;
    });
    this.dimension = { ...this.dimension, places };
  }

  /** @param {Category[]} all as they appear, "other" last */
  setCategories(all) {
    this.allCategories = all;
    this.categoryNumbers = new Map(all.filter(({ number }) => number).map(({ name, number }) => [name, number]));
    this.categories = this.categoryNumbers.size ? all : [];
  }

  /**
   * The content as the engine takes it.
   * @param {AddressTable} addresses
   * @returns {import('../../engine/types').WorldSource<Place>}
   */
  source(addresses) {
    return {
      dimension: this.dimension,
      address: (url, kind) => {
        const absolute = this.absolute(url);
        if (!absolute) return null;
        return kind === 'webPage' ? addresses.number({ kind: 'url', url: absolute }) : addresses.numberOfURL(absolute);
      },
      label: (place) => {
        const text = this.labelText(place);
        return { label: measureLabel(text), compact: measurePill(text) };
      },
      picture: (target) => pictureNumber(this.pictureKey(target)),
    };
  }

  /**
   * What a picture that places stand on is known by, here and in the engine.
   * @param {{ assetID: string, width: number }} target
   */
  pictureKey({ assetID, width }) {
    return `${this.assetURL(assetID) ?? assetID}@${width}`;
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
 * What a place is called in links and in the page: its id, else its number.
 * @param {Place} place
 * @param {number} index
 */
export function placeKey(place, index) {
  return place.id ?? `#${index}`;
}

/** A calm colour for each category, far apart for neighbours in the list. */
export function categoryHue(/** @type {number} */ number) {
  return (165 + (number - 1) * 137.5) % 360;
}
