// The search of the departures: stops anywhere by their names, lines and destinations of the stops near the user; and the
// board of one line or towards one destination, from all these stops together.

import { h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { fetchBoards, findStops } from './api.js';
import { lineBadges } from './labels.js';
import { departures, destinations, folded, linesNamed } from './matches.js';
import { badge } from './rows.js';
import { due, onFoot } from './words.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {import('./matches.js').Wanted} Wanted
 * @typedef {{ open: (stop: Stop) => void, lines: (ids: Set<string> | null) => void, searching: (on: boolean) => void,
 *   range: (stop: Stop) => { distance: number } | null }} Host
 */

/** Milliseconds of quiet before what was typed is looked for. */
const QUIET_MS = 250;
/** Stops near the user whose boards are looked into. */
const BOARDS = 50;
const OLD_MS = 30_000;
const MOST = { stops: 15, lines: 8, destinations: 8, departures: 30 };

export class TransitSearch {
  /** @type {Wanted | null} */
  #wanted = null;
  /** @type {Stop[]} with their boards */
  #boards = [];
  #boardsAt = -Infinity;
  /** @type {Promise<void> | null} */
  #asking = null;
  #timer = 0;
  #turn = 0;

  /**
   * @param {TransitData} data
   * @param {Host} host
   * @param {AbortSignal} closed
   */
  constructor(data, host, closed) {
    this.data = data;
    this.host = host;
    this.input = labelled(h('input', {
      type: 'search', class: 'field', id: 'transit-search', autocomplete: 'off', enterkeyhint: 'search', spellcheck: false,
      oninput: () => this.#typed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape' && this.isOn) this.clear();
        else if (event.key === 'Enter') this.results.querySelector('button')?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    }), 'transit.search');
    this.input.removeAttribute('title');
    const show = () => (this.input.placeholder = t('transit.searchFor'));
    show();
    onLanguage(() => {
      show();
      if (this.isOn) void this.#look();
    }, closed);
    this.note = h('p', { class: 'list-count', role: 'status' });
    this.results = h('div', { class: 'transit-results' });
    this.element = h('div', { class: 'transit-search', role: 'search' },
      h('div', { class: 'list-head' }, icon('search'), this.input), this.note, this.results);
    const timer = setInterval(() => this.#wanted && void this.#showBoard(), 10_000);
    closed.addEventListener('abort', () => {
      clearInterval(timer);
      clearTimeout(this.#timer);
    });
  }

  get isOn() {
    return this.#wanted !== null || this.input.value.trim() !== '';
  }

  focus() {
    this.input.focus();
  }

  clear() {
    this.input.value = '';
    this.#typed();
    this.input.focus();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#choose(null);
    this.#turn += 1;
    this.host.searching(this.isOn);
    if (!this.isOn) {
      this.results.replaceChildren();
      return setText(this.note, '');
    }
    this.#timer = setTimeout(() => void this.#look(), QUIET_MS);
  }

  /** @param {Wanted | null} wanted */
  #choose(wanted) {
    if (this.#wanted || wanted) this.host.lines(wanted?.line ? new Set([wanted.line.id]) : null);
    this.#wanted = wanted;
  }

  /** The boards of the stops near the user, at most half a minute old. */
  async #near() {
    if (performance.now() - this.#boardsAt < OLD_MS) return;
    const stops = this.data.stops.slice(0, BOARDS);
    if (stops.length === 0) return;
    this.#asking ??= fetchBoards(stops.map(({ id }) => id)).then((answer) => {
      this.data.take(answer);
      this.#boards = answer.stops;
      this.#boardsAt = performance.now();
    }).catch(() => undefined).finally(() => (this.#asking = null));
    await this.#asking;
  }

  async #look() {
    if (this.#wanted) return this.#showBoard();
    const turn = this.#turn;
    const query = this.input.value.trim();
    const { data } = this;
    const center = data.providers?.center;
    const at = data.position ?? (center ? { latitude: center.lat, longitude: center.lon } : { latitude: 0, longitude: 0 });
    /** @type {Stop[]} */
    let stops = [];
    let failure = '';
    await Promise.all([
      this.#near(),
      folded(query) && findStops(at, query, MOST.stops).then((answer) => {
        data.take(answer);
        stops = answer.stops;
      }).catch(() => {
        failure = t('transit.failed', { reason: '' }).trim();
      }),
    ]);
    if (turn !== this.#turn) return;
    const lines = linesNamed(query, data.lines, data.stops).slice(0, MOST.lines);
    const towards = destinations(query, this.#boards).slice(0, MOST.destinations);
    const sections = [
      this.#section('transit.found.lines', lines.map((line) =>
        this.#row([badge({ line: line.name, lineColor: line.color, textColor: line.textColor, mode: line.mode })], '', () =>
          this.#open({ line, headsign: '' })))),
      this.#section('transit.found.destinations', towards.map(({ headsign, lines: of }) =>
        this.#row([headsign], '', () => this.#open({ line: null, headsign }), of))),
      this.#section('transit.found.stops', stops.map((stop) => {
        const far = stop.distance;
        return this.#row([stop.name, stop.platform ? ` · ${stop.platform}` : ''], far === undefined ? '' : distance(far),
          () => this.host.open(stop), stop.lines);
      })),
    ];
    this.results.replaceChildren(...sections.flatMap((one) => one ?? []));
    this.results.dataset.query = query;
    const count = lines.length + towards.length + stops.length;
    setText(this.note, count ? '' : failure || t('transit.found.none', { query }));
  }

  /**
   * @param {'transit.found.stops' | 'transit.found.lines' | 'transit.found.destinations'} title
   * @param {HTMLElement[]} rows
   */
  #section(title, rows) {
    if (rows.length === 0) return null;
    return h('section', { dataset: { found: title.split('.')[2] } }, localized(h('h2', {}), title), h('ul', { class: 'stop-list' }, ...rows));
  }

  /**
   * @param {(Node | string)[]} name
   * @param {string} facts
   * @param {() => void} press
   * @param {import('./types').Line[]} [lines]
   */
  #row(name, facts, press, lines = []) {
    return h('li', {}, h('button', { type: 'button', class: 'stop-row', onclick: press },
      h('span', { class: 'stop-row-name' }, ...name),
      facts ? h('span', { class: 'stop-facts' }, facts) : null,
      lines.length ? h('span', { class: 'stop-lines' }, ...lineBadges(lines, 12)) : null,
      icon('go')));
  }

  /** @param {Wanted} wanted */
  #open(wanted) {
    this.#turn += 1;
    this.#choose(wanted);
    void this.#showBoard().then(() => this.results.querySelector('h2')?.focus());
  }

  /** Departures of one line, or towards one destination, from the stops near the user. */
  async #showBoard() {
    const turn = this.#turn;
    await this.#near();
    const wanted = this.#wanted;
    if (!wanted || turn !== this.#turn) return;
    const { clock } = this.data;
    const rows = departures(wanted, this.#boards, clock).slice(0, MOST.departures).map(({ stop, departure }) => {
      const far = this.host.range(stop)?.distance ?? stop.distance;
      const place = [stop.name, far === undefined ? '' : t('transit.onFoot', { time: onFoot(far) })].filter(Boolean).join(' · ');
      return h('li', {}, h('button', { type: 'button', class: 'stop-row towards', onclick: () => this.host.open(stop) },
        badge(departure),
        h('span', { class: 'towards-words' }, h('span', { class: 'headsign' }, departure.headsign), h('span', { class: 'stop-facts' }, place)),
        h('span', { class: departure.state === 'live' ? 'due live' : 'due' }, due(departure, clock))));
    });
    const name = wanted.line ? t('transit.board.line', { line: wanted.line.name }) : t('transit.board.to', { name: wanted.headsign });
    const had = document.activeElement instanceof HTMLElement && this.results.contains(document.activeElement);
    const title = h('h2', { tabIndex: -1 }, name);
    this.results.replaceChildren(h('section', { dataset: { found: 'board' } },
      h('div', { class: 'towards-head' }, title,
        localized(h('button', { type: 'button', class: 'button', onclick: () => this.#back() }), 'transit.board.back')),
      h('ul', { class: 'stop-list', id: 'towards' }, ...rows)));
    setText(this.note, rows.length ? '' : t('transit.board.none'));
    if (had) title.focus();
  }

  #back() {
    this.#turn += 1;
    this.#choose(null);
    void this.#look().then(() => this.input.focus());
  }
}
