// The board for everybody in the room: time and ranking over the whole screen, and nothing of any single answer.

import { h, icon, reducedMotion, setText } from '../core/dom.js';
import { clock } from '../core/format.js';
import { labelled, t } from '../core/i18n.js';
import { rankingList } from './end-dialog.js';

/**
 * @typedef {import('./board.js').BoardData} BoardData
 * @typedef {import('./end-dialog.js').Ranked} Ranked
 */

const MOVE_MS = 600;

/**
 * Teams with the same points share a rank.
 * @param {BoardData['teams']} teams
 * @returns {Ranked[]} the best first
 */
export function ranked(teams) {
  const sorted = [...teams].sort((a, b) => b.score - a.score || a.number - b.number);
  /** @type {Ranked[]} */
  const ranking = [];
  sorted.forEach(({ number, name, color, score }, index) => {
    const before = ranking[index - 1];
    ranking.push({ rank: before && before.score === score ? before.rank : index + 1, number, name, color, score });
  });
  return ranking;
}

export class Projection {
  #key = '';

  /** @param {() => void} ended called when it is left */
  constructor(ended) {
    this.title = h('h2', { class: 'projection-title', id: 'projection-title' });
    this.time = h('p', { class: 'projection-time' });
    this.phase = h('p', { class: 'projection-phase', role: 'status' });
    this.list = h('div', { class: 'projection-list' });
    const leave = labelled(h('button', { type: 'button', class: 'round plain', id: 'projection-end', onclick: () => this.element.close() }, icon('close')), 'common.close');
    this.element = h('dialog', { class: 'projection', id: 'projection', 'aria-labelledby': 'projection-title' },
      h('header', {}, this.title, leave), h('div', { class: 'projection-head' }, this.time, this.phase), this.list);
    const life = new AbortController();
    this.element.addEventListener('close', () => {
      life.abort();
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
      this.element.remove();
      ended();
    });
    // The key that leaves the full screen leaves this.
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && this.element.close(), { signal: life.signal });
    document.body.append(this.element);
    this.element.showModal();
    // Where the browser does not fill the screen, the window is filled.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
  }

  /**
   * @param {BoardData} data
   * @param {number | null} secondsLeft
   */
  show({ run, teams }, secondsLeft) {
    setText(this.title, run.title);
    setText(this.time, run.phase === 'ended' ? '' : secondsLeft === null ? '' : clock(secondsLeft));
    this.time.classList.toggle('low', secondsLeft !== null && secondsLeft < 120 && run.phase === 'running');
    setText(this.phase, run.phase === 'running' ? '' : t(run.phase === 'ended' ? 'tours.endTitle' : `tours.phase.${run.phase}`));
    const ranking = ranked(teams);
    const key = JSON.stringify(ranking);
    if (key === this.#key) return;
    this.#key = key;
    const before = new Map([...this.list.querySelectorAll('li')].map((row) => [row.dataset.team, row.getBoundingClientRect().top]));
    this.list.replaceChildren(rankingList(ranking));
    if (reducedMotion()) return;
    for (const row of this.list.querySelectorAll('li')) {
      const from = before.get(row.dataset.team);
      const moved = from === undefined ? 0 : from - row.getBoundingClientRect().top;
      if (moved) row.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], { duration: MOVE_MS, easing: 'ease-in-out' });
    }
  }

  close() {
    this.element.close();
  }
}
