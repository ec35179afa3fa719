// How high the ground is along the way on foot: asked of the server, where it has terrain. Without, the way is flat.

import { getJSON } from '../net/request.js';
import { fetchSettings } from '../net/settings.js';

/** Most points that the server is asked about at a time. */
const MOST = 500;
/** Metres from point to point: half of what the finest terrain tells apart. */
const STEP = 15;

/**
 * Points along a way, close enough for the ground between its corners to be followed; of a long way at most so many as can be asked about.
 * @param {ArrayLike<number>} path east and north by turns, metres
 * @returns {{ corner: number, share: number }[]} after which corner, and how much of the way to the next, 0 … 1
 */
export function pointsAlong(path) {
  const corners = Math.floor(path.length / 2);
  const span = (/** @type {number} */ k) => Math.hypot(path[2 * k + 2] - path[2 * k], path[2 * k + 3] - path[2 * k + 1]);
  let whole = 0;
  for (let k = 0; k + 1 < corners; k++) whole += span(k);
  const step = Math.max(STEP, whole / Math.max(1, MOST - corners));
  const points = [];
  for (let k = 0; k + 1 < corners; k++) {
    const pieces = Math.max(1, Math.ceil(span(k) / step));
    for (let piece = 0; piece < pieces; piece++) points.push({ corner: k, share: piece / pieces });
  }
  if (corners > 0) points.push({ corner: corners - 1, share: 0 });
  return points;
}

/**
 * Values of corners at points along a way.
 * @param {ArrayLike<number>} values two for each corner, by turns
 * @param {{ corner: number, share: number }[]} points
 */
export function valuesAt(values, points) {
  const found = new Float64Array(2 * points.length);
  points.forEach(({ corner, share }, k) => {
    for (let axis = 0; axis < 2; axis++) {
      const at = 2 * corner + axis;
      found[2 * k + axis] = share ? values[at] + share * (values[at + 2] - values[at]) : values[at];
    }
  });
  return found;
}

/**
 * Heights of the ground at points; where nobody knows it is as high as at the last point before that somebody knows, or else the first after.
 * @param {(number | null | undefined)[]} heights metres over the sea
 * @param {number} count of the points
 * @returns {Float64Array | null} nothing when nobody knows any
 */
export function filled(heights, count) {
  let last = heights.find((height) => height != null && Number.isFinite(height));
  if (last == null) return null;
  const all = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const height = heights[k];
    if (height != null && Number.isFinite(height)) last = height;
    all[k] = last;
  }
  return all;
}

/**
 * Height of the ground at the point of a way that is nearest to somewhere.
 * @param {ArrayLike<number>} path east and north by turns, metres
 * @param {ArrayLike<number>} heights one for each of its points
 * @param {ArrayLike<number>} from east and north
 */
export function heightBeside(path, heights, from) {
  let [nearest, height] = [Infinity, heights[0]];
  for (let k = 0; 2 * k + 3 < path.length; k++) {
    const [x, y] = [path[2 * k], path[2 * k + 1]];
    const [dx, dy] = [path[2 * k + 2] - x, path[2 * k + 3] - y];
    const share = Math.min(1, Math.max(0, ((from[0] - x) * dx + (from[1] - y) * dy) / Math.max(dx * dx + dy * dy, 1e-9)));
    const away = Math.hypot(x + share * dx - from[0], y + share * dy - from[1]);
    if (away >= nearest) continue;
    nearest = away;
    height = heights[k] + share * (heights[k + 1] - heights[k]);
  }
  return height;
}

/**
 * @param {ArrayLike<number>} points latitude and longitude by turns
 * @param {AbortSignal} signal
 * @returns {Promise<Float64Array | null>} metres over the sea of each point; nothing where the server has no terrain or does not answer
 */
export async function heightsOf(points, signal) {
  if (!(await fetchSettings()).hasTerrain) return null;
  const count = Math.floor(points.length / 2);
  const places = Array.from({ length: Math.min(MOST, count) }, (_, k) => ({ latitude: points[2 * k], longitude: points[2 * k + 1] }));
  try {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ places }), signal };
    return filled((await getJSON('/api/v1/ground', init)).heights, count);
  } catch (error) {
    if (!signal.aborted) console.warn(error);
    return null;
  }
}
