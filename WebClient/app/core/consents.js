// What the user has allowed other websites: to hear where this phone is, and to show a page of theirs inside a world.
// Asked once a host. A permission is kept on this device until it is taken back; a "not now" holds for this visit.

import { forgetVisitorID, load, save } from './storage.js';

/**
 * @typedef {'position' | 'frames'} ConsentKind
 * @typedef {'allowed' | 'refused' | 'unknown'} Answer
 */

const KEY = 'consents';
/** Hosts that are remembered; the oldest make room. */
const MOST_HOSTS = 200;

/**
 * What was refused or asked for in this visit, by host.
 * @type {Map<string, Map<ConsentKind, Answer>>}
 */
const visit = new Map();
/** @type {Set<(kind: ConsentKind, host: string, isAllowed: boolean) => void>} */
const listeners = new Set();

/**
 * The host of an address, with its port where that is not the usual one; '' when the address has none. `gamaray:` is
 * another name for `http:`.
 * @param {string} url absolute
 */
export function hostOf(url) {
  try {
    const { protocol, host } = new URL(url.trim().replace(/^gamaray:/i, 'http:'));
    return protocol === 'http:' || protocol === 'https:' ? host : '';
  } catch {
    return '';
  }
}

/**
 * Whether an address is one of the server that this page came from.
 * @param {string} url absolute
 */
export function isOwnServer(url) {
  try {
    return new URL(url.trim().replace(/^gamaray:/i, 'http:')).origin === location.origin;
  } catch {
    return false;
  }
}

/** @returns {Map<string, Set<ConsentKind>>} what is allowed, by host, in the order in which it was */
function kept() {
  const stored = load(KEY, /** @type {unknown[]} */ ([]));
  /** @type {Map<string, Set<ConsentKind>>} */
  const found = new Map();
  for (const entry of stored.slice(-MOST_HOSTS)) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') continue;
    const kinds = entry.slice(1).filter((kind) => kind === 'position' || kind === 'frames');
    if (kinds.length) found.set(entry[0], new Set(kinds));
  }
  return found;
}

/**
 * @param {ConsentKind} kind
 * @param {string} host as `hostOf` gives it
 * @returns {Answer}
 */
export function consent(kind, host) {
  if (!host) return 'refused';
  if (kept().get(host)?.has(kind)) return 'allowed';
  return visit.get(host)?.get(kind) ?? 'unknown';
}

/**
 * @param {ConsentKind} kind
 * @param {string} host
 * @param {boolean} isAllowed a withdrawn position also ends the number by which the host knows this browser
 */
export function setConsent(kind, host, isAllowed) {
  if (!host) return;
  const all = kept();
  const kinds = all.get(host) ?? new Set();
  if (isAllowed) kinds.add(kind);
  else kinds.delete(kind);
  // The latest stands last, so that the oldest goes first.
  all.delete(host);
  if (kinds.size) all.set(host, kinds);
  save(KEY, all.size ? [...all].slice(-MOST_HOSTS).map(([name, allowed]) => [name, ...allowed]) : undefined);
  note(kind, host, isAllowed ? 'unknown' : 'refused');
  if (kind === 'position' && !isAllowed) forgetVisitorID(host);
  for (const listener of [...listeners]) listener(kind, host, isAllowed);
}

/**
 * Makes a host appear in the list of this visit, though nothing is decided.
 * @param {ConsentKind} kind
 * @param {string} host
 */
export function noteAsked(kind, host) {
  if (host && !visit.get(host)?.has(kind)) note(kind, host, 'unknown');
}

/**
 * @param {ConsentKind} kind
 * @param {string} host
 * @param {Answer} answer of this visit
 */
function note(kind, host, answer) {
  const answers = visit.get(host) ?? new Map();
  answers.set(kind, answer);
  visit.delete(host);
  visit.set(host, answers);
  // A stranger's world could name hosts without end.
  while (visit.size > MOST_HOSTS) visit.delete(/** @type {string} */ (visit.keys().next().value));
}

/**
 * Hosts that were allowed something, or asked about in this visit.
 * @returns {{ host: string, position: Answer, frames: Answer }[]} by name
 */
export function consents() {
  const hosts = [...new Set([...kept().keys(), ...visit.keys()])].sort();
  return hosts.map((host) => ({ host, position: consent('position', host), frames: consent('frames', host) }));
}

/** Takes back everything, of all hosts. */
export function withdrawAll() {
  for (const { host, position, frames } of consents()) {
    if (position === 'allowed') setConsent('position', host, false);
    if (frames === 'allowed') setConsent('frames', host, false);
  }
}

/**
 * @param {(kind: ConsentKind, host: string, isAllowed: boolean) => void} listener called after each change
 * @param {AbortSignal} [until] takes the listener off again
 */
export function onConsent(listener, until) {
  listeners.add(listener);
  until?.addEventListener('abort', () => listeners.delete(listener));
}
