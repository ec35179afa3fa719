// The frame of the pages of tours: a bar with the way back and a title, and room below.

import { h, icon } from '../core/dom.js';
import { labelled } from '../core/i18n.js';

/**
 * @param {string} id
 * @param {string} title
 * @param {() => void} back
 */
export function pageFrame(id, title, back) {
  const heading = h('h1', {}, title);
  const tools = h('div', { class: 'tour-tools' });
  const main = h('main', { class: 'tour-main' });
  const element = h(
    'div',
    { id, class: 'tour-page' },
    h('header', { class: 'tour-head' },
      labelled(h('button', { type: 'button', class: 'round small plain', onclick: back }, icon('back')), 'common.back'),
      heading, tools),
    main,
  );
  document.body.append(element);
  return { element, heading, tools, main };
}

/**
 * @param {string} text
 * @param {() => void} run
 * @param {{ id?: string, class?: string, disabled?: boolean, title?: string }} [options]
 */
export const button = (text, run, options = {}) =>
  h('button', { type: 'button', onclick: run, ...options, class: `button ${options.class ?? ''}` }, text);

/**
 * A setting with its words.
 * @param {string} text
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export const setting = (text, control, hint) =>
  h('label', { class: 'tour-setting' }, h('span', {}, text), control, hint ? h('small', {}, hint) : null);

/**
 * @param {string[][]} choices value and words of each
 * @param {string} value
 * @param {(value: string) => void} changed
 * @param {string} [id]
 */
export function select(choices, value, changed, id) {
  const control = h('select', { class: 'select', id, onchange: () => changed(control.value) },
    ...choices.map(([choice, words]) => h('option', { value: choice }, words)));
  control.value = value;
  return control;
}

/**
 * @param {number | undefined} value
 * @param {{ min: number, max: number, step?: number, id?: string, empty?: boolean }} range
 * @param {(value: number | undefined) => void} changed called with what lies in the range
 */
export function numberField(value, range, changed) {
  const control = h('input', {
    type: 'number', class: 'field', id: range.id, min: String(range.min), max: String(range.max),
    step: String(range.step ?? 1), value: value === undefined ? '' : String(value),
    oninput: () => {
      const number = control.valueAsNumber;
      if (Number.isNaN(number)) return range.empty && changed(undefined);
      if (number >= range.min && number <= range.max) changed(number);
    },
  });
  return control;
}

/**
 * @param {boolean} value
 * @param {string} text
 * @param {(value: boolean) => void} changed
 */
export function checkbox(value, text, changed) {
  const control = h('input', { type: 'checkbox', checked: value, onchange: () => changed(control.checked) });
  return h('label', { class: 'tour-check' }, control, h('span', {}, text));
}

/** @param {string | null} iso */
export const when = (iso) =>
  iso ? new Date(iso).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }) : '';
