// What is drawn over the camera's picture, on a picture that is bright above and dark below: labels of three levels, groups, arrows,
// radar, lights.

import { h, icon } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { EdgeArrows } from '../ar/arrows.js';
import { Labels } from '../ar/labels.js';
import { Clusters } from '../ar/marks.js';
import { measureLabel, measurePill, readFonts } from '../ar/measure.js';
import { Radar, RADAR_SIZES } from '../ar/radar.js';
import { row, sampleSession, shown } from './sample.js';

/**
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {{ width: number, height: number, put: (x: number, y: number) => void }} Thing CSS pixels
 */

const GAP = 14;

/** Labels, groups and arrows, one after the other from the left, as if the engine had laid them out so. */
export function ofView() {
  readFonts();
  const session = sampleSession();
  const [labels, clusters, arrows] = ['labels', 'clusters', 'arrows'].map((name) => h('div', { class: `design-${name}` }));
  const scene = h('div', { class: 'design-picture', dataset: { scheme: 'dark' } }, clusters, labels, arrows);
  const parts = { labels: new Labels(labels, session), clusters: new Clusters(clusters, session), arrows: new EdgeArrows(arrows, session, () => undefined) };
  const draw = () => {
    if (!scene.isConnected) return watch.disconnect();
    const frame = layOut(session, scene.clientWidth);
    scene.style.height = `${frame.height}px`;
    for (const part of Object.values(parts)) part.draw(frame);
    // As large as their words want: known after they were drawn once.
    parts.arrows.draw(frame);
  };
  const watch = new ResizeObserver(draw);
  watch.observe(scene);
  return [scene];
}

/**
 * @param {import('../session/session.js').Session} session
 * @param {number} room CSS pixels from side to side
 */
function layOut(session, room) {
  const content = /** @type {import('../session/content.js').Content} */ (session.content);
  /** @type {Pick<SceneFrame, 'items' | 'clusters' | 'arrows' | 'roll'>} */
  const frame = { items: [], clusters: [], arrows: [], roll: 0 };
  /** @type {Thing[]} */
  const things = [];
  const text = (/** @type {number} */ feature) => content.labelText(content.places[feature]);
  const label = (/** @type {number} */ feature, /** @type {import('../../engine/types').LabelLevel} */ level, /** @type {number} */ distance, isSelected = false) => {
    const isPicture = content.places[feature].visual.kind === 'image';
    const size = isPicture ? { width: 72, height: 72 } : level === 'card' ? measureLabel(text(feature)) : level === 'pill' ? measurePill(text(feature)) : { width: 24, height: 24 };
    const { width, height } = size;
    things.push({
      width, height,
      put: (x, y) => frame.items.push({
        feature, anchorX: x, anchorY: y, centerX: x, centerY: y, width, height, scale: 1, depth: distance, distance, opacity: 1, hasLeader: false, isSelected,
        isFannedOut: false, level, isNearField: false,
      }),
    });
  };
  label(0, 'card', 240);
  label(1, 'pill', 900);
  label(2, 'dot', 3400);
  label(3, 'card', 410);
  label(4, 'card', 640, true);
  const cluster = (/** @type {number} */ id, /** @type {boolean} */ isOpen) => things.push({
    width: 44, height: 44,
    put: (x, y) => frame.clusters.push({
      id, anchorX: x, anchorY: y, centerX: x, centerY: y, width: 44, height: 44, nearestDistance: 320, opacity: 1, members: [0, 1, 2, 3, 1, 2, 0], isOpen, hasLeader: false,
    }),
  });
  cluster(0, false);
  cluster(1, true);
  const arrow = (/** @type {import('../../engine/types').EdgeSide} */ side, /** @type {number} */ direction, /** @type {number} */ count, isForSelection = false) => things.push({
    width: 150, height: 44,
    put: (x, y) => frame.arrows.push({ side, x, y, direction, count, nearest: count % 3, nearestDistance: 640, isForSelection }),
  });
  arrow('left', -Math.PI / 2, 12);
  arrow('right', Math.PI / 2, 1);
  arrow('above', 0, 2, true);
  let [x, y, high] = [GAP, GAP, 0];
  for (const { width, height, put } of things) {
    if (x + width + GAP > room && x > GAP) [x, y, high] = [GAP, y + high + GAP, 0];
    put(x + width / 2, y + height / 2);
    x += width + GAP;
    high = Math.max(high, height);
  }
  return /** @type {SceneFrame} */ (/** @type {unknown} */ ({ ...frame, width: room, height: y + high + GAP }));
}

export function radar() {
  /** @type {import('../../engine/types').RadarFrame} */
  const frame = {
    attitude: 'upright', range: 5000, north: -0.6, wedgeDirection: 0, wedgeOpening: 1.05, wedgeLength: 1, isAvailable: true,
    blips: [[0.1, -0.3], [-0.5, 0.2], [0.6, -0.5], [0.2, 0.7], [-0.1, -0.8]].map(([x, y], feature) => ({ feature, x, y, isSelected: feature === 2 })),
  };
  const hues = [25, 95, 165, 235, null];
  const disc = (/** @type {number} */ size) => {
    const canvas = h('canvas', { class: 'design-radar', role: 'img', 'aria-label': t('design.radar') });
    canvas.style.width = canvas.style.height = `${size}px`;
    const drawn = new Radar(canvas);
    drawn.resize(devicePixelRatio || 1, size);
    drawn.draw(frame, (feature) => hues[feature] ?? null);
    return canvas;
  };
  return [row(...Object.entries(RADAR_SIZES).map(([name, size]) => shown(`${name}: ${size}`, h('div', { class: 'design-picture design-box' }, disc(size)))))];
}

export function status() {
  const light = (/** @type {string} */ symbol, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {string} */ quality) =>
    h('button', { type: 'button', class: 'light', 'aria-label': t(key), dataset: { quality, reason: 'shown' } }, icon(symbol));
  const all = /** @type {const} */ ([['good', 'status.content.ready'], ['poor', 'status.content.outdated'], ['none', 'status.content.failed']]);
  return [
    row(...all.map(([quality, key], index) => shown(`[data-quality="${quality}"]`, light(['world', 'location', 'compass'][index], key, quality)))),
    h('ul', { class: 'status-list' }, ...all.map(([quality, key]) => h('li', { dataset: { quality } }, icon('world'), h('span', {}, t(key))))),
  ];
}
