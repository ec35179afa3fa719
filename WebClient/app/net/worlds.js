// Worlds as the server has them, or as they were saved here.

import { savedWorld } from '../offline/saved.js';
import { soundWorld } from '../session/sound.js';
import { localWorld } from './local-worlds.js';
import { getJSON, RequestError } from './request.js';

/**
 * @typedef {import('../types').WorldEntry} WorldEntry
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').WorldAddress} WorldAddress
 */

/** @returns {Promise<WorldEntry[]>} */
export async function fetchWorlds() {
  const answer = await getJSON('/api/v1/worlds');
  return Array.isArray(answer.worlds) ? answer.worlds : [];
}

/**
 * @param {string} id
 * @returns {Promise<boolean>} false only when the server says so, and there is no copy on this phone
 */
export async function worldExists(id) {
  try {
    await getJSON(`/api/v1/worlds/${encodeURIComponent(id)}`);
    return true;
  } catch (error) {
    const isUnknown = error instanceof RequestError && error.reason.kind === 'status' && error.reason.status === 404;
    return !isUnknown || (await savedWorld({ kind: 'world', id })) !== null;
  }
}

/**
 * @param {WorldAddress} address
 * @param {[string, string][]} fields of the GDDF request
 * @param {AbortSignal} signal
 * @returns {Promise<WorldAnswer>}
 */
export async function requestWorld(address, fields, signal) {
  if (address.kind === 'tour' || address.kind === 'around') {
    const own = localWorld(address.id, fields);
    if (!own) throw new RequestError({ kind: 'notAWorld' });
    return own;
  }
  if (address.kind === 'transit') return sound(await (await import('../transit/layer.js')).stopsWorld(fields, signal));
  if (address.kind === 'draft') return sound(await orSaved(address, fields, draftOf(address.id, signal)));
  const path = address.kind === 'url'
    ? '/api/v1/open'
    : `/api/v1/${address.kind === 'osm' ? 'osm' : 'worlds'}/${encodeURIComponent(address.id)}`;
  const all = address.kind === 'url' ? [/** @type {[string, string]} */ (['url', address.url]), ...fields] : fields;
  return sound(await orSaved(address, fields, request(path, all, signal)));
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function draftOf(id, signal) {
  const draft = await getJSON(`/api/v1/studio/worlds/${encodeURIComponent(id)}`, { signal });
  if (!draft?.dimension) throw new RequestError({ kind: 'notAWorld' });
  return { world: { ...draft.world, url: location.origin }, dimension: draft.dimension, problems: [] };
}

/**
 * The copy on this phone, where the world itself is out of reach. What is shown already is newer than any copy: a refresh that
 * fails has none.
 * @param {WorldAddress} address
 * @param {[string, string][]} fields
 * @param {Promise<unknown>} coming
 */
async function orSaved(address, fields, coming) {
  try {
    return await coming;
  } catch (error) {
    const isOutOfReach = error instanceof RequestError && (error.reason.kind === 'network' || error.reason.kind === 'timedOut' ||
      (error.reason.kind === 'status' && error.reason.status >= 502));
    const isFirst = fields.some(([name, value]) => name === 'event' && value === 'init');
    const copy = isOutOfReach && isFirst ? await savedWorld(address) : null;
    if (!copy) throw error;
    return copy;
  }
}

/**
 * @param {unknown} answer
 * @returns {WorldAnswer}
 */
function sound(answer) {
  const world = soundWorld(answer);
  if (!world) throw new RequestError({ kind: 'notAWorld' });
  return world;
}

/**
 * @param {string} path
 * @param {[string, string][]} all
 * @param {AbortSignal} signal
 */
function request(path, all, signal) {
  return getJSON(path, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encodeForm(all),
  });
}

/**
 * Form encoding with `%20` for blanks: some servers of the protocol's time do not know `+`.
 * @param {[string, string][]} fields
 */
export function encodeForm(fields) {
  return fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
