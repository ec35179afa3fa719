// Targets through the WebAssembly build and the page's binding: the same as natively, and what the binding promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TargetFailure, Targets } from '../../WebClient/engine/targets.js';
import { visionBytes, targetParity } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const record = targetParity();
const poster = new Uint8Array(Buffer.from(record.poster, 'base64'));
const file = new Uint8Array(Buffer.from(record.file, 'base64'));
const frames = record.frames.map(({ pixels, turn, values }) => (
  { pixels: new Uint8Array(Buffer.from(pixels, 'base64')), turn: turn.length ? turn : null, values }));
const gray = (width, height) => ({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false });

/**
 * Single precision in another order of sums (fused multiply and add): a thousandth of a pixel in a corner.
 * Largest seen, see the printed line: 1e-3.
 */
const CORNER = 0.01;

function play(targets, list) {
  return list.map(({ pixels, turn }, k) => {
    targets.room(pixels.length).set(pixels);
    return targets.process(gray(320, 240), k / 30, turn);
  });
}

test('a target file is the same bytes as natively', async () => {
  const targets = await Targets.make(module);
  const built = targets.build(poster, gray(200, 150), { name: record.name, width: 0.5 });
  assert.equal(built.length, file.length);
  assert.deepEqual(built, file);
  const description = targets.describe(built);
  assert.equal(description.name, 'Vår affisch');
  assert.deepEqual(
    [description.width, description.height, description.printedWidth, description.features],
    [200, 150, 0.5, record.description[7]]);
  assert.ok(description.stars > 2 && description.stars <= 5);
  const features = targets.features(built);
  assert.equal(features.length, description.features);
  assert.ok(Math.abs(features[0].x - record.features[0]) < 1e-6 && Math.abs(features[9].angle - record.features[48]) < 1e-6);
});

test('native and WebAssembly agree: a walk past a target', async () => {
  const targets = await Targets.make(module);
  const id = targets.add(file);
  targets.setCamera({ focalX: 300, focalY: 300, centerX: 159.5, centerY: 119.5 });
  const results = play(targets, frames);
  let largest = 0;
  results.forEach(([found], k) => {
    const expected = frames[k].values;
    assert.equal(found.id, id);
    assert.equal(found.state, ['lost', 'detected', 'tracked', 'extrapolated'][expected[1]], `frame ${k}`);
    if (!found.corners) return;
    found.corners.flat().forEach((value, n) => {
      largest = Math.max(largest, Math.abs(value - expected[2 + n]));
    });
    assert.equal(found.pose?.unit, 'metres');
    found.pose.translation.forEach((value, n) => assert.ok(Math.abs(value - expected[18 + n]) < 1e-3));
    assert.ok(Math.abs(found.homography[8] - 1) < 1e-12);
  });
  console.log(`largest difference of a corner: ${largest.toExponential(1)} pixels`);
  assert.ok(largest < CORNER, `${largest}`);
});

test('a width that is given goes before the file, and without a camera there is no pose', async () => {
  const targets = await Targets.make(module);
  targets.add(file, { width: 1 });
  const [[without]] = play(targets, frames.slice(0, 1));
  assert.equal(without.pose, null);
  assert.ok(without.corners && without.uncertainty > 0 && without.unseen === 0);
  targets.setCamera({ focalX: 300, focalY: 300, centerX: 159.5, centerY: 119.5 });
  const [[twice]] = play(targets, frames.slice(1, 2));
  assert.ok(Math.abs(twice.pose.translation[2] / frames[1].values[20] - 2) < 0.02);
});

test('several targets, added and removed while one is followed', async () => {
  const targets = await Targets.make(module);
  const first = targets.add(file);
  play(targets, frames.slice(0, 2));
  const noise = Uint8Array.from({ length: 100 * 80 }, (_, k) => (k * 7919) % 251);
  const second = targets.add(targets.build(noise, gray(100, 80), { name: 'noise' }));
  targets.room(frames[2].pixels.length).set(frames[2].pixels);
  const both = targets.process(gray(320, 240), 2 / 30);
  assert.deepEqual(both.map(({ id, state }) => [id, state]), [[first, 'tracked'], [second, 'lost']]);
  assert.equal(both[1].corners, null);
  assert.equal(both[1].unseen, -1);
  targets.remove(first);
  targets.room(frames[3].pixels.length).set(frames[3].pixels);
  assert.deepEqual(targets.process(gray(320, 240), 3 / 30).map(({ id }) => id), [second]);
  assert.ok(targets.add(file) > second, 'numbers are not given again');
});

test('what is no target file says why', async () => {
  const targets = await Targets.make(module);
  const fault = (bytes) => {
    try {
      targets.add(bytes);
    } catch (error) {
      assert.ok(error instanceof TargetFailure, String(error));
      return [error.code, ...error.numbers];
    }
    return null;
  };
  assert.deepEqual(fault(new Uint8Array()), ['notATarget']);
  assert.deepEqual(fault(new Uint8Array(500)), ['notATarget']);
  assert.deepEqual(fault(file.with(4, 99)), ['version', 99]);
  assert.deepEqual(fault(file.slice(0, -1)), ['length', file.length, file.length - 1]);
  assert.deepEqual(fault(file.with(file.length >> 1, file[file.length >> 1] ^ 1)), ['checksum']);
  assert.throws(() => targets.build(poster, gray(2000, 1500)), RangeError);
  assert.throws(() => targets.process(gray(0, 0), 0), RangeError);
});
