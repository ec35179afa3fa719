// Markers followed through pictures, through the WebAssembly build and the page's binding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instance } from '../../WebClient/engine/instance.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { visionBytes } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const [width, height] = [320, 240];
const layout = { format: 'gray', width, height, offset: 0, stride: width, isLimited: false };

/** Numbers that repeat, -1 to 1. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** A picture with upright markers whose left upper corners lie at (left, top), each pixel the mean of 16 points. */
function picture({ markers }, places, noise, seed) {
  const next = random(seed);
  const pixels = new Uint8Array(width * height);
  const cells = new Map(places.map(({ id }) => [id, markers.cells('6x6-250', id)]));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let dark = 0;
      for (const { id, left, top, cell } of places) {
        if (x < left - 1 || y < top - 1 || x > left + 8 * cell + 1 || y > top + 8 * cell + 1) continue;
        for (let k = 0; k < 16; k++) {
          const column = Math.floor((x + ((k % 4) - 1.5) / 4 - left) / cell) - 1;
          const row = Math.floor((y + ((k >> 2) - 1.5) / 4 - top) / cell) - 1;
          if (row < -1 || column < -1 || row > 6 || column > 6) continue;
          if (!cells.get(id)[row]?.[column]) dark += 1;
        }
      }
      pixels[y * width + x] = Math.round(200 - 10 * dark + noise * (next() + next()));
    }
  }
  return pixels;
}

/** An eye that looks for markers of one dictionary. */
async function watching(sides = []) {
  const vision = await Vision.make(module);
  vision.watchMarkers({ dictionaries: ['6x6-250'], sides, usual: 0.05 });
  return vision;
}

function track(vision, pixels, time, focal = 400) {
  vision.room(pixels.length).set(pixels);
  return vision.observe(layout, time, focal);
}

test('a marker keeps its track while it moves, at its own size', async () => {
  const vision = await watching([{ dictionary: '6x6-250', id: 7, side: 0.1 }]);
  for (let frame = 0; frame < 30; frame++) {
    const left = 20 + 4 * frame;
    const found = track(vision, picture(vision, [{ id: 7, left, top: 60, cell: 9 }], 3, frame), frame / 30);
    assert.equal(found.length, 1, `frame ${frame}`);
    const [{ id, track: number, corners, pose, width: side, state }] = found;
    assert.deepEqual([id, number, side, state], [7, 0, 0.1, frame === 0 ? 'found' : 'tracked']);
    assert.ok(Math.hypot(corners[0][0] - left, corners[0][1] - 60) < 0.3, `frame ${frame}: ${corners[0]}`);
    // 72 pixels at a focal length of 400 are 0.1 m at 0.556 m.
    assert.ok(Math.abs(pose.translation[2] - 0.5556) < 0.01);
  }
});

test('a marker that rests is still, and two of one size are told apart', async () => {
  const vision = await watching();
  const places = [{ id: 7, left: 30.3, top: 50.6, cell: 8 }, { id: 9, left: 180.1, top: 110.7, cell: 8 }];
  const seen = [];
  for (let frame = 0; frame < 40; frame++) {
    const found = track(vision, picture(vision, places, 4, frame + 50), frame / 30);
    assert.deepEqual(found.map(({ id }) => id).sort(), [7, 9]);
    if (frame >= 20) {
      seen.push(found.find(({ id }) => id === 9));
      assert.equal(new Set(found.map(({ track: number }) => number)).size, 2);
    }
  }
  assert.ok(seen.every(({ track: number }) => number === seen[0].track));
  assert.ok(seen.filter(({ isResting }) => isResting).length >= 15);
  const mean = seen.reduce((sum, { corners }) => sum + corners[0][0], 0) / seen.length;
  const spread = Math.sqrt(seen.reduce((sum, { corners }) => sum + (corners[0][0] - mean) ** 2, 0) / seen.length);
  assert.ok(spread < 0.05, `${spread} px`);
});

test('two that show the same marker have tracks of their own', async () => {
  const vision = await watching();
  const places = [{ id: 7, left: 30.3, top: 50.6, cell: 8 }, { id: 7, left: 180.1, top: 110.7, cell: 8 }];
  for (let frame = 0; frame < 10; frame++) {
    const found = track(vision, picture(vision, places, 4, frame + 90), frame / 30);
    assert.deepEqual(found.map(({ id, track: number }) => [id, number]).sort(), [[7, 0], [7, 1]], `frame ${frame}`);
  }
});

test('what is gone is not reported, then lost once, and another focal length changes nothing of what is followed', async () => {
  const vision = await watching();
  const pixels = picture(vision, [{ id: 7, left: 30, top: 50, cell: 9 }], 3, 1);
  const empty = new Uint8Array(width * height).fill(200);
  // A marker that was seen only once is forgotten, one that was seen twice is waited for.
  assert.equal(track(vision, pixels, 0).length, 1);
  assert.equal(track(vision, pixels, 0.02).length, 1);
  assert.equal(track(vision, empty, 0.04).length, 0);
  assert.equal(track(vision, pixels, 0.06)[0].track, 0);
  assert.equal(track(vision, pixels, 0.09, 500)[0].track, 0);
  assert.equal(track(vision, pixels, 0.12, 0)[0].pose, null);
  const after = Array.from({ length: 40 }, (_, k) => track(vision, empty, 0.15 + k / 30, 0)).flat();
  assert.deepEqual(after.map(({ id, state, pose }) => [id, state, pose]), [[7, 'lost', null]]);
  assert.ok(after[0].unseen >= 0.5 && after[0].unseen < 0.6, `${after[0].unseen}`);
  assert.equal(track(vision, pixels, 2, 0)[0].state, 'found');
});

test('what is covered is carried on by the gyroscope', async () => {
  const vision = await watching();
  const pixels = picture(vision, [{ id: 7, left: 130, top: 80, cell: 9 }], 3, 1);
  const empty = new Uint8Array(width * height).fill(200);
  const turning = (from, to, rate) => {
    for (let time = from; time <= to + 1e-9; time += 0.01) vision.motion(time, [0, rate, 0], 0);
  };
  turning(0, 0.1, 0);
  let last = [];
  for (let frame = 0; frame < 4; frame++) {
    turning(0.11 + frame * 0.03, 0.13 + frame * 0.03, 0);
    last = track(vision, pixels, 0.13 + frame * 0.03);
  }
  assert.equal(last[0].state, 'tracked');
  // A portrait phone that turns to the left by 30 degrees a second: what is before it goes to the right.
  turning(0.23, 0.25, 30);
  const [carried] = track(vision, empty, 0.25);
  assert.equal(carried.state, 'carried');
  assert.ok(Math.abs(carried.unseen - 0.03) < 1e-9);
  const moved = carried.corners[0][0] - last[0].corners[0][0];
  const expected = 400 * Math.tan((30 * 0.03 * Math.PI) / 180);
  assert.ok(Math.abs(moved - expected) < 1, `${moved} px instead of ${expected}`);
  assert.ok(carried.pose.translation[0] > last[0].pose.translation[0] + 0.004);
});

test('a bent lens moves the pose and not the corners', async () => {
  const vision = await Vision.make(module);
  const pixels = picture(vision, [{ id: 7, left: 10, top: 20, cell: 9 }], 0, 1);
  const see = (/** @type {number[]} */ ...lens) => {
    vision.reset();
    vision.watchMarkers({ dictionaries: ['6x6-250'], sides: [], usual: 0.05 });
    vision.setLens(lens);
    return track(vision, pixels, 0, 300)[0];
  };
  const straight = see();
  const bent = see(0.2, 0, 0, 0, 0);
  assert.ok(Math.hypot(bent.corners[0][0] - straight.corners[0][0], bent.corners[0][1] - straight.corners[0][1]) < 0.3);
  const move = Math.hypot(...bent.pose.translation.map((v, k) => v - straight.pose.translation[k]));
  assert.ok(move > 0.002, `${move} m`);
  assert.deepEqual(see().pose, straight.pose);
});

test('a picture that the room does not hold is refused', async () => {
  const vision = new Vision(await Instance.make(module));
  vision.watchMarkers({ dictionaries: ['6x6-250'], sides: [], usual: 0.05 });
  vision.room(100);
  assert.throws(() => vision.look(layout, 0, 400), RangeError);
  assert.throws(() => vision.look({ ...layout, offset: -1 }, 0, 400), RangeError);
});
