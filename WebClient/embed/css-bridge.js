// HTML of a page on an anchor, without an element of Sightline's: what the anchor elements do inside.

import { anchorTransform } from './display-matrix.js';

/**
 * An element follows an anchor until the function that is returned is called: on a print it lies in its plane, at a place it is upright.
 * @param {import('./tracker.js').Tracker} tracker
 * @param {import('./anchor.js').Anchor} anchor
 * @param {HTMLElement} element in a box as large as the view, which is positioned
 * @param {{ width?: number }} options `width` of the element on the anchor in metres; without it as wide as the print
 * @returns {() => void} leaves the element as it was
 */
export function cssFollow(tracker, anchor, element, { width } = {}) {
  if (width !== undefined && !(width > 0 && width < Infinity)) throw new TypeError(`width: ${width} is no number of metres: give one`);
  const { style } = element;
  const before = style.cssText;
  Object.assign(style, { position: 'absolute', left: '0', top: '0', transformOrigin: '0 0', visibility: 'hidden' });
  const hide = () => (style.visibility = 'hidden');
  const offs = [
    tracker.on('frame', (frame) => {
      const transform = anchorTransform(frame, anchor, { width: element.offsetWidth, height: element.offsetHeight }, width);
      if (transform === null) return hide();
      Object.assign(style, { transform, visibility: 'visible', opacity: anchor.opacity < 1 ? anchor.opacity.toFixed(2) : '' });
    }),
    // Nothing more may come: the tracker was stopped, or the anchor taken away.
    tracker.on('lost', (lost) => lost === anchor && hide()),
  ];
  return () => {
    for (const off of offs) off();
    style.cssText = before;
  };
}
