import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
globalThis.document = /** @type {any} */ ({ createElement: () => ({ getContext: () => null }) });
const { Content } = await import('../app/session/content.js');
const { SeveralWorlds } = await import('../app/session/several.js');
const { AddressTable } = await import('../app/net/addresses.js');
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

test('the virtual phone goes where the engine says, not over a pole, and turns degrees', () => {
  const asked = [];
  const places = {
    moved: (from, ...way) => (asked.push([from.latitude, from.longitude, ...way]), { latitude: from.latitude + 1, longitude: -179 }),
    dragTurn: (x, y, pitch) => ({ heading: -x, pitch: y + pitch }),
  };
  VirtualPhone.Places = class {};
  const phone = new VirtualPhone(() => ({ part: () => places }));
  phone.place({ latitude: 0, longitude: 179.9999, heading: 90, altitude: 5 });
  phone.walk(100, 3, 2);
  assert.deepEqual(asked, [[0, 179.9999, 90, 100, 3]]);
  assert.deepEqual([phone.pose.latitude, phone.pose.longitude, phone.pose.altitude], [1, -179, 7]);
  phone.place({ latitude: 89.5 });
  phone.walk(100, 0);
  assert.equal(phone.pose.latitude, 89.99);
  phone.turn(-100, 200);
  assert.equal(phone.pose.heading, 350);
  assert.equal(phone.pose.pitch, 89);
  assert.deepEqual(phone.angles(), { alpha: -350, beta: 179, gamma: 0 });
  phone.place({ heading: 10, pitch: 5 });
  phone.drag(4, 7, 0);
  assert.deepEqual([phone.pose.heading, phone.pose.pitch], [6, 17]);
});
