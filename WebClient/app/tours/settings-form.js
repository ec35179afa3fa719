// Rules of the whole tour: order, rounds, time, scores, and how sparing it is with data.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { checkbox, numberField, select, setting } from './frame.js';

/**
 * @param {import('./draft.js').Draft} draft
 * @param {(work: () => unknown) => void} change
 */
export function settingsForm(draft, change) {
  const { tour } = draft;
  const summary = h('textarea', {
    class: 'field', rows: 2, maxLength: 2000, value: tour.summary ?? '', id: 'tours-summary',
    oninput: () => change(() => (draft.tour.summary = summary.value || undefined)),
  });
  return h(
    'details',
    { class: 'tour-settings', id: 'tours-settings' },
    h('summary', {}, t('tours.settings')),
    setting(t('tours.summary'), summary),
    setting(t('tours.order'), select(
      /** @type {const} */ (['free', 'ordered', 'random']).map((order) => [order, t(`tours.order.${order}`)]),
      tour.order,
      (order) => change(() => (draft.tour.order = /** @type {typeof tour.order} */ (order))),
      'tours-order',
    )),
    setting(t('tours.way'), select(
      /** @type {const} */ (['none', 'stations', 'drawn']).map((way) => [way, t(`tours.way.${way}`)]),
      tour.way,
      (way) => change(() => (draft.tour.way = /** @type {typeof tour.way} */ (way))),
      'tours-way',
    ), t('tours.wayHint')),
    h('div', { class: 'tour-fields' },
      setting(t('tours.rounds'), numberField(tour.rounds, { min: 1, max: 20, id: 'tours-rounds' }, (value) => change(() => (draft.tour.rounds = value ?? 1)))),
      setting(t('tours.minutes'), numberField(tour.minutes, { min: 1, max: 10_080, id: 'tours-minutes', empty: true }, (value) => change(() => (draft.tour.minutes = value))), t('tours.minutesHint')),
      setting(t('tours.triesCost'), numberField(tour.triesCost, { min: 0, max: 1000, id: 'tours-cost' }, (value) => change(() => (draft.tour.triesCost = value ?? 0))))),
    checkbox(tour.showsVerdict, t('tours.showsVerdict'), (value) => change(() => (draft.tour.showsVerdict = value))),
    checkbox(tour.showsScore, t('tours.showsScore'), (value) => change(() => (draft.tour.showsScore = value))),
    checkbox(tour.allowsVirtualPhones ?? false, t('tours.allowsVirtual'), (value) => change(() => (draft.tour.allowsVirtualPhones = value))),
    h('p', { class: 'tour-quiet' }, t('tours.allowsVirtualHint')),
    setting(t('tours.rounding'), select(
      [['0', t('tours.roundingNone')], ...['10', '25', '50', '100'].map((side) => [side, t('tours.roundingMetres', { metres: side })])],
      String(tour.rounding),
      (side) => change(() => (draft.tour.rounding = Number(side))),
      'tours-rounding',
    )),
    setting(t('tours.keepDays'), numberField(tour.keepDays, { min: 0, max: 30, id: 'tours-keep' }, (value) => change(() => (draft.tour.keepDays = value ?? 7))), t('tours.keepHint')),
    h('p', {}, h('a', { href: '#/tours/privacy' }, t('tours.privacy'))),
  );
}
