// Draws a part of a tile into a canvas: areas, buildings, then lines by their layer, tunnels having been left out.

import { areaStyle, LINE_ORDER, lineStyle, OUTLINE, PAPER } from './style.js';
import { EXTENT, KIND } from './tile.js';

/**
 * @typedef {import('./tile.js').GroundTile} GroundTile
 * @typedef {import('./style.js').Scheme} Scheme
 * @typedef {{ x: number, y: number, points: number }} Window where the canvas lies in the tile: its corner in units, and how many points of
 *   the display the tile's whole side is drawn as
 */

/** Paths of a tile, made once: drawing it again at another size or in the other scheme costs no walk over its corners. */
const paths = /** @type {WeakMap<GroundTile, { areas: Map<number, Path2D>, lines: Map<number, Map<number, Path2D>> }>} */ (new WeakMap());

/** @param {GroundTile} tile */
function pathsOf(tile) {
  let made = paths.get(tile);
  if (made) return made;
  made = { areas: new Map(), lines: new Map() };
  for (const { kind, layer, pieces } of tile.features) {
    if (kind >= 90) continue;
    const isArea = kind < 40;
    let path;
    if (isArea) {
      path = made.areas.get(kind);
      if (!path) made.areas.set(kind, (path = new Path2D()));
    } else {
      let kinds = made.lines.get(layer);
      if (!kinds) made.lines.set(layer, (kinds = new Map()));
      path = kinds.get(kind);
      if (!path) kinds.set(kind, (path = new Path2D()));
    }
    for (const piece of pieces) {
      path.moveTo(piece[0], piece[1]);
      for (let at = 2; at < piece.length; at += 2) path.lineTo(piece[at], piece[at + 1]);
      if (isArea) path.closePath();
    }
  }
  paths.set(tile, made);
  return made;
}

/**
 * @param {CanvasRenderingContext2D} context whose canvas is `points` wide, times `ratio`
 * @param {GroundTile | null} tile none where there is nothing: land
 * @param {Window} window
 * @param {{ zoom: number, scheme: Scheme, ratio: number, points: number }} options
 */
export function drawTile(context, tile, window, { zoom, scheme, ratio, points }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = PAPER[scheme].land;
  context.fillRect(0, 0, points, points);
  if (!tile) return;
  const { areas, lines } = pathsOf(tile);
  const scale = window.points / EXTENT;
  context.setTransform(ratio * scale, 0, 0, ratio * scale, -window.x * ratio * scale, -window.y * ratio * scale);
  for (const [kind, path] of areas) {
    const style = areaStyle(kind);
    if (!style) continue;
    context.fillStyle = style[scheme];
    context.fill(path, 'evenodd');
    if (kind === KIND.building && zoom >= 16) {
      context.strokeStyle = OUTLINE[scheme];
      context.lineWidth = 0.7 / scale;
      context.stroke(path);
    }
  }
  context.lineJoin = 'round';
  for (const layer of [...lines.keys()].sort((a, b) => a - b)) drawLines(context, lines.get(layer), scale, zoom, scheme);
}

/**
 * Casings first, so that streets run into each other.
 * @param {CanvasRenderingContext2D} context
 * @param {Map<number, Path2D> | undefined} kinds
 * @param {number} scale points for each unit
 * @param {number} zoom
 * @param {Scheme} scheme
 */
function drawLines(context, kinds, scale, zoom, scheme) {
  if (!kinds) return;
  const drawn = LINE_ORDER.filter((kind) => kinds.has(kind)).map((kind) => ({ path: /** @type {Path2D} */ (kinds.get(kind)), style: lineStyle(kind, zoom, scheme) }))
    .filter(({ style }) => style.width > 0);
  context.setLineDash([]);
  context.lineCap = 'butt';
  for (const { path, style } of drawn) {
    if (!style.casing || style.width < 2) continue;
    context.strokeStyle = style.casing;
    context.lineWidth = (style.width + 1.4) / scale;
    context.stroke(path);
  }
  for (const { path, style } of drawn) {
    context.strokeStyle = style.color;
    context.lineWidth = style.width / scale;
    context.lineCap = style.casing ? 'round' : 'butt';
    context.setLineDash((style.dash ?? []).map((length) => (length * Math.max(1, style.width / 1.5)) / scale));
    context.stroke(path);
  }
  context.setLineDash([]);
}
