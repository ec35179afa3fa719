// The draft as a phone would show it, from any place and at any time.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { numberRow, row, selectRow } from './form.js';

/** @typedef {import('./editor.js').Editor} Editor */

const METRES_PER_DEGREE = 111_195;
/** How far before a place one stands to look at it. */
const STEP_BACK = 60;

/** @param {Editor} editor */
export async function previewDialog(editor) {
  const place = editor.draft.dimension.places.find(({ id }) => id === editor.selected);
  const middle = editor.map.center();
  const before = place?.position && {
    latitude: Math.max(-90, Math.round((place.position.latitude - STEP_BACK / METRES_PER_DEGREE) * 1e6) / 1e6), longitude: place.position.longitude,
  };
  const choice = { ...(before ?? middle), heading: /** @type {number | undefined} */ (before ? 0 : undefined), time: '' };
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
      Object.assign(choice, kind === 'before' && before ? { ...before, heading: 0 } : { ...middle, heading: undefined });
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
