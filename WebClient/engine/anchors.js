// What vision saw, handed to the session, and what stands on anchors in the newest picture: the mirror of
// Sources/Web/SightlineWasm/AnchorExports.

import { DICTIONARY } from './dictionaries.js';
import { OBSERVATION } from './observations.js';

/**
 * @typedef {{ kind: 'marker', dictionary: string, id: number } | { kind: 'picture', id: number } | { kind: 'code', hash: string }
 *   | { kind: 'wall', id: number }} AnchorName
 * @typedef {{ latitude: number, longitude: number, altitude: number | null, facing: number, tilt: number, roll: number, size: number
 * }} Survey where an anchor hangs: degrees, metres; `facing` is the direction its front looks to, `size` its width
 * @typedef {{ rows: Float64Array, time: number, width: number, height: number, focal: number, lens: number[] }} Sight observations
 *   of a picture: `time` in seconds when it was taken, its size and focal length in pixels, k1, k2, k3 of the lens
 * @typedef {{ anchor: number, state: import('./observations.js').ObservationState, isInPicture: boolean, opacity: number, age: number,
 *   deviation: number, corners: [number, number][] | null }} SceneAnchor lengths in CSS pixels; `age` in seconds since it was found
 * @typedef {{ feature: number, anchor: number, x: number, y: number, label: import('./types').Rectangle | null,
 *   level: 'card' | 'pill' | 'dot', opacity: number, age: number, cameraFromFeature: Float32Array | null }} AnchoredItem
 * @typedef {{ time: number, clipFromCamera: Float32Array, anchors: SceneAnchor[], items: AnchoredItem[] }} AnchorFrame
 */

const STATE = /** @type {const} */ (['found', 'tracked', 'carried', 'lost']);
const LEVEL = /** @type {const} */ (['card', 'pill', 'dot']);
const OBSERVATION_HEAD = 9;
const [HEAD, ANCHOR, ITEM] = [19, 15, 28];

/** @typedef {Record<string, (...values: number[]) => number>} Calls */

/**
 * Kind and two numbers of an anchor, as rows of observations have them.
 * @param {AnchorName} name
 * @returns {[number, number, number]}
 */
export function anchorNumbers(name) {
  switch (name.kind) {
    case 'marker': return [0, DICTIONARY.indexOf(name.dictionary), name.id];
    case 'picture': return [1, 0, name.id];
    case 'code': {
      const [high, low] = name.hash.split(':').map(Number);
      return [2, high, low];
    }
    case 'wall': return [3, 0, name.id];
  }
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @param {Sight} sight
 * @param {number} now seconds
 */
export function tellObservations(call, doubles, { rows, time, width, height, focal, lens: [k1 = 0, k2 = 0, k3 = 0] }, now) {
  const count = rows.length / OBSERVATION;
  const address = call.sl_observations_in(count);
  if (!address) return;
  const room = doubles(address, OBSERVATION_HEAD + rows.length);
  room.set([time, width, height, focal, k1, k2, 0, 0, k3]);
  room.set(rows, OBSERVATION_HEAD);
  call.sl_observations(now, count);
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @param {AnchorName} anchor
 * @param {Survey | null} survey `null`: it is no longer believed to hang anywhere
 * @param {number} now seconds
 */
export function tellSurvey(call, doubles, anchor, survey, now) {
  doubles(call.sl_survey_in(), 10).set([
    ...anchorNumbers(anchor), survey?.latitude ?? NaN, survey?.longitude ?? NaN, survey?.altitude ?? NaN, survey?.facing ?? 0,
    survey?.tilt ?? 0, survey?.roll ?? 0, survey?.size ?? 0,
  ]);
  call.sl_survey(now);
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @returns {AnchorFrame}
 */
export function readAnchors(call, doubles) {
  const address = call.sl_anchors();
  const [anchors, items, time] = doubles(address, 3);
  const v = doubles(address, HEAD + anchors * ANCHOR + items * ITEM).slice();
  const start = HEAD + anchors * ANCHOR;
  return {
    time, clipFromCamera: Float32Array.from(v.subarray(3, HEAD)),
    anchors: Array.from({ length: anchors }, (_, k) => sceneAnchor(v.subarray(HEAD + k * ANCHOR, HEAD + (k + 1) * ANCHOR))),
    items: Array.from({ length: items }, (_, k) => anchoredItem(v.subarray(start + k * ITEM, start + (k + 1) * ITEM))),
  };
}

/**
 * @param {Float64Array} v
 * @returns {SceneAnchor}
 */
function sceneAnchor(v) {
  return {
    anchor: v[0], state: STATE[v[1]], isInPicture: v[2] === 1, opacity: v[3], age: v[4], deviation: v[5],
    corners: v[6] ? [[v[7], v[8]], [v[9], v[10]], [v[11], v[12]], [v[13], v[14]]] : null,
  };
}

/**
 * @param {Float64Array} v
 * @returns {AnchoredItem}
 */
function anchoredItem(v) {
  return {
    feature: v[0], anchor: v[1], x: v[2], y: v[3], label: v[4] ? { x: v[5], y: v[6], width: v[7], height: v[8] } : null,
    level: LEVEL[v[9]], opacity: v[10], age: v[11],
    // The last number of a matrix is 1; one that is none is all zeros.
    cameraFromFeature: v[27] ? Float32Array.from(v.subarray(12, 28)) : null,
  };
}
