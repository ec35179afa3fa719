// Lets saved tours and worlds open without a network. Started only when something is saved; whoever saves nothing never
// meets it.
//
// The page and its files are kept together, as one build: a saved page never asks for a file that is not there. Files have
// their build in the address and pictures their hash, so what is kept can never be out of date.

/** @type {any} */
const worker = self;
const CLIENT = 'sightline-client-';
const KEPT = 'sightline-kept';
const TILES = 'sightline-tiles';
const FOREIGN = 'sightline-foreign';
/** A page that has not come within this time is taken from what was saved. */
const PATIENCE_MS = 5000;
const AT_ONCE = 6;
/** A file of this server's worlds: its address is the hash of what it holds. */
const FILE = /^\/assets\/[0-9a-f]{64}$/;
/** A file of another host, as this server hands it on; where there is a network, it is fetched anew. Nothing else that a world names is kept. */
const ASSET = '/api/v1/asset';
/** Tiles of the operator's own map. */
const GROUND = '/api/v1/ground/tiles/';
/** What is kept of pictures, models and the map, by number and bytes; the oldest make room. */
const MOST = {
  [KEPT]: { files: 3000, bytes: 400e6, largest: 64e6 }, [TILES]: { files: 4000, bytes: 150e6, largest: 2e6 },
  [FOREIGN]: { files: 1000, bytes: 100e6, largest: 16e6 },
};
/** How large a kept answer is, written down with it: to add them up without reading them. */
const SIZE = 'x-sightline-bytes';

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(tidy().then(() => worker.clients.claim())));

/** Takes out what an earlier version kept and this one would not. */
async function tidy() {
  const cache = await caches.open(KEPT);
  for (const request of await cache.keys()) if (!isFile(request.url)) await cache.delete(request);
  for (const name of [KEPT, TILES, FOREIGN]) await makeRoom(name);
}

/** @param {string} address */
function isForeignFile(address) {
  try {
    const url = new URL(address, location.origin);
    const names = [...url.searchParams.keys()];
    const target = new URL(url.searchParams.get('url') ?? '');
    return url.origin === location.origin && url.pathname === ASSET && names.length === 1 && /^https?:$/.test(target.protocol) &&
      target.origin !== location.origin;
  } catch {
    return false;
  }
}

/** @param {string} address */
function isFile(address) {
  try {
    const url = new URL(address, location.origin);
    return url.origin === location.origin && !url.search && FILE.test(url.pathname);
  } catch {
    return false;
  }
}

/**
 * Removes what was kept first until the rest is within its bounds.
 * @param {string} name of a cache
 */
async function makeRoom(name) {
  const cache = await caches.open(name);
  let files = 0;
  let bytes = 0;
  // The latest stand last.
  for (const request of (await cache.keys()).reverse()) {
    const size = Number((await cache.match(request))?.headers.get(SIZE)) || 0;
    files += 1;
    bytes += size;
    if (files > MOST[name].files || bytes > MOST[name].bytes) await cache.delete(request);
  }
}

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = new URL(request.url);
  if (url.origin !== location.origin) {
    if (request.destination === 'image') event.respondWith(kept(request, TILES));
  } else if (url.pathname === '/' && request.mode === 'navigate') {
    event.respondWith(networkFirst(request, '/'));
  } else if (url.pathname === '/api/v1/settings') {
    event.respondWith(networkFirst(request, url.pathname));
  } else if (url.pathname.startsWith('/client/') || url.pathname.startsWith('/assets/')) {
    event.respondWith(kept(request));
  } else if (url.pathname.startsWith(GROUND)) {
    event.respondWith(kept(request, TILES));
  } else if (url.pathname === ASSET) {
    event.respondWith(fetch(request).catch(async (error) => {
      const copy = await caches.match(request, { cacheName: FOREIGN });
      if (copy) return copy;
      throw error;
    }));
  } else if (request.destination === 'image') {
    event.respondWith(kept(request, TILES));
  }
});

/**
 * What is kept, else the network.
 * @param {Request} request
 * @param {string} [name] of the only cache to look in
 */
async function kept(request, name) {
  return (await caches.match(request, name ? { cacheName: name } : undefined)) ?? fetch(request);
}

/**
 * What was saved with the client itself; nothing that a world named can stand for it.
 * @param {string} path
 */
async function savedPage(path) {
  const builds = (await caches.keys()).filter((/** @type {string} */ name) => name.startsWith(CLIENT));
  for (const cacheName of builds.reverse()) {
    const copy = await caches.match(path, { cacheName });
    if (copy) return copy;
  }
  return undefined;
}

/**
 * @param {Request} request
 * @param {string} saved address under which it was kept
 */
async function networkFirst(request, saved) {
  const copy = await savedPage(saved);
  if (!copy) return fetch(request);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(request, { signal: limit.signal });
    return answer.ok ? answer : copy;
  } catch {
    return copy;
  } finally {
    clearTimeout(timer);
  }
}

worker.addEventListener('message', (/** @type {MessageEvent} */ event) => {
  const [port] = event.ports;
  const strings = (/** @type {unknown} */ list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []);
  const assets = strings(event.data?.assets).filter(isFile);
  const foreign = strings(event.data?.foreign).filter(isForeignFile).slice(0, MOST[FOREIGN].files);
  const tiles = strings(event.data?.tiles);
  const work = save(assets, foreign, tiles, (done, total) => port.postMessage({ done, total }))
    .then((bytes) => port.postMessage({ bytes }), (error) => port.postMessage({ error: String(error) }));
  /** @type {any} */ (event).waitUntil(work);
});

/**
 * @param {string[]} assets addresses of pictures and models on this server
 * @param {string[]} foreign addresses of other hosts' files on this server; those that cannot be had are left out
 * @param {string[]} tiles addresses of map pictures; those that cannot be had are left out
 * @param {(done: number, total: number) => void} tell
 * @returns {Promise<number>} bytes that were fetched
 */
async function save(assets, foreign, tiles, tell) {
  const { build, files } = await (await need('/api/v1/client')).json();
  const settings = await need('/api/v1/settings');
  const isTile = tileTest(mapTemplate(await settings.clone().json()));
  const pictures = tiles.filter(isTile);
  const name = CLIENT + build;
  const own = files.map((/** @type {string} */ path) => `/client/${build}/${path}`);
  let bytes = 0;
  let done = 0;
  const total = own.length + assets.length + foreign.length + pictures.length + 2;
  const keep = async (/** @type {string} */ cacheName, /** @type {string} */ address, /** @type {boolean} */ optional) => {
    const cache = await caches.open(cacheName);
    if (cacheName === FOREIGN || !(await cache.match(address))) {
      try {
        bytes += await put(cache, address, MOST[cacheName]?.largest ?? Infinity);
      } catch (error) {
        if (!optional) throw error;
      }
    }
    done += 1;
    if (done % 10 === 0) tell(done, total);
  };
  const jobs = [
    ...own.map((/** @type {string} */ address) => () => keep(name, address, false)),
    ...assets.map((address) => () => keep(KEPT, address, false)),
    ...foreign.map((address) => () => keep(FOREIGN, address, true)),
    ...pictures.map((address) => () => keep(TILES, address, true)),
  ];
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The page last: only now is everything there that it asks for.
  const cache = await caches.open(name);
  await cache.put('/', await need('/'));
  await cache.put('/api/v1/settings', settings);
  for (const old of await caches.keys()) if (old.startsWith(CLIENT) && old !== name) await caches.delete(old);
  for (const each of [KEPT, TILES, FOREIGN]) await makeRoom(each);
  return bytes;
}

/**
 * @param {any} cache
 * @param {string} address
 * @param {number} largest bytes
 * @returns {Promise<number>} bytes of what was put there
 */
async function put(cache, address, largest) {
  const answer = await need(address);
  const body = await answer.blob();
  if (body.size > largest) throw new Error(`${address}: ${body.size} bytes`);
  const headers = new Headers(answer.headers);
  // The body is unpacked already.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set(SIZE, String(body.size));
  await cache.put(address, new Response(body, { headers }));
  return body.size;
}

/**
 * The template of the addresses of what the map is made of.
 * @param {any} settings
 * @returns {string | undefined}
 */
function mapTemplate({ tiles, ground }) {
  return tiles?.url ?? (ground ? `${GROUND}{z}/{x}/{y}?version=${encodeURIComponent(ground.version)}` : undefined);
}

/**
 * Tells addresses of the operator's map server from others.
 * @param {string | undefined} template
 * @returns {(address: string) => boolean}
 */
function tileTest(template) {
  if (!template) return () => false;
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const form = literal.replace(/\{[xyz]\}/g, '\\d+').replace('{s}', '[abc]').replace(/[{}]/g, '\\$&');
  const pattern = new RegExp(`^${form}$`);
  return (address) => pattern.test(address);
}

/** @param {string} address */
async function need(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
