// Walls through the WebAssembly file: a sheet is found, and the wall is seen from the front.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallPictures } from '../../WebClient/engine/wall.js';
import { wallsBytes } from './build.mjs';

const module = await WebAssembly.compile(wallsBytes());

const layout = (width, height) => ({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false });

/** Whether a point is inside corners that go round clockwise, y down. */
const isIn = (corners, x, y) => corners.every(([ax, ay], k) => {
  const [bx, by] = corners[(k + 1) % 4];
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
});

/** A sheet of one level on a wall of another, with a slope of light and noise that is the same each time. */
function picture(width, height, corners, { sheet = 225, wall = 120, noise = 6, print = false } = {}) {
  let seed = 12345;
  const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
  const pixels = new Uint8Array(width * height);
  // Prints have margins.
  const [mx, my] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + corner[k] / 4, 0));
  const inner = corners.map(([x, y]) => [mx + 0.8 * (x - mx), my + 0.8 * (y - my)]);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let inside = 0;
      for (let k = 0; k < 16; k++) inside += isIn(corners, x - 0.375 + 0.25 * (k % 4), y - 0.375 + 0.25 * (k >> 2)) ? 1 / 16 : 0;
      const lines = print && isIn(inner, x, y) && y % 12 < 3 && x % 7 < 5 ? -120 : 0;
      pixels[y * width + x] = Math.max(0, Math.min(255, Math.round(wall + (12 * x) / width + inside * (sheet - wall) + lines + (random() * 2 - 1) * noise)));
    }
  }
  return pixels;
}

/** The largest distance of a found corner from the nearest true one. */
const farthest = (found, corners) => Math.max(...found.map(([x, y]) => Math.min(...corners.map(([u, v]) => Math.hypot(x - u, y - v)))));

test('a sheet is found to a fraction of a pixel, turned, light on dark and dark on light', async () => {
  const wall = await WallPictures.make(module);
  for (let k = 0; k < 12; k++) {
    const [a, w, h] = [((k * 23) % 80 - 40) * Math.PI / 180, 35 + (k * 7) % 35, 35 + (k * 11) % 25];
    const corners = [[-w, -h], [w, -h], [w, h], [-w, h]].map(([x, y]) => [x * (1 + 0.001 * y), y * (1 + 0.001 * x)])
      .map(([x, y]) => [160 + Math.cos(a) * x - Math.sin(a) * y, 120 + Math.sin(a) * x + Math.cos(a) * y]);
    const levels = k % 2 ? { sheet: 40, wall: 180 } : {};
    const found = wall.sheet(picture(320, 240, corners, levels), layout(320, 240));
    assert.ok(found && farthest(found, corners) < 0.3, `${k}: ${found} for ${corners}`);
    assert.ok(found.every(([x, y]) => found[0][0] + found[0][1] <= x + y));
  }
  const corners = [[100, 60], [200, 66], [196, 190], [96, 184]];
  const pale = wall.sheet(picture(320, 240, corners, { sheet: 236, wall: 200, noise: 3 }), layout(320, 240));
  assert.ok(pale && farthest(pale, corners) < 0.3, `${pale}`);
  const printed = wall.sheet(picture(320, 240, corners, { sheet: 240, wall: 150, noise: 3, print: true }), layout(320, 240));
  assert.ok(printed && farthest(printed, corners) < 0.5, `${printed}`);
});

test('where there is no sheet none is found', async () => {
  const fresh = await WallPictures.make(module);
  assert.throws(() => fresh.sheet(new Uint8Array(100), layout(320, 240)), RangeError);
  const wall = await WallPictures.make(module);
  assert.equal(wall.sheet(picture(320, 240, [[-9, -9], [-8, -9], [-8, -8], [-9, -8]]), layout(320, 240)), null);
  assert.equal(wall.sheet(picture(320, 240, [[-20, 60], [120, 60], [120, 180], [-20, 180]]), layout(320, 240)), null);
  assert.equal(wall.sheet(new Uint8Array(8 * 8), layout(8, 8)), null);
});

test('a wall that is seen at a slant comes out from the front, in its true shape', async () => {
  const wall = await WallPictures.make(module);
  // Turned by 40 degrees about the vertical; a checkered wall of squares of 0.1.
  const [width, height, focal, turn] = [640, 480, 600, (40 * Math.PI) / 180];
  const project = (x, y) => {
    const depth = 2 + Math.sin(turn) * x;
    return [(focal * Math.cos(turn) * x) / depth + 319.5, (focal * y) / depth + 239.5];
  };
  const pixels = new Uint8Array(width * height);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const r = (u - 319.5) / focal;
      const x = (2 * r) / (Math.cos(turn) - r * Math.sin(turn));
      const y = ((v - 239.5) / focal) * (2 + Math.sin(turn) * x);
      pixels[v * width + u] = (Math.floor(x / 0.1) + Math.floor(y / 0.1)) % 2 === 0 ? 200 : 60;
    }
  }
  const corners = [project(-0.3, -0.2), project(0.3, -0.2), project(0.3, 0.2), project(-0.3, 0.2)];
  // The height is not told: it follows from the camera.
  const front = wall.front(pixels, layout(width, height), { corners, width: 0.6, height: 0, focal, margin: 0.5 });
  assert.ok(front);
  assert.ok(Math.abs(front.rectangleHeight - 0.4) < 1e-6, `${front.rectangleHeight}`);
  assert.ok(front.left < -0.3 && front.right > 0.3 && front.top > 0.2 && front.bottom < -0.2);
  const [stepX, stepY] = [(front.right - front.left) / front.width, (front.top - front.bottom) / front.height];
  let wrong = 0;
  let seen = 0;
  for (let y = 0; y < front.height; y++) {
    for (let x = 0; x < front.width; x++) {
      const [u, v] = [front.left + (x + 0.5) * stepX, -(front.top - (y + 0.5) * stepY)];
      const near = (value) => Math.abs(value / 0.1 - Math.round(value / 0.1)) < 0.12;
      if (near(u) || near(v)) continue;
      seen += 1;
      const isLight = (Math.floor(u / 0.1) + Math.floor(v / 0.1)) % 2 === 0;
      if (front.pixels[y * front.width + x] > 130 !== isLight) wrong += 1;
    }
  }
  assert.ok(seen > 10_000 && wrong === 0, `${wrong} of ${seen}`);
  const told = wall.front(pixels, layout(width, height), { corners, width: 0.6, height: 0.4, focal, margin: 0 });
  assert.ok(told && Math.abs(told.left + 0.3) < 1e-9 && Math.abs(told.bottom + 0.2) < 1e-9);
  for (const bad of [[[0, 0], [9, 9], [9, 0], [0, 9]], [[0, 0], [1, 1], [2, 2], [3, 3]], [[NaN, 0], [9, 0], [9, 9], [0, 9]], [[-900, 0], [9, 0], [9, 9], [-900, 9]]]) {
    assert.equal(wall.front(pixels, layout(width, height), { corners: bad, width: 1, height: 1, focal, margin: 0 }), null, `${bad}`);
  }
});
