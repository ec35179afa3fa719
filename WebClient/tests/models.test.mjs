// Coarser forms of models: fewer triangles, of the same vertices, hardly anywhere else.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { coarser } = await import('../app/models/coarse.js');

/** A ball of so many rings. @param {number} rings */
function ball(rings) {
  const positions = [];
  const indices = [];
  const turns = 2 * rings;
  for (let ring = 0; ring <= rings; ring++) {
    for (let turn = 0; turn < turns; turn++) {
      const [up, around] = [(ring / rings) * Math.PI, (turn / turns) * 2 * Math.PI];
      positions.push(Math.sin(up) * Math.cos(around), Math.cos(up), Math.sin(up) * Math.sin(around));
    }
  }
  for (let ring = 0; ring < rings; ring++) {
    for (let turn = 0; turn < turns; turn++) {
      const [a, b] = [ring * turns + turn, ring * turns + ((turn + 1) % turns)];
      indices.push(a, b, a + turns, b, b + turns, a + turns);
    }
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}

test('a ball of many triangles becomes one of few, and stays a ball', () => {
  const { positions, indices } = ball(120);
  const coarse = coarser(positions, indices);
  assert.ok(coarse && coarse.length % 3 === 0 && coarse.length < indices.length / 8, `${coarse?.length} of ${indices.length}`);
  // No hole: the area that its triangles throw on the three planes is about that of discs.
  for (let axis = 0; axis < 3; axis++) {
    let area = 0;
    for (let k = 0; k < coarse.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map((at) => [...positions.subarray(3 * coarse[k + at], 3 * coarse[k + at] + 3)].filter((_, one) => one !== axis));
      area += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }
    assert.ok(Math.abs(area / 2 - Math.PI) < 0.25, `${area / 2} from axis ${axis}`);
  }
});

test('what has few triangles, or would not get fewer, stays as it is', () => {
  const few = ball(10);
  assert.equal(coarser(few.positions, few.indices), null);
  const rough = ball(24);
  assert.ok(rough.indices.length > 3000);
  assert.equal(coarser(rough.positions, rough.indices), null);
});

test('numbers that make no sense break nothing', () => {
  const { positions, indices } = ball(120);
  assert.equal(coarser(positions, indices, { low: [0, 0, 0], high: [0, 0, 0] }), null);
  assert.equal(coarser(positions, indices, { low: [NaN, 0, 0], high: [1, 1, 1] }), null);
  positions.fill(NaN, 0, 30);
  positions[40] = Infinity;
  const coarse = coarser(positions, indices, { low: [-1, -1, -1], high: [1, 1, 1] });
  assert.ok(coarse && Math.max(...coarse) < positions.length / 3);
  // Everything in one cell is nothing.
  assert.equal(coarser(new Float32Array(positions.length), indices, { low: [-1, -1, -1], high: [1, 1, 1] }), null);
});
