// The picture of the view: camera or drawn horizon, labels, marks and radar in one, with a caption. It carries no
// position: whoever shares it shares what is seen, not where.

import { roundBox } from '../core/canvas.js';
import { h, icon } from '../core/dom.js';
import { distance, integer } from '../core/format.js';
import { localized, t } from '../core/i18n.js';
import { picture } from '../net/assets.js';
import { drawLeaders } from '../ar/leaders.js';
import { labelFont, pillFont, remSize } from '../ar/measure.js';
import { drawPaths } from '../ar/paths.js';
import { drawRadar, RADAR_SIZES } from '../ar/radar.js';
import { categoryHue } from '../session/content.js';
import { showDialog } from './dialog.js';
import { toast } from './toast.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {{ session: Session, ground: HTMLVideoElement | HTMLCanvasElement | null, labelLines: (place: number, level: import('../../engine/types').LabelLevel) => string[],
 *   overlays: { element: HTMLElement, index: number }[] }} Scene
 */

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** @param {Scene} scene */
export async function takeScreenshot(scene) {
  await offerPicture(compose(scene), scene.session.content?.title ?? 'Sightline');
}

/**
 * Shows a picture, to be saved or shared.
 * @param {HTMLCanvasElement | null} canvas
 * @param {string} title
 */
export async function offerPicture(canvas, title) {
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
        onclick: () => void navigator.share({ files: [file], title }).catch((error) => {
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
 * @param {Scene} scene
 * @returns {HTMLCanvasElement | null}
 */
export function compose(scene) {
  const { session, ground } = scene;
  const { frame, content } = session;
  if (!frame || !content || !frame.width) return null;
  const scale = Math.min(2, devicePixelRatio || 1);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(frame.width * scale);
  canvas.height = Math.round(frame.height * scale);
  const c = canvas.getContext('2d');
  if (!c) return null;
  c.scale(scale, scale);
  c.fillStyle = '#11181f';
  c.fillRect(0, 0, frame.width, frame.height);
  if (ground) drawGround(c, ground, frame);
  if (content.hasShapes) drawPaths(c, session.paths(), session);
  drawLeaders(c, frame);
  for (const cluster of frame.clusters) {
    drawPill(c, frame, cluster, integer(cluster.members.length), distance(cluster.nearestDistance));
  }
  for (let i = frame.items.length - 1; i >= 0; i--) drawItem(c, scene, content, frame, i);
  for (const overlay of scene.overlays) drawOverlay(c, content, overlay);
  if (frame.radar.isAvailable) {
    c.save();
    c.translate(14, frame.height - RADAR_SIZES.picture - 46);
    drawRadar(c, frame.radar, RADAR_SIZES.picture, (feature) => content.hueOf(feature));
    c.restore();
  }
  drawCaption(c, content, frame);
  return canvas;
}

/**
 * Covers the screen as the page does.
 * @param {CanvasRenderingContext2D} c
 * @param {HTMLVideoElement | HTMLCanvasElement} ground
 * @param {SceneFrame} frame
 */
function drawGround(c, ground, frame) {
  const width = ground instanceof HTMLVideoElement ? ground.videoWidth : ground.width;
  const height = ground instanceof HTMLVideoElement ? ground.videoHeight : ground.height;
  if (!width || !height) return;
  const scale = Math.max(frame.width / width, frame.height / height);
  c.drawImage(
    ground,
    (frame.width - width * scale) / 2,
    (frame.height - height * scale) / 2,
    width * scale,
    height * scale,
  );
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Scene} scene
 * @param {Content} content
 * @param {SceneFrame} frame
 * @param {number} i
 */
function drawItem(c, scene, content, frame, i) {
  const item = frame.items[i];
  const place = content.places[item.feature];
  if (!place) return;
  c.save();
  c.globalAlpha = item.opacity;
  c.translate(item.centerX, item.centerY);
  c.rotate(frame.roll);
  const { width, height } = item;
  const hue = categoryHue(content.categoryNumber(place));
  if (item.level === 'dot') {
    c.beginPath();
    c.arc(0, 0, 6, 0, 2 * Math.PI);
    c.fillStyle = `hsl(${hue} 72% 62%)`;
    c.fill();
    c.lineWidth = 2;
    c.strokeStyle = 'rgba(12, 18, 24, 0.85)';
    c.stroke();
    c.restore();
    return;
  }
  box(
    c,
    width,
    height,
    item.level === 'pill' ? height / 2 : 11,
    item.isSelected ? 'rgba(255, 207, 92, 0.96)' : 'rgba(12, 18, 24, 0.84)',
    item.isSelected ? '#fff3d1' : 'rgba(255,255,255,0.22)',
  );
  if (place.visual.kind === 'image') {
    const { image } = picture(content.assetURL(place.visual.assetID));
    if (image) c.drawImage(image, -width / 2 + 4, -height / 2 + 4, width - 8, height - 8);
  } else {
    c.textAlign = 'left';
    c.textBaseline = 'alphabetic';
    c.fillStyle = item.isSelected ? '#14110a' : '#ffffff';
    const rem = remSize();
    const isPill = item.level === 'pill';
    const symbol = (isPill ? 1 : 1.75) * rem;
    const start = -width / 2 + (isPill ? 0.8125 : 1.125) * rem + symbol;
    c.font = isPill ? pillFont() : labelFont();
    scene.labelLines(item.feature, item.level).forEach((line, k) =>
      c.fillText(line, start, isPill ? 0.28 * rem : -height / 2 + (1.3125 + k * 1.125) * rem)
    );
    c.fillStyle = item.isSelected ? '#4a3a10' : `hsl(${hue} 70% 78%)`;
    c.beginPath();
    c.arc(-width / 2 + (isPill ? 0.5 : 0.625) * rem + symbol / 2, 0, (isPill ? 0.25 : 0.5) * rem, 0, 2 * Math.PI);
    c.fill();
    c.font = `500 ${0.75 * rem}px ${FONT}`;
    if (!isPill) c.fillText(distance(item.distance), start, height / 2 - 0.625 * rem);
  }
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {SceneFrame} frame
 * @param {{ centerX: number, centerY: number, width: number, height: number }} at
 * @param {string} main
 * @param {string} minor
 */
function drawPill(c, frame, at, main, minor) {
  c.save();
  c.translate(at.centerX, at.centerY);
  c.rotate(frame.roll);
  box(c, at.width, at.height, Math.min(at.width, at.height) / 2, 'rgba(20, 60, 56, 0.9)', 'rgba(127,240,207,0.8)');
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = '#ffffff';
  c.font = `700 15px ${FONT}`;
  c.fillText(main, 0, -6);
  c.font = `500 10px ${FONT}`;
  c.fillText(minor, 0, 9);
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Content} content
 * @param {{ element: HTMLElement, index: number }} overlay
 */
function drawOverlay(c, content, { element, index }) {
  const kind = content.dimension.overlays[index].content;
  const area = element.getBoundingClientRect();
  if (kind.kind === 'html') return;
  if (kind.kind === 'image') {
    const { image } = picture(content.assetURL(kind.assetID));
    if (image) c.drawImage(image, area.x, area.y, area.width, area.height);
    return;
  }
  c.fillStyle = 'rgba(8, 12, 16, 0.66)';
  c.fillRect(area.x, area.y, area.width, area.height);
  c.fillStyle = '#ffffff';
  c.font = `700 14px ${FONT}`;
  c.textAlign = 'left';
  c.textBaseline = 'top';
  let line = '';
  let y = area.y + 4;
  for (const word of kind.text.split(/(\n|\s+)/)) {
    if (word === '\n' || c.measureText(line + word).width > area.width - 10) {
      c.fillText(line.trim(), area.x + 6, y);
      y += 18;
      line = word.trim();
    } else {
      line += word;
    }
  }
  c.fillText(line.trim(), area.x + 6, y);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {Content} content
 * @param {SceneFrame} frame
 */
function drawCaption(c, content, frame) {
  const shade = c.createLinearGradient(0, frame.height - 64, 0, frame.height);
  shade.addColorStop(0, 'rgba(8, 12, 16, 0)');
  shade.addColorStop(1, 'rgba(8, 12, 16, 0.85)');
  c.fillStyle = shade;
  c.fillRect(0, frame.height - 64, frame.width, 64);
  c.textBaseline = 'alphabetic';
  c.textAlign = 'left';
  c.fillStyle = '#ffffff';
  c.font = `600 13px ${FONT}`;
  c.fillText(content.title, 16, frame.height - 14, frame.width * 0.6);
  c.textAlign = 'right';
  c.font = `400 11px ${FONT}`;
  c.fillStyle = 'rgba(255,255,255,0.8)';
  const credit = content.dimension.attribution;
  c.fillText(credit ? `${credit} · Sightline` : 'Sightline', frame.width - 16, frame.height - 14, frame.width * 0.36);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 * @param {string} fill
 * @param {string} stroke
 */
function box(c, width, height, radius, fill, stroke) {
  c.beginPath();
  roundBox(c, -width / 2, -height / 2, width, height, radius);
  c.fillStyle = fill;
  c.fill();
  c.strokeStyle = stroke;
  c.lineWidth = 1;
  c.stroke();
}
