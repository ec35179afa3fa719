// Observations of vision and of world tracking in one list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBSERVATION_ROW, OBSERVATION_STATE } from '../engine/layout.js';
import { isSeenInMetres, loseObservations, mergeObservations } from '../engine/merged-observations.js';
import { readObservations } from '../engine/observations.js';

/** @param {[string, number, number?][]} list state, id, kind */
function rows(list) {
  const all = new Float64Array(list.length * OBSERVATION_ROW.length);
  list.forEach(([state, id, kind = 0], k) => {
    const row = all.subarray(k * OBSERVATION_ROW.length);
    row.set([kind, 3, id]);
    row[OBSERVATION_ROW.state] = OBSERVATION_STATE.indexOf(state);
    row[OBSERVATION_ROW.hasPose] = state === 'lost' ? 0 : 1;
    row[OBSERVATION_ROW.width] = 0.1;
  });
  return all;
}

/** @param {Float64Array} all */
const told = (all) => readObservations(all).map(({ state, id, kind }) => `${kind} ${id} ${state}`);

test('of what is not seen world tracking knows better, what is seen counts', () => {
  const seen = rows([['tracked', 1], ['carried', 2], ['lost', 3], ['carried', 4], ['found', 5, 2], ['carried', 6]]);
  const carried = rows([['carried', 2], ['carried', 3], ['carried', 1], ['lost', 6], ['carried', 4, 1]]);
  assert.deepEqual(told(mergeObservations(seen, carried)), [
    'marker 1 tracked', 'marker 4 carried', 'code 5 found', 'marker 6 carried', 'marker 2 carried', 'marker 3 carried', 'marker 6 lost', 'picture 4 carried',
  ]);
  assert.deepEqual(told(mergeObservations(seen, rows([]))), told(seen));
  assert.equal(mergeObservations(rows([]), rows([])).length, 0);
});

test('what is lost has no place', () => {
  const before = rows([['carried', 1], ['carried', 2]]);
  const [one, two] = readObservations(loseObservations(before));
  assert.ok(one.state === 'lost' && one.pose === null && two.id === 2);
  assert.equal(readObservations(before)[0].state, 'carried', 'a copy');
  assert.deepEqual([['found', 1], ['tracked', 1], ['carried', 1], ['lost', 1]].map((one) => isSeenInMetres(
    readObservations(rows([/** @type {[string, number]} */ (one)]))[0],
  )), [true, true, false, false]);
});
