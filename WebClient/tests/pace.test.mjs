import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../app/stage/pace.js';

/** What so many pictures of a time lead to, without what leads to nothing. */
const window = (pace, milliseconds, count = 40) => Array.from({ length: count }, () => pace.add(milliseconds)).filter((pause) => pause !== null);

test('the pictures that are taken while everything loads do not count', () => {
  const pace = new Pace();
  assert.deepEqual(window(pace, 500), []);
  assert.deepEqual(window(pace, 40, 400), []);
});

test('a phone that does not keep up rests, and is tried again: sooner when it was only a bad moment', () => {
  const pace = new Pace();
  assert.deepEqual(window(pace, 40, 80), []);
  assert.deepEqual(window(pace, 61), [45_000]);
  // The first pictures of the next try do not count either.
  assert.deepEqual(window(pace, 500), []);
  assert.deepEqual(window(pace, 61), [90_000]);
  assert.deepEqual(window(pace, 61, 80), [180_000]);
  assert.deepEqual(window(pace, 61, 80), [360_000]);
  assert.deepEqual(window(pace, 61, 80), [360_000]);
  assert.deepEqual(window(pace, 59, 80), []);
  assert.deepEqual(window(pace, 61), [45_000]);
});
