// Which corners of lines and areas the server is asked about.

import assert from 'node:assert/strict';
import test from 'node:test';

import { cornersAround } from '../app/session/corners.js';

/** On a sphere, as the engine measures over the date line too. */
const measure = (a, b, c, d) => Math.hypot(c - a, ((d - b + 540) % 360) - 180) * 111_195;
const here = { latitude: 48.4, longitude: 10 };
const place = (parts, altitudeMode = 'ground') => ({ altitudeMode, shapes: [{ kind: 'line', parts }] });

test('the nearest corners come first, numbered through all places', () => {
  const places = [
    place([[[10.01, 48.4], [10.001, 48.4]]]),
    { altitudeMode: 'eye' },
    place([[[10.002, 48.4]], [[10.003, 48.4], [10.2, 48.4]]]),
  ];
  assert.deepEqual(cornersAround(places, here, new Set(), 3, measure).map(({ corner }) => corner), [1, 2, 3]);
  assert.deepEqual(cornersAround(places, here, new Set([1, 2]), 3, measure).map(({ corner }) => corner), [3, 0]);
  assert.deepEqual(cornersAround(places, here, new Set(), 1, measure)[0].position, { latitude: 48.4, longitude: 10.001 });
});

test('corners with a height of their own are not asked about, and nothing over the date line is lost', () => {
  const part = [[10, 48.4, 500], [10, 48.4]];
  assert.deepEqual(cornersAround([place([part], 'seaLevel')], here, new Set(), 9, measure).map(({ corner }) => corner), [1]);
  assert.deepEqual(cornersAround([place([part], 'ground')], here, new Set(), 9, measure).map(({ corner }) => corner), [0, 1]);
  const east = { latitude: 0, longitude: 179.999 };
  assert.equal(cornersAround([place([[[-179.999, 0]]])], east, new Set(), 9, measure).length, 1);
  assert.deepEqual(cornersAround([place([[[NaN, NaN]]])], here, new Set(), 9, measure), []);
});
