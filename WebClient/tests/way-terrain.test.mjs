// The way on foot on ground that rises and falls: points close enough, heights that are not known, the ground beside the user.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { filled, heightBeside, pointsAlong, valuesAt } = await import('../app/way/terrain.js');

test('points along a way keep its corners and are no farther apart than what terrain tells apart', () => {
  const path = [0, 0, 100, 0, 100, 40];
  const points = pointsAlong(path);
  const places = valuesAt(path, points);
  assert.equal(places.length, 2 * points.length);
  for (const [x, y] of [[0, 0], [100, 0], [100, 40]]) {
    assert.ok(points.some((_, k) => Math.abs(places[2 * k] - x) < 1e-9 && Math.abs(places[2 * k + 1] - y) < 1e-9), `${x}, ${y}`);
  }
  for (let k = 2; k < places.length; k += 2) assert.ok(Math.hypot(places[k] - places[k - 2], places[k + 1] - places[k - 1]) <= 15 + 1e-9);
  // Latitudes and longitudes of the same points.
  assert.deepEqual([...valuesAt([60, 24, 61, 24, 61, 25], points).slice(-2)], [61, 25]);
});

test('a way of any length is asked about with as many points as the server takes', () => {
  assert.ok(pointsAlong([0, 0, 20_000, 0, 20_000, 20_000]).length <= 500);
  assert.deepEqual(pointsAlong([]), []);
  assert.deepEqual(pointsAlong([3, 4]), [{ corner: 0, share: 0 }]);
  // Corners of a way are never left out.
  assert.equal(pointsAlong(Array.from({ length: 2000 }, (_, k) => k)).length, 1000);
});

test('where nobody knows the height, the last known one counts, and none at all is no terrain', () => {
  assert.deepEqual([...(filled([null, 5, null, NaN, 7], 7) ?? [])], [5, 5, 5, 5, 7, 7, 7]);
  assert.equal(filled([null, undefined], 2), null);
  assert.equal(filled([], 3), null);
});

test('the ground beside the user is that of the nearest point of the way', () => {
  const path = [0, 0, 100, 0, 100, 100];
  const heights = [10, 20, 40];
  assert.equal(heightBeside(path, heights, [50, 3]), 15);
  assert.equal(heightBeside(path, heights, [-20, 0]), 10);
  assert.equal(heightBeside(path, heights, [103, 50]), 30);
  // Two corners in one place are no division by nothing.
  assert.equal(heightBeside([0, 0, 0, 0], [1, 2], [0, 0]), 1);
  assert.equal(heightBeside([0, 0], [7], [9, 9]), 7);
});
