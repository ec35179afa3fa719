// Overlays that count from a side or corner of the free screen give way to the page's own controls that stand there.

/**
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box CSS pixels
 */

/** What stands over the view while a world is open. Sheets, cards and messages come and go; they may cover overlays. */
export const CONTROLS = '#radar-box, #ar-tools, #walk-pad, #sound';
/** Between an overlay and what it gives way to, CSS pixels. */
const GAP = 6;
/** Times that giving way to one may lead to another. */
const MOST_STEPS = 6;

/**
 * How far something is moved, inwards from the side or corner that it counts from, to be clear of all controls: the shorter way
 * each time. What would leave the screen by it, and what counts from the middle of it, stays.
 * @param {Box} box where it stands
 * @param {string} anchor two letters: top, centre or bottom; left, centre or right
 * @param {Box[]} controls
 * @param {{ width: number, height: number }} screen
 * @returns {{ x: number, y: number }}
 */
export function shiftClear(box, anchor, controls, { width, height }) {
  const inwards = { x: { L: 1, R: -1 }[anchor[1]] ?? 0, y: { T: 1, B: -1 }[anchor[0]] ?? 0 };
  const shift = { x: 0, y: 0 };
  for (let step = 0; step < MOST_STEPS; step++) {
    const at = { left: box.left + shift.x, right: box.right + shift.x, top: box.top + shift.y, bottom: box.bottom + shift.y };
    const hit = controls.find((one) => at.left < one.right && at.right > one.left && at.top < one.bottom && at.bottom > one.top);
    if (!hit) return shift;
    const x = inwards.x > 0 ? hit.right + GAP - at.left : hit.left - GAP - at.right;
    const y = inwards.y > 0 ? hit.bottom + GAP - at.top : hit.top - GAP - at.bottom;
    const mayX = inwards.x !== 0 && at.left + x >= 0 && at.right + x <= width;
    const mayY = inwards.y !== 0 && at.top + y >= 0 && at.bottom + y <= height;
    if (!mayX && !mayY) break;
    if (mayX && (!mayY || Math.abs(x) <= Math.abs(y))) shift.x += x;
    else shift.y += y;
  }
  return { x: 0, y: 0 };
}
