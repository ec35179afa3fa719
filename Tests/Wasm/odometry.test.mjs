// World tracking through the WebAssembly build and the page's binding: the same as natively, and what the binding promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ODOMETRY_ROW } from '../../WebClient/engine/layout-by-need.js';
import { readObservations } from '../../WebClient/engine/observations.js';
import { Odometry } from '../../WebClient/engine/odometry.js';
import { odometryBytes, odometryParity } from './build.mjs';

const module = await WebAssembly.compile(odometryBytes());
const { width, height, focal, frames, pixels } = odometryParity();
const layout = { format: 'gray', width, height, offset: 0, stride: width, isLimited: false };
/**
 * Elementary functions of two C libraries and sums in another order: metres, radians in quaternions.
 * Largest seen, see the printed line.
 */
const APART = 1e-3;

async function tracker(options = {}) {
  const odometry = await Odometry.make(module);
  odometry.begin({ width, height, focal, screenAngle: 0, readout: 'left', ...options });
  return odometry;
}

/** @param {Odometry} odometry @param {number} k */
function step(odometry, k) {
  const { stamp, readings } = frames[k];
  for (const [time, x, y, z, ...force] of readings) odometry.motion(time, [x, y, z], force);
  odometry.room(width * height).set(pixels.subarray(k * width * height, (k + 1) * width * height));
  return odometry.look(layout, stamp);
}

test('native and WebAssembly agree: a walk with something set down', async (context) => {
  const odometry = await tracker();
  odometry.setDisplay(390, 520);
  odometry.setPreview(0);
  let [largest, hits, same] = [0, 0, 0];
  frames.forEach(({ row, hit }, k) => {
    const seen = step(odometry, k);
    const at = ODOMETRY_ROW;
    assert.equal(['none', 'orientation', 'uncertainScale', 'metric'].indexOf(seen.state), row[at.state], `frame ${k}`);
    const numbers = [...seen.position, ...seen.rotation, ...seen.lens];
    const expected = [...row.slice(at.position, at.rotation + 4), ...row.slice(at.lens, at.lens + 2)];
    const apart = Math.max(...numbers.map((value, index) => Math.abs(value - expected[index])));
    if (apart === 0) same += 1;
    largest = Math.max(largest, apart);
    assert.equal(seen.rows.length / 27 | 0, seen.rows.length / 27, 'whole rows');
    assert.equal(readObservations(seen.rows).length, row[at.observations]);
    if (k === 40) hits += compare(odometry.place(1, 195, 330, 'standing', 0.5), hit);
    if (k === 50) {
      odometry.hold(1, 195, 330);
      hits += compare(odometry.drag(150, 340), hit);
      odometry.twist(1, [[100, 100], [200, 100]], [[100, 100], [200, 140]]);
    }
  });
  assert.equal(hits, 2);
  assert.ok(largest < APART, `${largest}`);
  context.diagnostic(`at most ${largest.toExponential(2)} apart, ${same} of ${frames.length} frames to the last digit`);
});

/** @param {import('../../WebClient/engine/odometry.js').SurfaceHit | null} found @param {number[]} expected */
function compare(found, expected) {
  assert.ok(found && expected.length === 9);
  found.point.forEach((value, axis) => assert.ok(Math.abs(value - expected[3 + axis]) < 0.01, `${found.point} ${expected}`));
  return 1;
}

test('something set down is an anchor in each picture, until it is taken away', async () => {
  const odometry = await tracker();
  odometry.setDisplay(390, 520);
  for (let k = 0; k < 40; k++) step(odometry, k);
  assert.equal(odometry.nearest(195, 330), null);
  const hit = odometry.place(5, 195, 400, 'standing', 0.4);
  assert.ok(hit && hit.distance > 0.3 && hit.distance < 12 && Math.abs(Math.hypot(...hit.normal) - 1) < 1e-9);
  const [seen] = readObservations(step(odometry, 40).rows);
  assert.deepEqual([seen.kind, seen.id, seen.state, seen.width], ['placed', 5, 'found', 1]);
  assert.ok(seen.pose);
  assert.equal(readObservations(step(odometry, 41).rows)[0].state, 'tracked');
  assert.equal(odometry.nearest(195, 396), 5);
  odometry.remove(5);
  assert.equal(step(odometry, 42).rows.length, 0);
});

/**
 * The drawn frames as the browser has them once the screen was turned: what was right is at the top.
 * @param {number} k
 * @param {number} quarters
 */
function turned(k, quarters) {
  let [w, h, from] = [width, height, pixels.subarray(k * width * height, (k + 1) * width * height)];
  for (let quarter = 0; quarter < quarters; quarter++) {
    const to = new Uint8Array(w * h);
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) to[(w - 1 - x) * h + y] = from[y * w + x];
    [w, h, from] = [h, w, to];
  }
  return { width: w, height: h, from };
}

/** @param {[number, number]} point of a picture @param {number} quarters */
function turnedPoint([x, y], quarters) {
  let [w, h] = [width, height];
  for (let quarter = 0; quarter < quarters; quarter++) [x, y, w, h] = [y, w - 1 - x, h, w];
  return [x, y];
}

for (const quarters of [1, 2, 3]) {
  test(`a screen that is turned by ${90 * quarters} degrees changes nothing but the axes`, async () => {
    const [plain, other] = [await tracker(), await tracker()];
    const at = 40;
    for (let k = 0; k < at; k++) for (const odometry of [plain, other]) step(odometry, k);
    for (const odometry of [plain, other]) {
      odometry.setDisplay(width, height);
      assert.ok(odometry.place(1, 0.5 * width, 0.75 * height, 'flat', 0));
    }
    const screenAngle = 90 * quarters;
    let unlooked = 0;
    for (let k = at; k < 60; k++) {
      const { stamp, readings } = frames[k];
      const picture = turned(k, quarters);
      // The screen says it a frame before the pictures are turned.
      const now = k === at ? { width, height } : picture;
      const isTracked = other.goOn({ width: now.width, height: now.height, focal, screenAngle }, stamp);
      if (quarters !== 2) assert.equal(isTracked, k > at);
      for (const [time, x, y, z, ...force] of readings) for (const odometry of [plain, other]) odometry.motion(time, [x, y, z], force);
      if (!isTracked) {
        unlooked += 1;
        continue;
      }
      plain.room(width * height).set(pixels.subarray(k * width * height, (k + 1) * width * height));
      other.room(width * height).set(picture.from);
      const [expected, seen] = [plain.look(layout, stamp), other.look({ ...layout, width: now.width, height: now.height, stride: now.width }, stamp)];
      assert.deepEqual(seen.position, expected.position, 'the same to the last bit');
      assert.deepEqual([seen.state, seen.isLost, seen.focal, seen.tracks], [expected.state, expected.isLost, expected.focal, expected.tracks]);
      const near = (/** @type {number[]} */ a, /** @type {number[]} */ b, what = '') =>
        a.forEach((value, n) => assert.ok(Math.abs(value - b[n]) < 1e-9, `${what} ${a} ${b}`));
      near(seen.center, turnedPoint(/** @type {[number, number]} */ (expected.center), quarters), 'center');
      const [one] = readObservations(seen.rows);
      const [same] = readObservations(expected.rows);
      assert.equal(one.state, same.state);
      // What was right is up: x right, y down become y, −x.
      let t = [...same.pose.translation];
      for (let n = 0; n < quarters; n++) t = [t[1], -t[0], t[2]];
      near([...one.pose.translation], t, 'pose');
      one.corners.forEach((corner, n) => near([...corner], turnedPoint(same.corners[n], quarters), 'corner'));
      // From the camera to the world: what the picture's axes say of a point is where the frame's have it.
      near(rotate(seen.rotation, t), rotate(expected.rotation, [...same.pose.translation]), 'rotation');
    }
    assert.ok(unlooked < 10, `${unlooked}`);
    // A finger on the turned display takes what lies there.
    if (quarters !== 2) other.setDisplay(height, width);
    const [x, y] = turnedPoint([0.5 * width, 0.75 * height], quarters);
    const hits = [plain.hit(0.5 * width, 0.75 * height), other.hit(x + 0.5, y + 0.5)];
    assert.ok(hits[0] && hits[1] && Math.hypot(...hits[0].point.map((value, n) => value - hits[1].point[n])) < 0.05);
  });
}

/** @param {number[]} quaternion w first @param {number[]} vector */
function rotate([w, x, y, z], [a, b, c]) {
  const [i, j, k] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * i + y * k - z * j, b + w * j + z * i - x * k, c + w * k + x * j - y * i];
}

test('accelerations of the other sign are turned over, and tracking begins anew', async () => {
  const odometry = await tracker();
  const mirrored = frames.map(({ stamp, readings }) => ({ stamp, readings: readings.map(([t, x, y, z, ...f]) => [t, x, y, z, ...f.map((v) => -v)]) }));
  let state = '';
  mirrored.forEach(({ stamp, readings }, k) => {
    for (const [time, x, y, z, ...force] of readings) odometry.motion(time, [x, y, z], force);
    const [time] = readings.at(-1) ?? [stamp];
    // Held upright: beta 90.
    odometry.tilt(time, 82, 0);
    odometry.room(width * height).set(pixels.subarray(k * width * height, (k + 1) * width * height));
    const seen = odometry.look(layout, stamp);
    state = seen.state;
    if (k > 30) {
      // z up: the camera looks about level, so its y axis points down.
      const [w, x, y, z] = seen.rotation;
      assert.ok(2 * (y * z + w * x) < -0.7, `${seen.rotation}`);
    }
  });
  assert.notEqual(state, 'none');
});

test('pictures that cannot be tracked are refused, larger ones are halved', async () => {
  const odometry = await Odometry.make(module);
  assert.throws(() => odometry.begin({ width: 30, height: 30, focal: 30, screenAngle: 0 }), RangeError);
  assert.throws(() => odometry.look(layout, 1), RangeError);
  assert.ok(Math.abs(odometry.focal(1280, 720, 65) - 640 / Math.tan((32.5 * Math.PI) / 180)) < 1e-9);
  odometry.begin({ width: 1280, height: 720, focal: 1000, screenAngle: 90 });
  odometry.room(1280 * 720).fill(90);
  odometry.motion(0.99, [0, 0, 0], [0, 9.8, 0]);
  const seen = odometry.look({ format: 'gray', width: 1280, height: 720, offset: 0, stride: 1280, isLimited: false }, 1);
  assert.ok(Math.abs(seen.focal - 1000) < 1e-9 && seen.center[0] === 639.5 && seen.center[1] === 359.5);
});

test('tracking begins with a camera that was learned another time, and learns the same pictures to the same', async () => {
  const anew = await tracker();
  const known = await Odometry.make(module);
  let learned;
  for (let k = 0; k < frames.length; k++) learned = step(anew, k);
  const kept = { terms: [...learned.lens, 0], rowTime: learned.rowTime, timeOffset: learned.timeOffset };
  known.learned(kept);
  known.begin({ width, height, focal: learned.focal, screenAngle: 0, readout: 'left' });
  const first = step(known, 0);
  const near = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ most) => assert.ok(Math.abs(a - b) < most, `${a} ${b}`);
  near(first.timeOffset, kept.timeOffset, 1e-9);
  near(first.rowTime, kept.rowTime, 1e-9);
  first.lens.forEach((term, k) => near(term, kept.terms[k], 1e-9));
  near(first.focal, learned.focal, 1e-6);
  // What was learned is no other camera's.
  known.learned(null);
  known.begin({ width, height, focal, screenAngle: 0, readout: 'left' });
  assert.ok(Math.abs(step(known, 0).timeOffset - kept.timeOffset) > 1e-3, 'as with the first camera');
  // Of pictures that are halved it is still the time of the camera's own lines.
  known.learned({ ...kept, rowTime: 2e-5 });
  known.begin({ width: 1280, height: 960, focal: 1000, screenAngle: 0 });
  known.room(1280 * 960).fill(99);
  near(known.look({ ...layout, width: 1280, height: 960, stride: 1280 }, 1).rowTime, 2e-5, 1e-9);
});
