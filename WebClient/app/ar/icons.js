// The signs of places as their world wants them: coloured, larger or smaller, turned. Only worlds that say so load this.

import { picture, whenPicture } from '../net/assets.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('../net/assets.js').Picture} Picture
 * @typedef {{ source: string, width: number, height: number }} Drawn `width` and `height`: as by itself, CSS pixels
 * @typedef {{ assetID: string | null, color: string | null, opacity: number, scale: number, heading: number }} Icon
 */

/** Pixels on the longer side: more are not seen in a label. */
const MOST_PIXELS = 256;
const MOST_KEPT = 200;
/** How much larger or smaller a sign may be in the room that a label has for it. */
const IN_LABEL = { least: 0.6, most: 1.3 };

/** @type {Map<string, Drawn>} */
const made = new Map();

/**
 * What a place says of its sign, whoever wrote it; null for nothing.
 * @param {Place} place
 * @returns {Icon | null}
 */
export function iconOf({ icon }) {
  if (!icon || typeof icon !== 'object') return null;
  const number = (/** @type {unknown} */ value, /** @type {number} */ least, /** @type {number} */ most, /** @type {number} */ usual) =>
    (typeof value === 'number' && value >= least && value <= most ? value : usual);
  return {
    assetID: typeof icon.assetID === 'string' ? icon.assetID : null,
    color: /^#[\da-f]{6}$/i.test(icon.color ?? '') ? icon.color ?? null : null,
    opacity: number(icon.opacity, 0, 1, 1), scale: number(icon.scale, 0.1, 10, 1), heading: number(icon.heading, -360, 360, 0),
  };
}

/**
 * A picture that stands in the view, as its place wants it.
 * @param {Picture} loaded
 * @param {Place} place
 * @returns {Drawn}
 */
export function drawn(loaded, place) {
  const icon = place.size ? null : iconOf(place);
  if (!icon || loaded.state !== 'ready') return loaded;
  const { source, width, height } = painted(loaded, icon);
  return { source, width: width * icon.scale, height: height * icon.scale };
}

/**
 * Shows a sign in a label that has a name, or the usual one again.
 * @param {import('./labels.js').LabelElement} element
 * @param {Place} place
 * @param {import('../session/content.js').Content} content
 */
export function showInLabel(element, place, content) {
  const { symbol } = element;
  const slot = symbol?.parentElement;
  if (!slot) return;
  slot.querySelector('img')?.remove();
  const icon = place.visual.kind === 'image' ? null : iconOf(place);
  const url = icon?.assetID ? content.assetURL(icon.assetID) : undefined;
  const isPicture = Boolean(url) && picture(url).state !== 'failed';
  symbol.style.display = isPicture ? 'none' : '';
  slot.style.background = isPicture ? 'none' : icon?.color ? '#14110a' : '';
  slot.style.color = !isPicture && icon?.color ? icon.color : '';
  if (!icon || !isPicture) return;
  const image = new Image();
  image.alt = '';
  image.draggable = false;
  const share = Math.min(IN_LABEL.most, Math.max(IN_LABEL.least, icon.scale));
  Object.assign(image.style, { width: '100%', height: '100%', objectFit: 'contain', transform: share === 1 ? '' : `scale(${share})` });
  slot.append(image);
  whenPicture(url, (loaded) => {
    if (image.parentElement !== slot) return;
    if (loaded.state === 'ready') image.src = painted(loaded, icon).source;
    else showInLabel(element, place, content);
  });
}

/**
 * @param {Picture} loaded
 * @param {Icon} icon
 * @returns {Drawn}
 */
function painted(loaded, { color, opacity, heading }) {
  const isPlain = (!color || color.toLowerCase() === '#ffffff') && opacity === 1 && heading % 360 === 0;
  if (isPlain || !loaded.image) return loaded;
  const key = [loaded.source, color, opacity, heading].join(' ');
  let known = made.get(key);
  if (!known) {
    known = paint(loaded.image, color ?? '#ffffff', opacity, heading);
    if (made.size >= MOST_KEPT) made.clear();
    made.set(key, known);
  }
  return known;
}

/**
 * @param {HTMLImageElement} image
 * @param {string} color that its colours are multiplied with
 * @param {number} opacity
 * @param {number} heading degrees clockwise
 * @returns {Drawn}
 */
function paint(image, color, opacity, heading) {
  const { naturalWidth, naturalHeight } = image;
  const share = Math.min(1, MOST_PIXELS / Math.max(naturalWidth, naturalHeight, 1));
  const [w, h] = [naturalWidth * share, naturalHeight * share];
  const [flat, coloured] = canvasOf(w, h);
  flat.drawImage(image, 0, 0, w, h);
  flat.globalCompositeOperation = 'multiply';
  flat.fillStyle = color;
  flat.fillRect(0, 0, w, h);
  // Where the picture has nothing there is no colour either.
  flat.globalCompositeOperation = 'destination-in';
  flat.drawImage(image, 0, 0, w, h);
  const angle = heading * Math.PI / 180;
  const [across, along] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const [width, height] = [w * along + h * across, w * across + h * along];
  const [c, turned] = canvasOf(width, height);
  c.globalAlpha = opacity;
  c.translate(width / 2, height / 2);
  c.rotate(angle);
  c.drawImage(coloured, -w / 2, -h / 2, w, h);
  /** @type {string} */
  let source;
  try {
    source = turned.toDataURL();
  } catch {
    // A picture of another website that does not let others read it, in somebody's own page: it is shown as it is.
    return { source: image.src, width: naturalWidth, height: naturalHeight };
  }
  return { source, width: width / share, height: height / share };
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {[CanvasRenderingContext2D, HTMLCanvasElement]}
 */
function canvasOf(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas');
  return [context, canvas];
}
