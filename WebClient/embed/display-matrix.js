// From the engine's matrices to those of the display and of CSS. All of them by columns, as WebGL and CSS want them. Nothing is
// turned here: pictures are scaled and cut as `object-fit: cover` does it, and matrices are multiplied.

import { product } from '../app/models/matrices.js';

/** @typedef {ArrayLike<number>} Matrix 4 × 4 */

/**
 * How a picture covers a view: CSS pixels for one of its own, and what is cut off at the left and at the top.
 * @param {{ width: number, height: number }} view
 * @param {{ width: number, height: number }} picture
 */
export function cover(view, picture) {
  const scale = Math.max(view.width / picture.width, view.height / picture.height);
  return { scale, left: (picture.width * scale - view.width) / 2, top: (picture.height * scale - view.height) / 2 };
}

/**
 * From the clip space of a whole picture to that of the view which the picture covers.
 * @param {Matrix} clipFromCamera of the picture
 * @param {{ width: number, height: number }} view
 * @param {{ width: number, height: number }} picture
 */
export function coveringProjection(clipFromCamera, view, picture) {
  const { scale } = cover(view, picture);
  const [x, y] = [picture.width * scale / view.width, picture.height * scale / view.height];
  return product([x, 0, 0, 0, 0, y, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], clipFromCamera);
}

/**
 * Where the origin of an anchor is on the view, CSS pixels.
 * @param {Matrix} projection clip space of the view from the camera
 * @param {Matrix} cameraFromAnchor
 * @param {{ width: number, height: number }} view
 * @returns {{ x: number, y: number } | null} `null` outside of the view
 */
export function originOnView(projection, cameraFromAnchor, view) {
  const [x, y, , w] = product(projection, cameraFromAnchor).subarray(12);
  if (!(w > 0 && Math.abs(x) <= w && Math.abs(y) <= w)) return null;
  return { x: (x / w + 1) / 2 * view.width, y: (1 - y / w) / 2 * view.height };
}

/**
 * The `matrix3d` that lays an element into the plane x, y of an anchor, its middle on the anchor's origin; for an element at the top
 * left corner of the view with `transform-origin: 0 0`.
 * @param {Matrix} projection clip space of the view from the camera
 * @param {Matrix} cameraFromAnchor
 * @param {{ width: number, height: number }} view CSS pixels
 * @param {{ width: number, height: number }} element CSS pixels
 * @param {number} width of the element on the anchor, metres
 * @returns {string | null} `null` when its middle is behind the camera
 */
export function cssMatrix(projection, cameraFromAnchor, view, element, width) {
  const metres = width / element.width;
  const anchorFromElement = [
    metres, 0, 0, 0, 0, -metres, 0, 0, 0, 0, 1, 0, -element.width / 2 * metres, element.height / 2 * metres, 0, 1,
  ];
  const viewFromClip = [view.width / 2, 0, 0, 0, 0, -view.height / 2, 0, 0, 0, 0, 1, 0, view.width / 2, view.height / 2, 0, 1];
  const clip = product(projection, cameraFromAnchor);
  if (!(clip[15] > 0)) return null;
  const m = Array.from(product(viewFromClip, product(clip, anchorFromElement)), (value) => value / clip[15]);
  // Depth has no meaning for an element that is flat.
  [m[2], m[6], m[10], m[14]] = [0, 0, 1, 0];
  return m.every(Number.isFinite) ? `matrix3d(${m.map((value) => value.toFixed(9)).join(',')})` : null;
}

/**
 * The CSS `transform` by which an element follows an anchor: it lies on a print or a surface, and stands upright at a place. For an element
 * at the top left corner of the view with `transform-origin: 0 0`.
 * @param {{ projection: Matrix | null, width: number, height: number }} frame of a tracker
 * @param {import('./anchor.js').Anchor} anchor
 * @param {{ width: number, height: number }} element CSS pixels
 * @param {number | null} [width] of the element on the anchor, metres; without it as wide as the print
 * @returns {string | null} `null` where nothing of it is to be seen
 */
export function anchorTransform({ projection, width: viewWidth, height: viewHeight }, anchor, element, width = anchor.size) {
  if (!anchor.isVisible) return null;
  if (anchor.kind === 'place') {
    if (!anchor.screen) return null;
    const { x, y } = anchor.screen;
    return `translate(${(x - element.width / 2).toFixed(1)}px, ${(y - element.height / 2).toFixed(1)}px)`;
  }
  if (!projection || !anchor.cameraFromAnchor || !width || !element.width) return null;
  return cssMatrix(projection, anchor.cameraFromAnchor, { width: viewWidth, height: viewHeight }, element, width);
}
