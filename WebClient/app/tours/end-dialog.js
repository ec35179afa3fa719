// A tour's end for its team: what it reached, where it stands among the others, thanks. Without a network its own result is there all the same.

import { h, icon } from '../core/dom.js';
import { t, tn } from '../core/i18n.js';
import { buzz } from '../ui/feel.js';
import { showDialog } from '../ui/dialog.js';
import { asTeam } from './api.js';

/**
 * @typedef {import('./play.js').Play} Play
 * @typedef {{ rank: number, number: number, name: string, color: string, score: number }} Ranked
 */

/**
 * @param {Ranked[]} ranking the best first
 * @param {number} [own] the number of the team that looks
 */
export function rankingList(ranking, own) {
  return h('ol', { class: 'tour-ranking' }, ...ranking.map(({ rank, number, name, color, score }) => {
    const dot = h('i', { class: 'tour-dot' });
    dot.style.setProperty('--team', color);
    return h('li', { class: number === own ? 'own' : '', dataset: { team: String(number) } },
      h('span', { class: 'tour-rank' }, String(rank)), dot, h('span', { class: 'tour-rank-name' }, name),
      h('span', { class: 'tour-rank-score' }, tn('tours.points', score)));
  }));
}

/** @param {Play} play whose tour is over */
export function showTourEnd(play) {
  const { state, content } = play;
  const place = h('p', { class: 'tour-end-place', role: 'status' });
  const table = h('div', {});
  const count = content.stationCount ?? content.stations.length;
  buzz([80, 60, 80, 60, 200]);
  const dialog = showDialog(
    { title: t('tours.endTitle'), id: 'tour-end', class: 'tour-end' },
    h('p', { class: 'tour-end-trophy', 'aria-hidden': 'true' }, icon('trophy')),
    h('p', { class: 'tour-end-team' }, state.team.name),
    h('p', { class: 'tour-end-score' }, [
      state.score === null ? '' : tn('tours.points', state.score), t('tours.endDone', { done: state.done, count }),
    ].filter(Boolean).join(' · ')),
    place,
    table,
    play.waiting.length > 0 && h('p', { class: 'setting-hint' }, tn('tours.waiting', play.waiting.length)),
    h('p', { class: 'tour-end-thanks' }, t('tours.endThanks', { title: content.title })),
    h('div', { class: 'actions' },
      h('button', { type: 'button', class: 'button primary', id: 'tour-end-look', onclick: () => dialog.close() }, t('tours.endLook')),
      h('a', { class: 'button', href: '#/' }, t('tours.endLeave'))),
  );
  if (state.score !== null) void rank(play, place, table);
  return dialog;
}

/**
 * @param {Play} play
 * @param {HTMLElement} place
 * @param {HTMLElement} table
 */
async function rank({ joined, state }, place, table) {
  try {
    const { ranking, count } = /** @type {{ ranking: Ranked[], count: number }} */ (await asTeam(joined.secret, '/ranking'));
    const own = ranking.find(({ number }) => number === state.team.number);
    if (!own || count < 2) return;
    place.textContent = t('tours.endRank', { rank: own.rank, count });
    table.replaceChildren(rankingList(ranking, state.team.number));
  } catch {
    place.textContent = t('tours.endNoRank');
  }
}
