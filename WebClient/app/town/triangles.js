// Roofs: an area with courtyards as triangles, by cutting off ears (Meisters, 1975); courtyards are joined to the border by a bridge.

/** Corners of an area up to which it is cut up: the work grows with their square. What has more has no roof. */
const MOST = 600;

/**
 * @param {ArrayLike<number>[]} rings x and y by turns; the first the border, the others courtyards inside it; any direction
 * @returns {number[]} three corners a triangle, x and y by turns; empty for what is no area
 */
export function triangles(rings) {
  const total = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  if (!rings.length || total < 3 || total > MOST) return [];
  const [outer, ...holes] = rings.map((ring, k) => turned(points(ring), k === 0));
  // From the right: what was joined already never lies between a courtyard and the border.
  const rightmost = (/** @type {number[][]} */ ring) => Math.max(...ring.map(([x]) => x));
  let polygon = outer;
  for (const hole of holes.sort((a, b) => rightmost(b) - rightmost(a))) if (hole.length >= 3) polygon = joined(polygon, hole);
  return ears(polygon);
}

/** @param {ArrayLike<number>} ring */
function points(ring) {
  /** @type {number[][]} */
  const all = [];
  for (let k = 0; k + 1 < ring.length; k += 2) {
    const last = all[all.length - 1];
    if (!last || last[0] !== ring[k] || last[1] !== ring[k + 1]) all.push([ring[k], ring[k + 1]]);
  }
  const [first, last] = [all[0], all[all.length - 1]];
  if (all.length > 1 && first[0] === last[0] && first[1] === last[1]) all.pop();
  return all;
}

/**
 * @param {number[][]} ring
 * @param {boolean} counterClockwise
 */
function turned(ring, counterClockwise) {
  let area = 0;
  ring.forEach(([x, y], k) => {
    const [u, v] = ring[(k + 1) % ring.length];
    area += x * v - u * y;
  });
  return (area > 0) === counterClockwise ? ring : ring.reverse();
}

/**
 * Above 0 where c lies to the left of the way from a to b.
 * @type {(a: number[], b: number[], c: number[]) => number}
 */
const side = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/**
 * @param {number[][]} polygon counter-clockwise
 * @param {number[][]} hole clockwise
 */
function joined(polygon, hole) {
  let start = 0;
  hole.forEach(([x], k) => x > hole[start][0] && (start = k));
  const from = hole[start];
  // The nearest corner that is seen from the courtyard's rightmost one.
  let best = -1;
  let nearest = Infinity;
  polygon.forEach((corner, k) => {
    const away = (corner[0] - from[0]) ** 2 + (corner[1] - from[1]) ** 2;
    if (away >= nearest || !opens(polygon, k, from) || !opens(hole, start, corner)) return;
    if (isSeen(polygon, from, corner) && isSeen(hole, from, corner)) [best, nearest] = [k, away];
  });
  if (best < 0) return polygon;
  return [...polygon.slice(0, best + 1), ...hole.slice(start), ...hole.slice(0, start + 1), ...polygon.slice(best)];
}

/**
 * Whether the area lies towards a point at a corner: of two corners at the ends of a bridge it is one.
 * @param {number[][]} polygon counter-clockwise, a courtyard clockwise
 * @param {number} k
 * @param {number[]} point
 */
function opens(polygon, k, point) {
  const [a, b, c] = [polygon[(k + polygon.length - 1) % polygon.length], polygon[k], polygon[(k + 1) % polygon.length]];
  const [first, second] = [side(a, b, point) >= 0, side(b, c, point) >= 0];
  return side(a, b, c) > 0 ? first && second : first || second;
}

/**
 * @param {number[][]} polygon
 * @param {number[]} from
 * @param {number[]} to a corner of it
 */
function isSeen(polygon, from, to) {
  return polygon.every((a, k) => {
    const b = polygon[(k + 1) % polygon.length];
    return side(from, to, a) * side(from, to, b) >= 0 || side(a, b, from) * side(a, b, to) >= 0;
  });
}

/** @param {number[][]} polygon counter-clockwise, with bridges */
function ears(polygon) {
  const left = [...polygon];
  /** @type {number[]} */
  const found = [];
  for (let at = 0, misses = 0; left.length > 2 && misses < left.length;) {
    at %= left.length;
    const [a, b, c] = [left[(at + left.length - 1) % left.length], left[at], left[(at + 1) % left.length]];
    const turn = side(a, b, c);
    if (turn < 0 || (turn > 0 && isHeld(left, a, b, c))) {
      misses += 1;
      at += 1;
      continue;
    }
    if (turn > 0) found.push(...a, ...b, ...c);
    left.splice(at, 1);
    misses = 0;
  }
  return found;
}

/**
 * Whether a corner that turns inwards lies in the triangle: only such a one stands before an ear.
 * @param {number[][]} polygon
 * @param {number[]} a
 * @param {number[]} b
 * @param {number[]} c
 */
function isHeld(polygon, a, b, c) {
  return polygon.some((p, k) => !same(p, a) && !same(p, b) && !same(p, c) && side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0 &&
    side(polygon[(k + polygon.length - 1) % polygon.length], p, polygon[(k + 1) % polygon.length]) <= 0);
}

/** @type {(a: number[], b: number[]) => boolean} */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
