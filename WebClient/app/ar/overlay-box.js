// Where what a world fixes to the screen stands, and its texts and pictures.

import { h } from '../core/dom.js';
import { whenPicture } from '../net/assets.js';

/** @typedef {import('../types').Overlay} Overlay */

/** Which part of its own size an overlay is moved left and up by, for each letter of its pivot. */
const UP = /** @type {Record<string, string>} */ ({ T: '0', C: '-50%', B: '-100%' });
const LEFT = /** @type {Record<string, string>} */ ({ L: '0', C: '-50%', R: '-100%' });

/** Below the bar at the top, where there is one. */
export const TOP = 'var(--bar, 66px) + var(--safe-top, 0px)';

/** Where x counts from, and where y does, in the part of the screen that bars and the device's edges leave free. */
export const ACROSS = /** @type {Record<string, (x: number) => string>} */ ({
  L: (x) => `calc(var(--safe-left, 0px) + ${x}px)`,
  C: (x) => `calc((100% + var(--safe-left, 0px) - var(--safe-right, 0px)) / 2 + ${x}px)`,
  R: (x) => `calc(100% - var(--safe-right, 0px) - ${x}px)`,
});
export const DOWN = /** @type {Record<string, (y: number) => string>} */ ({
  T: (y) => `calc(${TOP} + ${y}px)`,
  C: (y) => `calc((100% + ${TOP} - var(--dock, 130px)) / 2 + ${y}px)`,
  B: (y) => `calc(100% - var(--dock, 130px) - ${y}px)`,
});

/**
 * Brings an overlay to where it belongs.
 * @param {HTMLElement} element
 * @param {Overlay} overlay
 */
export function put({ style, classList }, { x, y, anchor, pivot }) {
  style.left = anchor ? ACROSS[anchor[1]](x) : `${x}px`;
  style.top = anchor ? DOWN[anchor[0]](y) : `${y}px`;
  // From another side the text would be wrapped at the edge of the screen as if it stood on the left.
  classList.toggle('anchored', Boolean(anchor));
  style.transform = `translate(${LEFT[pivot[1]]}, ${UP[pivot[0]]})`;
}

/**
 * What a text or a picture shows.
 * @param {HTMLElement} element
 * @param {Overlay} overlay
 * @param {Exclude<Overlay['content'], { kind: 'html' }>} content of it
 * @param {(assetID: string) => string | undefined} address of a picture
 */
export function fill(element, overlay, content, address) {
  if (content.kind === 'text') {
    element.textContent = content.text;
    if (content.width > 0) element.style.width = `${content.width}px`;
    return;
  }
  const picture = h('img', { alt: overlay.id ?? '', draggable: false });
  element.append(picture);
  element.classList.add('loading');
  whenPicture(address(content.assetID), (loaded) => {
    picture.src = loaded.source;
    element.classList.remove('loading');
  });
}
