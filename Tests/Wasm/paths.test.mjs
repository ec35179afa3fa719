// Lines and areas through the page's binding: where they are drawn is computed here once more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine } from '../../WebClient/engine/engine.js';
import { engineBytes } from './build.mjs';
import { load, place, world } from './worlds.mjs';

const ULM = { latitude: 48.3984, longitude: 9.9915 };
const METRE = 1 / 111_195;
const at = (north, east) => [ULM.longitude + (east * METRE) / Math.cos(0.84472), ULM.latitude + north * METRE];

async function showing(shapes) {
  const engine = await Engine.load(engineBytes());
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 1);
  engine.handle({ type: 'open', address: 4 }, 1);
  engine.handle({ type: 'fix', ...ULM, altitude: 480, horizontalAccuracy: 5, verticalAccuracy: 3 }, 1);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 1);
  let request;
  for (let effect; (effect = engine.nextEffect());) request ??= effect.request;
  load(engine, request.id, world([place(ULM.latitude + 50 * METRE, ULM.longitude, { shapes })]), 1);
  return engine;
}

test('a path on the ground and an area around the phone', async () => {
  const engine = await showing([
    { kind: 'line', parts: [[at(20, -4), at(20, 4), at(60, 4)]] },
    { kind: 'area', parts: [[at(30, -30), at(30, 30), at(-30, 30), at(-30, -30)], [at(10, -2), at(10, 2), at(12, 2)]] },
  ]);
  const frame = engine.makeFrame(1.1);
  assert.ok(frame.isValid);
  const focal = frame.width / 2 / Math.tan(frame.horizontalFieldOfView / 2);
  const runs = engine.paths();
  assert.deepEqual(runs.map(({ feature, shape, isRing }) => [feature, shape, isRing]), [[0, 0, false], [0, 1, true], [0, 1, true]]);
  const expected = [[20, -4], [20, 4], [60, 4]].map(([north, east]) => [
    195 + (focal * east) / north, 422 + (focal * 1.6) / north,
  ]);
  expected.forEach(([x, y], k) => {
    assert.ok(Math.hypot(runs[0].points[2 * k] - x, runs[0].points[2 * k + 1] - y) < 1, `${runs[0].points} ${expected}`);
  });
  assert.ok(runs[1].points.every(Number.isFinite) && runs[1].points.length === 8);
});

test('a world without paths has none, also after one that had some', async () => {
  const engine = await showing([]);
  engine.makeFrame(1.1);
  assert.deepEqual(engine.paths(), []);
});
