// What the start page gets once it can be used: a picture that moves, covers of the worlds, and a code for a phone.

import { h, icon } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { pictureSource } from '../net/assets.js';
import { localOnlyWarning, publicAddress } from '../net/public-address.js';
import { getJSON } from '../net/request.js';
import { categoryHue } from '../session/content.js';

/** @typedef {import('../types').WorldEntry} WorldEntry */

/** Larger worlds are not fetched for a cover. */
const MOST_PLACES = 400;
const SVG = 'http://www.w3.org/2000/svg';
/** @type {Map<string, Promise<Element | null>>} */
const covers = new Map();

/**
 * The view as a loop: labels with distances that stay where they are while the picture turns.
 * @param {HTMLElement} element
 */
export function showLoop(element) {
  if (element.firstChild) return;
  const label = (/** @type {string} */ symbol, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {string} */ far, /** @type {number} */ n) =>
    h('span', { class: `loop-label loop-${n}` }, icon(symbol), h('span', {}, localized(h('b'), key), h('small', {}, far)));
  element.append(
    h('div', { class: 'loop-world' }, h('div', { class: 'loop-hills' }), h('div', { class: 'loop-town' }),
      label('star', 'start.loop1', '240 m', 1), label('bus', 'start.loop2', '80 m', 2), label('picture', 'start.loop3', '410 m', 3)),
    h('span', { class: 'loop-radar' }),
  );
}

/**
 * Puts a picture into each card: the world's first one, or a map of its places.
 * @param {HTMLElement} list
 * @param {WorldEntry[]} worlds
 */
export function showCovers(list, worlds) {
  for (const world of worlds) {
    const art = list.querySelector(`[data-world="${CSS.escape(world.id)}"] .world-art`);
    if (!art || (!world.cover && world.places > MOST_PLACES)) continue;
    if (!covers.has(world.id)) covers.set(world.id, world.cover ? Promise.resolve(picture(world.cover)) : makeCover(world.id).catch(() => null));
    void covers.get(world.id)?.then((cover) => {
      if (!cover) return;
      art.classList.add('has-cover');
      art.replaceChildren(cover);
    });
  }
}

/** @param {string} url of a stored file, or a foreign one, which comes through the server */
const picture = (url) => h('img', { src: pictureSource(new URL(url, location.origin).href), alt: '', loading: 'lazy' });

/**
 * For a world without a picture, or of which the list does not yet say whether it has one.
 * @param {string} id
 */
async function makeCover(id) {
  const { dimension } = await getJSON(`/api/v1/worlds/${encodeURIComponent(id)}`);
  /** @type {import('../types').Place[]} */
  const places = dimension.places;
  /** @type {Map<string, string>} */
  const assets = new Map(dimension.assets.map((/** @type {import('../types').Asset} */ asset) => [asset.id, asset.url]));
  const pictures = places.flatMap((place) => [
    place.target && assets.get(place.target.assetID), place.imageURL, place.visual.kind === 'image' && assets.get(place.visual.assetID),
  ]).filter((url) => typeof url === 'string');
  if (pictures[0]) return picture(pictures[0]);
  return drawnMap(places);
}

/** @param {import('../types').Place[]} places */
function drawnMap(places) {
  const at = places.flatMap(({ position, categories }) => (position ? [{ ...position, category: categories[0] ?? '' }] : []));
  if (!at.length) return null;
  const middle = at.map(({ latitude }) => latitude).sort((a, b) => a - b)[Math.floor(at.length / 2)];
  const shrink = Math.cos((middle * Math.PI) / 180);
  const points = at.map((one) => ({ x: one.longitude * shrink, y: -one.latitude, category: one.category }));
  const range = (/** @type {number[]} */ values) => {
    // A single place far away does not press all others together.
    const sorted = [...values].sort((a, b) => a - b);
    const [low, high] = [sorted[Math.floor(sorted.length * 0.08)], sorted[Math.ceil(sorted.length * 0.92) - 1]];
    return { middle: (low + high) / 2, size: high - low };
  };
  const [x, y] = [range(points.map((point) => point.x)), range(points.map((point) => point.y))];
  const scale = 68 / Math.max(x.size, y.size, 1e-4);
  const names = [...new Set(points.map(({ category }) => category))];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 100 100');
  for (const point of points) {
    const dot = document.createElementNS(SVG, 'circle');
    dot.setAttribute('cx', String(50 + (point.x - x.middle) * scale));
    dot.setAttribute('cy', String(50 + (point.y - y.middle) * scale));
    dot.setAttribute('r', '4');
    dot.setAttribute('fill', `hsl(${categoryHue(names.indexOf(point.category) + 1)} 70% 62%)`);
    svg.append(dot);
  }
  return svg;
}

/**
 * On a computer: the code that opens this page on a phone.
 * @param {HTMLElement} section
 */
export async function showPhoneCode(section) {
  const [{ url, isLocal }, { qrPicture }] = await Promise.all([publicAddress('/'), import('../core/qr.js')]);
  const code = isLocal ? null : qrPicture(url, t('start.phone'));
  section.replaceChildren(
    ...(code ? [code] : []),
    h('div', {}, localized(h('h2'), 'start.phone'), h('p', { class: 'start-phone-address' }, url), localOnlyWarning()),
  );
  section.hidden = false;
}
