// Clusters and names of the map.

import assert from 'node:assert/strict';
import test from 'node:test';

import { cluster, fan } from '../app/map/cluster.js';
import { freePart, nameBox, overlap, placeNames } from '../app/map/names.js';

/** Numbers between 0 and 1 that are the same every time. */
function numbers(seed) {
  return () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
}

test('every place is in one group, and no two groups are near each other', () => {
  const next = numbers(7);
  const spots = Array.from({ length: 1000 }, (_, index) => ({ index, x: next() * 800 - 200, y: next() * 800 - 200 }));
  const groups = cluster(spots, 48);
  assert.deepEqual(groups.flatMap(({ members }) => members).sort((a, b) => a - b), spots.map(({ index }) => index));
  assert.ok(groups.length < 400 && groups.length > 50, `${groups.length}`);
  for (const [k, a] of groups.entries()) {
    for (const b of groups.slice(k + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 48);
  }
});

test('one that stands for itself is in no group', () => {
  const spots = [0, 1, 2].map((index) => ({ index, x: index, y: 0 }));
  assert.deepEqual(cluster(spots, 40, (index) => index === 0).map(({ members }) => members), [[0], [1, 2]]);
});

test('a fan has room for every pin', () => {
  for (const count of [2, 5, 12, 40]) {
    const all = fan(count, 44);
    for (const [k, a] of all.entries()) {
      assert.ok(Math.hypot(a.x, a.y) >= 44);
      for (const b of all.slice(k + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 37, `${count}: ${Math.hypot(a.x - b.x, a.y - b.y)}`);
    }
  }
});

const AREA = { x: 0, y: 0, width: 390, height: 844 };

test('names cover no pins, no other names, no bars, and are not cut', () => {
  const next = numbers(11);
  const pins = Array.from({ length: 60 }, (_, index) => (
    { x: next() * 390, y: next() * 844, radius: 10, width: 60 + next() * 100, height: 20, isWanted: index === 0 }));
  const covers = [{ x: 0, y: 0, width: 390, height: 70 }, { x: 330, y: 80, width: 60, height: 260 }];
  const sides = placeNames(pins, AREA, covers);
  const boxes = sides.flatMap((side, k) => (side && k > 0 ? [{ k, ...nameBox(pins[k], side) }] : []));
  assert.ok(boxes.length > 10 && sides[0] !== null);
  for (const box of boxes) {
    assert.equal(overlap(box, AREA), box.width * box.height);
    for (const cover of covers) assert.equal(overlap(box, cover), 0);
    for (const other of boxes) if (other !== box) assert.equal(overlap(box, other), 0);
    pins.forEach(({ x, y, radius }, k) =>
      k !== box.k && assert.equal(overlap(box, { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }), 0));
  }
});

test('a name at the right edge goes to the left', () => {
  const pin = { x: 380, y: 300, radius: 10, width: 100, height: 20, isWanted: false };
  assert.deepEqual(placeNames([pin], AREA, []), ['left']);
});

test('the free part lies beside whatever covers the map', () => {
  assert.deepEqual(freePart(AREA, [{ x: 0, y: 0, width: 390, height: 70 }, { x: 10, y: 500, width: 370, height: 344 }]),
    { x: 0, y: 70, width: 390, height: 430 });
  const wide = { x: 0, y: 0, width: 844, height: 390 };
  assert.deepEqual(freePart(wide, [{ x: 470, y: 0, width: 374, height: 390 }, { x: 0, y: 330, width: 470, height: 60 }]),
    { x: 0, y: 0, width: 470, height: 330 });
  assert.deepEqual(freePart(wide, [wide]), wide);
});
