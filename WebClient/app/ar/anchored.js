// Where the labels on markers and pictures stand: each as near to its place as it can, none on another, on the rim of the
// screen, or under what covers the view.

/**
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 * @typedef {{ x: number, y: number, width: number, height: number, last?: [number, number] | null }} Wanted
 *   a box that wants the middle of its lower edge at a point, CSS pixels; `last`: by how much it was moved before
 */

const MARGIN = 6;
/** No label goes farther from its place, CSS pixels. */
const FARTHEST = 220;
/** How much nearer another place has to be to be worth a move. */
const WORTH = 40;

/**
 * @param {Wanted[]} wanted the more important first
 * @param {{ width: number, height: number }} screen
 * @param {Rectangle[]} obstacles
 * @returns {(Rectangle & { moved: [number, number] } | null)[]} `null`: there is no room for it, or its place is off the screen
 */
export function placeAnchored(wanted, screen, obstacles) {
  const taken = [...obstacles];
  return wanted.map((label) => {
    const { x, y, width, height, last } = label;
    if (!(x >= 0 && y >= 0 && x <= screen.width && y <= screen.height)) return null;
    const natural = {
      x: clamp(x - width / 2, MARGIN, screen.width - MARGIN - width),
      y: clamp(y - height, MARGIN, screen.height - MARGIN - height),
      width, height,
    };
    const best = nearest(natural, screen, taken);
    const kept = last ? { ...natural, x: natural.x + last[0], y: natural.y + last[1] } : null;
    const keeps = kept && isFree(kept, screen, taken) && (!best || length(natural, kept) < length(natural, best) + WORTH);
    const place = keeps ? kept : best;
    if (!place) return null;
    taken.push(place);
    return { ...place, moved: [place.x - natural.x, place.y - natural.y] };
  });
}

/**
 * @param {Rectangle} natural
 * @param {{ width: number, height: number }} screen
 * @param {Rectangle[]} taken
 * @returns {Rectangle | null}
 */
function nearest(natural, screen, taken) {
  if (isFree(natural, screen, taken)) return natural;
  // A free box nearest to a place touches what is in its way: only such places have to be looked at.
  const near = taken.filter((box) => length(natural, box) < FARTHEST + box.width + box.height + natural.width + natural.height);
  const columns = [natural.x, ...near.flatMap((box) => [box.x - natural.width - MARGIN, box.x + box.width + MARGIN])];
  const rows = [natural.y, ...near.flatMap((box) => [box.y - natural.height - MARGIN, box.y + box.height + MARGIN])];
  /** @type {Rectangle | null} */
  let best = null;
  let least = FARTHEST;
  for (const x of columns) {
    for (const y of rows) {
      const place = { ...natural, x, y };
      const far = length(natural, place);
      if (far < least && isFree(place, screen, taken)) {
        best = place;
        least = far;
      }
    }
  }
  return best;
}

/** @type {(box: Rectangle, screen: { width: number, height: number }, taken: Rectangle[]) => boolean} */
function isFree(box, screen, taken) {
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= screen.width && box.y + box.height <= screen.height &&
    taken.every((other) => box.x >= other.x + other.width || other.x >= box.x + box.width ||
      box.y >= other.y + other.height || other.y >= box.y + box.height);
}

/** @type {(a: Rectangle, b: Rectangle) => number} */
const length = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @type {(value: number, low: number, high: number) => number} */
const clamp = (value, low, high) => (high < low ? (low + high) / 2 : Math.min(high, Math.max(low, value)));
