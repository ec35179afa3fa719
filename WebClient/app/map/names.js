// Which names have room beside their pins, and on which side. Plain arithmetic on boxes of the screen.

/**
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 * @typedef {'right' | 'left' | 'below' | 'above'} Side
 * @typedef {{ x: number, y: number, radius: number, width: number, height: number, isWanted: boolean }} Named the middle of a
 *   pin, how far it reaches, the size of its name (0 for none), and whether the name is shown in any case; points
 */

const SIDES = /** @type {Side[]} */ (['right', 'left', 'below', 'above']);
const GAP = 2;

/**
 * @param {Named} pin
 * @param {Side} side
 * @returns {Rectangle}
 */
export function nameBox({ x, y, radius, width, height }, side) {
  const far = radius + GAP;
  if (side === 'right') return { x: x + far, y: y - height / 2, width, height };
  if (side === 'left') return { x: x - far - width, y: y - height / 2, width, height };
  return { x: x - width / 2, y: side === 'below' ? y + far : y - far - height, width, height };
}

/**
 * @param {Rectangle} a
 * @param {Rectangle} b
 */
export function overlap(a, b) {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * @param {Rectangle} box
 * @param {Rectangle} area
 * @returns {number} square points of the box outside the area
 */
function outside(box, area) {
  return box.width * box.height - overlap(box, area);
}

/**
 * Gives a side to every name that has room: clear of all pins, of names that came before, of what lies over the map, and
 * of the map's edge. A wanted name gets the side on which it covers least.
 * @param {Named[]} pins the first has the first choice
 * @param {Rectangle} area of the map
 * @param {Rectangle[]} covers
 * @returns {(Side | null)[]}
 */
export function placeNames(pins, area, covers) {
  const marks = pins.map(({ x, y, radius }) => ({ x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }));
  /** @type {Rectangle[]} */
  const taken = [];
  return pins.map((pin, index) => {
    if (pin.width === 0) return null;
    const far = pin.width + 2 * pin.radius;
    const near = marks.filter((mark, k) => k !== index && Math.abs(mark.x - pin.x) < far + mark.width && Math.abs(mark.y - pin.y) < far);
    /** @type {Side | null} */
    let best = null;
    let least = Infinity;
    for (const side of SIDES) {
      const box = nameBox(pin, side);
      const hard = outside(box, area) + covers.reduce((sum, cover) => sum + overlap(box, cover), 0);
      const soft = [...near, ...taken].reduce((sum, other) => sum + overlap(box, other), 0);
      const cost = hard * 1000 + soft;
      if (cost > 0 && !pin.isWanted) continue;
      if (cost < least) [best, least] = [side, cost];
      if (cost === 0) break;
    }
    if (best) taken.push(nameBox(pin, best));
    return best;
  });
}

/**
 * The largest part of an area that nothing covers.
 * @param {Rectangle} area
 * @param {Rectangle[]} covers
 * @returns {Rectangle} the area itself when everything is covered
 */
export function freePart(area, covers) {
  const shown = covers.filter((cover) => overlap(cover, area) > 0);
  const edges = (/** @type {'x' | 'y'} */ at, /** @type {'width' | 'height'} */ size) => {
    const all = shown.flatMap((one) => [one[at], one[at] + one[size]]).filter((value) => value > area[at] && value < area[at] + area[size]);
    return [...new Set([area[at], ...all, area[at] + area[size]])].sort((a, b) => a - b);
  };
  const [xs, ys] = [edges('x', 'width'), edges('y', 'height')];
  let best = area;
  let most = 0;
  for (let top = 0; top < ys.length; top++) {
    for (let bottom = top + 1; bottom < ys.length; bottom++) {
      const height = ys[bottom] - ys[top];
      for (let left = 0; left < xs.length; left++) {
        for (let right = left + 1; right < xs.length; right++) {
          const part = { x: xs[left], y: ys[top], width: xs[right] - xs[left], height };
          if (part.width * height <= most) continue;
          if (shown.some((cover) => overlap(cover, part) > 0)) break;
          [best, most] = [part, part.width * height];
        }
      }
    }
  }
  return best;
}
