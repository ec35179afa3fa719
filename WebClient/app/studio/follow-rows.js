// What goes along with the user: so many metres from his eye, wherever he is.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { numberRow } from './form.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('./editor.js').Editor} Editor
 */

/** Metres before the user, to the north, where something stands that has just begun to go along. */
const BEFORE = 5;
/** Metres from the eye down to the ground, where models and pictures in true size stand. */
const EYE_HEIGHT = 1.5;

/**
 * What makes a place go along with the user.
 * @param {Place} place
 * @returns {Partial<Place>}
 */
export function following({ visual, size }) {
  const stands = visual.kind === 'model' || (visual.kind === 'image' && size);
  return {
    followsUser: true, position: undefined, marker: undefined, target: undefined,
    offset: { east: 0, north: BEFORE, up: stands ? -EYE_HEIGHT : 0 },
  };
}

/**
 * What lets it stay where it is put.
 * @param {Place} place
 * @param {{ latitude: number, longitude: number }} position
 * @returns {Partial<Place>}
 */
export const staying = ({ followsUser }, position) =>
  followsUser ? { followsUser: undefined, position, offset: { east: 0, north: 0, up: 0 } } : {};

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @returns {Node[]}
 */
export function followRows(editor, place, change) {
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id)?.offset ?? place.offset;
  const shift = (/** @type {'east' | 'north' | 'up'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key) =>
    numberRow(key, place.offset[name], (value) => change({ offset: { ...now(), [name]: value ?? 0 } }, name), {
      min: -10_000, max: 10_000, id: `follow-${name}`,
      fault: (value) => (Object.values({ ...now(), [name]: value }).some((metres) => Math.abs(metres) >= 0.1) ? '' : t('studio.inTheEye')),
    });
  return [
    localized(h('p', { class: 'form-note' }), 'studio.alongNote'),
    h('div', { class: 'form-columns three' }, shift('east', 'studio.eastOfUser'), shift('north', 'studio.northOfUser'), shift('up', 'studio.aboveEye')),
  ];
}
