// The buildings around the user: roofs cover their areas, walls that may stand behind the user hide nothing, what stands in a house is at
// its front, and the matrices lead there and back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { blocksAt, frontOf, HidingWalls, isInside, roofBefore } from '../app/town/hiding.js';
import { clipFromEye, fromEye } from '../app/town/matrices.js';
import { meshOf } from '../app/town/mesh.js';
import { triangles } from '../app/town/triangles.js';

const square = (x, y, side) => [x, y, x + side, y, x + side, y + side, x, y + side];

/** Area of all triangles, and of rings by the shoelace formula. */
function areaOf(found) {
  let area = 0;
  for (let k = 0; k < found.length; k += 6) {
    const [a, b, c, d, e, f] = found.slice(k, k + 6);
    area += ((c - a) * (f - b) - (e - a) * (d - b)) / 2;
  }
  return area;
}

/** A star-shaped ring of corners at drawn distances: often not convex. */
function star(random, corners, x, y, least, most) {
  return Array.from({ length: corners }, (_, k) => {
    const [angle, far] = [(2 * Math.PI * k) / corners, least + (most - least) * random()];
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  }).flat();
}

function shoelace(ring) {
  let area = 0;
  for (let k = 0; k < ring.length; k += 2) {
    const next = (k + 2) % ring.length;
    area += (ring[k] * ring[next + 1] - ring[next] * ring[k + 1]) / 2;
  }
  return area;
}

/** Drawn numbers that are the same every time. */
function drawn(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
}

test('triangles cover an area of any shape with its courtyards', () => {
  const random = drawn(7);
  for (let round = 0; round < 60; round++) {
    const outer = star(random, 5 + Math.floor(random() * 30), 0, 0, 20, 45);
    const holes = round % 3 === 0 ? [star(random, 5, -7, 0, 2, 5), star(random, 6, 7, 1, 2, 5)] : [];
    const wanted = shoelace(outer) - holes.reduce((sum, hole) => sum + shoelace(hole), 0);
    const turned = round % 2 ? [...Array(outer.length / 2).keys()].reverse().flatMap((k) => [outer[2 * k], outer[2 * k + 1]]) : outer;
    const found = triangles([turned, ...holes]);
    assert.ok(Math.abs(areaOf(found) - wanted) < 1e-6 * wanted, `round ${round}: ${areaOf(found)} of ${wanted}`);
    for (let k = 0; k < found.length; k += 6) {
      const middle = [0, 1].map((axis) => (found[k + axis] + found[k + 2 + axis] + found[k + 4 + axis]) / 3);
      assert.ok(isInside([outer, ...holes], middle[0], middle[1]), `round ${round}: a triangle lies outside`);
    }
  }
});

test('what is no area has no triangles, and too many corners no roof', () => {
  for (const rings of [[], [[]], [[1, 2, 1, 2]], [[0, 0, 1, 1, 2, 2]], [Array(4000).fill(NaN)]]) assert.deepEqual(triangles(rings), []);
});

test('walls within the uncertainty hide nothing, nor does the building around', () => {
  const mesh = meshOf([
    { top: 10, bottom: 0, rings: [square(-5, -5, 10)] }, { top: 10, bottom: 0, rings: [square(4, 20, 10)] }, { top: 10, bottom: 0, rings: [square(40, 40, 10)] },
  ]);
  const walls = (hiding) => new Set([...hiding.indices].filter((corner) => corner < mesh.walls.length).map((corner) => Math.floor(corner / 4)));
  const hiding = new HidingWalls(mesh);
  assert.equal(hiding.look(0, 0, 3), true);
  // In the first block: of it no wall hides, of the others all.
  assert.deepEqual([...walls(hiding)].sort((a, b) => a - b), [4, 5, 6, 7, 8, 9, 10, 11]);
  assert.equal(hiding.look(0.1, 0, 3), false);
  // Before the second one, four metres away: its front hides nothing, its back does.
  hiding.look(8, 16, 5);
  assert.equal(walls(hiding).has(4), false);
  assert.equal(walls(hiding).has(6), true);
  assert.equal(walls(hiding).has(0), true, 'the first one hides again');
  // At the edge nothing changes until it is well crossed.
  hiding.look(8, 14.7, 5);
  assert.equal(walls(hiding).has(4), false);
  hiding.look(8, 13, 5);
  assert.equal(walls(hiding).has(4), true);
  hiding.look(8, 14.7, 5);
  assert.equal(walls(hiding).has(4), true);
  // Who knows exactly where he stands sees them all.
  hiding.look(8, 19.5, 0);
  assert.equal(walls(hiding).has(4), true);
});

test('what stands in a house is at the front that is seen', () => {
  const mesh = meshOf([{ top: 10, bottom: 0, rings: [square(-10, 20, 20), square(-2, 28, 4)] }]);
  assert.deepEqual(blocksAt(mesh, 0, 25), [0]);
  assert.deepEqual(blocksAt(mesh, 0, 30), [], 'in the courtyard');
  assert.equal(frontOf(mesh, [0, 0], [0, 25]), 0.8);
  assert.equal(frontOf(mesh, [0, 0], [0, 15]), 1, 'before it');
  assert.equal(frontOf(mesh, [0, 0], [0, 30]), 1, 'in the courtyard it is behind the house');
  assert.equal(frontOf(mesh, [0, 25], [0, 26]), 0, 'who is in it too');
  // Blocks that touch are one house, those with a street between them are not.
  const row = meshOf([20, 30, 45].map((y) => ({ top: 9, bottom: 0, rings: [square(-5, y, 10)] })));
  assert.equal(frontOf(row, [0, 0], [0, 32]), 0.625);
  assert.equal(frontOf(row, [0, 0], [0, 50]), 0.9);
});

test('the highest roof before a point is told, but not that of its own house', () => {
  // Houses of 10 m from 20 m on, and of 30 m from 60 m on; the last of 50 m around the point itself.
  const mesh = meshOf([[10, 20], [30, 60], [50, 100]].map(([top, north]) => ({ top, bottom: 0, rings: [square(-10, north, 20)] })));
  const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found}, not ${wanted}`);
  near(roofBefore(mesh, [0, 0], [0, 110], 1.5), 28.5 / 60);
  near(roofBefore(mesh, [0, 0], [0, 50], 1.5), 8.5 / 20);
  assert.equal(roofBefore(mesh, [0, 0], [0, 15], 1.5), null);
  // Whoever stands in a house looks as if it were not there.
  near(roofBefore(mesh, [0, 30], [0, 90], 1.5), 28.5 / 30);
});

test('a point before the camera is found again from the eye, at the depth that is asked for', () => {
  // A camera that looks north: x right, y down, z forward.
  const [near, far] = [0.1, 1000];
  const clipFromCamera = [1.5, 0, 0, 0, 0, -2, 0, 0, 0.1, 0.05, (far + near) / (far - near), 1, 0, 0, (-2 * far * near) / (far - near), 0];
  // East, north, up → x, −z, y.
  const world = [1.5, 0, 0, 0, 0.1, 0.05, 9, 1, 0, 2, 0, 0, 123, -5, 7, 3];
  const found = fromEye(world, clipFromCamera, [2, -3, 20]);
  [2, 20, 3].forEach((value, k) => assert.ok(Math.abs(found[k] - value) < 1e-9));
  const matrix = clipFromEye(world, clipFromCamera[10], clipFromCamera[14], new Float32Array(16));
  const times = (m, [x, y, z]) => [0, 1, 2, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
  times(matrix, [2, 20, 3]).forEach((value, k) => assert.ok(Math.abs(value - times(clipFromCamera, [2, -3, 20])[k]) < 1e-4));
});
