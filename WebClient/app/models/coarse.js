// A coarser form of a model for when it is small on the screen: vertices that lie in the same cell of a grid become one of them
// (vertex clustering after Rossignac and Borrel, 1993), and triangles that thereby have no area are left out.

/** Cells along the longest side: of one that is 64 points on the screen, each is less than three. */
const CELLS = 24;
/** With fewer triangles nothing is gained. */
const LEAST = 1000;
/** Cells of an axis in the number of a cell: positions outside of the box, which a file may have, are taken into it. */
const BASE = CELLS + 1;

/**
 * @param {ArrayLike<number>} positions x, y and z by turns
 * @param {Uint32Array} indices of triangles
 * @param {{ low: ArrayLike<number>, high: ArrayLike<number> }} [box] that the grid divides
 * @returns {Uint32Array | null} indices of the same vertices; nothing where that is not half of the triangles
 */
export function coarser(positions, indices, box) {
  if (indices.length < 3 * LEAST) return null;
  const { low, high } = box ?? boxOf(positions);
  const side = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / CELLS;
  if (!(side > 0) || !Number.isFinite(side)) return null;
  const count = Math.floor(positions.length / 3);
  /** @type {Map<number, number>} the vertex that stands for a cell */
  const first = new Map();
  const standsFor = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    let cell = 0;
    for (let axis = 0; axis < 3; axis++) {
      const place = Math.floor((positions[3 * k + axis] - low[axis]) / side);
      cell = cell * BASE + (place > 0 ? Math.min(place, CELLS) : 0);
    }
    const other = first.get(cell);
    if (other === undefined) first.set(cell, k);
    standsFor[k] = other ?? k;
  }
  const kept = new Uint32Array(indices.length);
  let length = 0;
  for (let k = 0; k + 2 < indices.length; k += 3) {
    const [a, b, c] = [standsFor[indices[k]], standsFor[indices[k + 1]], standsFor[indices[k + 2]]];
    if (a === b || b === c || c === a) continue;
    kept[length++] = a;
    kept[length++] = b;
    kept[length++] = c;
  }
  return length > 0 && length <= indices.length / 2 ? kept.slice(0, length) : null;
}

/**
 * The box around positions.
 * @param {ArrayLike<number>} positions
 */
function boxOf(positions) {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let k = 0; k < positions.length; k++) {
    const axis = k % 3;
    if (positions[k] < low[axis]) low[axis] = positions[k];
    if (positions[k] > high[axis]) high[axis] = positions[k];
  }
  return { low, high };
}
