// Where a world comes from: a world of a Sightline server, a file in the same form, a document of another format that the page's own
// server reads, or an object that the page made. No request says where the phone is. What is wrong is said with what to do.

import { soundWorld } from '../app/session/sound.js';
import { decoded } from '../app/core/router.js';
import { canBeFetched } from './anchors.js';
import { documentKind } from './document-kind.js';

/**
 * @typedef {import('../app/types').WorldAnswer} WorldAnswer
 * @typedef {import('../engine/types').FailureReason} FailureReason
 */

/** More than that is not read; a document of Sightline's own readers has 8 MiB at most. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A server that says nothing for that long says nothing. */
const TIMEOUT_MS = 30_000;

export class WorldError extends Error {
  /**
   * @param {string} code `world-address`, `world-missing`, `world-refused`, `world-unreachable`, `world-cross-origin`, `world-unreadable` or
   *   `world-too-large`
   * @param {string} message what is wrong with which world, and what to do
   * @param {FailureReason} reason the same, as the engine knows it
   */
  constructor(code, message, reason) {
    super(message);
    this.name = 'WorldError';
    this.code = code;
    this.reason = reason;
  }
}

/**
 * The address that a world is fetched from. The page of a Sightline server's world (`/#/world/ID`) and its document (`/worlds/ID.gddf`) lead
 * to its content.
 * @param {string | URL} given
 * @param {string} base that a relative one starts from
 * @returns {string} absolute
 * @throws {WorldError} when it is none
 */
export function sourceOf(given, base) {
  let url;
  try {
    url = new URL(given, base);
  } catch {
    throw fault('address', `${JSON.stringify(String(given))} is no address: give the one of a world`, { kind: 'refused' });
  }
  if (!canBeFetched(url)) {
    throw fault('address', `${url.protocol} cannot be fetched: give an address with https:`, { kind: 'refused' });
  }
  const id = /^#\/world\/([^/?&]+)/.exec(url.hash)?.[1] ?? /^\/worlds\/([^/]+)\.gddf$/.exec(url.pathname)?.[1];
  if (id) return new URL(`/api/v1/worlds/${encodeURIComponent(decoded(id))}`, url).href;
  if (/^#\/./.test(url.hash)) {
    throw fault('address', `${url.hash} is a page and no world: give the address of a world, such as ${url.origin}/#/world/ID`, { kind: 'refused' });
  }
  if (/^\/api\/v1\/osm\//.test(url.pathname)) {
    throw fault('address', 'what is around a position needs the position, and no world is told it: give the address of a world', { kind: 'refused' });
  }
  return url.href;
}

/**
 * @param {string} url absolute
 * @param {AbortSignal} signal
 * @returns {Promise<WorldAnswer>} rejects with a `WorldError`
 */
export async function fetchWorld(url, signal) {
  const life = new AbortController();
  const timer = setTimeout(() => life.abort(), TIMEOUT_MS);
  if (signal.aborted) life.abort();
  signal.addEventListener('abort', () => life.abort(), { signal: life.signal });
  try {
    return await fromAnywhere(url, life.signal);
  } catch (error) {
    if (!life.signal.aborted || signal.aborted) throw error;
    throw fault('unreachable', `${url} does not answer: see whether the server is there`, { kind: 'timedOut' });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function fromAnywhere(url, signal) {
  try {
    return await read(url, { headers: { accept: 'application/json, */*;q=0.5' } }, signal);
  } catch (error) {
    // Documents are read by Swift code on a server, which does this for its own pages alone.
    const isDocument = error instanceof WorldError && ['world-unreadable', 'world-cross-origin'].includes(error.code);
    if (!isDocument || !/^https?:/.test(url) || new URL(import.meta.url).origin !== location.origin) throw error;
    return openThroughServer(url, error, signal);
  }
}

/**
 * @param {string} url
 * @param {WorldError} first what came of asking for it directly
 * @param {AbortSignal} signal
 */
async function openThroughServer(url, first, signal) {
  const body = new URLSearchParams({ url, event: 'init', eventSrc: 'NULL' });
  const response = await fetch(new URL('/api/v1/open', import.meta.url), { method: 'POST', body, signal }).catch(() => null);
  const answer = /json/.test(response?.headers.get('content-type') ?? '') ? await response?.json().catch(() => null) : null;
  if (response?.ok) return worldOf(answer, url);
  // Only a Sightline server says why.
  if (answer?.code) throw fault(first.code.slice(PREFIX.length), `${url}: ${answer.detail ?? answer.code}`, first.reason);
  throw first;
}

/**
 * @param {unknown} answer
 * @param {string} url for what is said of it
 * @returns {WorldAnswer}
 */
export function worldOf(answer, url) {
  const world = soundWorld(answer);
  if (!world) throw unreadable(url, '');
  return world;
}

/**
 * @param {string} url
 * @param {RequestInit} init
 * @param {AbortSignal} signal
 * @returns {Promise<WorldAnswer>}
 */
async function read(url, init, signal) {
  let response;
  try {
    response = await fetch(url, { ...init, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw await unreachable(url, signal);
  }
  if (!response.ok) throw refused(url, response.status);
  const text = await textOf(response, url);
  const world = soundWorld(jsonOf(text));
  if (!world) throw unreadable(url, documentKind(text));
  return world;
}

/**
 * @param {Response} response
 * @param {string} url
 */
async function textOf(response, url) {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      void reader.cancel();
      throw tooLarge(url);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * A browser does not say why a request failed: a server that answers a request whose answer nobody reads is there, and only closed.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function unreachable(url, signal) {
  const { origin } = new URL(url);
  const isThere = origin !== location.origin && await fetch(url, { mode: 'no-cors', signal }).then(() => true, () => false);
  if (!isThere) {
    return fault('unreachable', `${url} does not answer: see whether the server is there, and whether the page's connect-src allows ${origin}`,
      { kind: 'network' });
  }
  return fault('cross-origin', `${origin} does not let pages of ${location.origin} read this: start a Sightline server with --allow-origin ` +
    `${location.origin}, let any other server send Access-Control-Allow-Origin`, { kind: 'network' });
}

/**
 * @param {string} url
 * @param {number} status
 */
function refused(url, status) {
  const reason = /** @type {const} */ ({ kind: 'status', status });
  if (status === 404 || status === 410) return fault('missing', `${url} is not there (${status}): see whether the address is right`, reason);
  if (status === 413) return tooLarge(url);
  if (status < 500) return fault('refused', `${url} is not for everybody (${status}): publish the world`, reason);
  return fault('unreachable', `${url} answers ${status}: try again later`, reason);
}

/** @param {string} text */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Documents of other formats are read by a server, for its own worlds and pages alone: it fetches nothing for others.
 * @param {string} url
 * @param {string} kind
 */
const unreadable = (url, kind) => fault('unreadable', `${url} is ${kind || 'no world'}${kind ? ', and no world' : ''} in Sightline's own form: a document ` +
  '(GDDF, KML, GeoJSON …) cannot be read in a page. Import it on a Sightline server, `sightline import FILE`; then give the address of the world ' +
  'there, https://SERVER/api/v1/worlds/ID', { kind: 'notAWorld' });

/** @param {string} url */
export const tooLarge = (url) => fault('too-large', `${url} is more than the engine takes: split it into several worlds`, { kind: 'malformed' });

const PREFIX = 'world-';

/**
 * @param {string} code
 * @param {string} message
 * @param {FailureReason} reason
 */
const fault = (code, message, reason) => new WorldError(PREFIX + code, message, reason);
