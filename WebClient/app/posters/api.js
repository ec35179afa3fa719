// The catalogue of posters: the server's, and what is kept on this device.

import { Emitter } from '../core/emitter.js';
import { language, t } from '../core/i18n.js';
import { load, save } from '../core/storage.js';
import { getJSON } from '../net/request.js';
import { ownBlob, ownPosters, ownReady } from './own.js';

/**
 * @typedef {{ url: string, width: number, height: number }} PosterPicture
 * @typedef {{ name: string, width: number, height: number, price?: { amount: string, currency: string } }} PosterSize
 *   `width` and `height` of the paper, millimetres
 * @typedef {{ id: string, title: string, artist?: string, text?: string, categories: string[], sizes: PosterSize[],
 *   shop?: string, pictures: PosterPicture[], color: string, isOwn?: boolean }} Poster
 * @typedef {{ posters: Poster[], total: number, next?: string | null }} PosterPage
 * @typedef {{ query?: string, category?: string, order?: string, after?: string, limit?: number }} PosterQuestion
 */

/**
 * @param {PosterQuestion} question
 * @param {AbortSignal} [signal]
 * @returns {Promise<PosterPage>}
 */
export async function fetchPosters(question, signal) {
  const fields = Object.entries(question).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  return getJSON(`/api/v1/posters?${query}`, { signal });
}

/**
 * @param {string} id
 * @returns {Promise<{ poster: Poster, similar: Poster[] }>}
 */
export async function fetchPoster(id) {
  await ownReady();
  const own = ownPosters.get(id);
  if (own) return { poster: own, similar: [] };
  return getJSON(`/api/v1/posters/${encodeURIComponent(id)}`);
}

/** @returns {Promise<{ name: string, count: number }[]>} */
export async function fetchCategories() {
  return (await getJSON('/api/v1/poster-categories')).categories;
}

/**
 * Posters by their identifiers, own ones among them, in this order.
 * @param {string[]} ids
 * @returns {Promise<Poster[]>}
 */
export async function fetchChosen(ids) {
  await ownReady();
  const wanted = ids.filter((id) => !ownPosters.has(id));
  /** @type {Map<string, Poster>} */
  const found = new Map(ownPosters);
  for (let start = 0; start < wanted.length; start += 100) {
    const query = new URLSearchParams({ ids: wanted.slice(start, start + 100).join(',') });
    const { posters } = /** @type {PosterPage} */ (await getJSON(`/api/v1/posters?${query}`));
    for (const poster of posters) found.set(poster.id, poster);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * The narrowest picture that fills a width.
 * @param {Poster} poster
 * @param {number} pixels device pixels
 */
export function pictureFor(poster, pixels) {
  return poster.pictures.find(({ width }) => width >= pixels) ?? poster.pictures[poster.pictures.length - 1];
}

/**
 * The bytes of a poster's picture.
 * @param {Poster} poster
 * @param {number} pixels wanted width
 * @returns {Promise<Blob>}
 */
export async function pictureBlob(poster, pixels) {
  const own = ownBlob(poster.id);
  if (own) return own;
  const { url } = pictureFor(poster, pixels);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.blob();
}

/** @param {Poster} poster width over height of the picture */
export function aspectOf(poster) {
  const last = poster.pictures[poster.pictures.length - 1];
  return last.width / last.height;
}

/** @param {PosterSize} size */
export function priceText({ price }) {
  return price ? moneyText(Number(price.amount), price.currency) : '';
}

/**
 * @param {number} amount
 * @param {string} currency three letters, such as `EUR`
 */
export function moneyText(amount, currency) {
  try {
    return new Intl.NumberFormat(language(), { style: 'currency', currency }).format(amount);
  } catch {
    return `${amount.toFixed(2)} ${currency}`;
  }
}

/** @param {PosterSize} size */
export function measuresText({ width, height }) {
  const format = new Intl.NumberFormat(language(), { maximumFractionDigits: 1 });
  return t('posters.measures', { width: format.format(width / 10), height: format.format(height / 10) });
}

/** @param {PosterSize} size its name, and its measures when the name does not say them */
export function sizeText(size) {
  return /\d\s*[×x]\s*\d/.test(size.name) ? size.name : `${size.name} · ${measuresText(size)}`;
}

/**
 * What somebody marked, kept on this device alone.
 * @extends {Emitter<{ change: void }>}
 */
class Favourites extends Emitter {
  /** @returns {string[]} the latest first */
  get ids() {
    const ids = load('posters.favourites', /** @type {string[]} */ ([]));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  }

  /** @param {string} id */
  has(id) {
    return this.ids.includes(id);
  }

  /** @param {string} id */
  toggle(id) {
    const ids = this.ids;
    save('posters.favourites', ids.includes(id) ? ids.filter((each) => each !== id) : [id, ...ids].slice(0, 500));
    this.emit('change', undefined);
  }
}

export const favourites = new Favourites();
