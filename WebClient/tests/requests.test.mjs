import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';

// Every browser has it; Node as a global only from version 19 on.
globalThis.crypto ??= /** @type {any} */ (webcrypto);
globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
const { encodeForm } = await import('../app/net/worlds.js');
const { AddressTable, allowedLink, worldAddress } = await import('../app/net/addresses.js');
const { requestFields } = await import('../app/net/request-fields.js');
const { setConsent } = await import('../app/core/consents.js');
const { pictureSource } = await import('../app/net/assets.js');

const request = {
  id: 1,
  address: 0,
  event: /** @type {const} */ ('init'),
  source: { kind: /** @type {const} */ ('none') },
  latitude: 1e-7,
  longitude: -0,
  altitude: 478.456,
  bearing: -179.999,
  pitch: 3,
  roll: 0,
  width: 390,
  height: 844,
};
const world = { kind: /** @type {const} */ ('world'), id: 'ulm' };

test('the fields of a request, in the order of the protocol, never in exponent form', () => {
  const fields = requestFields(request, world, null);
  assert.deepEqual(fields.map(([name]) => name), [
    'event',
    'eventSrc',
    'lat',
    'lon',
    'alt',
    'bearing',
    'pitch',
    'roll',
    'width',
    'height',
    'uid',
    'time',
  ]);
  const values = Object.fromEntries(fields);
  assert.equal(values.lat, '0.0000001');
  assert.equal(values.lon, '0.0000000');
  assert.equal(values.alt, '478.46');
  assert.equal(values.eventSrc, 'NULL');
  assert.match(values.time, /^\d{13}$/);
  assert.match(values.uid, /^UID[0-9a-f]{24}$/);
});

test('what is unknown is left out', () => {
  const names = requestFields(
    {
      ...request,
      latitude: null,
      longitude: null,
      altitude: null,
      bearing: null,
      pitch: null,
      roll: null,
      width: 0,
      height: 0,
    },
    world,
    null,
  ).map(([name]) => name);
  assert.deepEqual(names, ['event', 'eventSrc', 'uid', 'time']);
});

test('only a press names its source', () => {
  assert.equal(
    Object.fromEntries(requestFields({ ...request, event: 'refreshOnPress' }, world, 'tree')).eventSrc,
    'tree',
  );
  assert.equal(
    Object.fromEntries(requestFields({ ...request, event: 'refreshOnTime' }, world, 'tree')).eventSrc,
    'NULL',
  );
});

test('every source knows the visitor by another number, and by the same the next time', () => {
  setConsent('position', 'a.example', true);
  const uid = (address) => Object.fromEntries(requestFields(request, address, null)).uid;
  assert.equal(uid(world), uid({ kind: 'world', id: 'other' }));
  assert.notEqual(uid(world), uid({ kind: 'url', url: 'http://a.example/x' }));
  assert.equal(uid({ kind: 'url', url: 'http://a.example/x' }), uid({ kind: 'url', url: 'gamaray://a.example/y' }));
});

test('another website hears neither where the phone is nor who asks, until its host is allowed', () => {
  const there = { kind: /** @type {const} */ ('url'), url: 'https://walks.example:8443/x' };
  const at = { ...request, latitude: 48.123456789, longitude: 9.987654321 };
  const fields = () => Object.fromEntries(requestFields(at, there, null));
  const without = ['event', 'eventSrc', 'width', 'height', 'time'];
  assert.deepEqual(Object.keys(fields()), without);
  setConsent('position', 'walks.example', true);
  assert.deepEqual(Object.keys(fields()), without, 'another port is another host');
  setConsent('position', 'walks.example:8443', true);
  const { lat, lon, uid } = fields();
  assert.deepEqual([lat, lon], ['48.12346', '9.98765']);
  assert.match(uid, /^UID[0-9a-f]{24}$/);
  assert.notEqual(uid, Object.fromEntries(requestFields(at, world, null)).uid);
  setConsent('position', 'walks.example:8443', false);
  assert.deepEqual(Object.keys(fields()), without);
  setConsent('position', 'walks.example:8443', true);
  assert.notEqual(fields().uid, uid, 'whoever was forgotten is somebody new');
});

test('this server hears where the phone is as precisely as before, by whatever address', () => {
  const at = { ...request, latitude: 48.123456789 };
  for (const url of ['https://here.example/tours/play/a.gddf', 'https://here.example/worlds/a.gddf?x']) {
    assert.equal(Object.fromEntries(requestFields(at, { kind: 'url', url }, null)).lat, '48.1234568');
  }
  for (const url of ['http://here.example/x', 'https://here.example:444/x', 'https://here.example.evil.example/x', 'nonsense']) {
    assert.equal(Object.fromEntries(requestFields(at, { kind: 'url', url }, null)).lat, undefined, url);
  }
});

test('an address with a stray percent sign is still an address', () => {
  assert.deepEqual(worldAddress('https://here.example/worlds/%ZZ.gddf'), { kind: 'world', id: '%ZZ' });
  assert.deepEqual(worldAddress('https://here.example/api/v1/osm/%E0%A4%A'), { kind: 'osm', id: '%E0%A4%A' });
});

test('numbers of any size make fields without an exponent', () => {
  const fields = requestFields({ ...request, altitude: 1e308, bearing: NaN, pitch: -Infinity }, world, null);
  for (const [name, value] of fields) if (!['event', 'eventSrc', 'uid'].includes(name)) assert.match(value, /^-?\d+(\.\d+)?$/, name);
});

test('forms are encoded with %20 and %2B', () => {
  assert.equal(encodeForm([['a b', '1+2 & 3=ü']]), 'a%20b=1%2B2%20%26%203%3D%C3%BC');
});

test('addresses as people and worlds write them', () => {
  assert.deepEqual(worldAddress(' https://a.example/x.gddf '), { kind: 'url', url: 'https://a.example/x.gddf' });
  assert.deepEqual(worldAddress('gamaray://a.example/x'), { kind: 'url', url: 'gamaray://a.example/x' });
  assert.deepEqual(worldAddress('https://here.example/worlds/ulm.gddf'), { kind: 'world', id: 'ulm' });
  for (const bad of ['', 'x.gddf', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/xml,<a/>']) {
    assert.equal(worldAddress(bad), null, bad);
  }
});

test('equal addresses have equal numbers', () => {
  const table = new AddressTable();
  const first = table.numberOfURL('https://a.example/1');
  const second = table.numberOfURL('https://a.example/2');
  assert.notEqual(first, second);
  assert.equal(table.numberOfURL('https://a.example/1'), first);
  assert.deepEqual(table.get(second), { kind: 'url', url: 'https://a.example/2' });
  assert.equal(table.get(99), null);
});

test('only harmless schemes leave the page', () => {
  for (
    const good of ['https://a.example', 'http://a.example', 'mailto:a@b.example', 'tel:+49731', 'geo:1,2', 'sms:1']
  ) assert.ok(allowedLink(good), good);
  for (
    const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'blob:https://x', 'intent://x', 'nonsense']
  ) assert.equal(allowedLink(bad), null, bad);
});

test('pictures come from this server or through its proxy', () => {
  assert.equal(pictureSource('https://here.example/assets/abc'), 'https://here.example/assets/abc');
  assert.equal(pictureSource('http://a.example/x y.png'), '/api/v1/asset?url=http%3A%2F%2Fa.example%2Fx%2520y.png');
  assert.equal(pictureSource('gamaray://a.example/x.png'), '/api/v1/asset?url=http%3A%2F%2Fa.example%2Fx.png');
});
