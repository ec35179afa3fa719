// Walls before the camera, through the WebAssembly build and the page's binding, against formulas of their own: rotation matrices
// written out, no quaternion, nothing of the engine's path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Plane } from '../../WebClient/engine/plane.js';
import { engineBytes } from './build.mjs';

const plane = await Plane.make(await WebAssembly.compile(engineBytes()));
const view = { width: 960, height: 540, focal: 750 };
const degrees = Math.PI / 180;
const near = (a, b, within = 1e-6) => a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) < within, `${a} is not ${b}`));

/** A wall: turned by angles about the camera's x, y and z axes, one after the other, after it was made to face the camera. */
function wall(ax, ay, az, translation) {
  const [sx, cx, sy, cy, sz, cz] = [ax, ay, az].flatMap((angle) => [Math.sin(angle * degrees), Math.cos(angle * degrees)]);
  // Facing the camera: x to the right, y up against the camera's y down, z towards it.
  const turn = [
    [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz], [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz], [-sy, sx * cy, cx * cy],
  ].map(([x, y, z]) => [x, -y, -z]);
  // Half angles for the engine, which wants a quaternion: products of the three turns, then half a turn about x.
  const about = (axis, angle) => {
    const q = [Math.cos((angle * degrees) / 2), 0, 0, 0];
    q[axis + 1] = Math.sin((angle * degrees) / 2);
    return q;
  };
  const times = ([a, b, c, d], [e, f, g, h]) => [
    a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e,
  ];
  const rotation = [about(2, az), about(1, ay), about(0, ax), [0, 1, 0, 0]].reduce(times);
  plane.at({ rotation, translation, error: 0 }, view);
  const camera = ([x, y, z = 0]) => turn.map(([a, b, c], k) => a * x + b * y + c * z + translation[k]);
  const pixel = ([x, y, z]) => [(view.focal * x) / z + 479.5, (view.focal * y) / z + 269.5];
  return { turn, camera, pixel, pose: { rotation, translation, error: 0 } };
}

/** A generator with a seed. */
function random(seed) {
  let state = seed;
  return (least, most) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return least + (state / 2 ** 32) * (most - least);
  };
}

test('points of the wall and pixels lead to each other', () => {
  const next = random(1);
  for (let k = 0; k < 300; k++) {
    const { camera, pixel } = wall(next(-50, 50), next(-50, 50), next(-180, 180), [next(-0.5, 0.5), next(-0.5, 0.5), next(1, 4)]);
    const point = [next(-0.5, 0.5), next(-0.5, 0.5)];
    const seen = plane.pixel(point);
    near(seen, pixel(camera(point)));
    near(plane.point(seen), point, 1e-9);
  }
});

test('behind the camera, and beyond the horizon of the wall, there is nothing', () => {
  wall(0, 80, 0, [0, 0, 1]);
  const seen = Array.from({ length: 97 }, (_, k) => plane.point([10 * k, 270]));
  // The horizon of a wall that is turned by 80 degrees is 10 degrees beside the line of sight.
  const horizon = 479.5 + 750 * Math.tan(10 * degrees);
  const horizons = [horizon, 2 * 479.5 - horizon];
  const first = seen.findIndex((point, k) => (point === null) !== (seen[k + 1] === null));
  assert.ok(first >= 0 && horizons.some((x) => x >= 10 * first - 1e-9 && x <= 10 * (first + 1)), `${first}`);
  assert.notEqual(plane.pixel([60, 0]) === null, plane.pixel([-60, 0]) === null);
  plane.at({ rotation: [0, 0, 0, 0], translation: [0, 0, 1], error: 0 }, view);
  assert.deepEqual([plane.pixel([0, 0]), plane.point([0, 0]), plane.upright({ beta: 90, gamma: 0 }, 0)], [null, null, null]);
});

test('a marker that was stuck on askew is found out by what is up', () => {
  // Turned clockwise as seen: upright is counter-clockwise in its frame.
  for (const askew of [-170, -30, 0, 30, 100]) {
    wall(0, 0, askew, [0, 0, 1]);
    near([plane.upright({ beta: 90, gamma: 0 }, 0)], [askew], 1e-6);
    // The phone on its side, its top to the left: the picture is turned with the screen.
    near([plane.upright({ beta: 0, gamma: -90 }, 90)], [askew], 1e-6);
  }
  wall(0, 0, 0, [0, 0, 1]);
  assert.equal(plane.upright({ beta: 0, gamma: 0 }, 0), null, 'a table has no upright');
  // Leaning back by 20 degrees changes nothing of what is upright.
  wall(0, 0, 30, [0, 0, 1]);
  near([plane.upright({ beta: 70, gamma: 0 }, 0)], [30], 1e-6);
});

test('corners turn counter-clockwise, and a point is on what covers it', () => {
  const place = { x: 1, y: 2, turn: 90 };
  near(plane.corners(place, 0.4, 0.2).flat(), [0.9, 1.8, 0.9, 2.2, 1.1, 2.2, 1.1, 1.8], 1e-12);
  assert.ok(plane.isOn(place, 0.4, 0.2, [1.05, 2.15]));
  assert.ok(!plane.isOn(place, 0.4, 0.2, [1.15, 2.05]));
});

test('what is drawn on the wall falls where the wall says', () => {
  const next = random(2);
  for (let k = 0; k < 100; k++) {
    const { camera, pixel } = wall(next(-50, 50), next(-50, 50), next(-180, 180), [next(-0.3, 0.3), next(-0.3, 0.3), next(1, 3)]);
    const place = { x: next(-0.4, 0.4), y: next(-0.4, 0.4), turn: next(-180, 180) };
    const [width, lift] = [next(0.1, 1), next(0, 0.02)];
    const matrix = plane.matrix(place, width, lift);
    const clip = plane.clip(view);
    const times = (m, v) => [0, 1, 2, 3].map((row) => v.reduce((sum, value, column) => sum + m[4 * column + row] * value, 0));
    for (const [u, v] of [[-0.5, 0.3], [0.5, 0.3], [0.5, -0.3], [0, 0]]) {
      const [s, c] = [Math.sin(place.turn * degrees), Math.cos(place.turn * degrees)];
      const onWall = [place.x + width * (c * u - s * v), place.y + width * (s * u + c * v), lift];
      const before = times(matrix, [u, v, 0, 1]);
      near(before, [...camera(onWall), 1], 2e-6);
      const [x, y, z, w] = times(clip, before);
      // From the clip cube to pixels, whose centres are at whole numbers; the axis goes through the middle of the picture.
      near([((x / w + 1) / 2) * view.width - 0.5, ((1 - y / w) / 2) * view.height - 0.5], pixel(camera(onWall)), 2e-3);
      assert.ok(Math.abs(z / w) <= 1);
    }
  }
});
