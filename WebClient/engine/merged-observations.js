// Observations of vision and of world tracking in one list.

import { OBSERVATION_ROW, OBSERVATION_STATE } from './layout.js';
import { OBSERVATION, rowsOf } from './observations.js';

/** @typedef {import('./observations.js').Observation} Observation */

/** From this state on something is not seen. */
const CARRIED = OBSERVATION_STATE.indexOf('carried');

/**
 * Whether something is seen, and it is known where in metres.
 * @param {Observation} observation
 */
export function isSeenInMetres({ state, width, pose }) {
  return (state === 'found' || state === 'tracked') && width > 0 && pose !== null;
}

/**
 * What vision saw in a picture, and what world tracking knows of the rest; of one anchor that both know without seeing it the latter counts.
 * @param {Float64Array} seen rows of vision
 * @param {Float64Array} carried rows of world tracking
 * @returns {Float64Array} rows, those of vision first and in their order
 */
export function mergeObservations(seen, carried) {
  const { anchor, state } = OBSERVATION_ROW;
  const isSeen = (/** @type {Float64Array} */ row) => row[state] < CARRIED;
  const key = (/** @type {Float64Array} */ row) => row.subarray(anchor, anchor + 3).join();
  const own = rowsOf(seen);
  const inPicture = new Set(own.filter(isSeen).map(key));
  const others = rowsOf(carried).filter((row) => !inPicture.has(key(row)));
  const known = new Set(others.filter((row) => row[state] === CARRIED).map(key));
  const all = [...own.filter((row) => isSeen(row) || !known.has(key(row))), ...others];
  const rows = new Float64Array(all.length * OBSERVATION);
  all.forEach((row, k) => rows.set(row, k * OBSERVATION));
  return rows;
}

/**
 * The same anchors, lost.
 * @param {Float64Array} rows
 * @returns {Float64Array}
 */
export function loseObservations(rows) {
  const lost = rows.slice();
  for (const row of rowsOf(lost)) {
    row[OBSERVATION_ROW.state] = OBSERVATION_STATE.indexOf('lost');
    row[OBSERVATION_ROW.hasPose] = 0;
  }
  return lost;
}
