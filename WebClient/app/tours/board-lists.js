// The board's lists: answers that wait to be marked, the latest answers, and the log.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { button } from './frame.js';

/**
 * @typedef {import('./board.js').BoardData} BoardData
 * @typedef {import('./board.js').BoardAnswer} BoardAnswer
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 */

const LATEST = 12;

/**
 * @param {BoardData} data
 * @param {(answer: BoardAnswer, points: number) => void} mark
 * @returns {Node[]}
 */
export function answerList(data, mark) {
  const pending = data.answers.filter(({ verdict }) => verdict === 'pending');
  const latest = data.answers.filter(({ verdict, kind }) => verdict !== 'pending' && kind !== 'visit').slice(-LATEST).reverse();
  return [
    h('h2', {}, t('tours.toMark')),
    pending.length
      ? h('ul', { class: 'tour-marking' }, ...pending.map((answer) => marking(data, answer, mark)))
      : h('p', { class: 'tour-quiet' }, t('tours.nothingToMark')),
    h('h2', {}, t('tours.latest')),
    h('ul', { class: 'tour-latest' }, ...latest.map((answer) =>
      h('li', { class: answer.verdict }, teamName(data, answer.team), ' · ', stationOf(data, answer)?.title ?? answer.station, ': ',
        h('q', {}, answerText(data, answer)), ' – ', verdictText(answer))
    )),
  ];
}

/** @param {BoardData} data @param {number | null} number */
function teamName(data, number) {
  const team = data.teams.find((entry) => entry.number === number);
  return h('strong', {}, team?.name ?? String(number ?? ''));
}

/** @param {BoardData} data @param {BoardAnswer} answer */
const stationOf = (data, answer) => data.stations.find(({ id }) => id === answer.station);

/** @param {BoardData} data @param {BoardAnswer} answer */
function answerText(data, answer) {
  if (answer.choices) return answer.choices.map((number) => stationOf(data, answer)?.options[number] ?? number).join(', ');
  if (answer.hint !== undefined) return `${t('tours.hint')} ${answer.hint + 1}`;
  return answer.text ?? '';
}

/** @param {BoardAnswer} answer */
function verdictText(answer) {
  const key = /** @type {TextKey} */ (answer.refusal ? `tours.refused.${answer.refusal}` : `tours.verdict.${answer.verdict}`);
  const notes = [t(key)];
  if (answer.points) notes.push(t('tours.plus', { points: answer.points }));
  if (answer.place === 'near') notes.push(t('tours.near'));
  if (answer.place === 'virtual') notes.push(t('tours.virtual'));
  if (answer.late) notes.push(t('tours.late'));
  return notes.join(' ');
}

/** @param {BoardData} data @param {BoardAnswer} answer @param {(answer: BoardAnswer, points: number) => void} mark */
function marking(data, answer, mark) {
  const station = stationOf(data, answer);
  const points = h('input', { type: 'number', class: 'field', min: '0', max: '1000', value: String(station?.points ?? 10), 'aria-label': t('tours.points') });
  return h('li', { dataset: { answer: String(answer.number) } },
    h('p', {}, teamName(data, answer.team), ' · ', station?.title ?? answer.station),
    station?.text ? h('p', { class: 'tour-quiet' }, station.text) : null,
    h('blockquote', {}, answer.text ?? ''),
    h('div', { class: 'tour-mark-row' }, points,
      button(t('tours.markRight'), () => mark(answer, Math.max(1, points.valueAsNumber || 0)), { class: 'primary' }),
      button(t('tours.markWrong'), () => mark(answer, 0))));
}

/** @param {BoardData} data */
export function logList(data) {
  const entries = data.log.slice(-60).reverse();
  return h('ul', { class: 'tour-log-list' }, ...entries.map((entry) => {
    const team = data.teams.find(({ number }) => number === entry.team)?.name ?? t('tours.toAll');
    const time = new Date(entry.time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
    return h('li', {}, h('time', { dateTime: entry.time }, time), ' ', t(/** @type {TextKey} */ (`tours.log.${entry.kind}`), { team, text: entry.text }));
  }));
}
