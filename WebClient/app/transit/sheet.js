// The stop that was chosen: a card with its name, how far and which way, its lines; and, drawn up, its board.

import { h, icon, setAttribute, setIcon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { labelled, onLanguage, t } from '../core/i18n.js';
import { announce } from '../ui/toast.js';
import { isFavourite, toggleFavourite } from './favourites.js';
import { pullToRefresh } from './gestures.js';
import { lineBadges } from './labels.js';
import { alertRow, badge, departureRow, intervalRow } from './rows.js';
import { canSpeak, speak, stopSpeaking } from './speech.js';
import { WalkCard } from '../way/walk-card.js';
import { directionKey, onFoot, sourceLine, spoken, way } from './words.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {{ close: () => void, refresh: () => void, heading: () => number, changed: () => void,
 *   range: (stop: Stop) => { distance: number, bearing: number | null } | null,
 *   lines: (ids: Set<string> | null) => void, opened: (isOpen: boolean) => void }} Host
 */

/** Reasons to which the server's own words add nothing. */
const SELF_EXPLAINING = new Set(['timeout', 'unknown_stop', 'retired_stop']);
/** Sentences read aloud at a time. */
const SPOKEN = 5;

export class StopSheet {
  /** @type {Stop | null} */
  stop = null;
  isOpen = false;
  /** The line and direction that are shown; empty for all. */
  #direction = '';
  #speaking = false;
  #state = '';

  /**
   * @param {TransitData} data
   * @param {Host} host
   * @param {AbortSignal} closed
   * @param {import('../way/walk.js').Walk} walk the way there
   */
  constructor(data, host, closed, walk) {
    this.data = data;
    this.host = host;
    this.walk = new WalkCard(walk, closed);
    walk.on('change', () => this.#facts());
    this.name = h('h2', { id: 'stop-name', tabIndex: -1 });
    this.facts = h('p', { class: 'stop-facts' });
    this.lines = h('p', { class: 'stop-lines' });
    this.star = h('button', { type: 'button', class: 'round small plain', id: 'stop-favourite', onclick: () => this.#star() }, icon('star'));
    this.voice = h('button', { type: 'button', class: 'round small plain', id: 'stop-speak', onclick: () => this.#speak() }, icon('speak'));
    this.status = h('p', { class: 'board-source', id: 'board-source' });
    this.live = h('p', { class: 'sr-only', role: 'status' });
    this.alerts = h('ul', { class: 'alerts' });
    this.directions = h('div', { class: 'directions', role: 'group', 'aria-label': t('transit.choose') });
    this.rows = h('ul', { class: 'departures', id: 'departures' });
    this.note = h('p', { class: 'board-note', role: 'status' });
    this.credits = h('p', { class: 'credits' });
    this.pullNote = h('p', { class: 'pull-note', 'aria-hidden': 'true' });
    this.board = h('div', { class: 'board' }, this.pullNote, this.status, this.alerts, this.directions, this.rows, this.note, this.credits);
    this.toggle = h('button', { type: 'button', class: 'button primary', id: 'open-board', onclick: () => this.open(!this.isOpen) });
    this.element = h(
      'section',
      {
        class: 'transit-sheet', id: 'transit-sheet', 'data-occupies': '', hidden: true, 'aria-labelledby': 'stop-name',
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && (this.isOpen ? this.open(false) : host.close()),
      },
      h(
        'header',
        { class: 'stop-head' },
        h('div', { class: 'stop-title' }, this.name, this.facts),
        this.star,
        canSpeak() && this.voice,
        labelled(h('button', { type: 'button', class: 'round small plain', id: 'stop-close', onclick: () => host.close() }, icon('close')), 'common.close'),
      ),
      this.walk.element,
      this.lines,
      this.toggle,
      this.board,
      this.live,
    );
    pullToRefresh(this.board, this.pullNote, {
      pulled: (far) => setText(this.pullNote, t(far ? 'transit.release' : 'transit.pull')),
      refresh: host.refresh,
    });
    data.on('board', () => this.#showBoard());
    onLanguage(() => this.#showAll(), closed);
    // Minutes go by without any news.
    const timer = setInterval(() => this.isOpen && this.#showBoard(), 5000);
    closed.addEventListener('abort', () => {
      clearInterval(timer);
      stopSpeaking();
    });
  }

  /**
   * @param {Stop | null} stop
   * @param {boolean} [open] whether its board is shown at once
   */
  show(stop, open = false) {
    const isOther = stop?.id !== this.stop?.id;
    this.stop = stop;
    this.element.hidden = !stop;
    if (isOther) {
      this.#direction = '';
      this.host.lines(null);
      stopSpeaking();
      this.data.closeBoard();
      this.isOpen = false;
    }
    if (!stop) return this.host.opened(false);
    this.#showAll();
    this.open(open || (this.isOpen && !isOther));
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    if (!this.stop) return;
    this.isOpen = isOpen;
    this.element.dataset.state = isOpen ? 'board' : 'card';
    this.board.hidden = !isOpen;
    setText(this.toggle, t(isOpen ? 'transit.hide' : 'transit.departures'));
    setAttribute(this.toggle, 'aria-expanded', String(isOpen));
    this.toggle.classList.toggle('primary', !isOpen);
    if (isOpen) {
      this.data.openBoard(this.stop);
      this.#showBoard();
      this.name.focus({ preventScroll: true });
    } else {
      this.data.closeBoard();
    }
    this.host.opened(isOpen);
  }

  #showAll() {
    const { stop } = this;
    if (!stop) return;
    setText(this.name, stop.platform ? `${stop.name} · ${stop.platform}` : stop.name);
    this.lines.replaceChildren(...lineBadges(stop.lines, 24));
    const starred = isFavourite(stop.id);
    setIcon(/** @type {SVGSVGElement} */ (this.star.firstElementChild), starred ? 'star-full' : 'star');
    setAttribute(this.star, 'aria-pressed', String(starred));
    for (const [button, key] of /** @type {const} */ ([
      [this.star, starred ? 'transit.unfavourite' : 'transit.favourite'],
      [this.voice, this.#speaking ? 'transit.silence' : 'transit.speak'],
    ])) {
      labelled(button, key);
    }
    setText(this.toggle, t(this.isOpen ? 'transit.hide' : 'transit.departures'));
    this.#facts();
    if (this.isOpen) this.#showBoard();
  }

  /** How far and which way, as the user moves and turns. */
  #facts() {
    const { stop } = this;
    if (!stop) return;
    const range = this.host.range(stop);
    const far = range?.distance ?? stop.distance;
    const parts = [];
    if (far !== undefined) parts.push(distance(far));
    // With a way that is known the card below says how long it takes.
    if (far !== undefined && !this.walk.walk.route) parts.push(t('transit.onFoot', { time: onFoot(far) }));
    if (range?.bearing !== null && range?.bearing !== undefined) parts.push(way(range.bearing, this.host.heading()));
    if (stop.wheelchair) parts.push(t('transit.stepFree'));
    setText(this.facts, parts.join(' · '));
  }

  /** Called now and then while the view moves. */
  move() {
    if (!this.element.hidden) this.#facts();
  }

  #showBoard() {
    const { board, clock, alerts, stream, failure } = this.data;
    if (!this.stop || !this.isOpen || board?.stop.id !== this.stop.id) return;
    const answer = board.answer.stops.find(({ id }) => id === this.stop?.id);
    const forecast = answer?.forecast ?? null;
    const since = (performance.now() - board.since) / 1000;
    const state = !forecast ? '' : forecast.stale ? 'stale' : forecast.state;
    this.status.className = `board-source ${state}`;
    const lost = stream === 'lost' ? ` · ${t('transit.lost')}` : '';
    setText(this.status, forecast ? sourceLine(forecast, since) + lost : '');
    this.#say(forecast ? t(`transit.state.${state}`) + lost : '');
    const all = forecast?.departures ?? [];
    const intervals = forecast?.intervals ?? [];
    this.#showDirections([...all, ...intervals]);
    const isChosen = (/** @type {{ lineId: string, headsign: string }} */ one) => !this.#direction || directionKey(one) === this.#direction;
    const coming = all.filter((one) => isChosen(one) && isStillThere(one, clock));
    replaceRows(this.rows, [
      ...coming.map((one) => departureRow(one, clock, alerts)),
      ...intervals.filter(isChosen).map(intervalRow),
    ]);
    const notices = (forecast?.alerts ?? []).map((id) => alerts.get(id)).filter((one) => one !== undefined);
    replaceRows(this.alerts, notices.map((one) => alertRow(/** @type {import('./types').Alert} */ (one))));
    this.alerts.hidden = notices.length === 0;
    const reason = answer?.reason ? t(`transit.reason.${answer.reason}`) : '';
    const isEmpty = forecast && coming.length === 0 && intervals.length === 0;
    const text = !answer ? (failure || t('transit.loading'))
      : !forecast ? [reason, SELF_EXPLAINING.has(answer.reason ?? '') ? '' : answer.detail].filter(Boolean).join(' ') || t('transit.state.unavailable')
      : isEmpty ? t('transit.noDepartures')
      : reason;
    setText(this.note, text);
    this.note.hidden = !text;
    setText(this.credits, this.data.attributions.length ? t('transit.credits', { names: this.data.attributions.map((one) => one.text).join('; ') }) : '');
  }

  /** @param {string} text said once when the state of the data changes */
  #say(text) {
    if (text === this.#state) return;
    this.#state = text;
    setText(this.live, text);
  }

  /** @param {{ line: string, lineId: string, lineColor: string, textColor: string, mode: string, headsign: string }[]} all */
  #showDirections(all) {
    const found = new Map(all.map((one) => [directionKey(one), one]));
    const key = [...found.keys()].join('\n\n');
    if (this.directions.dataset.key === `${this.#direction}|${key}`) return;
    this.directions.dataset.key = `${this.#direction}|${key}`;
    this.directions.hidden = found.size < 2;
    if (this.#direction && !found.has(this.#direction)) this.#direction = '';
    const chip = (/** @type {string} */ value, /** @type {(Node | string)[]} */ content) =>
      h('button', {
        type: 'button', class: 'chip', 'aria-pressed': String(value === this.#direction), dataset: { direction: value },
        onclick: () => this.#choose(value === this.#direction ? '' : value),
      }, ...content);
    this.directions.setAttribute('aria-label', t('transit.choose'));
    this.directions.replaceChildren(
      chip('', [t('transit.all')]),
      ...[...found].map(([value, one]) => chip(value, [badge(one), h('span', {}, one.headsign)])),
    );
  }

  /** @param {string} direction */
  #choose(direction) {
    this.#direction = direction;
    this.host.lines(direction ? new Set([direction.split('\n')[0]]) : null);
    this.#showBoard();
  }

  #star() {
    if (!this.stop) return;
    const isOne = toggleFavourite(this.stop);
    announce(t(isOne ? 'transit.favourited' : 'transit.unfavourited', { name: this.stop.name }));
    this.#showAll();
    this.host.changed();
  }

  async #speak() {
    if (this.#speaking) return stopSpeaking(), this.#setSpeaking(false);
    const { stop, data } = this;
    if (!stop) return;
    if (!this.isOpen) this.open(true);
    // A board that was opened only now has to come first; this is still the user's tap.
    for (let k = 0; k < 60 && !data.board?.answer.now; k++) await new Promise((resolve) => setTimeout(resolve, 50));
    const departures = data.board?.answer.stops[0]?.forecast?.departures ?? [];
    const coming = departures.filter((one) => (!this.#direction || directionKey(one) === this.#direction) && isStillThere(one, data.clock));
    const sentences = [
      `${stop.name}. ${this.facts.textContent}.`,
      ...coming.slice(0, SPOKEN).map((one) => spoken(one, data.clock)),
    ];
    if (!coming.length) sentences.push(t('transit.noDepartures'));
    speak(sentences, (isSpeaking) => this.#setSpeaking(isSpeaking));
  }

  /** @param {boolean} isSpeaking */
  #setSpeaking(isSpeaking) {
    this.#speaking = isSpeaking;
    setIcon(/** @type {SVGSVGElement} */ (this.voice.firstElementChild), isSpeaking ? 'stop' : 'speak');
    labelled(this.voice, isSpeaking ? 'transit.silence' : 'transit.speak');
  }
}

/**
 * Gone ones leave the board by themselves, half a minute late; what does not run stays as long as it was to come.
 * @param {import('./types').Departure} departure
 * @param {import('./clock.js').ServerClock} clock
 */
export function isStillThere(departure, clock) {
  const time = departure.expected ?? departure.scheduled;
  return !time || clock.until(time) > -30;
}

/**
 * Only what has changed is replaced, so that a finger or a reader stays where it is.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} rows
 */
function replaceRows(list, rows) {
  rows.forEach((row, k) => {
    const old = list.children[k];
    if (!old) list.append(row);
    else if (old.outerHTML !== row.outerHTML && !(old.querySelector('details[open]') && row.querySelector('details'))) old.replaceWith(row);
  });
  while (list.children.length > rows.length) list.lastElementChild?.remove();
}

