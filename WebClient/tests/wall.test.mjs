// The wall's geometry, and the light on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cameraFromWallOf,
  hungCorners,
  isOn,
  pictureFromWall,
  uprightTurn,
  wallFromPicture,
} from '../app/posters/try/wall-geometry.js';
import { lightOf } from '../app/posters/try/light.js';
import { keepWall, keptWalls } from '../app/posters/kept.js';
import { inCamera } from '../app/vision/gyro.js';

const view = { width: 960, height: 540, focal: 750 };
const about = (axis, degrees) => {
  const half = (degrees * Math.PI) / 360;
  const q = [Math.cos(half), 0, 0, 0];
  q[axis + 1] = Math.sin(half);
  return q;
};
/** Half a turn about x after a turn in the camera's axes: what faces the camera upright, turned. */
const facing = ([w, x, y, z]) => [-x, w, z, -y];
const UPRIGHT = facing([1, 0, 0, 0]);
const near = (a, b, within = 1e-4) => a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) < within, `${a} is not ${b}`));

test('a wall seen from the front: right is right, up is up, a metre is a metre', () => {
  const wall = cameraFromWallOf({ rotation: UPRIGHT, translation: [0, 0, 1.5] }, [0, 0], 1);
  near(pictureFromWall(wall, view, [0, 0]), [479.5, 269.5]);
  near(pictureFromWall(wall, view, [0.3, 0]), [479.5 + 150, 269.5]);
  near(pictureFromWall(wall, view, [0, 0.3]), [479.5, 269.5 - 150]);
});

test('the middle of a picture that is not the middle of the wall, and a measured scale', () => {
  const wall = cameraFromWallOf({ rotation: UPRIGHT, translation: [0.1, 0.2, 1] }, [0.1, 0.3], 1);
  // The picture's middle is a tenth to the right of the wall's, and three above it.
  near(pictureFromWall(wall, view, [0.1, 0.3]), [479.5 + 75, 269.5 + 150]);
  const twice = cameraFromWallOf({ rotation: UPRIGHT, translation: [0.1, 0.2, 1] }, [0.1, 0.3], 2);
  near(pictureFromWall(twice, view, [0.2, 0.6]), [479.5 + 75, 269.5 + 150]);
});

test('what is seen at a point of the picture is the point of the wall that is drawn there', () => {
  for (let k = 0; k < 60; k++) {
    const wall = cameraFromWallOf({ rotation: facing(about(k % 3, (k * 17) % 60 - 30)), translation: [0.1 * (k % 5), -0.2, 1 + 0.1 * k] }, [0, 0], 1);
    const point = [((k * 7) % 11) / 10 - 0.5, ((k * 3) % 11) / 10 - 0.5];
    const pixel = pictureFromWall(wall, view, point);
    near(wallFromPicture(wall, view, pixel), point, 2e-3);
  }
});

test('behind the camera, and beyond the horizon of the wall, there is nothing', () => {
  const wall = cameraFromWallOf({ rotation: facing(about(1, 80)), translation: [0, 0, 1] }, [0, 0], 1);
  assert.equal([...Array(11)].map((_, k) => wallFromPicture(wall, view, [96 * k, 270])).filter((p) => p === null).length > 0, true);
  assert.equal(pictureFromWall(wall, view, [60, 0]) === null || pictureFromWall(wall, view, [-60, 0]) === null, true);
});

test('a marker that was stuck on askew is found out by what is up', () => {
  // Turned by 30 degrees clockwise as seen: upright is 30 degrees counter-clockwise in its frame.
  const wall = cameraFromWallOf({ rotation: facing(about(2, 30)), translation: [0, 0, 1] }, [0, 0], 1);
  near([uprightTurn(wall, [0, -1, 0])], [30]);
  assert.equal(uprightTurn(wall, [0, 0, -1]), null, 'a table has no upright');
});

test('corners turn counter-clockwise, and a point is on what covers it', () => {
  const place = { x: 1, y: 2, turn: 90 };
  near(hungCorners(place, 0.4, 0.2).flat(), [0.9, 1.8, 0.9, 2.2, 1.1, 2.2, 1.1, 1.8]);
  assert.ok(isOn(place, 0.4, 0.2, [1.05, 2.15]));
  assert.ok(!isOn(place, 0.4, 0.2, [1.15, 2.05]));
});

test('a portrait phone and one on its side see the same turn along their own axes', () => {
  near(inCamera([1, 0, 0], 0), [1, 0, 0]);
  near(inCamera([0, 1, 0], 0), [0, -1, 0]);
  near(inCamera([0, 0, 1], 0), [0, 0, -1]);
  // Turned counter-clockwise by 90: the phone's own top is to the left.
  near(inCamera([0, 1, 0], 90), [-1, 0, 0]);
  near(inCamera([1, 0, 0], 90), [0, -1, 0]);
});

test('a wall that was kept with y down comes back with y to its top', async () => {
  const file = new Uint8Array([1]);
  await keepWall({ id: 'wall-old', used: 1, targets: [{ file, width: 0.5, middle: [0.1, -0.3] }] });
  await keepWall({ id: 'wall-new', used: 2, targets: [{ file, width: 0.5, center: [0.1, 0.3] }] });
  assert.deepEqual((await keptWalls()).map(({ id, targets }) => [id, targets]), [
    ['wall-new', [{ file, width: 0.5, center: [0.1, 0.3] }]], ['wall-old', [{ file, width: 0.5, center: [0.1, 0.3] }]],
  ]);
});

test('light: bright rooms are bright, dark ones dark, and yellow lamps yellow', () => {
  const scene = (r, g, b) => Uint8ClampedArray.from({ length: 4 * 400 }, (_, i) => [r, g, b, 255][i % 4] * (i % 4 === 3 ? 1 : 0.2 + (0.8 * (i >> 2)) / 400));
  const bright = lightOf(scene(250, 250, 250));
  const dark = lightOf(scene(110, 110, 110));
  const yellow = lightOf(scene(250, 220, 150));
  assert.ok(bright.white[1] > 0.8 && dark.white[1] < 0.25 && dark.white[1] >= 0.12);
  assert.ok(yellow.white[0] > yellow.white[1] && yellow.white[1] > yellow.white[2]);
  near(bright.white, [bright.white[1], bright.white[1], bright.white[1]], 1e-6);
  assert.ok(lightOf(scene(0, 0, 0)).white.every((value) => value > 0.1), 'a poster never vanishes');
});
