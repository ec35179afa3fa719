// The engine knows addresses by number only; this table keeps what the numbers stand for.

import { decoded } from '../core/router.js';

/** @typedef {import('../types').WorldAddress} WorldAddress */

/** Schemes a world may send the user to, after asking. */
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:', 'geo:', 'sms:']);

export class AddressTable {
  /** @type {WorldAddress[]} */
  #addresses = [];
  /** @type {Map<string, number>} */
  #numbers = new Map();

  /**
   * @param {WorldAddress} address
   * @returns {number} the number it already has, or a new one
   */
  number(address) {
    const key = address.kind === 'url' ? `url ${address.url}` : `${address.kind} ${address.id}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#addresses.push(address) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /**
   * @param {string} url
   * @returns {number}
   */
  numberOfURL(url) {
    return this.number(worldAddress(url) ?? { kind: 'url', url });
  }

  /**
   * All addresses with their numbers; a world of the own server as `world:ID`.
   * @returns {[number, string][]}
   */
  list() {
    return this.#addresses.map((address, number) => [
      number,
      address.kind === 'url' ? address.url : `${address.kind}:${address.id}`,
    ]);
  }

  /** @param {number} number */
  get(number) {
    return this.#addresses[number] ?? null;
  }
}

/**
 * An address as people write it or a world names it: this server's own worlds are recognised and need no detour.
 * @param {string} text
 * @returns {WorldAddress | null} null if it is not an absolute address with a usable scheme
 */
export function worldAddress(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  if (!['http:', 'https:', 'gamaray:'].includes(url.protocol)) return null;
  if (url.origin === location.origin && !url.search) {
    const own = /^\/(?:worlds\/([^/]+)\.gddf|api\/v1\/worlds\/([^/]+))$/.exec(url.pathname);
    if (own) return { kind: 'world', id: decoded(own[1] ?? own[2]) };
    const topic = /^\/api\/v1\/osm\/([^/]+)$/.exec(url.pathname);
    if (topic) return { kind: 'osm', id: decoded(topic[1]) };
    if (url.pathname === '/api/v1/transit/stops') return { kind: 'transit', id: 'stops' };
  }
  return { kind: 'url', url: text.trim() };
}

/**
 * @param {string} text
 * @returns {URL | null} null if it must not be opened
 */
export function allowedLink(text) {
  try {
    const url = new URL(text);
    return LINK_SCHEMES.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
