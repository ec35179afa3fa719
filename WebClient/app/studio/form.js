// Rows of the studio's forms: a label, a control, and where its value goes.

import { h, setText } from '../core/dom.js';
import { language, localized, t } from '../core/i18n.js';

/** @typedef {import('../core/i18n.js').TextKey} TextKey */

let numbers = 0;
const fresh = (/** @type {string} */ name) => `f-${name}-${++numbers}`;

/**
 * @param {TextKey} key
 * @param {HTMLElement} control
 * @param {TextKey} [hint]
 */
export function row(key, control, hint) {
  control.id ||= fresh('row');
  const note = hint && localized(h('p', { class: 'form-note', id: fresh('hint') }), hint);
  if (note) control.setAttribute('aria-describedby', note.id);
  return h('div', { class: 'form-row' }, localized(h('label', { htmlFor: control.id }), key), control, note);
}

/**
 * @param {TextKey} key
 * @param {string | undefined} value
 * @param {(value: string) => void} change
 * @param {Record<string, any>} [props]
 * @param {TextKey} [hint]
 */
export function textRow(key, value, change, props = {}, hint = undefined) {
  const { list, ...others } = props;
  const input = h('input', { type: 'text', class: 'field', value: value ?? '', ...others, oninput: () => change(input.value) });
  // A property of this name is only for reading.
  if (list) input.setAttribute('list', list);
  return row(key, input, hint);
}

/**
 * @param {TextKey} key
 * @param {string | undefined} value
 * @param {(value: string) => void} change
 * @param {Record<string, any>} [props]
 */
export function areaRow(key, value, change, props = {}) {
  const area = h('textarea', { class: 'field', rows: 3, value: value ?? '', ...props, oninput: () => change(area.value) });
  return row(key, area);
}

/**
 * A number; what is none is not taken, and the field says why.
 * @param {TextKey} key
 * @param {number | undefined} value
 * @param {(value: number | undefined) => void} change
 * @param {{ min?: number, max?: number, step?: number | 'any', optional?: boolean, id?: string, fault?: (value: number) => string }} [limits] `fault`: what is
 *   wrong with a number that is within them, nothing for a good one
 * @param {TextKey} [hint]
 */
export function numberRow(key, value, change, limits = {}, hint = undefined) {
  const { optional, fault, ...props } = limits;
  const message = h('p', { class: 'form-fault', id: fresh('fault'), role: 'status' });
  const input = h('input', {
    type: 'number', class: 'field', inputMode: 'decimal', value: value === undefined ? '' : String(value), ...props,
    step: String(props.step ?? 'any'),
    oninput: () => {
      const text = input.value.trim();
      const number = Number(text);
      const isEmpty = text === '' && !input.validity.badInput;
      const isWithin = isEmpty ? Boolean(optional) : Number.isFinite(number) && !input.validity.badInput &&
        number >= (limits.min ?? -Infinity) && number <= (limits.max ?? Infinity);
      const wrong = !isWithin ? wanted(limits) : (!isEmpty && fault?.(number)) || '';
      input.setAttribute('aria-invalid', String(Boolean(wrong)));
      setText(message, wrong);
      if (!wrong) change(isEmpty ? undefined : number);
    },
  });
  const element = row(key, input, hint);
  input.setAttribute('aria-describedby', [input.getAttribute('aria-describedby'), message.id].filter(Boolean).join(' '));
  element.append(message);
  return element;
}

/**
 * What a number has to be, in words.
 * @param {{ min?: number, max?: number }} limits
 */
function wanted({ min, max }) {
  const text = (/** @type {number} */ value) => value.toLocaleString(language(), { maximumFractionDigits: 6 });
  if (min !== undefined && max !== undefined) return t('studio.numberFromTo', { min: text(min), max: text(max) });
  return min === undefined ? t('studio.number') : t('studio.numberFrom', { min: text(min) });
}

/**
 * @param {TextKey} key
 * @param {string} value
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} change
 * @param {Record<string, any>} [props]
 * @param {TextKey} [hint]
 */
export function selectRow(key, value, options, change, props = {}, hint = undefined) {
  const select = h('select', { class: 'select', ...props, onchange: () => change(select.value) },
    ...options.map(([option, text]) => h('option', { value: option }, text)));
  select.value = value;
  return row(key, select, hint);
}

/**
 * @param {TextKey} key
 * @param {boolean} value
 * @param {(value: boolean) => void} change
 */
export function checkRow(key, value, change) {
  const box = h('input', { type: 'checkbox', checked: value, onchange: () => change(box.checked) });
  return h('label', { class: 'form-check' }, box, localized(h('span'), key));
}

/**
 * @param {TextKey} key
 * @param {boolean} open
 * @param {...(Node | false | null | undefined)} children
 */
export function group(key, open, ...children) {
  return h('details', { class: 'form-group', open }, localized(h('summary'), key), h('div', { class: 'form-rows' }, ...children));
}

/**
 * @param {TextKey} key
 * @param {() => void} run
 * @param {Record<string, any>} [props]
 */
export const button = (key, run, props = {}) =>
  localized(h('button', { type: 'button', class: 'button', onclick: run, ...props }), key);

/** Pictures that the server takes. */
export const PICTURES = 'image/png,image/jpeg,image/webp';

/** Point of a picture that is put on its place. */
export const PIVOTS = /** @type {const} */ (['TL', 'TC', 'TR', 'CL', 'CC', 'CR', 'BL', 'BC', 'BR']);

/**
 * Nine buttons in a square.
 * @param {TextKey} key
 * @param {string} value
 * @param {(value: import('../types').Pivot) => void} change
 */
export function pivotRow(key, value, change) {
  const label = localized(h('span', { id: fresh('pivot') }), key);
  const box = h('div', { class: 'pivot', role: 'radiogroup', 'aria-labelledby': label.id });
  const choose = (/** @type {import('../types').Pivot} */ pivot) => {
    for (const button of box.children) button.setAttribute('aria-checked', String(button.getAttribute('data-pivot') === pivot));
    change(pivot);
  };
  for (const pivot of PIVOTS) {
    box.append(h('button', {
      type: 'button', role: 'radio', 'aria-checked': String(pivot === value), 'data-pivot': pivot,
      'aria-label': t(`studio.pivot.${pivot}`), title: t(`studio.pivot.${pivot}`), onclick: () => choose(pivot),
    }));
  }
  return h('div', { class: 'form-row' }, label, box);
}
