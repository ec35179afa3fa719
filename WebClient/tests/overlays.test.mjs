// Overlays that count from a side or corner give way to the page's controls.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { shiftClear } = await import('../app/ar/clear-of-controls.js');

const screen = { width: 320, height: 568 };
const box = (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ width, /** @type {number} */ height) =>
  ({ left, top, right: left + width, bottom: top + height });
const radar = box(12, 390, 70, 90);
const tools = box(260, 318, 48, 160);

test('what stands clear of everything stays', () => {
  assert.deepEqual(shiftClear(box(100, 450, 60, 24), 'BC', [radar, tools], screen), { x: 0, y: 0 });
});

test('the shorter way inwards is taken, and never one outwards', () => {
  assert.deepEqual(shiftClear(box(8, 450, 40, 24), 'BL', [radar, tools], screen), { x: 80, y: 0 });
  assert.deepEqual(shiftClear(box(272, 450, 40, 24), 'BR', [radar, tools], screen), { x: -58, y: 0 });
  // From the bottom's middle only up.
  assert.deepEqual(shiftClear(box(60, 450, 200, 24), 'BC', [radar], screen), { x: 0, y: -90 });
  assert.deepEqual(shiftClear(box(8, 74, 40, 24), 'TL', [box(12, 66, 220, 46)], screen), { x: 0, y: 44 });
});

test('giving way to one leads on to giving way to another', () => {
  // As wide as the screen: above the radar it still stands on the tools.
  const shift = shiftClear(box(10, 450, 300, 24), 'BL', [radar, tools], screen);
  assert.deepEqual(shift, { x: 0, y: 318 - 6 - 474 });
});

test('what counts from the middle, or would leave the screen, stays', () => {
  assert.deepEqual(shiftClear(box(20, 400, 40, 24), 'CC', [radar], screen), { x: 0, y: 0 });
  assert.deepEqual(shiftClear(box(0, 0, 320, 560), 'BL', [radar], screen), { x: 0, y: 0 });
});
