// The progress grid of the board: a row for each team, a column for each station.

import { h } from '../core/dom.js';
import { t, tn } from '../core/i18n.js';

/** @param {import('./board.js').BoardData} data */
export function progressGrid(data) {
  const teams = [...data.teams].sort((a, b) => b.score - a.score || a.number - b.number);
  const head = h('tr', {}, h('th', { scope: 'col' }, t('tours.team')), h('th', { scope: 'col' }, t('tours.score')),
    ...data.stations.map((station, index) => h('th', { scope: 'col', title: station.title }, h('span', { 'aria-hidden': 'true' }, String(index + 1)), h('span', { class: 'sr-only' }, station.title))));
  const rows = teams.map((team) => {
    const dot = h('i', { class: 'tour-dot', 'aria-hidden': 'true' });
    dot.style.setProperty('--team', team.color);
    return h('tr', { dataset: { team: String(team.number) } },
      h('th', { scope: 'row' }, h('span', { class: 'tour-grid-team' }, dot, team.name, team.left && h('span', { class: 'tour-out' }, t('tours.outside')))),
      h('td', { class: 'tour-grid-score' }, String(team.score)),
      ...data.stations.map((station) => cell(team.cells[station.id], station)));
  });
  return h('table', { class: 'tour-grid' }, h('thead', {}, head), h('tbody', {}, ...rows));
}

const SIGNS = /** @type {Record<string, string>} */ ({ right: '✓', wrong: '✗', pending: '…', open: '·' });

/**
 * @param {import('./board.js').Cell | undefined} cell
 * @param {import('./board.js').BoardStation} station
 */
function cell(cell, station) {
  if (!cell) return h('td', { class: 'tour-cell none', dataset: { station: station.id } }, h('span', { class: 'sr-only' }, t('tours.standing.none')));
  const words = [t(/** @type {import('../core/i18n.js').TextKey} */ (`tours.standing.${cell.state}`)), tn('tours.points', cell.points)];
  if (cell.wrong) words.push(tn('tours.wrongTries', cell.wrong));
  if (cell.hints) words.push(tn('tours.hintsTaken', cell.hints));
  return h('td', { class: `tour-cell ${cell.state}`, dataset: { station: station.id }, title: words.join(', ') },
    h('span', { 'aria-hidden': 'true' }, `${SIGNS[cell.state] ?? ''}${cell.points || ''}`), h('span', { class: 'sr-only' }, words.join(', ')));
}
