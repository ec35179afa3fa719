// What the session is told of the camera's path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathEvent } from '../app/vision/path-event.js';

/** @returns {any} */
const tracked = (/** @type {object} */ more) => ({
  state: 'metric', time: 12.5, timeOffset: 0.04, position: [1, 2, 3], rotation: [0.5, 0.5, -0.5, 0.5], yawDeviation: 0.01, isLost: false, ...more,
});

test('a path is told with the moment of the picture by the clock of the sensors', () => {
  assert.deepEqual(pathEvent(tracked({})), {
    type: 'path', pictureTime: 12.46, x: 1, y: 2, z: 3, qw: 0.5, qx: 0.5, qy: -0.5, qz: 0.5, yawDeviation: 0.01, state: 'metric',
  });
});

test('what is not followed is lost', () => {
  const states = [tracked({ state: 'uncertainScale' }), tracked({ state: 'orientation' }), tracked({ isLost: true })];
  assert.deepEqual(states.map((one) => /** @type {any} */ (pathEvent(one)).state), ['uncertainScale', 'lost', 'lost']);
});
