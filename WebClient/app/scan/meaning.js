// What the text of a code leads to. Nothing is opened here, and nothing without the user's tap.

import { parseRoute } from '../core/router.js';
import { allowedLink, worldAddress } from '../net/addresses.js';

/**
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{ kind: 'here', url: string, anchor: import('../../engine/anchors.js').Survey | null }
 *   | { kind: 'world', address: WorldAddress, host: string, page: string | null }
 *   | { kind: 'page', url: string, host: string, address: WorldAddress }
 *   | { kind: 'link', url: string }
 *   | { kind: 'text' }} Meaning `here` is an address of this very client; a `world` may have a web page's address as well
 */

/** Endings of files that are worlds. */
const WORLD = /\.(gddf|kml|kmz|arml|geojson|xml|json)$/i;

/**
 * @param {string} text
 * @param {Location | URL} [here]
 * @returns {Meaning}
 */
export function meaningOf(text, here = location) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    return { kind: 'text' };
  }
  switch (url.protocol) {
    case 'sightline:':
      return ofSightline(url, here);
    case 'gamaray:':
      return url.host ? ofWorld(url.href, url.host, null) : { kind: 'text' };
    case 'http:':
    case 'https:': {
      const address = worldAddress(url.href);
      if (!address) return { kind: 'text' };
      if (address.kind === 'world') return { kind: 'world', address, host: url.host, page: null };
      if (url.origin === here.origin) return hereAt(url.href);
      return WORLD.test(url.pathname)
        ? { kind: 'world', address, host: url.host, page: url.href }
        : { kind: 'page', url: url.href, host: url.host, address };
    }
    default:
      return allowedLink(url.href) ? { kind: 'link', url: url.href } : { kind: 'text' };
  }
}

/**
 * An address of this client; one that says where its code hangs may be an anchor.
 * @param {string} url
 * @returns {Meaning}
 */
function hereAt(url) {
  const { address, anchor } = parseRoute(new URL(url).hash);
  return { kind: 'here', url, anchor: address ? anchor : null };
}

/**
 * `sightline:world/ID` leads into this client, `sightline://HOST/world/ID` into the one at that host.
 * @param {URL} url
 * @param {Location | URL} here
 * @returns {Meaning}
 */
function ofSightline(url, here) {
  const { host } = url;
  const path = (host ? url.pathname : url.pathname.replace(/^\/*/, '/')).slice(1) + url.search;
  if (!path) return { kind: 'text' };
  if (!host || host === here.host) return hereAt(`${here.origin}/#/${path}`);
  const target = `https://${host}/#/${path}`;
  return { kind: 'page', url: target, host, address: { kind: 'url', url: target } };
}

/**
 * @param {string} url
 * @param {string} host
 * @param {string | null} page
 * @returns {Meaning}
 */
function ofWorld(url, host, page) {
  const address = worldAddress(url);
  return address ? { kind: 'world', address, host, page } : { kind: 'text' };
}
