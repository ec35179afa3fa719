// How a page sets a model on its anchor: attributes, checked, to one matrix.
//
// A model keeps the axes of glTF: y up, its front to +z. On a print x is to the print's right, y out of it, z to its lower edge; at a
// place x is east, y up, z south. On a surface whose content faces the viewer the anchor's axes are its own.

import { toRadians } from '../app/core/angles.js';
import { product } from '../app/models/matrices.js';
import { DescriptionError } from './anchors.js';

/**
 * @typedef {{ scale?: string | null, rotation?: string | null, position?: string | null, heading?: string | null }} PlacementAttributes
 *   as they stand in the page
 */

/** What most anchors call z is up for a model: its own axes, turned a quarter about x. By columns. */
const STANDING = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1];
/** Where a model looks that is not turned, degrees clockwise from north. */
const FRONT = 180;
const SCALE = { low: 1e-6, high: 1e6 };
/** Metres: whatever is farther from its anchor belongs to another one. */
const FARTHEST = 10_000;
const MOST_TURN = 36_000;

/**
 * @param {string} text
 * @param {string} where
 * @param {number} count
 * @param {{ low: number, high: number }} range
 */
function numbers(text, where, count, { low, high }) {
  const words = text.trim().split(/[\s,]+/);
  const values = words.map((word) => (word === '' ? NaN : Number(word)));
  if (values.length === count && values.every((value) => value >= low && value <= high)) return values;
  const what = count === 1 ? 'one number' : `${count} numbers`;
  throw new DescriptionError(where, `${JSON.stringify(text)} is not ${what} from ${low} to ${high}: give ${what}`);
}

const isGiven = (/** @type {string | null | undefined} */ text) => text !== null && text !== undefined && text.trim() !== '';

/**
 * @param {number} axis 0 … 2
 * @param {number} degrees
 * @returns {number[]} 4 × 4 by columns
 */
function turn(axis, degrees) {
  const [c, s] = [Math.cos(toRadians(degrees)), Math.sin(toRadians(degrees))];
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const m = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  [m[4 * a + a], m[4 * a + b], m[4 * b + a], m[4 * b + b]] = [c, s, -s, c];
  return m;
}

/**
 * @param {PlacementAttributes} given
 * @param {{ hasNorth?: boolean, isUpright?: boolean }} anchor whether it knows where north is, and whether its y is up already
 * @returns {Float32Array} from the model's frame to the anchor's, 4 × 4 by columns
 * @throws {DescriptionError}
 */
export function anchorFromModel({ scale, rotation, position, heading }, { hasNorth = false, isUpright = false } = {}) {
  const [size] = isGiven(scale) ? numbers(/** @type {string} */ (scale), 'model.scale', 1, SCALE) : [1];
  const turns = { low: -MOST_TURN, high: MOST_TURN };
  const [x, y, z] = isGiven(rotation) ? numbers(/** @type {string} */ (rotation), 'model.rotation', 3, turns) : [0, 0, 0];
  const away = { low: -FARTHEST, high: FARTHEST };
  const at = isGiven(position) ? numbers(/** @type {string} */ (position), 'model.position', 3, away) : [0, 0, 0];
  if (isGiven(heading) && !hasNorth) {
    throw new DescriptionError('model.heading', 'only a place knows where north is: give rotation="0 Y 0" here');
  }
  const [course] = isGiven(heading) ? numbers(/** @type {string} */ (heading), 'model.heading', 1, turns) : [FRONT];
  // About x, then y, then z, as models of worlds on prints; the heading turns what came of it.
  const turned = [turn(1, FRONT - course), turn(2, z), turn(1, y), turn(0, x)].reduce((all, each) => [...product(all, each)]);
  const placed = turned.map((value, k) => (k < 12 ? value * size : value));
  [placed[12], placed[13], placed[14]] = at;
  return isUpright ? Float32Array.from(placed) : product(STANDING, placed);
}

/**
 * How far a model reaches from its anchor, metres.
 * @param {ArrayLike<number>} matrix from the model's frame to the anchor's
 * @param {{ low: number[], high: number[] }} bounds of the model
 */
export function reachOf(matrix, { low, high }) {
  let most = 0;
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? high[axis] : low[axis]));
    const at = [0, 1, 2].map((row) => matrix[row] * p[0] + matrix[row + 4] * p[1] + matrix[row + 8] * p[2] + matrix[row + 12]);
    most = Math.max(most, Math.hypot(...at));
  }
  return most;
}
