// What vision saw, as rows of numbers. Rows are carried over from one engine file to the other as they are; the page reads
// of them what it has words for.

import { MARKER_DICTIONARY, OBSERVATION_ROW, OBSERVATION_STATE } from './layout.js';

/**
 * @typedef {import('./bindings').ObservationState} ObservationState
 * @typedef {{ rotation: [number, number, number, number], translation: [number, number, number], error: number }} Pose
 *   `rotation` is w, x, y, z of cameraFromPlane. Camera: x right, y down, z forward. Plane: x right, y up, z towards the viewer, origin in
 *   its middle; metres, or widths of the thing where its width is not known
 * @typedef {{ kind: 'marker' | 'picture' | 'code' | 'wall' | 'placed', dictionary: string, id: number, hash: string, state: ObservationState,
 *   corners: [number, number][], sigma: number, confidence: number, width: number, track: number, isResting: boolean,
 *   unseen: number, pose: Pose | null }} Observation `id` is a marker's id in its `dictionary`, or the number of a picture, a wall or what
 *   was placed;
 *   `hash` that of a code's content; `corners` in pixels, clockwise from its own top left
 */

const KIND = /** @type {const} */ (['marker', 'picture', 'code', 'wall', 'placed']);
/** Numbers of a row. */
export const OBSERVATION = OBSERVATION_ROW.length;

/**
 * @param {Float64Array} rows
 * @returns {Observation[]}
 */
export function readObservations(rows) {
  return rowsOf(rows).map(observation);
}

/** @param {Float64Array} rows */
export function rowsOf(rows) {
  return Array.from({ length: rows.length / OBSERVATION }, (_, k) => rows.subarray(k * OBSERVATION, (k + 1) * OBSERVATION));
}

/**
 * @param {Float64Array} v
 * @returns {Observation}
 */
function observation(v) {
  const at = OBSERVATION_ROW;
  const [kind, first, second] = [KIND[v[at.anchor]], v[at.anchor + 1], v[at.anchor + 2]];
  return {
    kind, dictionary: kind === 'marker' ? MARKER_DICTIONARY[first] : '', id: second,
    hash: kind === 'code' ? `${first}:${second}` : '', state: OBSERVATION_STATE[v[at.state]], corners: cornersOf(v, at.corners),
    sigma: v[at.sigma], confidence: v[at.confidence], width: v[at.width], track: v[at.track],
    isResting: v[at.isResting] === 1, unseen: v[at.unseen], pose: v[at.hasPose] ? poseOf(v) : null,
  };
}

/**
 * @param {Float64Array} v
 * @param {number} p
 * @returns {[number, number][]}
 */
export const cornersOf = (v, p) => [0, 2, 4, 6].map((k) => [v[p + k], v[p + k + 1]]);

/**
 * @param {Float64Array} v
 * @returns {Pose}
 */
function poseOf(v) {
  const { rotation: q, translation: t, error } = OBSERVATION_ROW;
  return { rotation: [v[q], v[q + 1], v[q + 2], v[q + 3]], translation: [v[t], v[t + 1], v[t + 2]], error: v[error] };
}
