// The studio's requests.

import { send } from '../accounts/account-api.js';

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {{ id: string, title: string, owner: string, mayShare: boolean, members: string[], version: number,
 *   published: number | null, places: number, saved: string, savedBy: string }} StudioWorld
 * @typedef {{ number: number, base: number, saved: string, author: string, places: number }} StudioCopy
 * @typedef {{ version: number, saved: string, author: string, title: string, places: number, published: boolean,
 *   wasPublished: boolean }} StudioDraft
 * @typedef {{ world: StudioWorld, version: number, dimension: Dimension, copies: StudioCopy[] }} OpenWorld
 * @typedef {{ path: string, base?: any, mine?: any, theirs?: any }} Conflict
 */

const root = '/api/v1/studio/worlds';
const one = (/** @type {string} */ id) => `${root}/${encodeURIComponent(id)}`;
const json = async (/** @type {Promise<Response>} */ answer) => (await answer).json();

/**
 * @param {boolean} everybody also those of others, for operators
 * @returns {Promise<StudioWorld[]>}
 */
export const listWorlds = async (everybody) => (await json(send('GET', everybody ? `${root}?all=1` : root))).worlds;

/**
 * @param {{ title?: string, language?: string, from?: string, adopt?: boolean, dimension?: Dimension }} given
 * @returns {Promise<OpenWorld>}
 */
export const makeWorld = (given) => json(send('POST', root, { json: given }));

/** @param {string} id @returns {Promise<OpenWorld>} */
export const openWorld = (id) => json(send('GET', one(id)));

/**
 * @param {string} id
 * @param {number} version
 * @returns {Promise<OpenWorld | null>} null when that is the latest
 */
export async function newerWorld(id, version) {
  const answer = await send('GET', one(id), { headers: { 'if-none-match': `"v${version}"` } });
  return answer.status === 304 ? null : answer.json();
}

/**
 * @param {string} id
 * @param {number} base the version it was made from
 * @param {Dimension} dimension
 * @returns {Promise<{ version: number, dimension?: Dimension }>} `dimension` when changes of others are in it too
 */
export const saveWorld = (id, base, dimension) =>
  json(send('PUT', one(id), { json: dimension, headers: { 'if-match': `"v${base}"` } }));

/** @param {string} id */
export const removeWorld = (id) => send('DELETE', one(id));

/**
 * @param {string} id
 * @param {number} version
 * @returns {Promise<{ published: number, version: number, address: string }>}
 */
export const publishWorld = (id, version) => json(send('POST', `${one(id)}/publish`, { json: { version } }));

/** @param {string} id */
export const withdrawWorld = (id) => send('DELETE', `${one(id)}/publish`);

/** @param {string} id @param {string[]} names @returns {Promise<OpenWorld>} */
export const setMembers = (id, names) => json(send('PUT', `${one(id)}/members`, { json: { names } }));

/** @param {string} id @returns {Promise<{ drafts: StudioDraft[], copies: StudioCopy[] }>} */
export const worldHistory = (id) => json(send('GET', `${one(id)}/history`));

/** @param {string} id @param {number} version @returns {Promise<Dimension>} */
export const earlierDraft = async (id, version) => (await json(send('GET', `${one(id)}/history/${version}`))).dimension;

/** @param {string} id @param {number} number @returns {Promise<Dimension>} */
export const keptCopy = async (id, number) => (await json(send('GET', `${one(id)}/copies/${number}`))).dimension;

/** @param {string} id @param {number} number */
export const removeCopy = (id, number) => send('DELETE', `${one(id)}/copies/${number}`);

/** @param {string} id @param {string} format */
export const exportAddress = (id, format) => `${one(id)}/export?format=${encodeURIComponent(format)}`;

/**
 * @param {File} file
 * @returns {Promise<{ format: string, dimension: Dimension, problems: import('../types').Problem[] }>}
 */
export const readFile = (file) =>
  json(send('POST', `/api/v1/studio/read?name=${encodeURIComponent(file.name)}`, { file, slow: true }));

/** @param {string} id @param {'svg' | 'pdf' | 'png'} format */
export const codeAddress = (id, format) => `/api/v1/worlds/${encodeURIComponent(id)}/code?format=${format}`;
