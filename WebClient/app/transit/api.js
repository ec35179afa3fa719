// The server's interface for public transport. Positions go in bodies, never in addresses.

import { language } from '../core/i18n.js';
import { getJSON } from '../net/request.js';

/**
 * @typedef {import('./types').Answer} Answer
 * @typedef {{ latitude: number, longitude: number }} Position
 */

/**
 * @param {string} name
 * @param {object} question
 * @param {AbortSignal} [signal]
 */
function ask(name, question, signal) {
  return getJSON(`/api/v1/transit/${name}`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
}

/**
 * @param {Position} position
 * @param {{ limit: number, radius?: number }} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export function fetchStops({ latitude, longitude }, options, signal) {
  return ask('stops', { latitude, longitude, ...options, language: language() }, signal);
}

/**
 * Stops by a part of their name, wherever they are.
 * @param {Position} position where from
 * @param {string} query
 * @param {number} limit
 * @returns {Promise<Answer>}
 */
export function findStops({ latitude, longitude }, query, limit) {
  return ask('stops', { latitude, longitude, query: query.slice(0, 60), limit, language: language() });
}

/**
 * @param {string[]} stops ids
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export function fetchBoards(stops, signal) {
  return ask('departures', { stops, limit: 40, language: language() }, signal);
}

/**
 * @param {Position} position
 * @param {number} radius metres
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ now: string, vehicles: import('./types').Vehicle[] }>}
 */
export function fetchVehicles({ latitude, longitude }, radius, signal) {
  return ask('vehicles', { latitude, longitude, radius, limit: 200 }, signal);
}

/**
 * @param {Position} position
 * @param {number} radius metres
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ lines: import('./types').ShapeLine[] }>}
 */
export function fetchShapes({ latitude, longitude }, radius, signal) {
  return ask('shapes', { latitude, longitude, radius }, signal);
}

/**
 * @param {Position} position
 * @param {number} radius metres
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attribution: { text: string, url: string | null } | null, paths: number[][] }>}
 */
export function fetchStreets({ latitude, longitude }, radius, signal) {
  return ask('streets', { latitude, longitude, radius }, signal);
}

/** @returns {Promise<import('./types').Providers>} */
export function fetchProviders() {
  return getJSON('/api/v1/transit/providers');
}

/**
 * Keeps boards up to date by the server's events; asks again and again where there are none.
 * @param {string[]} stops ids
 * @param {{ board: (answer: Answer) => void, state: (state: 'live' | 'lost') => void }} listener
 * @returns {() => void} ends it
 */
export function followBoards(stops, listener) {
  const life = new AbortController();
  /** @type {EventSource | null} */
  let source = null;
  let wait = 0;

  const again = () => {
    source?.close();
    source = null;
    if (life.signal.aborted) return;
    listener.state('lost');
    wait = Math.min(30_000, wait ? wait * 2 : 2000);
    setTimeout(() => void open(), wait);
  };

  const open = async () => {
    if (life.signal.aborted) return;
    try {
      const { url } = await ask('stream', { stops, limit: 40, language: language() }, life.signal);
      if (life.signal.aborted) return;
      source = new EventSource(url);
      source.addEventListener('board', (event) => {
        wait = 0;
        listener.state('live');
        listener.board(JSON.parse(event.data));
      });
      source.addEventListener('end', again);
      source.onerror = () => source?.readyState === EventSource.CLOSED && again();
    } catch {
      if (!life.signal.aborted) again();
    }
  };
  void open();
  return () => {
    life.abort();
    source?.close();
  };
}
