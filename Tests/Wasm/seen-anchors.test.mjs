// Extended tracking through the WebAssembly build: what vision saw is told where it is once it is not seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBSERVATION_ROW, OBSERVATION_STATE } from '../../WebClient/engine/layout.js';
import { ODOMETRY_ROW } from '../../WebClient/engine/layout-by-need.js';
import { readObservations } from '../../WebClient/engine/observations.js';
import { Odometry } from '../../WebClient/engine/odometry.js';
import { odometryBytes, odometryParity } from './build.mjs';

const module = await WebAssembly.compile(odometryBytes());
const { width, height, focal, frames, pixels } = odometryParity();
const at = OBSERVATION_ROW;
/** Of its frame: x right, y up, z towards who looks at it. */
const SIDE = 0.3;

/** v turned by the quaternion w, x, y, z. @param {number[]} q @param {number[]} v */
function turned([w, x, y, z], [a, b, c]) {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

/**
 * A marker that hangs before the camera in the world that the native build has for a frame.
 * @param {number[]} position of it
 * @param {number} k frame
 */
function rowOf(position, k) {
  const { row } = frames[k];
  const [px, py, pz] = row.slice(ODOMETRY_ROW.position, ODOMETRY_ROW.position + 3);
  const [w, x, y, z] = row.slice(ODOMETRY_ROW.rotation, ODOMETRY_ROW.rotation + 4);
  const place = turned([w, -x, -y, -z], [position[0] - px, position[1] - py, position[2] - pz]);
  const v = new Float64Array(at.length);
  v.set([0, 11, 7], at.anchor);
  v[at.state] = OBSERVATION_STATE.indexOf('tracked');
  const f = row[ODOMETRY_ROW.focal];
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([a, b], corner) => v.set([
    (width - 1) / 2 + (f * (place[0] + (a * SIDE) / 2)) / place[2], (height - 1) / 2 + (f * (place[1] + (b * SIDE) / 2)) / place[2],
  ], at.corners + 2 * corner));
  Object.assign(v, { [at.sigma]: 0.2, [at.confidence]: 1, [at.width]: SIDE, [at.hasPose]: 1 });
  // Its back to where the camera looks.
  v.set([0, 1, 0, 0, ...place], at.rotation);
  return { v, place };
}

/** @param {Odometry} odometry @param {number} k @param {Float64Array} [rows] */
function step(odometry, k, rows) {
  const { stamp, readings } = frames[k];
  for (const [time, x, y, z, ...force] of readings) odometry.motion(time, [x, y, z], force);
  odometry.room(width * height).set(pixels.subarray(k * width * height, (k + 1) * width * height));
  if (rows) odometry.see(rows, frames[k].row[ODOMETRY_ROW.focal], []);
  return odometry.look({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false }, stamp);
}

async function tracker() {
  const odometry = await Odometry.make(module);
  odometry.begin({ width, height, focal, screenAngle: 0, readout: 'left' });
  return odometry;
}

test('what was seen is carried on where it is, and lost when tracking begins anew', async (context) => {
  const odometry = await tracker();
  const metric = frames.findIndex(({ row }) => row[ODOMETRY_ROW.state] === 3);
  assert.ok(metric > 0 && frames.length > metric + 14, `${metric} of ${frames.length}`);
  const shown = frames.length - 6;
  const { row } = frames[metric];
  const ahead = turned(row.slice(ODOMETRY_ROW.rotation, ODOMETRY_ROW.rotation + 4), [0, 0, 1.6]);
  const position = ahead.map((value, axis) => value + row[ODOMETRY_ROW.position + axis]);
  for (let k = 0; k < shown; k++) {
    const { rows } = step(odometry, k, k < metric ? undefined : rowOf(position, k).v);
    assert.equal(rows.length, 0, 'as long as it is seen there is nothing to say');
  }
  let apart = 0;
  for (let k = shown; k < frames.length; k++) {
    const [one, ...rest] = readObservations(step(odometry, k, new Float64Array(0)).rows);
    assert.ok(one && !rest.length && one.kind === 'marker' && one.id === 7 && one.state === 'carried' && one.pose && one.width === SIDE);
    apart = Math.max(apart, Math.hypot(...rowOf(position, k).place.map((value, axis) => value - one.pose.translation[axis])));
    assert.ok(one.sigma > 0 && one.sigma < 60 && one.unseen > 0);
  }
  context.diagnostic(`at most ${(apart * 100).toFixed(1)} cm`);
  assert.ok(apart < 0.1, `${apart}`);
  odometry.begin({ width, height, focal, screenAngle: 0, readout: 'left' });
  const [lost] = readObservations(step(odometry, 0, new Float64Array(0)).rows);
  assert.deepEqual([lost.state, lost.pose], ['lost', null]);
  assert.equal(step(odometry, 1, new Float64Array(0)).rows.length, 0);
});

test('observations that are none change nothing, too many are refused', async () => {
  const odometry = await tracker();
  assert.throws(() => odometry.see(new Float64Array(2000 * at.length), focal, []), RangeError);
  const odd = [NaN, Infinity, -Infinity, 0, -1, 1e300, 4, 1];
  for (let round = 0; round < 400; round++) {
    const rows = Float64Array.from({ length: 3 * at.length }, (_, k) => odd[(round * 7 + k * 13 + ((round * k) % 11)) % odd.length]);
    for (let k = 0; k < 3; k++) rows.set([k, 0, round], k * at.length + at.anchor);
    odometry.see(rows, odd[round % odd.length], [odd[(round + 3) % odd.length]]);
    if (round % 20 === 0) assert.ok(step(odometry, round / 20).rows.every((value) => Number.isFinite(value)));
  }
});
