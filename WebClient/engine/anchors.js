// What vision saw, handed to the session, and what stands on anchors in the newest picture: see AnchorExports.swift.

import {
  ANCHOR_HEAD, ANCHOR_ROW, ANCHORED_ROW, LABEL_LEVEL, MARKER_DICTIONARY, OBSERVATION_STATE, SIGHT_HEAD, SURVEY_ROW,
} from './layout.js';
import { OBSERVATION, cornersOf } from './observations.js';

/**
 * @typedef {{ kind: 'marker', dictionary: string, id: number } | { kind: 'picture', id: number } | { kind: 'code', hash: string }
 *   | { kind: 'wall' | 'placed', id: number }} AnchorName
 * @typedef {{ latitude: number, longitude: number, altitude: number | null, facing: number, tilt: number, roll: number, size: number
 * }} Survey where an anchor hangs: degrees, metres; `facing` is the direction its front looks to, `size` its width
 * @typedef {{ rows: Float64Array, time: number, width: number, height: number, focal: number, lens: number[],
 *   center?: [number, number] }} Sight observations of a picture: `time` in seconds when it was taken, its size and focal length in
 *   pixels, k1, k2, k3 of the lens, and where its axis goes through the picture, without it through the middle
 * @typedef {{ anchor: number, state: import('./observations.js').ObservationState, isInPicture: boolean, opacity: number, age: number,
 *   deviation: number, corners: [number, number][] | null }} SceneAnchor lengths in CSS pixels; `age` in seconds since it was found
 * @typedef {{ feature: number, anchor: number, x: number, y: number, label: import('./types').Rectangle | null,
 *   level: 'card' | 'pill' | 'dot', opacity: number, age: number, cameraFromFeature: Float32Array | null }} AnchoredItem
 * @typedef {{ time: number, clipFromCamera: Float32Array, anchors: SceneAnchor[], items: AnchoredItem[] }} AnchorFrame
 */

/** @typedef {Record<string, (...values: number[]) => number>} Calls */

/** @type {[number, number]} */
const MIDDLE = [NaN, NaN];

/**
 * Kind and two numbers of an anchor, as rows of observations have them.
 * @param {AnchorName} name
 * @returns {[number, number, number]}
 */
export function anchorNumbers(name) {
  switch (name.kind) {
    case 'marker': return [0, MARKER_DICTIONARY.indexOf(name.dictionary), name.id];
    case 'picture': return [1, 0, name.id];
    case 'code': {
      const [high, low] = name.hash.split(':').map(Number);
      return [2, high, low];
    }
    case 'wall': return [3, 0, name.id];
    case 'placed': return [4, 0, name.id];
  }
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @param {Sight} sight
 * @param {number} now seconds
 */
export function tellObservations(call, doubles, { rows, time, width, height, focal, lens: [k1 = 0, k2 = 0, k3 = 0], center = MIDDLE }, now) {
  const count = rows.length / OBSERVATION;
  const address = call.sl_observations_in(count);
  if (!address) return;
  const room = doubles(address, SIGHT_HEAD.length + rows.length);
  room.set([time, width, height, focal, k1, k2, 0, 0, k3, ...center]);
  room.set(rows, SIGHT_HEAD.length);
  call.sl_observations(now, count);
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @param {{ anchor: AnchorName, survey: Survey | null }} event `null`: it is no longer believed to hang anywhere
 * @param {number} now seconds
 */
export function tellSurvey(call, doubles, { anchor, survey }, now) {
  doubles(call.sl_survey_in(), SURVEY_ROW.length).set([
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
  const head = doubles(address, ANCHOR_HEAD.length);
  const [anchors, items] = [head[ANCHOR_HEAD.anchors], head[ANCHOR_HEAD.items]];
  const start = ANCHOR_HEAD.length + anchors * ANCHOR_ROW.length;
  const v = doubles(address, start + items * ANCHORED_ROW.length).slice();
  return {
    time: v[ANCHOR_HEAD.time], clipFromCamera: matrixOf(v, ANCHOR_HEAD.clipFromCamera),
    anchors: Array.from({ length: anchors }, (_, k) => sceneAnchor(v, ANCHOR_HEAD.length + k * ANCHOR_ROW.length)),
    items: Array.from({ length: items }, (_, k) => anchoredItem(v, start + k * ANCHORED_ROW.length)),
  };
}

/**
 * @param {Float64Array} v
 * @param {number} p
 */
const matrixOf = (v, p) => Float32Array.from(v.subarray(p, p + 16));

/**
 * @param {Float64Array} v
 * @param {number} p
 * @returns {SceneAnchor}
 */
function sceneAnchor(v, p) {
  const at = ANCHOR_ROW;
  return {
    anchor: v[p + at.anchor], state: OBSERVATION_STATE[v[p + at.state]], isInPicture: v[p + at.isInPicture] === 1,
    opacity: v[p + at.opacity], age: v[p + at.age], deviation: v[p + at.deviation],
    corners: v[p + at.hasCorners] ? cornersOf(v, p + at.corners) : null,
  };
}

/**
 * @param {Float64Array} v
 * @param {number} p
 * @returns {AnchoredItem}
 */
function anchoredItem(v, p) {
  const at = ANCHORED_ROW;
  const [x, y, width, height] = v.subarray(p + at.label);
  return {
    feature: v[p + at.feature], anchor: v[p + at.anchor], x: v[p + at.x], y: v[p + at.y],
    label: v[p + at.hasLabel] ? { x, y, width, height } : null, level: LABEL_LEVEL[v[p + at.level]],
    opacity: v[p + at.opacity], age: v[p + at.age],
    // The last number of a matrix is 1; one that is none is all zeros.
    cameraFromFeature: v[p + at.cameraFromFeature + 15] ? matrixOf(v, p + at.cameraFromFeature) : null,
  };
}
