// What the page asks the server about the ground, and what becomes of questions that nobody answered.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'iPhone', language: 'en' }, configurable: true });
const { Heights } = await import('../app/session/heights.js');

const METRE = 1 / 111_195;
let time = 0;
/** @type {{ latitude: number }[][]} */
let asked = [];
let isReachable = true;
let hasGeoid = true;
let geoidFetches = 0;
performance.now = () => time;
console.warn = () => undefined;
globalThis.fetch = /** @type {any} */ (async (/** @type {unknown} */ address, /** @type {{ body?: string }} */ init) => {
  const path = String(address);
  if (path.endsWith('egm96.geoid')) {
    geoidFetches += 1;
    return hasGeoid ? { ok: true, arrayBuffer: async () => new ArrayBuffer(4) } : { ok: false, status: 503 };
  }
  if (path.endsWith('/settings')) return { ok: true, json: async () => ({ tiles: null, hasTerrain: true }) };
  if (!isReachable) throw new TypeError('no network');
  const { places } = JSON.parse(init.body ?? '');
  asked.push(places);
  return { ok: true, json: async () => ({ heights: places.map(() => 7) }) };
});

function session(/** @type {any} */ content) {
  /** @type {Map<string, (value: any) => void>} */
  const listeners = new Map();
  /** @type {any[]} */
  const told = [];
  return {
    content, told, closed: { aborted: false },
    on: (/** @type {string} */ name, /** @type {(value: any) => void} */ listener) => void listeners.set(name, listener),
    emit: (/** @type {string} */ name, /** @type {any} */ value) => listeners.get(name)?.(value),
    tell: (/** @type {any} */ event) => void told.push(event),
    engine: {
      distance: (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d) => Math.hypot(a - c, b - d) / METRE,
    },
  };
}

function world(/** @type {number} */ count) {
  const places = Array.from({ length: count }, (_, k) => ({ altitudeMode: 'ground', position: { latitude: k * METRE, longitude: 0 } }));
  return { places, hasShapes: false };
}

/** A position so many metres to the north, after so many seconds. */
async function stand(/** @type {any} */ one, /** @type {number} */ metres, seconds = 10) {
  time += 1000 * seconds;
  one.emit('told', { type: 'fix', latitude: metres * METRE, longitude: 0, altitude: 1, altitudeDatum: 'seaLevel' });
  for (let k = 0; k < 20; k += 1) await new Promise((done) => setImmediate(done));
}

const grounds = (/** @type {any} */ one) => one.told.filter((/** @type {any} */ { type }) => type === 'featureGround').map((/** @type {any} */ { feature }) => feature);

beforeEach(() => {
  [asked, isReachable, hasGeoid, geoidFetches] = [[], true, true, 0];
  time += 1e6;
});

test('of many places the nearest are asked about, and the others as the user walks', async () => {
  const one = session(world(1200));
  new Heights(/** @type {any} */ (one));
  await stand(one, 0);
  assert.deepEqual(grounds(one).toSorted((a, b) => a - b), Array.from({ length: 500 }, (_, k) => k));
  await stand(one, 10);
  assert.equal(grounds(one).length, 500, 'ten metres are no reason to ask');
  await stand(one, 1199);
  await stand(one, 1100);
  assert.equal(new Set(grounds(one)).size, 1200);
  assert.equal(grounds(one).length, 1200, 'none is asked about twice');
  const questions = asked.length;
  await stand(one, 1000);
  assert.equal(asked.length, questions + 1, 'only the ground below the user is still asked for');
});

test('what nobody answered is asked again, more and more rarely', async () => {
  const one = session(world(3));
  isReachable = false;
  new Heights(/** @type {any} */ (one));
  await stand(one, 0);
  assert.deepEqual(grounds(one), []);
  isReachable = true;
  await stand(one, 0, 1);
  assert.equal(asked.length, 0, 'not at once');
  await stand(one, 0, 3);
  assert.deepEqual(grounds(one), [0, 1, 2]);
  assert.ok(one.told.some(({ type, altitude }) => type === 'ground' && altitude === 7));
});

test('another world is asked about, and an answer for the one before is none for it', async () => {
  const one = session(world(3));
  new Heights(/** @type {any} */ (one));
  await stand(one, 0);
  one.content = world(2);
  one.emit('world', one.content);
  for (let k = 0; k < 20; k += 1) await new Promise((done) => setImmediate(done));
  assert.deepEqual(grounds(one), [0, 1, 2, 0, 1]);
  one.emit('restarted', null);
  await stand(one, 0);
  assert.deepEqual(grounds(one), [0, 1, 2, 0, 1, 0, 1]);
});

test('a geoid that could not be fetched is fetched again where heights of the phone are over the sea', async () => {
  const content = world(1);
  content.places.push(/** @type {any} */ ({ altitudeMode: 'ellipsoid', position: { latitude: 0, longitude: 0, altitude: 500 } }));
  const one = session(content);
  hasGeoid = false;
  new Heights(/** @type {any} */ (one));
  await stand(one, 0);
  assert.ok(geoidFetches >= 1 && !one.told.some(({ type }) => type === 'geoid'));
  hasGeoid = true;
  await stand(one, 0, 1);
  assert.ok(!one.told.some(({ type }) => type === 'geoid'), 'not at once');
  await stand(one, 0, 20);
  await stand(one, 0, 20);
  assert.equal(one.told.filter(({ type }) => type === 'geoid').length, 1);
});
