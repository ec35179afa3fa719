// places.wasm: where places are before the camera, told with the events of the whole engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PlaceEngine } from '../../WebClient/engine/place-engine.js';
import { placesBytes, root } from './build.mjs';

const module = new WebAssembly.Module(placesBytes());
const ULM = { latitude: 48.3984, longitude: 9.9915 };
const METRE = 1 / 111_195;
const north = (/** @type {number} */ metres, more = {}) =>
  ({ latitude: ULM.latitude + metres * METRE, longitude: ULM.longitude, altitude: 0, altitudeDatum: 'eye', ...more });

/** A phone held upright that looks north. */
async function ready() {
  const engine = await PlaceEngine.make(module);
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 1);
  engine.handle({ type: 'camera', width: 720, height: 1280, longSideFieldOfView: 62 }, 1);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 1);
  engine.handle({ type: 'fix', ...ULM, altitude: 480, horizontalAccuracy: 5, verticalAccuracy: 3 }, 1);
  return engine;
}

test('a place in the north is before a camera that looks there', async () => {
  const engine = await ready();
  engine.setPlaces([north(100), north(-30), north(100, { altitude: 520, altitudeDatum: 'ellipsoid' })]);
  const frame = engine.frame(1.5);
  assert.equal(frame.isValid, true);
  assert.deepEqual(frame.items.map(({ place }) => place), [0, 1, 2]);
  const [ahead, behind, high] = frame.items.map(({ cameraFromPlace }) => Array.from(cameraFromPlace.slice(12, 15)));
  assert.ok(Math.abs(ahead[0]) < 0.2 && Math.abs(ahead[1]) < 0.2 && Math.abs(ahead[2] - 100) < 0.5, String(ahead));
  assert.ok(Math.abs(behind[2] + 30) < 0.5, String(behind));
  // The camera's y runs down.
  assert.ok(Math.abs(high[1] + 40) < 0.5, String(high));
  assert.ok(Math.abs(frame.items[0].distance - 100) < 0.5);
  // Up at the place is up in the picture.
  assert.ok(frame.items[0].cameraFromPlace[9] < -0.999);
  assert.ok(Math.abs(frame.bearing) < 1e-6 && Math.abs(frame.pitch) < 1e-6);
});

test('without a position there is no frame, and nothing wrong ends the engine', async () => {
  const engine = await PlaceEngine.make(module);
  engine.setPlaces([north(10)]);
  assert.equal(engine.frame(1).isValid, false);
  assert.throws(() => engine.setPlaces(new Array(2 ** 21).fill(north(1))), RangeError);
  engine.handle({ type: 'geoid', bytes: new Uint8Array([1, 2, 3]) }, 1);
  const ready1 = await ready();
  ready1.setPlaces([north(NaN), north(1, { altitude: Infinity }), north(1, { latitude: 91 }), north(1, { altitudeDatum: 'moon' }), north(7)]);
  const { items } = ready1.frame(2);
  assert.ok(items.some(({ place }) => place === 4));
  for (const { cameraFromPlace, distance, opacity } of items) assert.ok([...cameraFromPlace, distance, opacity].every(Number.isFinite));
});

test('heights over the sea and over the ellipsoid agree once the geoid is known', async () => {
  const engine = await ready();
  engine.setPlaces([north(100, { altitude: 480, altitudeDatum: 'seaLevel' }), north(100, { altitude: 480, altitudeDatum: 'ellipsoid' })]);
  const heights = () => engine.frame(2).items.map(({ cameraFromPlace }) => -cameraFromPlace[13]);
  // Before, what cannot be compared stands on the ground below the user.
  assert.ok(Math.abs(heights()[0]) < 3);
  engine.handle({ type: 'geoid', bytes: new Uint8Array(readFileSync(join(root, 'WebClient/data/egm96.geoid'))) }, 2);
  const [sea, ellipsoid] = heights();
  assert.ok(Math.abs(ellipsoid) < 1, `${ellipsoid}`);
  // At Ulm the sea is some 48 m over the ellipsoid.
  assert.ok(sea - ellipsoid > 45 && sea - ellipsoid < 51, `${sea} ${ellipsoid}`);
});
