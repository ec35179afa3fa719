// What a saved world may put into the browser's store: its own files, and never anything else that it names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
const { foreignFiles, ownFiles, tileAddresses } = await import('../app/offline/offline.js');

const file = (/** @type {string | number} */ digit) => `/assets/${String(digit).repeat(64)}`;
const FOREIGN = [
  '/', '/api/v1/session', '/sw.js', '/api/v1/settings', '/client/dev/app/main.js', '/assets/', '/assets/abc', `${file(1)}/x`, `${file(1)}?a=1`,
  `/x/..${file(1)}x`, `/assets/${'A'.repeat(64)}`, `/assets/${'g'.repeat(64)}`, `https://evil.example${file(1)}`, `//evil.example${file(1)}`,
  'https://here.example@evil.example/', `http://here.example${file(1)}`, 'javascript:alert(1)', 'data:text/html,x', 'http://', '/api/v1/asset?url=https%3A%2F%2Fa.example%2Fb.png',
  `/api/v1/asset?url=${encodeURIComponent(`https://here.example${file(1)}`)}`, '/frame?url=https://a.example',
];

test('only files of this server belong to a world', () => {
  const dimension = /** @type {any} */ ({
    assets: [...FOREIGN, file('a'), `https://here.example${file('b')}`, file('a')].map((url, k) => ({ id: String(k), url })),
    places: [{ imageURL: file('c') }, { imageURL: '/api/v1/session', soundURL: file('d') }, { soundURL: 'https://evil.example/a.mp3' }, {}],
    soundURL: file('e'),
  });
  assert.deepEqual(ownFiles(dimension), [file('a'), file('b'), file('c'), file('d'), file('e')]);
});

test('a world cannot fill the store with the number of its files', () => {
  const assets = Array.from({ length: 5000 }, (_, k) => ({ id: String(k), url: `/assets/${k.toString(16).padStart(64, '0')}` }));
  assert.equal(ownFiles(/** @type {any} */ ({ assets, places: [] })).length, 1000);
});

test('positions that are none ask for no map', () => {
  const source = { url: 'https://tiles.example/{z}/{x}/{y}.png', zooms: [14, 15, 16, 17] };
  const points = [NaN, Infinity, 1e308, -1e308, 91].map((latitude) => ({ latitude, longitude: 10 }));
  const places = { onMap: () => ({ x: 1, y: 0, side: 3_000_000 }) };
  assert.deepEqual(tileAddresses(source, [...points, { latitude: 10, longitude: 1e308 }], places), []);
  assert.ok(tileAddresses(source, [{ latitude: 90, longitude: 180 }], places).length > 0);
});

/**
 * The service worker in a world of its own.
 * @param {(address: string) => { status?: number, body?: string | Uint8Array, json?: unknown }} network
 */
function worker(network) {
  /** @type {Map<string, Map<string, Response>>} */
  const caches = new Map();
  /** @type {Map<string, (event: any) => void>} */
  const listeners = new Map();
  const asked = /** @type {string[]} */ ([]);
  const path = (/** @type {any} */ request) => new URL(typeof request === 'string' ? request : request.url, 'https://here.example').href;
  const cacheOf = (/** @type {string} */ name) => {
    if (!caches.has(name)) caches.set(name, new Map());
    const kept = /** @type {Map<string, Response>} */ (caches.get(name));
    return {
      match: async (/** @type {any} */ request) => kept.get(path(request))?.clone(),
      put: async (/** @type {any} */ request, /** @type {Response} */ answer) => void kept.set(path(request), answer),
      keys: async () => [...kept.keys()].map((url) => ({ url })),
      delete: async (/** @type {any} */ request) => kept.delete(path(request)),
    };
  };
  const context = {
    self: {
      addEventListener: (/** @type {string} */ type, /** @type {any} */ run) => listeners.set(type, run),
      skipWaiting: () => undefined, clients: { claim: () => undefined },
    },
    location: { origin: 'https://here.example' },
    caches: {
      open: async (/** @type {string} */ name) => cacheOf(name),
      keys: async () => [...caches.keys()],
      delete: async (/** @type {string} */ name) => caches.delete(name),
      match: async (/** @type {any} */ request, /** @type {any} */ options) => {
        for (const name of options?.cacheName ? [options.cacheName] : caches.keys()) {
          const found = caches.get(name)?.get(path(request));
          if (found) return found.clone();
        }
        return undefined;
      },
    },
    fetch: async (/** @type {any} */ request) => {
      const address = path(request);
      asked.push(address);
      const { status = 200, body, json } = network(address);
      return new Response(json === undefined ? body ?? 'x' : JSON.stringify(json), { status });
    },
    URL, Response, Headers, AbortController, setTimeout, clearTimeout, Promise, RegExp, Array, Number, String,
  };
  vm.runInNewContext(readFileSync(new URL('../sw.js', import.meta.url), 'utf8'), context);
  const run = async (/** @type {string} */ type, /** @type {any} */ event) => {
    /** @type {Promise<unknown>[]} */
    const waits = [];
    listeners.get(type)?.({ ...event, waitUntil: (/** @type {Promise<unknown>} */ work) => waits.push(work) });
    await Promise.all(waits);
  };
  const save = async (/** @type {any} */ data) => {
    /** @type {any[]} */
    const told = [];
    await run('message', { data, ports: [{ postMessage: (/** @type {any} */ message) => told.push(message) }] });
    return told.at(-1);
  };
  const names = (/** @type {string} */ name) => [...(caches.get(name)?.keys() ?? [])].map((url) => url.replace('https://here.example', ''));
  return { run, save, names, cacheOf, asked, caches };
}

const network = (/** @type {string} */ address) => {
  if (address.endsWith('/api/v1/client')) return { json: { build: 'b1', files: ['app/main.js'] } };
  if (address.endsWith('/api/v1/settings')) return { json: { tiles: { url: 'https://tiles.example/{z}/{x}/{y}.png?k=a.b', maxZoom: 19 } } };
  return { body: 'data' };
};

test('the service worker keeps files of worlds and squares of the map, and asks for nothing else', async () => {
  const { save, names, asked } = worker(network);
  const answer = await save({
    assets: [...FOREIGN, file('a'), 7, null],
    tiles: ['https://tiles.example/1/2/3.png?k=a.b', 'https://tiles.example/1/2/3.png?k=axb', 'https://tiles.example/../x', '/api/v1/session', 'https://evil.example/1/2/3.png?k=a.b', {}],
  });
  assert.ok(answer.bytes > 0, JSON.stringify(answer));
  assert.deepEqual(names('sightline-kept'), [file('a')]);
  assert.deepEqual(names('sightline-tiles'), ['https://tiles.example/1/2/3.png?k=a.b']);
  assert.deepEqual(names('sightline-client-b1').sort(), ['/', '/api/v1/settings', '/client/b1/app/main.js']);
  assert.ok(!asked.some((address) => /session|evil|frame|sw\.js/.test(address)), asked.join(' '));
});

test("tiles of the operator's own map are kept, of the version that its settings name, and none of another", async () => {
  const own = (/** @type {string} */ address) => (address.endsWith('/api/v1/settings') ? { json: { tiles: null, ground: { version: 'a b', zooms: [16] } } } : network(address));
  const { save, names } = worker(own);
  const tile = '/api/v1/ground/tiles/16/1/2?version=';
  await save({ assets: [], tiles: [`${tile}a%20b`, `${tile}c`, '/api/v1/ground/tiles/16/1/x?version=a%20b', '/api/v1/session', `https://evil.example${tile}a%20b`] });
  assert.deepEqual(names('sightline-tiles'), [`${tile}a%20b`]);
});

const asset = (/** @type {string} */ url) => `/api/v1/asset?url=${encodeURIComponent(url)}`;

test('files of other hosts are kept apart, as this server hands them on, and a missing one stops nothing', async () => {
  const gone = asset('https://a.example/gone.png');
  const { save, names, asked } = worker((address) => (address.endsWith(gone) ? { status: 502 } : network(address)));
  const good = [asset('https://a.example/b.png'), asset('http://c.example:8080/d.glb')];
  const bad = [asset('https://here.example/api/v1/session'), asset('file:///etc/passwd'), asset('x'), `${good[0]}&again=1`, '/api/v1/asset', '/api/v1/session?url=https://a.example/',
    'https://evil.example/api/v1/asset?url=https://a.example/'];
  const answer = await save({ assets: [file('a')], foreign: [...good, gone, ...bad, 7, ...FOREIGN.filter((path) => !path.startsWith('/api/v1/asset'))] });
  assert.ok(answer.bytes > 0, JSON.stringify(answer));
  assert.deepEqual(names('sightline-foreign').sort(), [...good].sort());
  assert.deepEqual(names('sightline-kept'), [file('a')]);
  assert.ok(!asked.some((address) => /session|passwd|evil/.test(address)), asked.join(' '));
});

test('a kept file of another host stands in only where the network is gone', async () => {
  let isThere = true;
  const { run, cacheOf } = worker(() => {
    if (!isThere) throw new TypeError('no network');
    return { body: 'new' };
  });
  const address = asset('https://a.example/b.png');
  await cacheOf('sightline-foreign').put(address, new Response('old'));
  const get = async () => {
    /** @type {Promise<Response> | null} */
    let answer = null;
    await run('fetch', {
      request: { method: 'GET', url: `https://here.example${address}`, destination: 'image' },
      respondWith: (/** @type {Promise<Response>} */ work) => (answer = work),
    });
    return (await /** @type {any} */ (answer)).text();
  };
  assert.equal(await get(), 'new');
  isThere = false;
  assert.equal(await get(), 'old');
});

test('what a world shows of other hosts is asked of this server', () => {
  const absolute = (/** @type {string} */ url) => new URL(url, 'https://a.example/worlds/x.gddf').href;
  const dimension = /** @type {any} */ ({
    assets: [{ id: 'a', url: '../b.png' }, { id: 'b', url: 'gamaray://c.example/d.png' }, { id: 'c', url: `https://here.example${file('a')}` }, { id: 'd', url: 'data:text/plain,x' }],
    places: [{ imageURL: '../b.png' }, {}],
  });
  assert.deepEqual(foreignFiles(dimension, absolute), [asset('https://a.example/b.png'), asset('http://c.example/d.png')]);
});

test('damaged messages save the client and nothing more', async () => {
  for (const data of [undefined, null, 7, {}, { assets: 'x', tiles: { length: 9 } }]) {
    const { save, names } = worker(network);
    assert.ok((await save(data)).bytes > 0);
    assert.deepEqual(names('sightline-kept'), []);
  }
});

test('what an earlier version kept of a stranger is taken out', async () => {
  const { run, names, cacheOf } = worker(network);
  for (const path of ['/', '/api/v1/session', '/sw.js', file('b')]) await cacheOf('sightline-kept').put(path, new Response('x'));
  await run('activate', {});
  assert.deepEqual(names('sightline-kept'), [file('b')]);
});

test('the store is bounded in number and in bytes; the oldest make room', async () => {
  const { run, names, cacheOf } = worker(network);
  const path = (/** @type {number} */ k) => `/assets/${k.toString(16).padStart(64, '0')}`;
  for (let k = 0; k < 3100; k++) await cacheOf('sightline-kept').put(path(k), new Response('x'));
  await run('activate', {});
  assert.equal(names('sightline-kept').length, 3000);
  assert.ok(!names('sightline-kept').includes(path(0)) && names('sightline-kept').includes(path(3099)));
  const large = (/** @type {number} */ size) => new Response('x', { headers: { 'x-sightline-bytes': String(size) } });
  for (let k = 4000; k < 4010; k++) await cacheOf('sightline-kept').put(path(k), large(60e6));
  await run('activate', {});
  assert.deepEqual(names('sightline-kept'), [4004, 4005, 4006, 4007, 4008, 4009].map(path));
});

test('a page that was planted among the pictures is not served as the page', async () => {
  const { run, cacheOf } = worker((address) => (address === 'https://here.example/' ? { status: 503 } : network(address)));
  await cacheOf('sightline-kept').put('/', new Response('planted'));
  /** @type {Promise<Response> | null} */
  let answer = null;
  await run('fetch', {
    request: { method: 'GET', mode: 'navigate', url: 'https://here.example/', destination: 'document' },
    respondWith: (/** @type {Promise<Response>} */ work) => (answer = work),
  });
  assert.equal((await /** @type {any} */ (answer)).status, 503);
});
