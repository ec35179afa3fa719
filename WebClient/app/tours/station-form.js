// The form of one station in the designer.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pictureURL, upload } from './api.js';
import { tellFailure } from './failure.js';
import { button, numberField, select, setting } from './frame.js';

/**
 * @typedef {import('./api.js').Station} Station
 * @typedef {{ change: (work: () => unknown, redraw?: boolean) => void, remove: () => void }} Host `redraw` is for changes
 *   that add or take away fields
 */

const KINDS = /** @type {const} */ (['choice', 'open', 'info', 'picture']);

/**
 * @param {Station} station
 * @param {import('./api.js').Tour} tour
 * @param {Host} host
 */
export function stationForm(station, tour, host) {
  const isQuestion = station.kind === 'choice' || station.kind === 'open';
  const title = h('input', {
    type: 'text', class: 'field', id: 'station-title', maxLength: 120, value: station.title,
    oninput: () => host.change(() => (station.title = title.value)),
  });
  const text = h('textarea', {
    class: 'field', id: 'station-text', rows: 3, maxLength: 4000, value: station.text,
    oninput: () => host.change(() => (station.text = text.value)),
  });
  return h(
    'form',
    { class: 'tour-station-form', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    setting(t('tours.stationTitle'), title),
    setting(t('tours.kind'), select(KINDS.map((kind) => [kind, t(`tours.kind.${kind}`)]), station.kind, (kind) =>
      host.change(() => {
        station.kind = /** @type {Station['kind']} */ (kind);
        if (kind === 'choice' && station.options.length < 2) Object.assign(station, { options: ['', '', ''], correct: [0] });
      }, true), 'station-kind')),
    setting(t(isQuestion ? 'tours.question' : 'tours.text'), text),
    station.kind === 'choice' && optionFields(station, host),
    station.kind === 'open' && acceptedField(station, host),
    pictureField(station, host),
    h('div', { class: 'tour-fields' },
      setting(t('tours.radius'), numberField(station.radius, { min: 3, max: 1000, id: 'station-radius' }, (value) =>
        host.change(() => {
          station.radius = value ?? station.radius;
          if (station.visibleRadius && station.visibleRadius < station.radius) station.visibleRadius = station.radius;
        }))),
      setting(t('tours.points'), numberField(station.points, { min: 0, max: 1000, id: 'station-points' }, (value) =>
        host.change(() => (station.points = value ?? station.points)))),
      isQuestion && setting(t('tours.tries'), numberField(station.tries, { min: 0, max: 20, id: 'station-tries' }, (value) =>
        host.change(() => (station.tries = value ?? station.tries))), t('tours.triesHint')),
      tour.rounds > 1 && setting(t('tours.round'), numberField(station.round, { min: 1, max: tour.rounds, id: 'station-round' }, (value) =>
        host.change(() => (station.round = value ?? station.round)))),
      setting(t('tours.visibleRadius'), numberField(station.visibleRadius ?? undefined, { min: 3, max: 100_000, id: 'station-visible', empty: true }, (value) =>
        host.change(() => (station.visibleRadius = value === undefined ? undefined : Math.max(value, station.radius)))), t('tours.visibleHint'))),
    isQuestion && hintFields(station, host),
    h('div', { class: 'actions' }, button(t('tours.removeStation'), host.remove, { id: 'station-remove' })),
  );
}

/** @param {Station} station @param {Host} host */
function optionFields(station, host) {
  const rows = station.options.map((option, number) => {
    const right = h('input', {
      type: 'checkbox', id: `station-right-${number}`, checked: station.correct.includes(number), 'aria-label': t('tours.isRight'),
      onchange: () => host.change(() => {
        station.correct = right.checked ? [...station.correct, number].sort() : station.correct.filter((other) => other !== number);
      }),
    });
    const words = h('input', {
      type: 'text', class: 'field', id: `station-option-${number}`, maxLength: 300, value: option, 'aria-label': t('tours.optionNumber', { number: number + 1 }),
      oninput: () => host.change(() => (station.options[number] = words.value)),
    });
    return h('div', { class: 'tour-option-row' }, right, words);
  });
  const more = station.options.length < 8 &&
    button(t('tours.addOption'), () => host.change(() => station.options.push(''), true), { class: 'tiny-button', id: 'station-add-option' });
  return h('fieldset', { class: 'tour-options' }, h('legend', {}, t('tours.options')), ...rows, more);
}

/** @param {Station} station @param {Host} host */
function acceptedField(station, host) {
  const area = h('textarea', {
    class: 'field', id: 'station-accepted', rows: 2, value: station.accepted.join('\n'),
    oninput: () => host.change(() => (station.accepted = area.value.split('\n').slice(0, 20))),
  });
  return setting(t('tours.accepted'), area, t('tours.acceptedHint'));
}

/** @param {Station} station @param {Host} host */
function pictureField(station, host) {
  const field = fileField({
    label: 'tours.choosePicture', accept: 'image/*', id: 'station-picture', keep: false,
    pick: async ([file]) => {
      if (!file) return host.change(() => (station.picture = undefined), true);
      try {
        const hash = await upload(file);
        host.change(() => (station.picture = hash), true);
      } catch (error) {
        tellFailure(error);
      }
    },
  });
  if (station.picture) field.show([{ name: t('tours.picture'), url: pictureURL(station.picture) }]);
  return h('div', { class: 'tour-picture-field' }, h('span', {}, t('tours.picture')), field);
}

/** @param {Station} station @param {Host} host */
function hintFields(station, host) {
  const rows = station.hints.map((hint, number) => {
    const words = h('input', {
      type: 'text', class: 'field', id: `station-hint-${number}`, maxLength: 500, value: hint.text, 'aria-label': t('tours.hint'),
      oninput: () => host.change(() => (hint.text = words.value)),
    });
    const cost = numberField(hint.cost, { min: 0, max: 1000 }, (value) => host.change(() => (hint.cost = value ?? hint.cost)));
    cost.setAttribute('aria-label', t('tours.hintCost'));
    cost.title = t('tours.hintCost');
    return h('div', { class: 'tour-hint-row' }, words, cost,
      h('button', { type: 'button', class: 'round small plain', 'aria-label': t('tours.remove'), onclick: () => host.change(() => station.hints.splice(number, 1), true) }, '×'));
  });
  const more = station.hints.length < 5 &&
    button(t('tours.addHint'), () => host.change(() => station.hints.push({ text: '', cost: 2 }), true), { class: 'tiny-button', id: 'station-add-hint' });
  return h('div', { class: 'tour-hints' }, rows.length > 0 && h('p', { class: 'tour-quiet' }, t('tours.hintsTitle')), ...rows, more);
}

