// The picture of the view: all that is seen in one, without controls, with a line that names the place, the day and whom to thank.
// It carries no position: whoever shares it shares what is seen, not where.

import { h, icon } from '../core/dom.js';
import { language, localized, t } from '../core/i18n.js';
import { showDialog } from './dialog.js';
import { flash } from './feel.js';
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
  await offerPicture(canvas, caption.title, [`${caption.title}, ${today()}`, caption.credit].filter(Boolean).join('. '));
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
  const name = `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'Sightline'}-${
    new Date().toISOString().slice(0, 10)
  }.jpg`;
  const file = new File([blob], name, { type: 'image/jpeg' });
  const url = URL.createObjectURL(blob);
  const download = h(
    'a',
    { class: 'button primary', href: url, download: name, id: 'shot-download' },
    icon('download'),
    localized(h('span'), 'shot.download'),
  );
  const canShare = navigator.canShare?.({ files: [file] });
  const share = canShare &&
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        id: 'shot-share',
        // Where the platform refuses after all, the picture is not lost; who turned away wants nothing more.
        onclick: () => void navigator.share({ files: [file], title, ...(text ? { text } : {}) }).catch((error) => {
          if (error?.name !== 'AbortError') download.click();
        }),
      },
      icon('share'),
      localized(h('span'), 'shot.share'),
    );
  const dialog = showDialog(
    { title: t('shot.title'), class: 'shot-sheet', id: 'shot-dialog' },
    h('img', { class: 'shot', src: url, alt: t('shot.alt') }),
    h('div', { class: 'actions' }, share, download),
  );
  void dialog.closed.then(() => setTimeout(() => URL.revokeObjectURL(url), 60_000));
}

/**
 * @param {Element[]} roots
 * @param {Caption} caption
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function compose(roots, caption) {
  const [width, height] = [innerWidth, innerHeight];
  const scale = Math.min(2, devicePixelRatio || 1);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const c = canvas.getContext('2d');
  if (!c) throw new Error('this browser draws nothing');
  c.fillStyle = '#11181f';
  c.fillRect(0, 0, canvas.width, canvas.height);
  // What another website shows in its frame nobody else may see.
  const replace = (/** @type {Element} */ element) => (element instanceof HTMLIFrameElement ? hostOfFrame(element) : null);
  await paint(canvas, roots, { scale, replace });
  c.setTransform(scale, 0, 0, scale, 0, 0);
  drawCaption(c, caption, width, height);
  return canvas;
}

/** @param {HTMLIFrameElement} frame whose title is the page's address */
function hostOfFrame({ title }) {
  try {
    return t('shot.page', { host: new URL(title).host });
  } catch {
    return t('shot.page', { host: '' });
  }
}

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
  c.textAlign = 'left';
  c.fillStyle = '#ffffff';
  c.font = `600 13px ${FONT}`;
  c.fillText(`${title} · ${today()}`, 16, height - 14, width * 0.56);
  c.textAlign = 'right';
  c.font = `400 11px ${FONT}`;
  c.fillStyle = 'rgba(255,255,255,0.8)';
  c.fillText(credit ? `${credit} · Sightline` : 'Sightline', width - 16, height - 14, width * 0.36);
}
