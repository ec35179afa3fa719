// Walls that are kept, and the light on them. Their geometry: Tests/SightlineCameraTests/PlaneViewTests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepWall, keptWalls } from '../app/posters/kept.js';
import { lightOf } from '../app/posters/try/light.js';

const near = (a, b, within = 1e-4) => a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) < within, `${a} is not ${b}`));

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
