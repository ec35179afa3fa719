// Targets through the WebAssembly build and the page's binding: the same as natively, and what the binding promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readObservations } from '../../WebClient/engine/observations.js';
import { TargetFailure, Targets } from '../../WebClient/engine/targets.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { visionBytes, targetParity } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const record = targetParity();
const poster = new Uint8Array(Buffer.from(record.poster, 'base64'));
const file = new Uint8Array(Buffer.from(record.file, 'base64'));
const frames = record.frames.map(({ pixels, rows }) => (
  { pixels: new Uint8Array(Buffer.from(pixels, 'base64')), rows: readObservations(Float64Array.from(rows)) }));
const gray = (width, height) => ({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false });

/**
 * Single precision in another order of sums (fused multiply and add): a thousandth of a pixel in a corner.
 * Largest seen, see the printed line: 1e-3.
 */
const CORNER = 0.01;

function play(vision, list, focal = 300, first = 0) {
  return list.map(({ pixels }, k) => {
    vision.room(pixels.length).set(pixels);
    return vision.observe(gray(320, 240), (first + k) / 30, focal);
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
  const vision = await Vision.make(module);
  vision.addPicture(7, file);
  const results = play(vision, frames);
  let largest = 0;
  results.forEach((found, k) => {
    const expected = frames[k].rows;
    const named = (/** @type {any[]} */ all) => all.map(({ kind, id, state, track, isResting }) => ({ kind, id, state, track, isResting }));
    assert.deepEqual(named(found), named(expected), `frame ${k}`);
    found.forEach((seen, row) => {
      const truth = expected[row];
      seen.corners.flat().forEach((value, n) => {
        largest = Math.max(largest, Math.abs(value - truth.corners.flat()[n]));
      });
      assert.equal(seen.width, 0.5);
      assert.equal(seen.pose === null, truth.pose === null);
      seen.pose?.translation.forEach((value, n) => assert.ok(Math.abs(value - truth.pose.translation[n]) < 1e-3));
      seen.pose?.rotation.forEach((value, n) => assert.ok(Math.abs(value - truth.pose.rotation[n]) < 2e-3));
    });
  });
  assert.ok(results.flat().filter(({ pose }) => pose).length >= 8);
  console.log(`largest difference of a corner: ${largest.toExponential(1)} pixels`);
  assert.ok(largest < CORNER, `${largest}`);
});

test('a width that is given goes before the file, and without a camera there is no pose', async () => {
  const vision = await Vision.make(module);
  vision.addPicture(7, file, { width: 1 });
  const [[without]] = play(vision, frames.slice(0, 1), 0);
  assert.equal(without.pose, null);
  assert.ok(without.corners && without.sigma > 0 && without.unseen === 0);
  const [[twice]] = play(vision, frames.slice(1, 2), 300, 1);
  assert.equal(twice.width, 1);
  assert.ok(Math.abs(twice.pose.translation[2] / frames[1].rows[0].pose.translation[2] - 2) < 0.02);
});

test('several pictures, added, replaced and removed while one is followed', async () => {
  const vision = await Vision.make(module);
  vision.addPicture(5, file);
  play(vision, frames.slice(0, 2));
  const noise = Uint8Array.from({ length: 100 * 80 }, (_, k) => (k * 7919) % 251);
  const other = vision.targets.build(noise, gray(100, 80), { name: 'noise' });
  vision.addPicture(9, other);
  const named = (/** @type {any[]} */ found) => found.map(({ id, state }) => [id, state]);
  assert.deepEqual(named(play(vision, frames.slice(2, 3), 300, 2)[0]), [[5, 'tracked']]);
  vision.addPicture(9, file);
  vision.removePicture(5);
  const found = play(vision, frames.slice(3, 6), 300, 3);
  assert.ok(found.flat().every(({ id }) => id === 9) && found.at(-1)?.length === 1, JSON.stringify(found.map(named)));
  vision.addPicture(9, other);
  // Nothing is known of what has that number now; what is gone is lost once.
  const gone = Array.from({ length: 8 }, (_, k) => play(vision, frames.slice(5, 6), 300, 6 + 3 * k)).flat(2);
  assert.deepEqual([...new Set(gone.map(({ id }) => id))].sort(), [5, 9]);
  assert.ok(gone.every(({ state }) => state === 'lost') && gone.length === 2, JSON.stringify(named(gone)));
});

test('what is no target file says why', async () => {
  const vision = await Vision.make(module);
  const fault = (bytes) => {
    try {
      vision.addPicture(1, bytes);
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
  assert.throws(() => vision.targets.build(poster, gray(2000, 1500)), RangeError);
  assert.throws(() => vision.look(gray(0, 0), 0, 0), RangeError);
});
