// Stops the user comes back to, kept on this device.

import { load, save } from '../core/storage.js';

/** @typedef {{ id: string, name: string }} Favourite */

const MOST = 50;

/** @returns {Favourite[]} */
export function favourites() {
  const kept = load('transit.favourites', /** @type {Favourite[]} */ ([]));
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.id === 'string' && typeof one.name === 'string') : [];
}

/** @param {string} id */
export const isFavourite = (id) => favourites().some((one) => one.id === id);

/**
 * @param {Favourite} stop
 * @returns {boolean} whether it is one now
 */
export function toggleFavourite({ id, name }) {
  const kept = favourites();
  const others = kept.filter((one) => one.id !== id);
  const isOne = others.length === kept.length;
  save('transit.favourites', isOne ? [{ id, name }, ...others].slice(0, MOST) : others);
  return isOne;
}
