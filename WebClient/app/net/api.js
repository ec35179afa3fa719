// The server's HTTP interface: requests out, JSON or a plain reason back.

import { savedWorld } from '../offline/offline.js';
import { localWorld } from './local-worlds.js';

/**
 * @typedef {import('../types').WorldEntry} WorldEntry
 * @typedef {import('../types').WorldAnswer} WorldAnswer
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {import('../types').ServerSettings} ServerSettings
 * @typedef {import('../../engine/types').FailureReason} FailureReason
 */

const TIMEOUT_MS = 30_000;

/** What went wrong, in the engine's terms, with the server's own sentence if it gave one. */
export class RequestError extends Error {
  /**
   * @param {FailureReason} reason
   * @param {string} [detail]
   */
  constructor(reason, detail) {
    super(detail ?? reason.kind);
    this.name = 'RequestError';
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
export async function getJSON(path, init = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
  init.signal?.addEventListener('abort', () => limit.abort());
  try {
    const response = await fetch(path, {
      ...init,
      signal: limit.signal,
      headers: { accept: 'application/json', ...init.headers },
    });
    if (!response.ok) throw await problem(response);
    return await response.json();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (init.signal?.aborted) throw error;
    if (limit.signal.aborted) throw new RequestError({ kind: 'timedOut' });
    // A TypeError is the browser's word for "no answer"; a SyntaxError an answer that is not JSON.
    throw new RequestError(error instanceof SyntaxError ? { kind: 'malformed' } : { kind: 'network' });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Turns an RFC 9457 answer into a reason. The `code` member tells apart what a status cannot.
 * @param {Response} response
 */
async function problem(response) {
  /** @type {{ code?: string, detail?: string, title?: string }} */
  let body = {};
  try {
    if (/json/.test(response.headers.get('content-type') ?? '')) body = await response.json();
  } catch {
    // An error page without a readable body still has its status.
  }
  const detail = body.detail ?? body.title;
  const code = body.code ?? '';
  /** @type {FailureReason} */
  let reason = { kind: 'status', status: response.status };
  if (/unreadable/.test(code)) reason = { kind: 'malformed' };
  else if (/unreachable|unresolved|tls/.test(code)) reason = { kind: 'network' };
  else if (response.status === 403 || /scheme|userinfo|port|host/.test(code)) reason = { kind: 'refused' };
  else if (/timeout/.test(code) || response.status === 504) reason = { kind: 'timedOut' };
  return new RequestError(reason, detail);
}

/** @returns {Promise<WorldEntry[]>} */
export async function fetchWorlds() {
  const answer = await getJSON('/api/v1/worlds');
  return Array.isArray(answer.worlds) ? answer.worlds : [];
}

/** @type {Promise<ServerSettings> | null} */
let settings = null;

/** Fetched once; without an answer there are no tiles and everything else works. */
export function fetchSettings() {
  settings ??= getJSON('/api/v1/settings').catch(() => {
    settings = null;
    return { tiles: null };
  });
  return settings;
}

/**
 * @param {WorldAddress} address
 * @param {[string, string][]} fields of the GDDF request
 * @param {AbortSignal} signal
 * @returns {Promise<WorldAnswer>}
 */
export async function requestWorld(address, fields, signal) {
  if (address.kind === 'draft') {
    const draft = await getJSON(`/api/v1/studio/worlds/${encodeURIComponent(address.id)}`, { signal });
    if (!draft?.dimension) throw new RequestError({ kind: 'notAWorld' });
    return { world: { ...draft.world, url: location.origin }, dimension: draft.dimension, problems: [] };
  }
  if (address.kind === 'tour') {
    const own = localWorld(address.id);
    if (!own) throw new RequestError({ kind: 'notAWorld' });
    return own;
  }
  const path = address.kind === 'url'
    ? '/api/v1/open'
    : `/api/v1/${address.kind === 'osm' ? 'osm' : 'worlds'}/${encodeURIComponent(address.id)}`;
  const all = address.kind === 'url' ? [/** @type {[string, string]} */ (['url', address.url]), ...fields] : fields;
  const answer = await request(path, all, signal).catch(async (error) => {
    const unreachable = error instanceof RequestError && (error.reason.kind === 'network' || error.reason.kind === 'timedOut');
    const copy = unreachable && address.kind === 'world' ? await savedWorld(address.id) : null;
    if (!copy) throw error;
    return copy;
  });
  if (!answer?.dimension || !Array.isArray(answer.dimension.places)) throw new RequestError({ kind: 'notAWorld' });
  return answer;
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
