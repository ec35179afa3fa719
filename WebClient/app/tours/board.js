// The live board: where the teams are, what they have answered, what waits for the teacher. Kept up to date by
// server-sent events; each connection begins with the whole picture, so nothing is missed between two.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { clock } from '../core/format.js';
import { language, onLanguage, t, tn } from '../core/i18n.js';
import { localOnlyWarning } from '../net/public-address.js';
import { announce, toast } from '../ui/toast.js';
import { addRun, asTeacher, runPath } from './api.js';
import { answerList, logList } from './board-lists.js';
import { progressGrid } from './board-grid.js';
import { showRunTeams } from './board-teams.js';
import { tellFailure } from './failure.js';
import { button, pageFrame, when } from './frame.js';
import { Projection } from './projection.js';
import { showTeamsDialog } from './teams-dialog.js';
import { TourMap } from './tour-map.js';

/**
 * @typedef {import('./api.js').Run} Run
 * @typedef {import('./api.js').Point} Point
 * @typedef {{ state: string, points: number, wrong: number, hints: number }} Cell
 * @typedef {{ number: number, name: string, color: string, score: number, done: number, cells: Record<string, Cell>,
 *   position?: Point & { age: number, accuracy?: number, isVirtual?: boolean }, left?: boolean, seen?: number }} BoardTeam
 * @typedef {{ id: string, title: string, kind: string, round: number, points: number, radius: number, text: string,
 *   options: string[], position: Point }} BoardStation
 * @typedef {{ number: number, team: number, station: string, kind: string, choices?: number[], text?: string,
 *   hint?: number, verdict: string, refusal?: string, points: number, place: string, late: boolean, received: string,
 *   marked?: string }} BoardAnswer
 * @typedef {{ number: number, team: number | null, time: string, kind: string, text: string }} LogEntry
 * @typedef {{ run: Run, stations: BoardStation[], border: Point[], route: Point[], teams: BoardTeam[], answers: BoardAnswer[], log: LogEntry[] }} BoardData
 */

/**
 * @param {string} tour
 * @param {string} run
 * @param {() => void} back
 * @returns {Promise<import('../parts.js').Page>}
 */
export async function openBoard(tour, run, back) {
  const data = /** @type {BoardData} */ (await asTeacher(runPath(run)));
  const board = new Board(tour, data, back);
  return { close: () => board.close(), state: () => board.state() };
}

class Board {
  #life = new AbortController();
  /** @type {EventSource | null} */
  #events = null;
  #frame = 0;
  #runAt = performance.now();
  #fitted = false;
  isLive = false;

  /** @param {string} tour @param {BoardData} data @param {() => void} back */
  constructor(tour, data, back) {
    this.tour = tour;
    this.data = data;
    this.frame = pageFrame('tours-board', data.run.title, back);
    this.phase = h('span', { class: 'tour-phase' });
    this.time = h('span', { class: 'tour-time' });
    this.live = h('span', { class: 'tour-live', role: 'status' });
    this.frame.tools.append(this.phase, this.time, this.live);
    this.controls = h('div', { class: 'tour-controls' });
    this.mapElement = h('div', { class: 'tour-map' });
    this.grid = h('div', { class: 'tour-grid-box', tabIndex: 0 });
    this.answers = h('div', { class: 'tour-answers' });
    this.log = h('div', { class: 'tour-log' });
    this.#messages.append(this.#messageForm());
    this.frame.main.classList.add('tour-board');
    this.frame.main.append(
      this.controls,
      localOnlyWarning(),
      h('section', { class: 'tour-map-box' }, this.mapElement),
      h('section', { class: 'tour-board-grid' }, h('h2', {}, t('tours.progress')), this.grid),
      h('section', { class: 'tour-board-side' }, this.answers, this.#messages, h('h2', {}, t('tours.log')), this.log, this.#tables()),
    );
    this.map = new TourMap(this.mapElement);
    this.#listen();
    this.timer = setInterval(() => this.#clock(), 1000);
    onLanguage(() => this.#draw(), this.#life.signal);
    this.#draw();
  }

  #listen() {
    const events = new EventSource(`${runPath(this.data.run.id)}/events`);
    this.#events = events;
    const on = (/** @type {string} */ name, /** @type {(data: any) => void} */ take) =>
      events.addEventListener(name, (event) => {
        take(JSON.parse(/** @type {MessageEvent} */ (event).data));
        this.#later();
      });
    on('board', (data) => {
      this.data = data;
      this.#runAt = performance.now();
      this.isLive = true;
    });
    on('run', (run) => {
      this.data.run = run;
      this.#runAt = performance.now();
    });
    on('team', (team) => this.#takeTeam(team));
    on('position', (team) => this.#takeTeam(team));
    on('answer', (answer) => this.#takeAnswer(answer));
    on('log', (entry) => this.#takeLog(entry));
    events.onopen = () => {
      this.isLive = true;
      this.#later();
    };
    events.onerror = () => {
      this.isLive = false;
      this.#later();
      // The browser gives up after an answer that is no stream: the run is gone, or the session has ended.
      if (events.readyState === EventSource.CLOSED) void asTeacher(runPath(this.data.run.id)).then(() => this.#listen(), tellFailure);
    };
  }

  /** @param {Partial<BoardTeam> & { number: number }} team */
  #takeTeam(team) {
    const known = this.data.teams.find(({ number }) => number === team.number);
    if (known) Object.assign(known, team, { seen: performance.now() });
    else this.data.teams.push(/** @type {BoardTeam} */ (team));
  }

  /** @param {BoardAnswer} answer */
  #takeAnswer(answer) {
    const at = this.data.answers.findIndex(({ number }) => number === answer.number);
    if (at >= 0) this.data.answers[at] = answer;
    else this.data.answers.push(answer);
    if (at < 0 && answer.verdict === 'pending') announce(t('tours.newToMark'));
  }

  /** @param {LogEntry} entry */
  #takeLog(entry) {
    if (this.data.log.some(({ number }) => number === entry.number)) return;
    this.data.log.push(entry);
    const team = this.data.teams.find(({ number }) => number === entry.team)?.name ?? '';
    if (entry.kind === 'help') toast(t('tours.log.help', { team }), { kind: 'warning', key: `help-${entry.team}` });
    if (entry.kind === 'left') toast(t('tours.log.left', { team }), { kind: 'warning', key: `left-${entry.team}` });
  }

  /** Many events make one drawing. */
  #later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const { data } = this;
    this.phase.textContent = t(`tours.phase.${data.run.phase}`) + (data.run.rounds > 1 ? ` · ${t('tours.roundOf', { round: data.run.round, rounds: data.run.rounds })}` : '');
    this.live.textContent = this.isLive ? t('tours.live') : t('tours.notLive');
    this.live.classList.toggle('off', !this.isLive);
    this.#clock();
    this.#drawControls();
    this.map.showStations(data.stations);
    this.map.showBorder(data.border);
    this.map.showWay(data.route);
    this.map.showTeams(data.teams);
    if (!this.#fitted && data.stations.length) {
      this.#fitted = true;
      requestAnimationFrame(() => this.map.fit([...data.stations.map(({ position }) => position), ...data.border, ...data.route]));
    }
    this.grid.replaceChildren(progressGrid(data));
    const typing = this.answers.contains(document.activeElement);
    // What the teacher is just marking is not pulled away.
    if (!typing) this.answers.replaceChildren(...answerList(data, (answer, points) => this.#mark(answer, points)));
    this.log.replaceChildren(logList(data));
    this.#messages.hidden = data.run.phase === 'ended';
    this.#fillTeams();
  }

  #clock() {
    const { secondsLeft, phase } = this.data.run;
    const passed = phase === 'running' ? (performance.now() - this.#runAt) / 1000 : 0;
    const left = secondsLeft === null ? null : Math.max(0, secondsLeft - passed);
    this.time.textContent = left === null ? '' : clock(left);
    this.time.classList.toggle('low', left !== null && left < 120 && phase === 'running');
    this.#projection?.show(this.data, left);
  }

  /**
   * Time and ranking for the whole room.
   * @type {Projection | null}
   */
  #projection = null;

  #project() {
    this.#projection = new Projection(() => (this.#projection = null));
    this.#clock();
  }

  #drawControls() {
    const { run } = this.data;
    const command = async (/** @type {string} */ name, /** @type {number} */ round = 0) => {
      const isSure = name !== 'end' || await confirmDialog({ title: t('tours.end'), text: t('tours.endSure'), action: t('tours.end'), danger: true });
      if (!isSure) return;
      asTeacher(`${runPath(run.id)}/command`, 'POST', { command: name, ...(round ? { round } : {}) }).catch(tellFailure);
    };
    const parts = [];
    if (run.phase === 'prepared') parts.push(button(t('tours.start'), () => command('start'), { id: 'run-start', class: 'primary' }));
    if (run.phase === 'running') parts.push(button(t('tours.pause'), () => command('pause'), { id: 'run-pause' }));
    if (run.phase === 'paused') parts.push(button(t('tours.resume'), () => command('resume'), { id: 'run-resume', class: 'primary' }));
    if (run.phase !== 'ended' && run.round < run.rounds) {
      parts.push(button(t('tours.openRound', { round: run.round + 1 }), () => command('round', run.round + 1), { id: 'run-round' }));
    }
    if (run.phase === 'running' || run.phase === 'paused') parts.push(button(t('tours.end'), () => command('end'), { id: 'run-end' }));
    if (run.phase === 'ended') parts.push(button(t('tours.again'), () => this.#again(), { id: 'run-again', class: 'primary' }));
    parts.push(button(t('tours.project'), () => this.#project(), { id: 'run-project' }));
    parts.push(button(t('tours.teamsAndCodes'), () => void showRunTeams(run.id), { id: 'run-teams-open' }));
    parts.push(h('a', { class: 'button', id: 'run-sheet', target: '_blank', href: `${runPath(run.id)}/sheet.pdf?language=${language()}` }, t('tours.print')));
    this.controls.replaceChildren(...parts);
  }

  /** The same tour with another class: as many teams, with names and colours of their own. */
  #again() {
    const teams = this.data.teams.map(({ name, color }) => ({ name, color }));
    showTeamsDialog(async (chosen) => {
      const { run } = await addRun(this.tour, chosen, false);
      location.hash = `#/tours/${this.tour}/run/${run.id}`;
    }, teams);
  }

  /** Nobody reads a message of a tour that is over. */
  #messages = h('div', {});

  #messageForm() {
    this.to = h('select', { class: 'select', id: 'message-to', 'aria-label': t('tours.messageTo') });
    const text = h('input', { type: 'text', class: 'field', id: 'message-text', maxLength: 500, placeholder: t('tours.messageText'), 'aria-label': t('tours.messageText') });
    return h(
      'form',
      {
        class: 'tour-message-form',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (!text.value.trim()) return;
          const team = Number(this.to?.value) || undefined;
          asTeacher(`${runPath(this.data.run.id)}/messages`, 'POST', { text: text.value, team }).then(() => {
            text.value = '';
            announce(t('tours.sent'));
          }, tellFailure);
        },
      },
      h('h2', {}, t('tours.messages')),
      h('div', { class: 'tour-message-row' }, this.to, text, h('button', { type: 'submit', class: 'button', id: 'message-send' }, t('tours.send'))),
    );
  }

  #fillTeams() {
    const { to } = this;
    if (!to || to.children.length === this.data.teams.length + 1) return;
    to.replaceChildren(h('option', { value: '' }, t('tours.toAll')), ...this.data.teams.map((team) => h('option', { value: String(team.number) }, team.name)));
  }

  #tables() {
    const path = runPath(this.data.run.id);
    const row = (/** @type {'results' | 'answers' | 'log' | 'positions'} */ name) =>
      h('li', {}, h('span', {}, t(`tours.table.${name}`)), ...['csv', 'json'].map((kind) =>
        h('a', { href: `${path}/tables/${name}.${kind}`, download: '', class: 'tour-link' }, kind.toUpperCase())
      ));
    return h('details', { class: 'tour-settings', id: 'run-data' },
      h('summary', {}, t('tours.data')),
      h('ul', { class: 'tour-tables' }, row('results'), row('answers'), row('log'), row('positions'),
        h('li', {}, h('span', {}, t('tours.table.all')), h('a', { href: `${path}/tables/all.json`, download: '', class: 'tour-link' }, 'JSON'))),
      h('p', { class: 'tour-quiet' }, this.data.run.deleted
        ? t('tours.deletedOn', { date: when(this.data.run.deleted) })
        : tn('tours.deletedAfter', this.data.run.keepDays)),
      button(t('tours.deleteRun'), async () => {
        const isSure = await confirmDialog({ title: t('tours.deleteRun'), text: t('tours.deleteSure'), action: t('tours.deleteRun'), danger: true });
        if (!isSure) return;
        asTeacher(path, 'DELETE').then(() => (location.hash = `#/tours/${this.tour}`), tellFailure);
      }, { id: 'run-delete', class: 'danger' }),
      h('p', {}, h('a', { href: '#/tours/privacy' }, t('tours.privacy'))));
  }

  /** @param {BoardAnswer} answer @param {number} points */
  #mark(answer, points) {
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
    asTeacher(`${runPath(this.data.run.id)}/marks`, 'POST', { event: answer.number, points }).catch(tellFailure);
  }

  state() {
    const { run, teams, answers, log } = this.data;
    return {
      run: run.id, phase: run.phase, live: this.isLive,
      teams: teams.map(({ number, name, score, done, cells, position, left }) => ({ number, name, score, done, cells, position, left })),
      answers: answers.length, pending: answers.filter(({ verdict }) => verdict === 'pending').length, log: log.map(({ kind }) => kind),
    };
  }

  close() {
    this.#life.abort();
    this.#projection?.close();
    this.#events?.close();
    clearInterval(this.timer);
    cancelAnimationFrame(this.#frame);
    this.map.close();
    this.frame.element.remove();
  }
}
