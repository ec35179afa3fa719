// What of events and worlds is no row of fields, as a recording keeps it: see SightlineRecording's EventCoding.

import { anchorNumbers } from '../../engine/anchors.js';
import { HEIGHT_DATUM, OBSERVATION_ROW } from '../../engine/layout.js';
import { OBSERVATION } from '../../engine/observations.js';
import { toRadians } from '../core/angles.js';

/**
 * @typedef {import('./format.js').ByteWriter} ByteWriter
 * @typedef {import('../../engine/anchors.js').Sight} Sight
 * @typedef {import('../../engine/anchors.js').Survey} Survey
 * @typedef {import('../../engine/types').AnchorRecord} AnchorRecord
 * @typedef {import('../../engine/types').FeatureRecord} FeatureRecord
 */

const CODE = 2;
const DEGREE = toRadians(1);

/** @param {Float64Array} rows */
export function seesCode(rows) {
  for (let k = 0; k < rows.length; k += OBSERVATION) if (rows[k + OBSERVATION_ROW.anchor] === CODE) return true;
  return false;
}

/**
 * Kind and 64 bits: of a marker its dictionary and id, otherwise the number.
 * @param {ArrayLike<number>} numbers three, as rows of observations have them
 * @param {ByteWriter} out
 */
function writeAnchor(numbers, out) {
  const [kind, first, second] = [numbers[0], numbers[1], numbers[2]];
  out.u8(kind);
  out.u64((BigInt(first) << 32n) | BigInt.asUintN(32, BigInt(second)));
}

/**
 * @param {Sight} sight
 * @param {ByteWriter} out
 */
export function writeObservations({ rows, time, width, height, focal, lens: [k1 = 0, k2 = 0, k3 = 0], center }, out) {
  const [x, y] = center ?? [(width - 1) / 2, (height - 1) / 2];
  out.f64(time, width, height, focal, focal, x, y, k1, k2, 0, 0, k3);
  out.u32(rows.length / OBSERVATION);
  for (let k = 0; k < rows.length; k += OBSERVATION) {
    const v = rows.subarray(k, k + OBSERVATION);
    out.record((record) => {
      const at = OBSERVATION_ROW;
      writeAnchor(v.subarray(at.anchor), record);
      record.u8(v[at.state]);
      record.f64(...v.subarray(at.corners, at.sigma), v[at.sigma], v[at.confidence], v[at.width], v[at.unseen]);
      record.i32(v[at.track]);
      record.flag(v[at.isResting] !== 0);
      record.flag(v[at.hasPose] !== 0);
      if (v[at.hasPose]) record.f64(...v.subarray(at.rotation));
    });
  }
}

/**
 * A byte whose bits say which parts there are, then these.
 * @param {(import('../../engine/types').Vector | null | undefined)[]} parts
 * @param {ByteWriter} out
 */
export function writeParts(parts, out) {
  out.u8(parts.reduce((mask, part, bit) => mask | (part ? 1 << bit : 0), 0));
  for (const part of parts) if (part) out.f64(part.x, part.y, part.z);
}

/**
 * @param {Extract<import('../../engine/types').EngineEvent, { type: 'occupied' }>} event
 * @param {ByteWriter} out
 */
export function writeOccupied({ rectangles, arrows }, out) {
  out.u32(rectangles.length);
  for (const { x, y, width, height } of rectangles) out.f64(x, y, width, height);
  out.u32(arrows.length);
  for (const { width, height } of arrows) out.f64(width, height);
}

/**
 * @param {{ anchor: import('../../engine/anchors.js').AnchorName, survey: Survey | null }} event
 * @param {ByteWriter} out
 */
export function writeSurvey({ anchor, survey }, out) {
  writeAnchor(anchorNumbers(anchor), out);
  out.flag(survey !== null);
  if (!survey) return;
  writeHanging(survey, out);
  // As the engine takes it, see AnchorExports.swift.
  out.u8(HEIGHT_DATUM.indexOf('seaLevel'));
}

/**
 * The geoid's file.
 * @param {{ bytes: Uint8Array }} event
 * @param {ByteWriter} out
 */
export function writeGeoid({ bytes }, out) {
  out.raw(bytes);
}

/**
 * @param {Survey} survey
 * @param {ByteWriter} out
 */
function writeHanging({ latitude, longitude, altitude, facing, tilt, roll, size }, out) {
  out.f64(latitude, longitude, altitude ?? NaN, facing * DEGREE, tilt * DEGREE, roll * DEGREE, size);
}

/**
 * What a feature stands on, and how its model stands there.
 * @param {FeatureRecord} feature
 * @param {ByteWriter} out
 */
export function writeStanding({ anchor, model, followsEye }, out) {
  out.i32(anchor);
  out.flag(model !== null);
  if (model) out.f64(model.x, model.y, model.z, model.scale);
  if (followsEye) out.flag(true);
}

/**
 * @param {AnchorRecord[]} anchors
 * @param {ByteWriter} out
 */
export function writeAnchors(anchors, out) {
  out.u32(anchors.length);
  for (const { numbers, width, survey, reference, transform, altitudeDatum } of anchors) {
    out.record((record) => {
      writeAnchor(numbers, record);
      record.f64(width);
      record.flag(survey !== null);
      if (survey) record.f64(...survey);
      record.u8(reference.kind);
      record.i32(reference.anchor);
      record.f64(...transform);
      record.u8(HEIGHT_DATUM.indexOf(altitudeDatum));
    });
  }
}
