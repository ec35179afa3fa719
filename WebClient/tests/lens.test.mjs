// What is known of a camera's lens: what somebody set goes before what was learned, and what was learned before the usual.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_FIELD_OF_VIEW, fieldOfView, learnLens, lensOf, setFieldOfView, setLens } from '../app/device/camera.js';

test('a learned lens is used until somebody sets another', () => {
  assert.equal(fieldOfView('rear'), DEFAULT_FIELD_OF_VIEW);
  assert.deepEqual(lensOf('rear'), []);
  learnLens('rear', { fieldOfView: 61.5, terms: [-0.04, 0.01, 0] });
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
    { fieldOfView: NaN, terms: [0, 0, 0] }, { fieldOfView: 500, terms: [0, 0, 0] }, { fieldOfView: 60, terms: [0, 0] },
    { fieldOfView: 60, terms: [NaN, 0, 0] }, { fieldOfView: 60, terms: [Infinity, 0, 0] },
  ]) learnLens('odd', lens);
  assert.equal(fieldOfView('odd'), DEFAULT_FIELD_OF_VIEW);
  assert.deepEqual(lensOf('odd'), []);
  assert.equal(fieldOfView('__proto__'), DEFAULT_FIELD_OF_VIEW);
});
