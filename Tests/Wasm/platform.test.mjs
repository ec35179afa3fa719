// The phone's own tracking (WebXR) through the WebAssembly build and the page's binding: matrices in, observations out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readObservations } from '../../WebClient/engine/observations.js';
import { PlatformOdometry } from '../../WebClient/engine/platform-odometry.js';
import { odometryBytes } from './build.mjs';

const module = await WebAssembly.compile(odometryBytes());
const [width, height] = [1080, 2160];
const [near, far] = [0.05, 60];
/** 60° from left to right, square pixels. */
const PROJECTION = Float32Array.of(
  1.732, 0, 0, 0, 0, 0.866, 0, 0, 0.02, -0.03, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0,
);

/** A pose by its place, its turn about up and about its own x, as WebXR has it. */
function matrix(x, y, z, yaw = 0, pitch = 0) {
  const [a, b, c, s] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return Float32Array.of(a, 0, -b, 0, b * s, c, a * s, 0, b * c, -s, a * c, 0, x, y, z, 1);
}

async function phone() {
  const odometry = await PlatformOdometry.make(module);
  odometry.setDisplay(390, 780);
  odometry.setPreview(0);
  return odometry;
}

/** Where WebXR itself draws a point of its world, pixels. */
function drawn([x, y, z], m) {
  const d = [x - m[12], y - m[13], z - m[14]];
  const v = [0, 1, 2].map((k) => m[4 * k] * d[0] + m[4 * k + 1] * d[1] + m[4 * k + 2] * d[2]);
  const p = PROJECTION;
  return [((p[0] * v[0] + p[8] * v[2]) / -v[2] + 1) / 2 * width - 0.5, (1 - (p[5] * v[1] + p[9] * v[2]) / -v[2]) / 2 * height - 0.5];
}

/** @param {Float32Array | null} from */
function frame(odometry, from, time, isEmulated = false) {
  odometry.pose(from && { worldFromViewer: from, clipFromViewer: PROJECTION, isEmulated }, width, height, time);
}

const states = ({ rows }) => readObservations(rows).filter(({ id }) => id > 0).map(({ state }) => state);

test('what is set down is drawn where the platform draws that point, wherever the phone goes', async () => {
  const odometry = await phone();
  frame(odometry, matrix(0, 1.5, 0, 0, -0.5), 1);
  odometry.met(matrix(0.3, 0, -2));
  const hit = odometry.place(3, 200, 400, 'standing', 0.5);
  assert.equal(hit.surface, 'floor');
  assert.ok(Math.abs(hit.distance - Math.hypot(0.3, 1.5, 2)) < 1e-6);
  for (let k = 0; k < 20; k += 1) {
    const from = matrix(k / 10, 1.5 + k / 50, -k / 40, k / 40, -0.5);
    frame(odometry, from, 1 + k);
    const tracked = odometry.seen();
    const [seen] = readObservations(tracked.rows);
    assert.equal(seen.state, k ? 'tracked' : 'found');
    const { translation: [x, y, z] } = seen.pose;
    // Off its middle and with square pixels, as the row says; the projection's own focal lengths differ by a hair.
    const pixel = [tracked.focal * x / z + tracked.center[0], tracked.focal * y / z + tracked.center[1]];
    const expected = drawn([0.3, 0, -2], from);
    assert.ok(Math.hypot(pixel[0] - expected[0], pixel[1] - expected[1]) < 0.01, `${pixel} ${expected}`);
    assert.equal(tracked.state, 'metric');
    assert.ok(Number.isNaN(tracked.scaleDeviation) && !tracked.isLost);
  }
});

test('the ray through a point of the display is the one that the platform draws there', async () => {
  const odometry = await phone();
  assert.equal(odometry.ray(100, 100), null);
  const from = matrix(0, 1.5, 0, 0.4, -0.3);
  frame(odometry, from, 0);
  const d = odometry.ray(130, 600);
  const at = [0, 1, 2].map((k) => from[12 + k] + 3 * (from[k] * d[0] + from[4 + k] * d[1] + from[8 + k] * d[2]));
  const [x, y] = drawn(at, from);
  assert.ok(Math.abs((x + 0.5) / width * 390 - 130) < 1e-3 && Math.abs((y + 0.5) / height * 780 - 600) < 1e-3);
});

test('surfaces are told by their normals and heights, and the middle is what was met last', async () => {
  const odometry = await phone();
  const cases = { floor: matrix(0, -0.1, -1), level: matrix(0, 0.75, -1), upright: matrix(0, 1.2, -2, 0, Math.PI / 2), ceiling: matrix(0, 2.4, -1, 0, Math.PI), points: matrix(0, 0.3, -1, 0, 0.8) };
  for (const [surface, at] of Object.entries(cases)) {
    frame(odometry, matrix(0, 1.5, 0), 1);
    odometry.met(at);
    assert.equal(odometry.seen().preview.surface, surface);
    frame(odometry, matrix(0, 1.5, 0), 2);
    assert.equal(odometry.seen().preview, null, 'a hit is of one frame');
  }
});

test('a guessed place is carried on for a while, then lost, once, and found again', async () => {
  const odometry = await phone();
  const from = matrix(0, 1.5, 0, 0, -0.5);
  const states1 = (pose, time, isEmulated = false) => {
    frame(odometry, pose, time, isEmulated);
    return states(odometry.seen());
  };
  frame(odometry, from, 0);
  odometry.met(matrix(0, 0, -2));
  odometry.place(1, 195, 390, 'flat', 0);
  assert.equal(odometry.seen().advice, 'none');
  assert.deepEqual(states1(from, 1, true), ['carried']);
  assert.equal(odometry.seen().advice, 'morePattern');
  assert.deepEqual(states1(from, 3, true), ['lost']);
  assert.deepEqual(states1(null, 4), []);
  assert.deepEqual(states1(from, 5), ['found']);
  assert.deepEqual(states1(null, 6), ['lost']);
  assert.equal(odometry.seen().state, 'none');
});

test('anchors move what they hold, a new world loses what has none', async () => {
  const odometry = await phone();
  const from = matrix(0, 1.5, 0, 0, -0.5);
  for (const number of [1, 2]) {
    frame(odometry, from, 1);
    odometry.met(matrix(0, 0, -2));
    odometry.place(number, 195, 390, 'standing', 0.4);
  }
  odometry.anchor(1, matrix(0, 0, -2, 1));
  odometry.anchor(1, matrix(0.5, 0.1, -3, 1.3));
  const moved = readObservations(odometry.seen().rows).find(({ id }) => id === 1);
  const pixel = drawn([0.5, 0.1, -3], from);
  const { translation: [x, y, z] } = moved.pose;
  const tracked = odometry.seen();
  assert.ok(Math.hypot(tracked.focal * x / z + tracked.center[0] - pixel[0], tracked.focal * y / z + tracked.center[1] - pixel[1]) < 0.01);
  odometry.reset();
  frame(odometry, from, 2);
  assert.deepEqual(states(odometry.seen()), ['tracked', 'lost']);
  odometry.anchor(1, null);
  assert.deepEqual(states(odometry.seen()), ['lost']);
});

test('what is no pose and no camera is not taken, and nothing traps', async () => {
  const odometry = await phone();
  const wrong = [new Float32Array(16), new Float32Array(16).fill(NaN), new Float32Array(16).fill(Infinity), matrix(0, 1, 0).map((v, k) => (k === 0 ? 2 : k > 7 && k < 11 ? -v : v)), matrix(0, 1e9, 0), [1, 2]];
  for (const pose of wrong) {
    frame(odometry, pose, 1);
    assert.equal(odometry.seen().state, 'none');
    odometry.met(pose);
    odometry.anchor(7, pose);
    assert.equal(odometry.place(1, 10, 10, 'flat', 0), null);
    assert.equal(odometry.drag(10, 10), null);
    assert.equal(odometry.nearest(10, 10), null);
  }
  odometry.pose({ worldFromViewer: matrix(0, 1, 0), clipFromViewer: new Float32Array(16), isEmulated: false }, width, height, 2);
  assert.equal(odometry.seen().state, 'none');
  odometry.pose({ worldFromViewer: matrix(0, 1, 0), clipFromViewer: PROJECTION, isEmulated: false }, NaN, -1, NaN);
  assert.equal(odometry.seen().state, 'none');
  frame(odometry, matrix(0, 1, 0), 3);
  assert.equal(odometry.seen().state, 'metric');
});
