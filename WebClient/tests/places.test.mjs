import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
globalThis.document = /** @type {any} */ ({ createElement: () => ({ getContext: () => null }) });
const { Content } = await import('../app/session/content.js');
const { describe, identity } = await import('../app/session/describe.js');
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

test('a place becomes a record', () => {
  const { features } = describe(content([place()]), new AddressTable());
  const [record] = features;
  assert.equal(record.altitudeMode, 'absolute');
  assert.deepEqual([record.pivotX, record.pivotY], [1, 0]);
  assert.deepEqual([record.east, record.north, record.up], [1, 2, 3]);
  assert.equal(record.action.kind, 'none');
  assert.ok(record.width > 20 && record.height > 20);
});

test('without a height, above the ground, or from the eye: at eye level', () => {
  const modes = [
    place({ position: { latitude: 1, longitude: 2 } }),
    place({ altitudeMode: 'ground' }),
    place({ altitudeMode: 'eye' }),
  ];
  for (const { altitudeMode } of describe(content(modes), new AddressTable()).features) {
    assert.equal(altitudeMode, 'eye');
  }
});

test('a place without position keeps its number and has none', () => {
  const { features } = describe(content([place({ position: undefined }), place()]), new AddressTable());
  assert.equal(features.length, 2);
  assert.ok(Number.isNaN(features[0].latitude) && Number.isNaN(features[0].longitude));
});

test('categories are numbered by first appearance; the sixty-fourth and later are "other"', () => {
  const places = Array.from({ length: 70 }, (_, i) => place({ id: `p${i}`, categories: [`c${i}`] }));
  const given = content([place({ categories: ['c1'] }), ...places]);
  assert.equal(given.categoryNumber(place({ categories: ['c1'] })), 1);
  assert.equal(given.categoryNumber(place({ categories: ['c0'] })), 2);
  assert.equal(given.categoryNumber(place({ categories: ['c69'] })), 0);
  assert.equal(given.categoryNumber(place()), 0);
  assert.equal(given.categories.at(-1).count, 7);
});

test('actions and refresh addresses are numbers of absolute addresses', () => {
  const addresses = new AddressTable();
  const given = content([
    place({ action: { kind: 'webPage', url: '../page' } }),
    place({ action: { kind: 'dimension', url: 'gamaray://b.example/q' } }),
    place({ action: { kind: 'refresh' } }),
  ], { refreshURL: 'next.gddf' });
  const world = describe(given, addresses);
  assert.deepEqual(addresses.get(world.features[0].action.address), { kind: 'url', url: 'https://walks.example/page' });
  assert.deepEqual(addresses.get(world.features[1].action.address), { kind: 'url', url: 'gamaray://b.example/q' });
  assert.equal(world.features[2].action.kind, 'refresh');
  assert.deepEqual(addresses.get(world.refreshAddress), { kind: 'url', url: 'https://walks.example/a/next.gddf' });
  assert.equal(world.refreshIntervalSeconds, 20);
});

test('focus names overlays by their number; unknown names are dropped', () => {
  const overlay = (id) => ({
    id,
    x: 0,
    y: 0,
    pivot: 'TL',
    hidden: true,
    content: { kind: 'text', text: 'x', width: 0 },
  });
  const world = describe(
    content([place({ showOnFocus: ['two', 'nobody', 'one'] })], { overlays: [overlay('one'), overlay('two')] }),
    new AddressTable(),
  );
  assert.deepEqual(world.features[0].focusOverlays, [1, 0]);
});

test('identities are whole, positive, below 2^53, and differ', () => {
  const seen = new Set();
  for (let i = 0; i < 20_000; i++) {
    const value = identity(`place ${i}`);
    assert.ok(Number.isSafeInteger(value) && value > 0);
    seen.add(value);
  }
  assert.equal(seen.size, 20_000);
  assert.equal(identity('x'), identity('x'));
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
