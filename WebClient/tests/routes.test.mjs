import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRoute, parseRoute, sameAddress } from '../app/core/router.js';

test('a world of this server', () => {
  const route = parseRoute('#/world/ulm');
  assert.deepEqual(route.address, { kind: 'world', id: 'ulm' });
  assert.equal(route.view, 'ar');
  assert.equal(route.virtual, false);
});

test('options follow a question mark or an ampersand', () => {
  for (
    const hash of [
      '#/world/a%20b?view=map&virtual=1&lat=48.4&lon=9.99&heading=90&pitch=-5',
      '#/world/a%20b&view=map&virtual=1&lat=48.4&lon=9.99&heading=90&pitch=-5',
    ]
  ) {
    const route = parseRoute(hash);
    assert.deepEqual(route.address, { kind: 'world', id: 'a b' });
    assert.equal(route.view, 'map');
    assert.equal(route.virtual, true);
    assert.deepEqual(route.pose, { latitude: 48.4, longitude: 9.99, heading: 90, pitch: -5 });
  }
});

test('a foreign address survives the way through the address bar', () => {
  const url = 'https://walks.example.net/garden.gddf?walk=7f3a&team=a b#x';
  const hash = formatRoute({ address: { kind: 'url', url }, view: 'list', place: 'tree 4' });
  const route = parseRoute(hash);
  assert.deepEqual(route.address, { kind: 'url', url });
  assert.equal(route.view, 'list');
  assert.equal(route.place, 'tree 4');
});

test('nonsense leads to the start page, and bad numbers count as absent', () => {
  for (const hash of ['', '#', '#/', '#/open', '#/open?url=', '#/world/', '#/x/y']) {
    assert.equal(parseRoute(hash).address, null, hash);
  }
  const { pose, view } = parseRoute('#/world/a?lat=91&lon=abc&heading=&pitch=1e9&view=tv');
  assert.deepEqual(pose, { latitude: undefined, longitude: undefined, heading: undefined, pitch: undefined });
  assert.equal(view, 'ar');
  assert.deepEqual(parseRoute('#/world/%E0%A4%A').address, { kind: 'world', id: '%E0%A4%A' });
});

test('addresses are the same when they lead to the same place', () => {
  assert.ok(sameAddress({ kind: 'world', id: 'a' }, { kind: 'world', id: 'a' }));
  assert.ok(!sameAddress({ kind: 'world', id: 'a' }, { kind: 'url', url: 'a' }));
  assert.ok(sameAddress(null, null));
  assert.ok(!sameAddress(null, { kind: 'world', id: 'a' }));
});
