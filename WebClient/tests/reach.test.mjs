// The steps of the radius, and how far it goes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { farthestOf, RADIUS, reachFor, stepFor } from '../app/session/reach.js';
import { stepsTo } from '../app/ui/radius-steps.js';

test('steps grow by about the same ratio, from the least radius to half around the Earth', () => {
  const steps = stepsTo(RADIUS.high);
  assert.equal(steps[0], 50);
  assert.equal(steps.at(-1), RADIUS.high);
  steps.slice(1).forEach((step, k) => {
    const ratio = step / steps[k];
    assert.ok(ratio > 1 && ratio < 1.36, `${steps[k]} to ${step}`);
  });
  assert.deepEqual(stepsTo(500), [50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500]);
});

test('the step for a distance holds it, and whatever is no distance gets one too', () => {
  for (let metres = 1; metres < RADIUS.high; metres *= 1.07) {
    const step = stepFor(metres);
    assert.ok(step >= metres && step <= Math.max(50, metres * 1.36), `${metres}: ${step}`);
    assert.equal(stepFor(step), step);
  }
  for (const odd of [NaN, -1, 0, -Infinity]) assert.equal(stepFor(odd), 50);
  for (const odd of [Infinity, 1e300]) assert.equal(stepFor(odd), RADIUS.high);
});

test('a world needs its farthest place, corners of lines too, clear of the rim', () => {
  const distance = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d) => Math.hypot(a - c, b - d);
  const place = { position: { latitude: 3, longitude: 4 } };
  const line = { shapes: [{ kind: 'line', parts: [[[0, 0], [90, 0]]] }] };
  const content = (/** @type {any[]} */ places) => /** @type {any} */ ({ places });
  const from = { latitude: 0, longitude: 0 };
  assert.equal(farthestOf(content([place, {}]), from, distance), 5);
  assert.equal(farthestOf(content([place, line]), from, distance), 90);
  assert.equal(farthestOf(content([{}]), from, distance), 0);
  assert.equal(reachFor(800), 1000);
  assert.equal(reachFor(801), 1200);
  assert.equal(reachFor(3), 200);
});
