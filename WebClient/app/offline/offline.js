// Saving on this phone what a tour or a world needs to open without a network: the client itself, pictures and models,
// and the map of its area if the operator has set up a map server.

import { Places } from '../../engine/places.js';
import { tileAddress } from '../map/ground/source.js';
import { pictureSource } from '../net/assets.js';
import { fetchSettings } from '../net/settings.js';
import { sharedEngine } from '../session/shared-engine.js';
import { savedPath, WORLDS } from './saved.js';

export { canSave } from './saved.js';

/** @typedef {{ latitude: number, longitude: number }} Point */

/** Zoom levels of the map that are kept: a town, down to its streets. */
const ZOOMS = [14, 15, 16, 17];
/** Metres around the places that are kept as well. */
const MARGIN = 250;
/** Most map pictures for one place: public servers are not there to be emptied. */
const MOST_TILES = 200;

/**
 * @param {{ assets: string[], foreign?: string[], points: Point[], progress?: (share: number) => void }} wanted `assets` are files of
 *   this server, `foreign` addresses of others' files on it, `points` where the places are
 * @returns {Promise<number>} bytes that were fetched; rejects when not everything could be had
 */
export async function saveHere({ assets, foreign = [], points, progress }) {
  await navigator.serviceWorker.register('/sw.js');
  const { active } = await navigator.serviceWorker.ready;
  if (!active) throw new Error('no service worker');
  const source = mapSource(await fetchSettings());
  const addresses = source ? tileAddresses(source, points, (await sharedEngine()).part(Places)) : [];
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (data.error) reject(new Error(data.error));
      else if (data.bytes !== undefined) resolve(data.bytes);
      else progress?.(data.done / data.total);
    };
    active.postMessage({ assets, foreign, tiles: addresses }, [port2]);
  });
}

/**
 * Where the map's pictures or tiles come from: the server that the operator has set, or his own map.
 * @param {import('../types').ServerSettings} settings
 * @returns {{ url: string, zooms: number[] } | null}
 */
function mapSource({ tiles, ground }) {
  if (tiles) return { url: tiles.url, zooms: ZOOMS.filter((zoom) => zoom <= tiles.maxZoom) };
  return ground ? { url: tileAddress(ground), zooms: ground.zooms.filter((zoom) => zoom >= 12) } : null;
}

/**
 * Map pictures around points, coarse ones first, as far as the limit goes.
 * @param {{ url: string, zooms: number[] }} source
 * @param {Point[]} points
 * @param {Pick<Places, 'onMap'>} places
 * @returns {string[]}
 */
export function tileAddresses(source, points, places) {
  const found = new Set();
  const known = points.filter(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
  for (const zoom of source.zooms) {
    const side = 2 ** zoom;
    for (const point of known) {
      const at = places.onMap(point);
      const reach = MARGIN / at.side;
      const row = (/** @type {number} */ y) => Math.max(0, Math.min(side - 1, Math.floor(y * side)));
      for (let x = Math.floor((at.x - reach) * side); x <= Math.floor((at.x + reach) * side); x++) {
        for (let y = row(at.y - reach); y <= row(at.y + reach); y++) {
          if (found.size >= MOST_TILES) return [...found];
          const column = ((x % side) + side) % side;
          // As Leaflet chooses among several hosts.
          const host = 'abc'[Math.abs(column + y) % 3];
          found.add(source.url.replace('{z}', String(zoom)).replace('{x}', String(column)).replace('{y}', String(y)).replace('{s}', host));
        }
      }
    }
  }
  return [...found];
}

// ---- Worlds ----

/** Worlds that are kept, and the largest document; the oldest make room. */
const MOST_WORLDS = 40;
const LARGEST_WORLD = 32 * 1024 * 1024;
/** Files of one world that are kept. */
const MOST_FILES = 1000;
/** A file of this server's worlds: its address is the hash of what it holds. */
const FILE = /^\/assets\/[0-9a-f]{64}$/;
/** What the page asks this server for in place of other hosts. */
const FOREIGN = '/api/v1/asset?url=';

/**
 * The files of this server that a world shows: never anything else that it names, for a stranger writes these addresses.
 * @param {import('../types').Dimension} dimension
 * @param {string} [origin] of this server
 * @returns {string[]} paths, each once
 */
export function ownFiles({ assets, places, soundURL }, origin = location.origin) {
  const named = [
    ...assets.map(({ url }) => url), ...places.flatMap(({ imageURL, soundURL: heard }) => [imageURL ?? [], heard ?? []].flat()), ...(soundURL ? [soundURL] : []),
  ];
  /** @type {Set<string>} */
  const found = new Set();
  for (const text of named) {
    /** @type {URL} */
    let url;
    if (found.size >= MOST_FILES) break;
    try {
      url = new URL(text, origin);
    } catch {
      continue;
    }
    if (url.origin === origin && !url.search && FILE.test(url.pathname)) found.add(url.pathname);
  }
  return [...found];
}

/**
 * Pictures, models and sounds of a world that are elsewhere, as this page asks its own server for them.
 * @param {import('../types').Dimension} dimension
 * @param {(url: string) => string | undefined} absolute
 * @returns {string[]} addresses, each once
 */
export function foreignFiles({ assets, places, soundURL }, absolute) {
  /** @type {Set<string>} */
  const found = new Set();
  const named = places.flatMap(({ imageURL, soundURL: heard }) => [imageURL, heard]);
  for (const text of [...assets.map(({ url }) => url), ...named, soundURL]) {
    const url = text && absolute(text);
    if (found.size >= MOST_FILES) break;
    if (!url || !/^(https?|gamaray):/i.test(url)) continue;
    const source = pictureSource(url);
    if (source.startsWith(FOREIGN)) found.add(source);
  }
  return [...found];
}

/**
 * Keeps an open world with all it shows.
 * @param {import('../session/content.js').Content} content
 * @param {(share: number) => void} [progress]
 */
export async function saveWorld(content, progress) {
  const { address } = content;
  const path = savedPath(address);
  if (!path) throw new Error(`${address.kind}: made here, and always there`);
  // A world of this server is fetched whole; of others it is what they answered here.
  const answer = address.kind === 'world' ? await fetch(path, { headers: { accept: 'application/json' } })
    : new Response(JSON.stringify(content.answer), { headers: { 'content-type': 'application/json', date: new Date().toUTCString() } });
  if (!answer.ok) throw new Error(String(answer.status));
  const world = await answer.clone().json();
  const dimension = /** @type {import('../types').Dimension} */ (world.dimension);
  const document = await answer.clone().blob();
  if (document.size > LARGEST_WORLD) throw new Error(`${document.size} bytes`);
  await saveHere({
    assets: ownFiles(dimension), foreign: foreignFiles(dimension, (url) => content.absolute(url)),
    points: dimension.places.flatMap(({ position }) => position ?? []), progress,
  });
  const cache = await caches.open(WORLDS);
  await cache.delete(path);
  await cache.put(path, answer);
  for (const old of (await cache.keys()).slice(0, -MOST_WORLDS)) await cache.delete(old);
}
