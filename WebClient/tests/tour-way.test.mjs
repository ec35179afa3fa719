// The way of a tour by the page's rules: the same answers as the server's, by one table of cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TourWay } from '../app/tours/way.js';

const cases = JSON.parse(readFileSync(new URL('../../Fixtures/tours/ways.json', import.meta.url), 'utf8'));
const point = (/** @type {[number, number]} */ [latitude, longitude]) => ({ latitude, longitude });
const RADIUS = 6_371_008.771415;
const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;

/** As the engine has it: along a great circle of a sphere. */
function distance(/** @type {any} */ a, /** @type {any} */ b) {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2);
  const east = Math.sin(radians(b.longitude - a.longitude) / 2);
  return 2 * RADIUS * Math.asin(Math.hypot(north, Math.sqrt(Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))) * east));
}

/** Metres that may be between two ways to reckon. */
const near = (/** @type {number} */ found, /** @type {number} */ expected, /** @type {string} */ what) =>
  assert.ok(Math.abs(found - expected) < 0.02, `${what}: ${found}, not ${expected}`);

test('there are enough cases', () => assert.ok(cases.length >= 30));

for (const { name, way: corners, length, stations, teams } of cases) {
  test(name, () => {
    const way = /** @type {TourWay} */ (TourWay.of(corners.map(point), distance));
    near(way.length, length, 'length');
    const waiting = stations.map((/** @type {any} */ { id, at }) => ({ id, position: point(at) }));
    for (const [k, team] of teams.entries()) {
      const foot = way.nearest(point(team.at));
      near(foot.along, team.along, `${k} along`);
      near(foot.distance, team.distance, `${k} distance`);
      near(distance(foot.position, point(team.position)), 0, `${k} position`);
      const next = /** @type {any} */ (way.next(waiting, point(team.at)));
      assert.equal(next.id, team.next, `${k} next`);
      const to = way.arrival(next.position, foot.along).along;
      near(to, team.to, `${k} arrival`);
      assert.equal(way.part(foot.along, to).length, team.corners, `${k} corners`);
    }
  });
}
