// Points of a wall and of a picture. The wall's frame: x right, y up, z towards the viewer, metres. Poses come from the
// engine; here they are only put together.

import { product, rigid } from '../../models/matrices.js';

/**
 * @typedef {[number, number]} Point
 * @typedef {{ width: number, height: number, focal: number }} View a picture and the focal length of its camera, pixels
 */

/**
 * The wall's pose from that of a flat picture on it, whose axes are the wall's.
 * @param {{ rotation: readonly number[], translation: readonly number[] }} pose cameraFromPicture
 * @param {Point} center of the picture in the wall's frame before scaling
 * @param {number} scale metres for one of the picture's units
 * @returns {Float32Array} cameraFromWall
 */
export function cameraFromWallOf({ rotation, translation }, [x, y], scale) {
  const cameraFromPicture = rigid(rotation, translation.map((value) => value * scale));
  return product(cameraFromPicture, rigid([1, 0, 0, 0], [-x * scale, -y * scale, 0]));
}

/**
 * Where a point of the wall is in the picture.
 * @param {ArrayLike<number>} m cameraFromWall
 * @param {View} view
 * @param {Point} point
 * @returns {Point | null} `null` behind the camera
 */
export function pictureFromWall(m, { width, height, focal }, [x, y]) {
  const [cx, cy, cz] = [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[12 + row]);
  if (cz <= 1e-6) return null;
  return [(width - 1) / 2 + (focal * cx) / cz, (height - 1) / 2 + (focal * cy) / cz];
}

/**
 * The point of the wall that is seen at a point of the picture.
 * @param {ArrayLike<number>} m cameraFromWall
 * @param {View} view
 * @param {Point} point
 * @returns {Point | null} `null` when the ray does not meet the wall
 */
export function wallFromPicture(m, { width, height, focal }, [px, py]) {
  const ray = [(px - (width - 1) / 2) / focal, (py - (height - 1) / 2) / focal, 1];
  // The inverse of a rigid motion: transposed rotation.
  const turned = (/** @type {number[]} */ v) => [0, 1, 2].map((row) => m[4 * row] * v[0] + m[4 * row + 1] * v[1] + m[4 * row + 2] * v[2]);
  const direction = turned(ray);
  const origin = turned([-m[12], -m[13], -m[14]]);
  const s = -origin[2] / direction[2];
  if (!(s > 0)) return null;
  return [origin[0] + s * direction[0], origin[1] + s * direction[1]];
}

/**
 * How far what hangs upright is turned against the wall's frame, degrees counter-clockwise.
 * @param {ArrayLike<number>} m cameraFromWall
 * @param {readonly number[]} up in the camera's axes
 * @returns {number | null} `null` for walls that lie, where nothing is upright
 */
export function uprightTurn(m, up) {
  const [x, y] = [0, 1].map((row) => m[4 * row] * up[0] + m[4 * row + 1] * up[1] + m[4 * row + 2] * up[2]);
  return Math.hypot(x, y) < 0.5 ? null : (Math.atan2(-x, y) * 180) / Math.PI;
}

/**
 * The corners of something that hangs on the wall, from its own top left clockwise.
 * @param {{ x: number, y: number, turn: number }} place metres, degrees counter-clockwise
 * @param {number} width metres
 * @param {number} height
 * @returns {Point[]}
 */
export function hungCorners({ x, y, turn }, width, height) {
  const a = (turn * Math.PI) / 180;
  const [c, s] = [Math.cos(a), Math.sin(a)];
  return /** @type {Point[]} */ ([[-1, 1], [1, 1], [1, -1], [-1, -1]]).map(([u, v]) => {
    const [dx, dy] = [(u * width) / 2, (v * height) / 2];
    return [x + c * dx - s * dy, y + s * dx + c * dy];
  });
}

/**
 * Whether a point of the wall is on what hangs there.
 * @param {{ x: number, y: number, turn: number }} place
 * @param {number} width
 * @param {number} height
 * @param {Point} point
 */
export function isOn({ x, y, turn }, width, height, [px, py]) {
  const a = (-turn * Math.PI) / 180;
  const [dx, dy] = [px - x, py - y];
  return Math.abs(Math.cos(a) * dx - Math.sin(a) * dy) <= width / 2 && Math.abs(Math.sin(a) * dx + Math.cos(a) * dy) <= height / 2;
}
