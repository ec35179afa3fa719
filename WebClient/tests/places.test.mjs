import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
globalThis.document = /** @type {any} */ ({ createElement: () => ({ getContext: () => null }) });
const { Content } = await import('../app/session/content.js');
const { SeveralWorlds } = await import('../app/session/several.js');
const { AddressTable } = await import('../app/net/addresses.js');
const { preferredStart } = await import('../app/device/start-pose.js');
const { VirtualPhone } = await import('../app/device/virtual-phone.js');

const place = (change = {}) => ({
  id: 'a',
  title: 'A',
  position: { latitude: 48, longitude: 10, altitude: 480 },
  altitudeMode: 'ellipsoid',
  offset: { east: 1, north: 2, up: 3 },
  visual: { kind: 'text', text: 'A' },
  pivot: 'TR',
  showInRadar: true,
  showOnFocus: [],
  categories: [],
  metadata: {},
  ...change,
});
const content = (places, change = {}) =>
  new Content(
    /** @type {any} */ ({
      world: { id: 'w', version: 1 },
      dimension: {
        radarRange: 1000,
        radarAvailable: true,
        relativeAltitude: false,
        refreshIntervalSeconds: 20,
        refreshDistance: 40,
        assets: [],
        places,
        overlays: [],
        ...change,
      },
    }),
    { kind: 'url', url: 'https://walks.example/a/w.gddf' },
  );

/** What an engine could have made of it: `[number, first, count]` of each category. */
const compiled = (rows, unplaced = []) => ({ categories: rows.map(([number, first, count]) => ({ number, first, count })), unplaced });

test('categories have the numbers that the engine gave them; those without one come last', () => {
  const given = content([place({ categories: ['a'] }), place(), place({ categories: ['b', 'a'] }), place({ categories: ['sixty-fourth'] })]);
  assert.deepEqual(given.categories, []);
  given.adopt(compiled([[7, 0, 1], [2, 2, 1], [0, 1, 2]]));
  assert.deepEqual(given.categories, [{ number: 7, name: 'a', count: 1 }, { number: 2, name: 'b', count: 1 }, { number: 0, name: '', count: 2 }]);
  assert.deepEqual(given.places.map((one) => given.categoryNumber(one)), [7, 0, 2, 0]);
  const plain = content([place()]);
  plain.adopt(compiled([[0, 0, 1]]));
  assert.deepEqual(plain.categories, [], 'nothing to choose from');
});

test('a place that the engine gave no position has none', () => {
  const given = content([place(), place({ id: 'b' })]);
  given.adopt(compiled([[0, 0, 2]], [1]));
  assert.deepEqual(given.places.map(({ position }) => position?.latitude), [48, undefined]);
});

test('several worlds are read one after the other, each with its own names, and their categories together', () => {
  const [first, second] = [
    content([place({ categories: ['a'] })], { name: 'One', assets: [{ id: 'x', url: 'x.png' }] }),
    content([place({ categories: ['b'] }), place({ categories: ['a'], visual: { kind: 'image', assetID: 'x' } })], { name: 'Two', assets: [{ id: 'x', url: 'y.png' }] }),
  ];
  first.adopt(compiled([[1, 0, 1]]));
  second.adopt(compiled([[2, 0, 1], [1, 1, 1]]));
  const both = new SeveralWorlds([{ number: 0, content: first }, { number: 4, content: second }]);
  assert.equal(both.title, 'One + Two');
  assert.deepEqual(both.places.map(({ id, world }) => [id, world]), [['a', 0], ['4/a', 4], ['4/a', 4]]);
  assert.equal(both.assetURL('4/x'), 'https://walks.example/a/y.png');
  assert.deepEqual(both.categories, [{ number: 1, name: 'a', count: 2 }, { number: 2, name: 'b', count: 1 }]);
  assert.equal(both.worldName(both.places[1]), 'Two');
});

test('the engine gets numbers for absolute addresses, and none for what is no address', () => {
  const addresses = new AddressTable();
  const given = content([]);
  const { address } = given.source(addresses);
  assert.deepEqual(addresses.get(address('../page', 'webPage')), { kind: 'url', url: 'https://walks.example/page' });
  assert.deepEqual(addresses.get(address('gamaray://b.example/q', 'dimension')), { kind: 'url', url: 'gamaray://b.example/q' });
  assert.deepEqual(addresses.get(address('https://here.example/worlds/ulm.gddf', 'dimension')), { kind: 'world', id: 'ulm' });
  assert.equal(address('https://[', 'refresh'), null);
});

test('links are made absolute and only harmless ones are kept', () => {
  const given = content([]);
  assert.equal(given.link(place({ link: 'more' }))?.href, 'https://walks.example/a/more');
  assert.equal(given.link(place({ link: 'javascript:alert(1)' })), null);
  assert.equal(
    given.link(place({ action: { kind: 'webPage', url: 'https://x.example/' } }))?.href,
    'https://x.example/',
  );
});

test('the virtual phone begins where most places are in its picture', () => {
  const north = Array.from(
    { length: 12 },
    (_, i) => place({ position: { latitude: 48.01 + i * 0.0005, longitude: 10 + (i - 6) * 0.0003, altitude: 500 } }),
  );
  const start = preferredStart(north, { latitude: 48, longitude: 10 }, 5000, 16);
  assert.ok(Math.min(start.heading, 360 - start.heading) <= 10, `heading ${start.heading}`);
  assert.equal(start.altitude, 501.7);
  assert.equal(preferredStart([place({ position: undefined })], null, 5000, 16), null);
});

test('it walks metres and turns degrees, across the date line too', () => {
  const phone = new VirtualPhone();
  phone.place({ latitude: 0, longitude: 179.9999, heading: 90, altitude: 5 });
  phone.walk(100, 0, 2);
  assert.ok(phone.pose.longitude < -179.999, String(phone.pose.longitude));
  assert.equal(phone.pose.altitude, 7);
  phone.turn(-100, 200);
  assert.equal(phone.pose.heading, 350);
  assert.equal(phone.pose.pitch, 89);
  assert.deepEqual(phone.angles(), { alpha: -350, beta: 179, gamma: 0 });
  phone.place({ latitude: 48, longitude: 10, heading: 0 });
  phone.walk(111.195, 0);
  assert.ok(Math.abs(phone.pose.latitude - 48.001) < 1e-6);
});
