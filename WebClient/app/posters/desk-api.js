// The catalogue for those who fill it.

import { send, uploadAsset } from '../accounts/account-api.js';

/**
 * @typedef {import('./api.js').Poster} Poster
 * @typedef {{ poster: Poster, owner?: string | null, revision: number, warnings: { path: string, message: string }[] }} DeskPoster
 * @typedef {{ id?: string, title: string, artist: string, text: string, categories: string[], shop: string, picture?: string,
 *   sizes: { name?: string, width: number, height: number, price?: { amount: string, currency: string } }[] }} PosterDraft
 */

const one = (/** @type {string} */ id) => `/api/v1/posters/${encodeURIComponent(id)}`;

/**
 * @param {boolean} everybody also those of others and imported ones, for operators
 * @returns {Promise<{ posters: DeskPoster[], limit: number }>}
 */
export const listDesk = async (everybody) => (await send('GET', `/api/v1/studio/posters${everybody ? '?all=1' : ''}`)).json();

/** @param {string} id @returns {Promise<DeskPoster>} */
export const openDesk = async (id) => (await send('GET', `/api/v1/studio/posters/${encodeURIComponent(id)}`)).json();

/** @param {PosterDraft} draft @returns {Promise<DeskPoster>} */
export const addPoster = async (draft) => (await send('POST', '/api/v1/posters', { json: draft, slow: true })).json();

/**
 * @param {string} id
 * @param {number} revision the one that was changed
 * @param {PosterDraft} draft
 * @returns {Promise<DeskPoster>}
 */
export const changePoster = async (id, revision, draft) =>
  (await send('PUT', one(id), { json: draft, headers: { 'if-match': `"p${revision}"` }, slow: true })).json();

/** @param {string} id */
export const removePoster = (id) => send('DELETE', one(id));

/**
 * A picture for a poster, as large as it may be.
 * @param {Blob} file
 */
export const uploadPicture = (file) => uploadAsset(file, undefined, 4096);
