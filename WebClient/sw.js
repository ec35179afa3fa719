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
/** A page that has not come within this time is taken from what was saved. */
const PATIENCE_MS = 5000;
const AT_ONCE = 6;

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

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
 * @param {Request} request
 * @param {string} saved address under which it was kept
 */
async function networkFirst(request, saved) {
  const copy = await caches.match(saved);
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
  const { assets, tiles } = event.data;
  const work = save(assets, tiles, (done, total) => port.postMessage({ done, total }))
    .then((bytes) => port.postMessage({ bytes }), (error) => port.postMessage({ error: String(error) }));
  /** @type {any} */ (event).waitUntil(work);
});

/**
 * @param {string[]} assets addresses of pictures and models on this server
 * @param {string[]} tiles addresses of map pictures; those that cannot be had are left out
 * @param {(done: number, total: number) => void} tell
 * @returns {Promise<number>} bytes that were fetched
 */
async function save(assets, tiles, tell) {
  const { build, files } = await (await need('/api/v1/client')).json();
  const name = CLIENT + build;
  const own = files.map((/** @type {string} */ path) => `/client/${build}/${path}`);
  let bytes = 0;
  let done = 0;
  const total = own.length + assets.length + tiles.length + 2;
  const keep = async (/** @type {string} */ cacheName, /** @type {string} */ address, /** @type {boolean} */ optional) => {
    const cache = await caches.open(cacheName);
    if (!(await cache.match(address))) {
      try {
        const answer = await need(address);
        bytes += (await answer.clone().blob()).size;
        await cache.put(address, answer);
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
    ...tiles.map((address) => () => keep(TILES, address, true)),
  ];
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The page last: only now is everything there that it asks for.
  const cache = await caches.open(name);
  await cache.put('/', await need('/'));
  await cache.put('/api/v1/settings', await need('/api/v1/settings'));
  for (const old of await caches.keys()) if (old.startsWith(CLIENT) && old !== name) await caches.delete(old);
  return bytes;
}

/** @param {string} address */
async function need(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
