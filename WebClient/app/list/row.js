// One place as a row: picture or colour, name, a word on it, how far and which way. The list and the sheet over the view show the same.

import { h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { language, t } from '../core/i18n.js';
import { picture } from '../net/assets.js';
import { categoryHue, placeKey } from '../session/content.js';
import { plainText } from '../core/rich-text.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {{ latitude: number, longitude: number } | null} Standpoint
 * @typedef {{ distance: number, bearing: number | null } | null} Range metres, radians
 * @typedef {{ index: number, distance: number, bearing: number | null, row: HTMLElement, far: HTMLElement, arrow: SVGSVGElement,
 *   marks: HTMLElement }} Row
 * @typedef {{ place: import('../types').Place, index: number, range: Range }} Found
 */

/** More of a text than stands in one line. */
const LONGEST = 300;

/**
 * The places that pass the filter, nearest first; without a position by name.
 * @param {Session} session
 * @param {Standpoint} at
 * @returns {Found[]}
 */
export function nearestFirst(session, at) {
  const { content } = session;
  if (!content) return [];
  /** @param {Found} a @param {Found} b */
  const byName = (a, b) => (at ? 0 : content.placeTitle(a.place).localeCompare(content.placeTitle(b.place), language()));
  return content.places.map((place, index) => ({ place, index, range: session.range(index, at) }))
    .filter(({ index }) => session.isShown(index))
    .sort((a, b) => (a.range?.distance ?? Infinity) - (b.range?.distance ?? Infinity) || byName(a, b) || a.index - b.index);
}

/**
 * @param {Session} session with a world
 * @param {Found} found
 * @param {(place: number) => void} choose
 * @returns {Row}
 */
export function makeRow(session, { place, index, range }, choose) {
  const content = /** @type {import('../session/content.js').Content} */ (session.content);
  const far = h('span', { class: 'row-far' });
  const arrow = icon('pointer');
  const dot = h('i', { class: 'row-dot' });
  dot.style.setProperty('--hue', String(categoryHue(content.categoryNumber(place))));
  const url = content.placePicture(place);
  const image = url ? h('img', { class: 'row-picture', alt: '', loading: 'lazy', src: picture(url).source }) : dot;
  const words = plainText((place.summary ?? '').slice(0, LONGEST)).replace(/\s+/g, ' ');
  const second = [content.worldName(place), words || place.categories.join(' · ')].filter(Boolean).join(' · ');
  const marks = h('span', { class: 'row-marks' });
  const button = h(
    'button',
    { type: 'button', class: 'row', dataset: { feature: String(index), id: placeKey(place, index) }, onclick: () => choose(index) },
    image,
    h(
      'span',
      { class: 'row-words' },
      h(
        'span',
        { class: 'row-name' },
        content.placeTitle(place),
        marks,
      ),
      second && h('span', { class: 'row-more' }, second),
    ),
    h('span', { class: 'row-range' }, arrow, far),
  );
  const row = { index, distance: range?.distance ?? NaN, bearing: range?.bearing ?? null, row: h('li', {}, button), far, arrow, marks };
  tellMarks([row], session);
  return row;
}

/**
 * Favourites and places that were looked at already, said beside their names.
 * @param {Row[]} rows
 * @param {Session} session
 */
export function tellMarks(rows, session) {
  for (const { index, marks } of rows) {
    const wanted = [session.marks.isFavourite(index) && 'favourite', session.marks.isSeen(index) && 'seen'].filter((one) => one !== false);
    if (marks.dataset.of === wanted.join(' ')) continue;
    marks.dataset.of = wanted.join(' ');
    marks.replaceChildren(...wanted.map((name) => h(
      'span', { class: `row-mark ${name}`, role: 'img', 'aria-label': t(name === 'seen' ? 'list.seen' : 'list.favourite') },
      icon(name === 'seen' ? 'ok' : 'heart-full'),
    )));
  }
}

/**
 * Brings distances, directions and the chosen row up to date.
 * @param {Row[]} rows
 * @param {Session} session
 */
export function tellRows(rows, session) {
  const { frame } = session;
  const ahead = frame?.isValid ? frame.bearing : 0;
  for (const row of rows) {
    setText(row.far, Number.isNaN(row.distance) ? '' : distance(row.distance));
    row.row.classList.toggle('outside', row.distance > session.radius);
    row.arrow.style.visibility = row.bearing === null || !frame?.isValid ? 'hidden' : '';
    if (row.bearing !== null) row.arrow.style.transform = `rotate(${(row.bearing - ahead).toFixed(2)}rad)`;
  }
}

/**
 * @param {Row[]} rows
 * @param {Session} session
 * @param {Standpoint} at
 */
export function measureRows(rows, session, at) {
  for (const row of rows) {
    const range = session.range(row.index, at);
    row.distance = range?.distance ?? NaN;
    row.bearing = range?.bearing ?? null;
  }
}

/**
 * @param {Row[]} rows
 * @param {number | null} selected
 */
export function markRows(rows, selected) {
  for (const { row, index } of rows) row.firstElementChild?.setAttribute('aria-pressed', String(index === selected));
}
