// What is known of a camera's lens: what somebody set goes before what was learned, and what was learned before the usual.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_FIELD_OF_VIEW, fieldOfView, learnedLens, lensAtSize, lensOf, opticsOf, setFieldOfView, setLens } from '../app/device/camera.js';
import { save } from '../app/core/storage.js';
import { LensKeeper, learnLens } from '../app/vision/lens-keeper.js';

const WIDE = { width: 1280, height: 720 };
const LEARNED = { fieldOfView: 61.5, terms: [-0.04, 0.01, 0], rowTime: 3e-5, timeOffset: 0.03 };

test('a learned lens is used until somebody sets another', () => {
  assert.equal(fieldOfView('rear'), DEFAULT_FIELD_OF_VIEW);
  assert.deepEqual(lensOf('rear'), []);
  learnLens('rear', WIDE, LEARNED);
  assert.equal(fieldOfView('rear'), 61.5);
  assert.deepEqual(lensOf('rear'), [-0.04, 0.01, 0]);
  assert.equal(fieldOfView('front'), DEFAULT_FIELD_OF_VIEW);
  setFieldOfView('rear', 70);
  assert.equal(fieldOfView('rear'), 70);
  assert.deepEqual(lensOf('rear'), [], 'terms that were learned with another angle');
  setLens('rear', [0.1, 0, 0]);
  assert.deepEqual(lensOf('rear'), [0.1, 0, 0]);
  setFieldOfView('rear', DEFAULT_FIELD_OF_VIEW);
  assert.equal(fieldOfView('rear'), 61.5, 'what was set is taken back');
});

test('what no lens can have is not kept', () => {
  for (const lens of [
    { fieldOfView: NaN }, { fieldOfView: 500 }, { terms: [0, 0] }, { terms: [NaN, 0, 0] }, { terms: [Infinity, 0, 0] }, { rowTime: NaN },
    { timeOffset: undefined },
  ]) learnLens('odd', WIDE, { ...LEARNED, ...lens });
  assert.equal(fieldOfView('odd'), DEFAULT_FIELD_OF_VIEW);
  assert.deepEqual(lensOf('odd'), []);
  assert.equal(fieldOfView('__proto__'), DEFAULT_FIELD_OF_VIEW);
});

test('what is learned belongs to the size of the pictures, however the phone is held', () => {
  const [full, small, other] = [{ ...LEARNED, fieldOfView: 64 }, { ...LEARNED, fieldOfView: 58 }, { ...LEARNED, fieldOfView: 70 }];
  learnLens('sizes', WIDE, full);
  learnLens('sizes', { width: 480, height: 640 }, small);
  assert.equal(fieldOfView('sizes', { width: 720, height: 1280 }), 64);
  assert.equal(fieldOfView('sizes', { width: 640, height: 480 }), 58);
  assert.equal(fieldOfView('sizes', { width: 1920, height: 1080 }), 64, 'another size of the same shape');
  assert.equal(fieldOfView('sizes', { width: 640, height: 640 }), 58, 'of none like it: the last');
  assert.equal(fieldOfView('sizes'), 58);
  assert.equal(lensAtSize('sizes', { width: 1920, height: 1080 }), null, 'its clock and its lines were never looked at');
  assert.deepEqual(lensAtSize('sizes', { width: 640, height: 480 }), small);
  for (let side = 1; side <= 20; side += 1) learnLens('sizes', { width: 100 * side, height: 90 }, other);
  assert.equal(lensAtSize('sizes', WIDE), null, 'the oldest of many go');
});

test('tracking begins with what was learned, but not when somebody set the angle', () => {
  learnLens('phone', WIDE, LEARNED);
  assert.deepEqual(opticsOf('phone', WIDE), { fieldOfView: 61.5, learned: LEARNED });
  assert.deepEqual(opticsOf('phone', { width: 640, height: 480 }), { fieldOfView: 61.5, learned: null });
  setFieldOfView('phone', 70);
  assert.deepEqual(opticsOf('phone', WIDE), { fieldOfView: 70, learned: null });
});

test('what another version kept, or somebody else, is nothing', () => {
  for (const kept of [{ fieldOfView: 61, terms: [0, 0, 0] }, 7, 'text', null, [1], { '1280 720': null }, { '1280 720': 7 }]) {
    save('learnedLens', { old: kept });
    assert.equal(learnedLens('old', WIDE), null, JSON.stringify(kept));
    learnLens('old', WIDE, LEARNED);
    assert.deepEqual(lensAtSize('old', WIDE), LEARNED, JSON.stringify(kept));
  }
});

test('what tracking has learned is kept every few seconds, once it knows enough', () => {
  const engine = { fieldOfView: () => 63, part: () => ({ lensReach: () => 4 }) };
  const tracked = { state: 'uncertainScale', focalDeviation: 0.006, focal: 1000, lens: [0.01, -0.02], rowTime: 3e-5, timeOffset: 0.02 };
  const keeper = new LensKeeper();
  const keep = (changes, time) => keeper.keep({ ...tracked, ...changes }, { ...WIDE, time }, 'kept', engine);
  assert.equal(keep({ state: 'orientation' }, 1), false);
  assert.equal(keep({ focalDeviation: 0.02 }, 1), false);
  assert.equal(keep({ focalDeviation: NaN }, 1), false);
  assert.equal(keep({}, 1), true, 'who only turns has learned the lens');
  assert.deepEqual(lensAtSize('kept', WIDE), { fieldOfView: 63, terms: [0.01, -0.02, 0], rowTime: 3e-5, timeOffset: 0.02 });
  assert.equal(keep({ timeOffset: 0.03 }, 3), false, 'not with every picture');
  assert.equal(keep({ timeOffset: 0.03, state: 'metric' }, 7), true);
  assert.equal(lensAtSize('kept', WIDE)?.timeOffset, 0.03);
});

test('terms by which a lens would fold within the picture are not kept', () => {
  const engine = { fieldOfView: () => 63, part: () => ({ lensReach: () => 0.1 }) };
  const tracked = { state: 'metric', focalDeviation: 0.006, focal: 1000, lens: [-0.4, 0], rowTime: 3e-5, timeOffset: 0.02 };
  new LensKeeper().keep(tracked, { ...WIDE, time: 1 }, 'folds', engine);
  assert.deepEqual(lensAtSize('folds', WIDE)?.terms, [0, 0, 0]);
});
