// Buildings as triangles: walls over every side of their rings, and flat roofs.

import { triangles } from './triangles.js';

/**
 * @typedef {{ top: number, bottom: number, rings: ArrayLike<number>[] }} Block metres over the ground; of each ring metres east and
 *   north by turns, the first the border, the others courtyards
 * @typedef {object} Mesh
 * @property {Block[]} blocks
 * @property {Float64Array} boxes of each block: least east and north, largest east and north
 * @property {Float32Array} corners east, north, up, and how much light the surface gets, four numbers each; a wall has four of them
 * @property {Float64Array} walls the two ends of each wall on the ground, four numbers
 * @property {Uint32Array} firstWall of each block, and one more at the end
 * @property {Uint32Array} roofs corners, three a triangle
 * @property {Uint32Array} firstRoof of each block in `roofs`, and one more at the end
 */

/** Walls that are drawn: of more, what comes later is left out. */
const MOST_WALLS = 60_000;
/** Cosine and sine of twice the angle from north to walls that are brightest on a drawn day; how much light roofs and undersides get. */
const [BRIGHT, ROOF, UNDERSIDE] = [[-0.42, 0.91], 0.97, 0.5];

/**
 * @param {Block[]} all
 * @returns {Mesh}
 */
export function meshOf(all) {
  /** @type {Block[]} */
  const blocks = [];
  const corners = /** @type {number[]} */ ([]);
  const walls = /** @type {number[]} */ ([]);
  const [firstWall, roofs, firstRoof] = [[0], /** @type {number[]} */ ([]), [0]];
  const roofCorners = /** @type {number[]} */ ([]);
  const boxes = /** @type {number[]} */ ([]);
  for (const block of all) {
    const sides = block.rings.reduce((sum, ring) => sum + ring.length / 2, 0);
    if (walls.length / 4 + sides > MOST_WALLS) continue;
    blocks.push(block);
    boxes.push(...boxOf(block.rings[0]));
    for (const ring of block.rings) addWalls(ring, block, corners, walls);
    firstWall.push(walls.length / 4);
    const flat = triangles(block.rings);
    for (const up of block.bottom > 0 ? [block.top, block.bottom] : [block.top]) {
      for (let k = 0; k < flat.length; k += 2) {
        roofs.push(roofCorners.length / 4);
        roofCorners.push(flat[k], flat[k + 1], up, up === block.top ? ROOF : UNDERSIDE);
      }
    }
    firstRoof.push(roofs.length);
  }
  const before = corners.length / 4;
  return {
    blocks, boxes: Float64Array.from(boxes), walls: Float64Array.from(walls), firstWall: Uint32Array.from(firstWall), firstRoof: Uint32Array.from(firstRoof),
    corners: join(corners, roofCorners), roofs: Uint32Array.from(roofs, (index) => index + before),
  };
}

/** @param {ArrayLike<number>} ring */
function boxOf(ring) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < ring.length; k++) {
    const axis = k % 2;
    box[axis] = Math.min(box[axis], ring[k]);
    box[2 + axis] = Math.max(box[2 + axis], ring[k]);
  }
  return box;
}

/**
 * @param {ArrayLike<number>} ring
 * @param {Block} block
 * @param {number[]} corners
 * @param {number[]} walls
 */
function addWalls(ring, { top, bottom }, corners, walls) {
  const count = ring.length / 2;
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    const [x, y, u, v] = [ring[2 * k], ring[2 * k + 1], ring[2 * next], ring[2 * next + 1]];
    if (x === u && y === v) continue;
    // Opposite walls are seldom seen together: they may have the same light, and which way a ring runs does not matter.
    const [east, north] = [u - x, v - y];
    const light = 0.79 + (0.13 * (BRIGHT[0] * (north * north - east * east) + BRIGHT[1] * 2 * east * north)) / (east * east + north * north);
    corners.push(x, y, bottom, light, u, v, bottom, light, u, v, top, light, x, y, top, light);
    walls.push(x, y, u, v);
  }
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
function join(a, b) {
  const all = new Float32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
