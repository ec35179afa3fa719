import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LostThings } from '../app/place/lost-things.js';

const is = (id, state) => ({ id, state });

test('what is lost stays lost until it is seen or taken away, whatever comes after it in a picture', () => {
  const lost = new LostThings();
  lost.note([is(1, 'lost'), is(2, 'tracked'), is(3, 'lost')]);
  assert.deepEqual([lost.size, lost.has(1), lost.has(2), lost.has(3)], [2, true, false, true]);
  // It is said once.
  lost.note([is(2, 'tracked')]);
  lost.note([]);
  assert.equal(lost.size, 2);
  lost.note([is(1, 'carried'), is(2, 'tracked')]);
  assert.deepEqual([lost.size, lost.has(3)], [1, true]);
  lost.forget([2, 3]);
  assert.equal(lost.size, 0);
});
