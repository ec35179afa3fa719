// Names on the ground: one canvas over the map, drawn anew when the map has come to rest. The weightiest have room first; none
// lies on another.

import { language, onLanguage } from '../../core/i18n.js';
import { h } from '../../core/dom.js';
import { isRemoved, whenAtRest } from '../life.js';
import { isLineKind, nameStyle, PAPER } from './style.js';
import { EXTENT, KIND } from './tile.js';

/**
 * @typedef {import('../../../vendor/leaflet/leaflet.esm.js').LeafletMap} LeafletMap
 * @typedef {import('./source.js').GroundSource} GroundSource
 * @typedef {import('./style.js').Scheme} Scheme
 * @typedef {{ text: string, kind: number, x: number, y: number, angle: number, weight: number, width: number, size: number }} Candidate
 *   middle of the name in points of the map's container, the angle of the street below it, radians
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box points
 * @typedef {{ zoom: number, corner: { x: number, y: number }, width: number, height: number }} View of a map: its north-west corner in points
 *   of the whole world at that zoom, and its size
 */

/** Points that stay free round a name, and between two of the same street. */
const GAP = 3;
const SAME = 220;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
/** Characters of a name that has room only from near, unless it is a weighty one. */
const LONG = 28;
const WEIGHTY = 60;
/** More are not looked at: of the lightest nobody would see any. */
const MOST = 1500;
/** What stands on the map: pins, groups of them, and those of their names that are shown. */
const COVERS = '.pin-dot, .pin-group, .map-pin.named .pin-name, .map-pin.selected .pin-name';

export class GroundNames {
  #life = new AbortController();
  #turn = 0;

  /**
   * @param {LeafletMap} map
   * @param {GroundSource} source
   * @param {() => Scheme} scheme
   */
  constructor(map, source, scheme) {
    this.map = map;
    this.source = source;
    this.scheme = scheme;
    this.canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'map-names', 'aria-hidden': 'true' }));
    map.getPane('tilePane').append(this.canvas);
    whenAtRest(map, () => this.draw());
    map.on('zoomstart', () => (this.canvas.hidden = true));
    map.on('resize', () => this.draw());
    onLanguage(() => this.draw(), this.#life.signal);
    this.draw();
  }

  close() {
    this.#life.abort();
    this.canvas.remove();
  }

  async draw() {
    const turn = ++this.#turn;
    if (isRemoved(this.map)) return;
    const { x: width, y: height } = this.map.getSize();
    if (!width || !height) return;
    const zoom = this.map.getZoom();
    const view = { zoom, corner: this.map.project(this.map.containerPointToLatLng([0, 0]), zoom), width, height };
    const candidates = await candidatesIn(this.source, view);
    if (turn !== this.#turn || this.#life.signal.aborted || isRemoved(this.map)) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.hidden = false;
    const corner = this.map.containerPointToLayerPoint([0, 0]);
    this.canvas.style.transform = `translate3d(${corner.x}px, ${corner.y}px, 0)`;
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const scheme = this.scheme();
    /** @type {string[]} */
    const written = [];
    for (const one of withRoom(candidates, coversOf(this.map))) {
      const style = nameStyle(one.kind);
      context.save();
      context.translate(one.x, one.y);
      context.rotate(one.angle);
      context.font = fontOf(one.kind);
      context.strokeStyle = PAPER[scheme].halo;
      context.lineWidth = 3;
      context.strokeText(one.text, 0, 0);
      context.fillStyle = style.color?.[scheme] ?? PAPER[scheme].name;
      context.fillText(one.text, 0, 0);
      context.restore();
      written.push(one.text);
    }
    // What is written can be found by tests and by who looks at the page's structure.
    this.canvas.dataset.names = written.slice(0, 60).join('\n');
  }
}

/**
 * The names that a map may show, by falling weight.
 * @param {GroundSource} source
 * @param {View} view
 * @returns {Promise<Candidate[]>}
 */
export async function candidatesIn(source, { zoom, corner, width, height }) {
  const level = source.zoomFor(Math.floor(zoom + 1e-6));
  if (level < 0) return [];
  const points = 256 * 2 ** (zoom - level);
  const side = 2 ** level;
  /** @type {Promise<Candidate[]>[]} */
  const work = [];
  // Names come by scale: of the same zoom that is twice as large at 60 degrees of latitude as on the equator.
  const near = zoom + Math.log2(Math.cosh(Math.PI * (1 - (2 * corner.y + height) / (256 * 2 ** zoom))));
  const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  for (let x = Math.floor(corner.x / points); x * points < corner.x + width; x++) {
    for (let y = Math.max(0, Math.floor(corner.y / points)); y * points < corner.y + height && y < side; y++) {
      const column = ((x % side) + side) % side;
      if (!source.has(level, column, y)) continue;
      const [left, top] = [x * points - corner.x, y * points - corner.y];
      work.push(source.tile(level, column, y).then((tile) => (tile ? namesOf(tile, { left, top, points, near, width, height, measure }) : []), () => []));
    }
  }
  return (await Promise.all(work)).flat().sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1)).slice(0, MOST);
}

/** @param {number} kind */
export const fontOf = (kind) => `${nameStyle(kind).bold ? '600 ' : ''}${nameStyle(kind).size}px ${FONT}`;

/**
 * @param {import('./tile.js').Name} name
 * @returns {string} in the user's language where there is one
 */
export function textOf(name) {
  return name.languages[language().split('-')[0]] ?? name.own;
}

/**
 * @param {import('./tile.js').GroundTile} tile
 * @param {{ left: number, top: number, points: number, near: number, width: number, height: number, measure: CanvasRenderingContext2D }} view `near`: the
 *   zoom at which the equator is seen at the same scale
 * @returns {Candidate[]}
 */
function namesOf(tile, { left, top, points, near, width, height, measure }) {
  const scale = points / EXTENT;
  /** @type {Candidate[]} */
  const found = [];
  for (const { kind, name, pieces } of tile.features) {
    const style = name && nameStyle(kind);
    if (!name || !style || near < style.zoom) continue;
    const text = textOf(name);
    if (text.length > LONG && style.weight < WEIGHTY && near < 18) continue;
    measure.font = fontOf(kind);
    const wide = measure.measureText(text).width;
    for (const piece of pieces) {
      const at = isLineKind(kind) ? alongLine(piece, wide / scale) : { x: piece[0], y: piece[1], angle: 0 };
      if (!at) continue;
      const [x, y] = [left + at.x * scale, top + at.y * scale];
      // A name that the rim would cut is not written: a step of the map shows it whole.
      const [across, down] = reach(wide, style.size, at.angle);
      if (x < across || y < down || x > width - across || y > height - down) continue;
      // A tile's margin is the neighbour's.
      if (at.x < 0 || at.y < 0 || at.x >= EXTENT || at.y >= EXTENT) continue;
      found.push({ text, kind, x, y, angle: at.angle, weight: style.weight + Math.min(1, text.length / 100), width: wide, size: style.size });
    }
  }
  return found;
}

/**
 * How far a name reaches from its middle across and down, with the room that stays free round it.
 * @param {number} width points
 * @param {number} size of its letters
 * @param {number} angle radians
 */
function reach(width, size, angle) {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return [(width * cos + size * sin) / 2 + GAP, (width * sin + size * cos) / 2 + GAP];
}

/**
 * Where a name has room along a line: the middle of its longest stretch that is straight enough.
 * @param {Int32Array} line x and y by turns
 * @param {number} room that the name takes
 */
export function alongLine(line, room) {
  let best = null;
  let longest = room * 0.8;
  let start = 0;
  let length = 0;
  for (let at = 2; at < line.length; at += 2) {
    const [dx, dy] = [line[at] - line[at - 2], line[at + 1] - line[at - 1]];
    length += Math.hypot(dx, dy);
    const [cx, cy] = [line[at] - line[start], line[at + 1] - line[start + 1]];
    // A stretch ends where going straight is shorter by a fiftieth.
    if (Math.hypot(cx, cy) < length * 0.98) {
      start = at - 2;
      length = Math.hypot(dx, dy);
    }
    if (length > longest) {
      longest = length;
      let angle = Math.atan2(line[at + 1] - line[start + 1], line[at] - line[start]);
      // Never upside down.
      if (angle > Math.PI / 2) angle -= Math.PI;
      if (angle < -Math.PI / 2) angle += Math.PI;
      best = { x: (line[at] + line[start]) / 2, y: (line[at + 1] + line[start + 1]) / 2, angle };
    }
  }
  return best;
}

/**
 * @param {LeafletMap} map
 * @returns {Box[]} in points of the map's container
 */
function coversOf(map) {
  const container = map.getContainer();
  const { left, top } = container.getBoundingClientRect();
  return [...container.querySelectorAll(COVERS)].map((element) => {
    const box = element.getBoundingClientRect();
    return { left: box.left - left, top: box.top - top, right: box.right - left, bottom: box.bottom - top };
  });
}

/**
 * The squares of 64 points that a box touches.
 * @param {Box} box
 */
function cellsOf(box) {
  /** @type {string[]} */
  const cells = [];
  for (let x = Math.floor(box.left / 64); x <= box.right / 64; x++) for (let y = Math.floor(box.top / 64); y <= box.bottom / 64; y++) cells.push(`${x},${y}`);
  return cells;
}

/**
 * Those that have room, the weightiest first; each name of a street once in a while.
 * @param {Candidate[]} candidates by falling weight
 * @param {Box[]} [covers] where no name may lie
 * @returns {Candidate[]}
 */
export function withRoom(candidates, covers = []) {
  /** @type {Candidate[]} */
  const placed = [];
  /** @type {Map<string, Box[]>} boxes by square */
  const grid = new Map();
  const take = (/** @type {Box} */ box, cells = cellsOf(box)) => {
    for (const cell of cells) grid.set(cell, [...(grid.get(cell) ?? []), box]);
  };
  for (const box of covers) take(box);
  /** @type {Map<string, Candidate[]>} */
  const same = new Map();
  for (const one of candidates) {
    if (one.kind !== KIND.houseNumber && same.get(one.text)?.some((other) => Math.hypot(other.x - one.x, other.y - one.y) < SAME)) continue;
    const [across, down] = reach(one.width, one.size, one.angle);
    const box = { left: one.x - across, right: one.x + across, top: one.y - down, bottom: one.y + down };
    const cells = cellsOf(box);
    const isFree = cells.every((cell) => !grid.get(cell)?.some((other) =>
      other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top));
    if (!isFree) continue;
    take(box, cells);
    same.set(one.text, [...(same.get(one.text) ?? []), one]);
    placed.push(one);
  }
  return placed;
}
