// What vision saw, as rows of numbers: the mirror of Sources/Web/SightlineWasmMemory/ObservationRow. Rows are carried over from
// one engine file to the other as they are; the page reads of them what it has words for.

import { DICTIONARY } from './dictionaries.js';

/**
 * @typedef {'found' | 'tracked' | 'carried' | 'lost'} ObservationState `found`: seen without use of earlier pictures; `tracked`:
 *   followed and seen in this one; `carried`: not seen in this one, carried on; `lost`: nothing is known any more, said once
 * @typedef {{ rotation: [number, number, number, number], translation: [number, number, number], error: number }} Pose
 *   `rotation` is w, x, y, z of cameraFromPlane. Camera: x right, y down, z forward. Plane: x right, y up, z towards the viewer, origin in
 *   its middle; metres, or widths of the thing where its width is not known
 * @typedef {{ kind: 'marker' | 'picture' | 'code' | 'wall', dictionary: string, id: number, hash: string, state: ObservationState,
 *   corners: [number, number][], sigma: number, confidence: number, width: number, track: number, isResting: boolean,
 *   unseen: number, pose: Pose | null }} Observation `id` is a marker's id in its `dictionary`, or the number of a picture or a wall;
 *   `hash` that of a code's content; `corners` in pixels, clockwise from its own top left
 */

const KIND = /** @type {const} */ (['marker', 'picture', 'code', 'wall']);
const STATE = /** @type {const} */ (['found', 'tracked', 'carried', 'lost']);
/** Numbers of a row. */
export const OBSERVATION = 27;

/**
 * @param {Float64Array} rows
 * @returns {Observation[]}
 */
export function readObservations(rows) {
  return Array.from({ length: rows.length / OBSERVATION }, (_, k) => observation(rows.subarray(k * OBSERVATION, (k + 1) * OBSERVATION)));
}

/**
 * @param {Float64Array} v
 * @returns {Observation}
 */
function observation(v) {
  const kind = KIND[v[0]];
  return {
    kind, dictionary: kind === 'marker' ? DICTIONARY[v[1]] : '', id: v[2], hash: kind === 'code' ? `${v[1]}:${v[2]}` : '',
    state: STATE[v[3]], corners: [[v[4], v[5]], [v[6], v[7]], [v[8], v[9]], [v[10], v[11]]],
    sigma: v[12], confidence: v[13], width: v[14], track: v[15], isResting: v[16] === 1, unseen: v[17],
    pose: v[18]
      ? { rotation: [v[19], v[20], v[21], v[22]], translation: [v[23], v[24], v[25]], error: v[26] }
      : null,
  };
}
