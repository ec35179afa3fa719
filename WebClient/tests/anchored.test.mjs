import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAnchored } from '../app/ar/anchored.js';

const screen = { width: 390, height: 844 };
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** A generator that gives the same numbers in every run. */
function random(seed) {
  let state = seed;
  return (least, most) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return least + (state / 2 ** 32) * (most - least);
  };
}

test('labels on one picture lie on nothing, wherever they want to be', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = random(seed);
    const bars = [{ x: 0, y: 0, width: 390, height: 60 }, { x: 0, y: 720, width: 390, height: 124 },
      { x: 12, y: 580, width: 100, height: 120 }];
    let wanted = Array.from({ length: 8 }, () => (
      { x: next(60, 330), y: next(200, 600), width: next(24, 200), height: next(24, 60) }));
    let shown = 0;
    for (let step = 0; step < 10; step++) {
      const placed = placeAnchored(wanted, screen, bars);
      const boxes = placed.flatMap((box) => box ?? []);
      shown += boxes.length;
      boxes.forEach((box, k) => {
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `seed ${seed}`);
        for (const other of [...bars, ...boxes.slice(k + 1)]) assert.ok(!overlap(box, other), `seed ${seed}, step ${step}`);
      });
      wanted = wanted.map((label, k) => (
        { ...label, x: label.x + next(-3, 3), y: label.y + next(-3, 3), last: placed[k]?.moved ?? null }));
    }
    assert.ok(shown >= 50, `seed ${seed}: ${shown} of 80`);
  }
});

test('a label stands over its place when nothing is in its way, and stays where it was pushed while the hand trembles', () => {
  const [first] = placeAnchored([{ x: 200, y: 400, width: 100, height: 30 }], screen, []);
  assert.deepEqual([first.x, first.y, first.moved], [150, 370, [0, 0]]);
  const both = (shake, last) => placeAnchored([{ x: 200, y: 400, width: 100, height: 30 },
    { x: 200 + shake, y: 398 + shake, width: 100, height: 30, last }], screen, [])[1];
  let place = both(0, null);
  const way = Math.sign(place.moved[1]);
  for (const shake of [3, -3, 5, -5, 2]) {
    place = both(shake, place.moved);
    assert.equal(Math.sign(place.moved[1]), way);
  }
});

test('what is off the screen has no label', () => {
  assert.deepEqual(placeAnchored([{ x: -5, y: 400, width: 100, height: 30 }], screen, []), [null]);
});
