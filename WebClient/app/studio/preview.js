// The draft as a phone would show it, from any place and at any time.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { numberRow, row, selectRow } from './form.js';

/** @typedef {import('./editor.js').Editor} Editor */

const METRES_PER_DEGREE = 111_195;
/** How far before a place one stands to look at it, metres. */
const STEP_BACK = 60;
/** Of what has a true size, so many times its height; never nearer than this many metres. */
const HEIGHTS_BACK = 4;
const LEAST_BACK = 3;

/**
 * How far before a place one stands so that there is something to see, metres: what is small wants to be seen from near, and what is shown
 * only from some distances from one of these.
 * @param {import('../types').Place} place
 */
export function stepBack({ size, visibilityRadius = Infinity, display }) {
  const height = size?.height ?? size?.width;
  const wanted = height === undefined ? STEP_BACK : Math.min(STEP_BACK, Math.max(LEAST_BACK, HEIGHTS_BACK * height));
  const least = display?.visibleFrom ?? 0;
  // Not at the very edge: a phone stands a little to one side of it.
  const most = visibilityRadius === Infinity ? Infinity : visibilityRadius - (visibilityRadius - least) / 10;
  return Math.max(Math.min(wanted, most), least + Math.min(least, visibilityRadius - least) / 10);
}

/** From north clockwise, by the signs of metres east and north. */
const DIRECTIONS = /** @type {Record<string, number>} */ ({ '0 1': 0, '1 1': 45, '1 0': 90, '1 -1': 135, '0 -1': 180, '-1 -1': 225, '-1 0': 270, '-1 1': 315 });
/** The smaller of two sides of an eighth of a circle, by the larger one. */
const EIGHTH = 0.414;

/**
 * Where one looks to see what goes along with the user: degrees from north, the nearest of eight directions.
 * @param {import('../types').Place['offset']} offset
 */
export function towardsOffset({ east, north }) {
  const sign = (/** @type {number} */ side, /** @type {number} */ other) => (Math.abs(side) <= EIGHTH * Math.abs(other) ? 0 : Math.sign(side));
  return DIRECTIONS[`${sign(east, north)} ${sign(north, east)}`] ?? 0;
}

/** @param {Editor} editor */
export async function previewDialog(editor) {
  const place = editor.draft.dimension.places.find(({ id }) => id === editor.selected);
  const middle = editor.map.center();
  const before = place?.position && {
    latitude: Math.max(-90, Math.round((place.position.latitude - stepBack(place) / METRES_PER_DEGREE) * 1e6) / 1e6), longitude: place.position.longitude,
  };
  const anywhere = place?.followsUser ? towardsOffset(place.offset) : undefined;
  const choice = { ...(before ?? middle), heading: /** @type {number | undefined} */ (before ? 0 : anywhere), time: '' };
  const fields = h('div', { class: 'form-columns' });
  const show = () => fields.replaceChildren(
    numberRow('studio.latitude', choice.latitude, (value) => Object.assign(choice, { latitude: value }), { min: -90, max: 90, id: 'preview-latitude' }),
    numberRow('studio.longitude', choice.longitude, (value) => Object.assign(choice, { longitude: value }), { min: -180, max: 180, id: 'preview-longitude' }),
    numberRow('studio.heading', choice.heading, (value) => Object.assign(choice, { heading: value }), { min: 0, max: 360, optional: true, id: 'preview-heading' }),
  );
  show();
  const options = /** @type {[string, string][]} */ ([
    ...(before ? [['before', t('studio.before', { title: place.title })]] : []), ['middle', t('studio.mapMiddle')],
  ]);
  const time = h('input', { type: 'datetime-local', class: 'field', id: 'preview-time', onchange: () => {
    choice.time = time.value ? new Date(time.value).toISOString() : '';
  } });
  const dialog = showDialog(
    { title: t('studio.preview'), id: 'preview-dialog' },
    localized(h('p', {}), 'studio.previewText'),
    selectRow('studio.standing', before ? 'before' : 'middle', options, (kind) => {
      Object.assign(choice, kind === 'before' && before ? { ...before, heading: 0 } : { ...middle, heading: anywhere });
      show();
    }),
    fields,
    row('studio.time', time, 'studio.timeHint'),
    localized(h('button', { type: 'button', class: 'button primary', id: 'preview-go', onclick: () => {
      dialog.close();
      void editor.preview({ ...choice, time: choice.time || undefined });
    } }), 'studio.previewGo'),
  );
}
