// Every marker of every dictionary, turned four ways: drawn, found, read, and the first corner in its place.
//
// Through the WebAssembly build, which is optimised: natively the tests run without optimisation, where 39,000 markers take minutes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKER_DICTIONARY } from '../../WebClient/engine/layout.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { visionBytes } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const [width, height] = [640, 480];
const layout = { format: 'gray', width, height, offset: 0, stride: width, isLimited: false };
const CELL = 4;

/**
 * The cells inside the border as they are seen when the marker is turned clockwise.
 * @param {boolean[][]} cells
 * @param {number} quarters
 */
function turned(cells, quarters) {
  const n = cells.length;
  for (let k = 0; k < quarters; k++) {
    const before = cells;
    cells = before.map((_, row) => before.map((_, column) => before[n - 1 - column][row]));
  }
  return cells;
}

/** Whether a marker looks the same after half a turn: then its first corner can be either of two. */
const isOwnHalfTurn = (cells) => JSON.stringify(cells) === JSON.stringify(turned(cells, 2));

/**
 * A picture full of markers.
 * @param {Vision} vision
 * @param {{ cells: boolean[][], left: number, top: number }[]} places
 */
function draw(vision, places) {
  const pixels = vision.room(width * height);
  pixels.fill(205);
  for (const { cells, left, top } of places) {
    const n = cells.length;
    const side = (n + 2) * CELL;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const [row, column] = [Math.floor(y / CELL) - 1, Math.floor(x / CELL) - 1];
        pixels[(top + y) * width + left + x] = cells[row]?.[column] ? 205 : 40;
      }
    }
  }
}

for (const dictionary of MARKER_DICTIONARY) {
  test(`every marker of ${dictionary} in four rotations`, async () => {
    const vision = await Vision.make(module);
    const { markers } = vision;
    const count = markers.count(dictionary);
    const n = markers.cells(dictionary, 0).length;
    const side = (n + 2) * CELL;
    const step = side + 3 * CELL;
    const columns = Math.floor((width - 2 * CELL) / step);
    const most = columns * Math.floor((height - 2 * CELL) / step);
    let seen = 0;
    for (let first = 0; first < 4 * count; first += most) {
      const places = [];
      for (let k = first; k < Math.min(4 * count, first + most); k++) {
        const [id, quarters, tile] = [k >> 2, k & 3, k - first];
        places.push({
          id, quarters, cells: turned(markers.cells(dictionary, id), quarters),
          left: 2 * CELL + (tile % columns) * step, top: 2 * CELL + Math.floor(tile / columns) * step,
        });
      }
      // Each picture for itself: nothing of the last one is followed or lost in it.
      vision.reset();
      vision.watchMarkers({ dictionaries: [dictionary], sides: [], usual: 0 });
      draw(vision, places);
      const found = vision.observe(layout, 0, 0);
      assert.ok(found.every(({ kind, state }) => kind === 'marker' && state === 'found'));
      assert.equal(found.length, places.length, `${dictionary} from ${first >> 2}`);
      for (const { id, quarters, cells, left, top } of places) {
        const name = `${dictionary} ${id} turned by ${90 * quarters} degrees`;
        const near = found.filter(({ corners }) => {
          const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
          return Math.hypot(x - left - side / 2, y - top - side / 2) < side / 4;
        });
        assert.equal(near.length, 1, name);
        assert.equal(near[0].id, id, name);
        assert.equal(near[0].dictionary, dictionary, name);
        // Clockwise from the top left, where the first corner of an upright marker is.
        const places = [[left, top], [left + side, top], [left + side, top + side], [left, top + side]];
        const distances = (isOwnHalfTurn(cells) ? [quarters, (quarters + 2) % 4] : [quarters]).map((start) =>
          Math.max(...near[0].corners.map(([x, y], i) => {
            const [px, py] = places[(start + i) % 4];
            return Math.hypot(x + 0.5 - px, y + 0.5 - py);
          })));
        assert.ok(Math.min(...distances) < 0.3, `${name}: off by ${Math.min(...distances)}`);
        seen += 1;
      }
    }
    assert.equal(seen, 4 * count);
  });
}
