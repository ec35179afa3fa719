// The picture of the view: all that is seen in one, without controls, with a line that names the place, the day and whom to thank.
// It carries no position: whoever shares it shares what is seen, not where.

import { shortened } from '../core/canvas.js';
import { h } from '../core/dom.js';
import { language, t } from '../core/i18n.js';
import { flash } from './feel.js';
import { offerFile } from './offer-file.js';
import { paint } from './paint.js';
import { toast } from './toast.js';

/** @typedef {{ title: string, credit?: string }} Caption `credit`: whom what is seen is from */

/**
 * @param {Element[]} roots what is seen, in the order in which it lies on each other
 * @param {Caption} caption
 * @param {HTMLElement} surface that flashes
 */
export async function takeScreenshot(roots, caption, surface) {
  const canvas = await compose(roots, caption).catch((error) => {
    console.warn(error);
    return null;
  });
  // Not before: it would be seen in the picture.
  flash(surface);
  await offerPicture(canvas, caption.title, captionText(caption));
}

/** The day, as the reader writes it. */
const today = () => new Date().toLocaleDateString(language(), { dateStyle: 'medium' });

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Shows a picture, to be saved or shared.
 * @param {HTMLCanvasElement | null} canvas
 * @param {string} title
 * @param {string} [text] that goes with it when it is shared
 */
export async function offerPicture(canvas, title, text) {
  const blob = canvas && (await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => {
    try {
      canvas.toBlob(resolve, 'image/jpeg', 0.92);
    } catch {
      resolve(null);
    }
  }));
  if (!blob) {
    toast(t('shot.failed'), { kind: 'warning' });
    return;
  }
  offerFile(blob, {
    title, text, ending: 'jpg', heading: t('shot.title'), show: (url) => h('img', { class: 'shot', src: url, alt: t('shot.alt') }),
  });
}

/**
 * What goes with a picture when it is shared.
 * @param {Caption} caption
 */
export const captionText = ({ title, credit }) => [`${title}, ${today()}`, credit].filter(Boolean).join('. ');

/**
 * @param {Element[]} roots
 * @param {Caption} caption
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function compose(roots, caption) {
  const scale = Math.min(2, devicePixelRatio || 1);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(innerWidth * scale);
  canvas.height = Math.round(innerHeight * scale);
  await drawView(canvas, roots, caption);
  return canvas;
}

/**
 * Draws what is seen as large as it fits into a canvas, in its middle.
 * @param {HTMLCanvasElement} canvas
 * @param {Element[]} roots
 * @param {Caption} caption
 */
export async function drawView(canvas, roots, caption) {
  const c = canvas.getContext('2d');
  if (!c) throw new Error('this browser draws nothing');
  const [width, height] = [innerWidth, innerHeight];
  const scale = Math.min(canvas.width / width, canvas.height / height);
  const fit = { scale, left: (canvas.width - scale * width) / 2, top: (canvas.height - scale * height) / 2 };
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.fillStyle = '#11181f';
  c.fillRect(0, 0, canvas.width, canvas.height);
  // What another website shows in its frame nobody else may see.
  const replace = (/** @type {Element} */ element) => (element instanceof HTMLIFrameElement ? hostOfFrame(element) : null);
  await paint(canvas, roots, { fit, replace });
  c.setTransform(scale, 0, 0, scale, fit.left, fit.top);
  drawCaption(c, caption, width, height);
}

/** @param {HTMLIFrameElement} frame whose title is the page's address */
function hostOfFrame({ title }) {
  try {
    return t('shot.page', { host: new URL(title).host });
  } catch {
    return t('shot.page', { host: '' });
  }
}

/** Beside the caption, CSS pixels. */
const CAPTION_MARGIN = 16;

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Caption} caption
 * @param {number} width
 * @param {number} height
 */
function drawCaption(c, { title, credit }, width, height) {
  const shade = c.createLinearGradient(0, height - 64, 0, height);
  shade.addColorStop(0, 'rgba(8, 12, 16, 0)');
  shade.addColorStop(1, 'rgba(8, 12, 16, 0.85)');
  c.fillStyle = shade;
  c.fillRect(0, height - 64, width, 64);
  c.textBaseline = 'alphabetic';
  const room = width - 2 * CAPTION_MARGIN;
  const [named, thanked] = [`600 13px ${FONT}`, `400 11px ${FONT}`];
  const thanks = credit ? `${credit} · Sightline` : 'Sightline';
  c.font = thanked;
  const thanksWidth = c.measureText(thanks).width;
  c.font = named;
  const day = ` · ${today()}`;
  const isOneLine = c.measureText(title + day).width + thanksWidth + CAPTION_MARGIN <= room;
  c.textAlign = 'left';
  c.fillStyle = '#ffffff';
  // A title that is too long is cut before the day; whom to thank has to be there to the last letter.
  c.fillText(shortened(c, title, room - c.measureText(day).width) + day, CAPTION_MARGIN, height - (isOneLine ? 14 : 32));
  c.textAlign = isOneLine ? 'right' : 'left';
  c.font = thanked;
  c.fillStyle = 'rgba(255,255,255,0.8)';
  c.fillText(thanks, isOneLine ? width - CAPTION_MARGIN : CAPTION_MARGIN, height - 14, room);
}
