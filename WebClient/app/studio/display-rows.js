// From how far away a place is shown, while what is selected, and how its size follows the distance.

import { localized, t } from '../core/i18n.js';
import { h } from '../core/dom.js';
import { numberRow, selectRow, textRow } from './form.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {NonNullable<Place['display']>} Display
 * @typedef {import('./editor.js').Editor} Editor
 */

const FARTHEST = 1e8;
const FACTORS = { min: 0.001, max: 1000 };

/**
 * A display without members that say nothing; nothing where it says nothing at all.
 * @param {Display} display
 * @returns {Display | undefined}
 */
export function tidyDisplay(display) {
  const said = Object.entries(display).filter(([, value]) => value !== undefined && value !== '');
  return said.length ? /** @type {Display} */ (Object.fromEntries(said)) : undefined;
}

/**
 * How the size follows the distance after one of its numbers has changed: nothing without the distance that it begins at.
 * @param {Display['scaling']} scaling
 * @param {Partial<NonNullable<Display['scaling']>>} change
 * @returns {Display['scaling']}
 */
export function withScaling(scaling, change) {
  const { near, far, factor = 1 } = { ...scaling, ...change };
  if (near === undefined) return undefined;
  return far === undefined ? { near, factor } : { near, far, factor };
}

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @returns {Node[]}
 */
export function distanceRows(editor, place, change) {
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id) ?? place;
  const isSeen = (/** @type {number} */ from, /** @type {number} */ within) => (from < within ? '' : t('studio.noneBetween'));
  return [
    h('div', { class: 'form-columns' },
      numberRow('studio.radius', place.visibilityRadius, (visibilityRadius) => change({ visibilityRadius }, 'radius'), {
        min: 1, max: FARTHEST, optional: true, id: 'place-radius', fault: (within) => isSeen(now().display?.visibleFrom ?? 0, within),
      }),
      numberRow('studio.shownFrom', place.display?.visibleFrom, (visibleFrom) => change({ display: tidyDisplay({ ...now().display, visibleFrom }) }, 'from'), {
        min: 0, max: FARTHEST, optional: true, id: 'place-from', fault: (from) => isSeen(from, now().visibilityRadius ?? Infinity),
      })),
    localized(h('p', { class: 'form-note' }), 'studio.radiusHint'),
  ];
}

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @returns {Node[]}
 */
export function displayRows(editor, place, change) {
  const { display } = place;
  const now = () => editor.draft.dimension.places.find(({ id }) => id === place.id)?.display;
  const put = (/** @type {Partial<Display>} */ values, /** @type {string} */ key) => change({ display: tidyDisplay({ ...now(), ...values }) }, key);
  /** Two numbers that are not filled in yet wait here for the one that gives them a meaning. */
  let scaling = /** @type {Partial<NonNullable<Display['scaling']>>} */ (display?.scaling ?? {});
  const scale = (/** @type {Partial<NonNullable<Display['scaling']>>} */ values, /** @type {string} */ key) => {
    scaling = { ...scaling, ...values };
    put({ scaling: withScaling(undefined, scaling) }, key);
  };
  const isFarther = (/** @type {number} */ near, /** @type {number} */ far) => (far > near ? '' : t('studio.farNotFarther'));
  return [
    selectRow('studio.shownWhile', display?.shownWhile ?? '', [['', t('studio.always')], ['selected', t('studio.whileSelected')], ['unselected', t('studio.whileNot')]],
      (shownWhile) => put({ shownWhile: /** @type {Display['shownWhile']} */ (shownWhile || undefined) }, 'while'), { id: 'place-while' }),
    textRow('studio.together', display?.feature, (feature) => put({ feature: feature.trim() || undefined }, 'together'), { id: 'place-together', maxLength: 200 }, 'studio.togetherHint'),
    h('div', { class: 'form-columns three' },
      numberRow('studio.near', scaling.near, (near) => scale({ near }, 'near'), {
        min: 0.1, max: FARTHEST, optional: true, id: 'place-near', fault: (near) => isFarther(near, scaling.far ?? Infinity),
      }),
      numberRow('studio.far', scaling.far, (far) => scale({ far }, 'far'), {
        min: 0.1, max: FARTHEST, optional: true, id: 'place-far', fault: (far) => isFarther(scaling.near ?? 0, far),
      }),
      numberRow('studio.farFactor', scaling.factor, (factor) => scale({ factor }, 'factor'), { ...FACTORS, optional: true, id: 'place-factor' })),
    localized(h('p', { class: 'form-note' }), 'studio.scalingHint'),
  ];
}
