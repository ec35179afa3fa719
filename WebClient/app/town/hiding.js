// Which walls hide something from where the user stands, while it is not known exactly where that is: the building around the user hides
// nothing, and neither does a wall so near that he may as well stand behind it.

/** @typedef {import('./mesh.js').Mesh} Mesh */

/** Metres by which a wall has to be farther away to hide again: nothing flickers at the edge. */
const MORE = 1.5;
/** Metres between two blocks up to which they are one house. */
const GAP = 1;
/** Metres that the user goes before the walls are looked at again. */
const STEP = 0.25;

export class HidingWalls {
  #isNear;
  #isAround;
  #at = [NaN, NaN, NaN];
  /** Corners of triangles, three each: of what hides. */
  indices = new Uint32Array(0);

  /** @param {Mesh} mesh */
  constructor(mesh) {
    this.mesh = mesh;
    this.#isNear = new Uint8Array(mesh.walls.length / 4);
    this.#isAround = new Uint8Array(mesh.blocks.length);
  }

  /**
   * @param {number} east metres
   * @param {number} north
   * @param {number} radius metres within which walls hide nothing
   * @returns {boolean} whether others hide than before
   */
  look(east, north, radius) {
    const [x, y, r] = this.#at;
    if (Math.hypot(east - x, north - y) < STEP && Math.abs(radius - r) < 0.1 * r + 0.1) return false;
    const isFirst = Number.isNaN(x);
    this.#at = [east, north, radius];
    const isOther = this.#judge(east, north, radius);
    if (isOther || isFirst) this.#collect();
    return isOther || isFirst;
  }

  /**
   * @param {number} east
   * @param {number} north
   * @param {number} radius
   */
  #judge(east, north, radius) {
    const { blocks, walls } = this.mesh;
    let isOther = false;
    for (let k = 0; k < this.#isNear.length; k++) {
      const away = distanceTo(walls, 4 * k, east, north);
      const isNear = away < radius || (this.#isNear[k] && radius > 0 && away < radius + MORE) ? 1 : 0;
      if (isNear !== this.#isNear[k]) [this.#isNear[k], isOther] = [isNear, true];
    }
    const around = new Set(blocksAt(this.mesh, east, north));
    for (let k = 0; k < blocks.length; k++) {
      const isAround = around.has(k) ? 1 : 0;
      if (isAround !== this.#isAround[k]) [this.#isAround[k], isOther] = [isAround, true];
    }
    return isOther;
  }

  #collect() {
    const { blocks, firstWall, firstRoof, roofs, walls } = this.mesh;
    const all = new Uint32Array(6 * (walls.length / 4) + roofs.length);
    let count = 0;
    for (let block = 0; block < blocks.length; block++) {
      if (this.#isAround[block]) continue;
      for (let wall = firstWall[block]; wall < firstWall[block + 1]; wall++) {
        if (this.#isNear[wall]) continue;
        for (const corner of [0, 1, 2, 0, 2, 3]) all[count++] = 4 * wall + corner;
      }
      for (let k = firstRoof[block]; k < firstRoof[block + 1]; k++) all[count++] = roofs[k];
    }
    this.indices = all.subarray(0, count);
  }
}

/**
 * Metres from a point to a wall.
 * @param {ArrayLike<number>} walls
 * @param {number} at
 * @param {number} x
 * @param {number} y
 */
function distanceTo(walls, at, x, y) {
  const [a, b] = [walls[at], walls[at + 1]];
  const [u, v] = [walls[at + 2] - a, walls[at + 3] - b];
  const part = Math.min(1, Math.max(0, ((x - a) * u + (y - b) * v) / (u * u + v * v)));
  return Math.hypot(x - a - part * u, y - b - part * v);
}

/**
 * The blocks that a point lies in.
 * @param {Mesh} mesh
 * @param {number} x
 * @param {number} y
 * @returns {number[]}
 */
export function blocksAt({ blocks, boxes }, x, y) {
  const found = [];
  for (let k = 0, box = 0; k < blocks.length; k++, box += 4) {
    if (x < boxes[box] || y < boxes[box + 1] || x > boxes[box + 2] || y > boxes[box + 3]) continue;
    if (isInside(blocks[k].rings, x, y)) found.push(k);
  }
  return found;
}

/**
 * Whether a point lies in an area, by the parity of what a ray from it crosses.
 * @param {ArrayLike<number>[]} rings x and y by turns
 * @param {number} x
 * @param {number} y
 */
export function isInside(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let k = 0, last = ring.length - 2; k < ring.length; last = k, k += 2) {
      const [a, b, u, v] = [ring[k], ring[k + 1], ring[last], ring[last + 1]];
      if (b > y !== v > y && x < ((u - a) * (y - b)) / (v - b) + a) inside = !inside;
    }
  }
  return inside;
}

/**
 * Where the house begins that a point stands in, as seen from another: its part of the way, 1 where the point stands in none. A house may
 * be of several blocks side by side.
 * @param {Mesh} mesh
 * @param {number[]} from
 * @param {number[]} to
 */
export function frontOf(mesh, from, to) {
  if (!blocksAt(mesh, to[0], to[1]).length) return 1;
  const { blocks, boxes } = mesh;
  const gap = GAP / Math.max(GAP, Math.hypot(to[0] - from[0], to[1] - from[1]));
  const [low, high] = [[0, 1].map((axis) => Math.min(from[axis], to[axis])), [0, 1].map((axis) => Math.max(from[axis], to[axis]))];
  /** @type {number[][]} where the way lies in a block, from and to */
  const within = [];
  for (let k = 0, box = 0; k < blocks.length; k++, box += 4) {
    if (high[0] < boxes[box] || high[1] < boxes[box + 1] || low[0] > boxes[box + 2] || low[1] > boxes[box + 3]) continue;
    const crossings = crossingsOf(blocks[k].rings, from, to);
    // A way that begins in a block leaves it first.
    if (isInside(blocks[k].rings, from[0], from[1])) crossings.unshift(0);
    for (let at = 0; at < crossings.length; at += 2) within.push([crossings[at], crossings[at + 1] ?? 1]);
  }
  let front = 1;
  for (const [begin, end] of within.sort((a, b) => b[1] - a[1])) if (end >= front - gap && begin < front) front = begin;
  return front;
}

/**
 * How high the roofs before a point are seen from another.
 * @param {Mesh} mesh
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} eye metres over the ground
 * @returns {number | null} upwards from the eye for a metre of distance; null where nothing stands before it but the house that one of
 *   them stands in
 */
export function roofBefore(mesh, from, to, eye) {
  const own = new Set([...blocksAt(mesh, from[0], from[1]), ...blocksAt(mesh, to[0], to[1])]);
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const { blocks, boxes } = mesh;
  /** @type {number | null} */
  let highest = null;
  for (let k = 0, box = 0; k < blocks.length; k++, box += 4) {
    if (own.has(k) || Math.max(from[0], to[0]) < boxes[box] || Math.max(from[1], to[1]) < boxes[box + 1] ||
      Math.min(from[0], to[0]) > boxes[box + 2] || Math.min(from[1], to[1]) > boxes[box + 3]) continue;
    const [share] = crossingsOf(blocks[k].rings, from, to);
    if (share > 0) highest = Math.max(highest ?? -Infinity, (blocks[k].top - eye) / (share * length));
  }
  return highest;
}

/**
 * Where the way from a point to another crosses rings, in order: parts of the way.
 * @param {ArrayLike<number>[]} rings
 * @param {number[]} from
 * @param {number[]} to
 */
function crossingsOf(rings, [x, y], [toX, toY]) {
  /** @type {number[]} */
  const found = [];
  const [p, q] = [toX - x, toY - y];
  for (const ring of rings) {
    for (let k = 0, last = ring.length - 2; k < ring.length; last = k, k += 2) {
      const [u, v] = [ring[k] - ring[last], ring[k + 1] - ring[last + 1]];
      const across = p * v - q * u;
      if (across === 0) continue;
      const [a, b] = [ring[last] - x, ring[last + 1] - y];
      const along = (a * v - b * u) / across;
      const part = (a * q - b * p) / across;
      if (along >= 0 && along <= 1 && part >= 0 && part < 1) found.push(along);
    }
  }
  return found.sort((a, b) => a - b);
}
