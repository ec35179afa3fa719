// The sign of a place: the picture in its label, or the picture that it is, in a colour, larger or smaller, turned.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { changePlace, withAsset } from './content.js';
import { button, numberRow, PICTURES, row } from './form.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {NonNullable<Place['icon']>} Icon
 * @typedef {import('./editor.js').Editor} Editor
 */

/**
 * A sign without members that say nothing; nothing where it says nothing at all.
 * @param {Icon} icon
 * @returns {Icon | undefined}
 */
export function tidyIcon(icon) {
  const said = Object.entries(icon).filter(([, value]) => value !== undefined);
  return said.length ? Object.fromEntries(said) : undefined;
}

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @returns {(Node | false | undefined)[]}
 */
export function signRows(editor, place, change) {
  const { icon = {}, visual } = place;
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id)?.icon;
  const put = (/** @type {Icon} */ values, /** @type {string} */ key) => change({ icon: tidyIcon({ ...now(), ...values }) }, key);
  const rebuild = (/** @type {Icon} */ values) => {
    put(values, '');
    editor.showPanel();
  };
  const url = icon.assetID ? editor.assetURL(icon.assetID) : undefined;
  const color = h('input', { type: 'color', class: 'field', id: 'sign-color', value: icon.color ?? '#ffffff', oninput: () => put({ color: color.value }, 'sign color') });
  const ownsPicture = visual.kind === 'image';
  return [
    !ownsPicture && url ? h('img', { class: 'panel-picture', src: url, alt: '' }) : undefined,
    !ownsPicture && h('div', { class: 'actions' },
      fileField({
        label: url ? 'studio.otherPicture' : 'studio.choosePicture', accept: PICTURES, id: 'sign-picture', keep: false,
        pick: async ([file]) => {
          const stored = await editor.upload(file);
          if (!stored) return;
          editor.draft.edit((dimension) => {
            const { dimension: next, id: assetID } = withAsset(dimension, stored.url);
            const old = next.places.find(({ id }) => id === place.id)?.icon;
            return changePlace(next, place.id ?? '', { icon: { ...old, assetID } });
          });
          editor.showPanel();
        },
      }),
      url ? button('studio.noPicture', () => rebuild({ assetID: undefined })) : undefined),
    row('studio.lineColor', color),
    Boolean(icon.color) && h('div', { class: 'actions' }, button('studio.usualColor', () => rebuild({ color: undefined }), { id: 'sign-usual' })),
    (ownsPicture || Boolean(url)) && h('div', { class: 'form-columns three' },
      numberRow('studio.scale', icon.scale, (scale) => put({ scale }, 'sign scale'), { min: 0.1, max: 10, optional: true, id: 'sign-scale' }),
      numberRow('studio.roll', icon.heading, (heading) => put({ heading }, 'sign heading'), { min: -360, max: 360, optional: true, id: 'sign-heading' }),
      numberRow('studio.opacity', percent(icon.opacity), (share) => put({ opacity: share === undefined ? undefined : share / 100 }, 'sign opacity'), {
        min: 0, max: 100, optional: true, id: 'sign-opacity',
      })),
    localized(h('p', { class: 'form-note' }), ownsPicture ? 'studio.signOfPicture' : 'studio.signOfLabel'),
  ];
}

/** @param {number | undefined} share 0 … 1 */
export const percent = (share) => (share === undefined ? undefined : Math.round(share * 1000) / 10);
