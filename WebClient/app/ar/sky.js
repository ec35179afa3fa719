// The sky of an hour: its colours by the sun's height, sun and moon where they stand, and how dark it makes the land.

import { toRadians } from '../core/angles.js';

/**
 * @typedef {{ azimuth: number, elevation: number }} Body radians, from true north and from the horizon
 * @typedef {{ sun: Body, moon: Body }} Bodies
 * @typedef {{ direction: (azimuth: number, elevation: number) => number[] | null, width: number, height: number }} View
 * @typedef {[number, number, number]} Colour
 */

const DEGREE = toRadians(1);
/** Tangents of elevations at which the colours of `HOURS` stand. */
const HEIGHTS = [-1, 0, 0.12, 0.45, 1.2];
/**
 * Colours from the horizon to the top, by the sun's elevation in degrees: night, nautical and civil twilight, sun on the
 * horizon, day.
 * @type {[number, Colour[]][]}
 */
const HOURS = [
  [-14, [[14, 20, 34], [20, 28, 46], [16, 23, 40], [10, 15, 29], [6, 9, 20]]],
  [-7, [[40, 50, 72], [94, 86, 100], [62, 70, 100], [34, 46, 80], [18, 28, 58]]],
  [-1, [[92, 92, 104], [236, 158, 106], [190, 142, 136], [98, 112, 152], [50, 72, 120]]],
  [4, [[140, 150, 156], [248, 214, 160], [196, 196, 194], [118, 152, 186], [66, 106, 152]]],
  [12, [[143, 180, 204], [211, 226, 232], [169, 200, 218], [108, 156, 191], [63, 111, 153]]],
];
const SUN = 0.014;
const MOON = 0.012;

/**
 * @param {Bodies | null} bodies
 * @returns {[number, string][]} stops of a gradient by the tangent of the elevation
 */
export function skyStops(bodies) {
  const degrees = bodies ? bodies.sun.elevation / DEGREE : 90;
  const above = HOURS.findIndex(([height]) => height > degrees);
  const [low, high] = above < 0 ? [HOURS.length - 1, HOURS.length - 1] : [Math.max(0, above - 1), above];
  const span = HOURS[high][0] - HOURS[low][0];
  const part = span ? Math.min(1, Math.max(0, (degrees - HOURS[low][0]) / span)) : 0;
  return HEIGHTS.map((height, index) => [height, mixed(HOURS[low][1][index], HOURS[high][1][index], part)]);
}

/**
 * How much light is missing: 0 by day, 1 in the night.
 * @param {number} elevation of the sun, radians
 */
export function darkness(elevation) {
  return Math.min(1, Math.max(0, (6 - elevation / DEGREE) / 18));
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {View} view
 * @param {Bodies} bodies
 */
export function drawBodies(c, view, { sun, moon }) {
  // A disk is as large as it is in the sky, drawn a little larger so that it is seen.
  disk(c, view, moon, MOON, `rgba(236, 240, 246, ${(0.35 + 0.6 * darkness(sun.elevation)).toFixed(2)})`, 1.5);
  disk(c, view, sun, SUN, sun.elevation < 6 * DEGREE ? '#ffd9a0' : '#fff6dc', 5);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {View} view
 * @param {Body} body
 * @param {number} radius radians
 * @param {string} colour
 * @param {number} glow radii
 */
function disk(c, view, { azimuth, elevation }, radius, colour, glow) {
  const middle = view.direction(azimuth, elevation);
  const edge = view.direction(azimuth, elevation + radius);
  if (!middle || !edge || elevation < -radius) return;
  const size = Math.max(3, Math.hypot(edge[0] - middle[0], edge[1] - middle[1]));
  const light = c.createRadialGradient(middle[0], middle[1], size, middle[0], middle[1], size * glow);
  light.addColorStop(0, 'rgba(255, 244, 214, 0.55)');
  light.addColorStop(1, 'rgba(255, 244, 214, 0)');
  for (const [style, reach] of /** @type {[CanvasGradient | string, number][]} */ ([[light, glow], [colour, 1]])) {
    c.fillStyle = style;
    c.beginPath();
    c.arc(middle[0], middle[1], size * reach, 0, 2 * Math.PI);
    c.fill();
  }
}

/**
 * Lays the evening over the land.
 * @param {CanvasRenderingContext2D} c
 * @param {View} view
 * @param {number} elevation of the sun, radians
 */
export function dim(c, view, elevation) {
  const dark = darkness(elevation);
  if (dark === 0) return;
  c.fillStyle = `rgba(5, 8, 22, ${(0.5 * dark).toFixed(2)})`;
  c.fillRect(0, 0, view.width, view.height);
}

/**
 * @param {Colour} a
 * @param {Colour} b
 * @param {number} part
 */
function mixed(a, b, part) {
  return `rgb(${a.map((value, k) => Math.round(value + (b[k] - value) * part)).join(', ')})`;
}
