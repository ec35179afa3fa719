// The same stops as a plain list: for screen readers, for one hand, for a phone without sensors. Favourites first.

import { h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { localized, onLanguage, t, tn } from '../core/i18n.js';
import { fetchBoards } from './api.js';
import { favourites } from './favourites.js';
import { pullToRefresh } from './gestures.js';
import { lineBadges } from './labels.js';
import { badge } from './rows.js';
import { TransitSearch } from './search.js';
import { isStillThere } from './sheet.js';
import { walkingTime } from '../way/walking-time.js';
import { due, onFoot, way } from './words.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {{ open: (stop: Stop) => void, refresh: () => void, heading: () => number | null,
 *   lines: (ids: Set<string> | null) => void, range: (stop: Stop) => { distance: number, bearing: number | null } | null,
 *   walked: import('./walked.js').WalkedDistances, avoidsSteps: () => boolean }} Host
 */

/** Stops whose next departures are in the list. */
const WITH_DEPARTURES = 12;
const NEXT = 3;

export class StopList {
  /** @type {Map<string, Stop>} boards by stop */
  #boards = new Map();
  #asked = '';
  #askedAt = -Infinity;
  #isShown = false;

  /**
   * @param {TransitData} data
   * @param {Host} host
   * @param {AbortSignal} closed
   */
  constructor(data, host, closed) {
    this.data = data;
    this.host = host;
    this.pullNote = h('p', { class: 'pull-note', 'aria-hidden': 'true' });
    this.count = h('p', { class: 'list-count', role: 'status' });
    this.kept = h('ul', { class: 'stop-list', id: 'favourite-stops' });
    this.keptTitle = localized(h('h2', {}), 'transit.favourites');
    this.list = h('ul', { class: 'stop-list', id: 'near-stops' });
    this.credit = h('p', { class: 'credits', id: 'walked-credit' });
    this.usual = h('div', {}, this.keptTitle, this.kept, localized(h('h2', {}), 'transit.near'), this.count, this.list, this.credit);
    this.search = new TransitSearch(data, {
      ...host,
      searching: (on) => {
        this.usual.hidden = on;
      },
    }, closed);
    this.element = h(
      'div',
      { class: 'transit-list', id: 'transit-list', hidden: true },
      this.pullNote,
      this.search.element,
      this.usual,
    );
    pullToRefresh(this.element, this.pullNote, {
      pulled: (far) => setText(this.pullNote, t(far ? 'transit.release' : 'transit.pull')),
      refresh: host.refresh,
    });
    data.on('stops', () => this.update(true));
    data.on('state', () => this.update());
    host.walked.on('change', () => this.update());
    onLanguage(() => this.update(true), closed);
    const timer = setInterval(() => this.update(), 10_000);
    closed.addEventListener('abort', () => clearInterval(timer));
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.#isShown = isShown;
    this.element.hidden = !isShown;
    this.update(true);
  }

  /** @param {boolean} [isNew] whether boards have to be asked for at once */
  update(isNew = false) {
    if (!this.#isShown) return;
    const { data } = this;
    const kept = favourites();
    const known = new Map(data.stops.map((stop) => [stop.id, stop]));
    this.keptTitle.hidden = this.kept.hidden = kept.length === 0;
    const shown = kept.map(({ id, name }) => known.get(id) ?? this.#boards.get(id) ?? plainStop(id, name));
    this.host.walked.follow(data.stops, data.position, this.host.avoidsSteps());
    setText(this.credit, this.host.walked.attribution);
    this.kept.replaceChildren(...shown.map((stop) => this.#row(stop)));
    this.list.replaceChildren(...data.stops.map((stop) => this.#row(stop)));
    setText(this.count, data.state === 'failed' ? t('transit.failed', { reason: data.failure })
      : data.state === 'ready' ? (data.stops.length ? tn('transit.stops', data.stops.length) : t('transit.none'))
      : t('transit.loading'));
    void this.#ask([...new Set([...kept.map(({ id }) => id), ...data.stops.slice(0, WITH_DEPARTURES).map(({ id }) => id)])], isNew);
  }

  /**
   * @param {string[]} stops ids
   * @param {boolean} isNew
   */
  async #ask(stops, isNew) {
    const key = stops.join(' ');
    const isOld = performance.now() - this.#askedAt > 30_000;
    if (stops.length === 0 || (key === this.#asked && !isOld) || (!isNew && !isOld)) return;
    this.#asked = key;
    this.#askedAt = performance.now();
    try {
      const answer = await fetchBoards(stops.slice(0, 50));
      this.data.take(answer);
      const names = new Map(favourites().map(({ id, name }) => [id, name]));
      for (const stop of answer.stops) {
        // Of a stop that is gone the answer has little more than its id: it keeps the name it had here.
        this.#boards.set(stop.id, { ...plainStop(stop.id, ''), ...stop, name: stop.name ?? names.get(stop.id) ?? stop.id });
      }
      this.update();
    } catch {
      // The list stands without the next departures.
    }
  }

  /** @param {Stop} stop */
  #row(stop) {
    const range = this.host.range(stop);
    const heading = this.host.heading();
    const walked = this.host.walked.of(stop);
    const far = walked?.metres ?? range?.distance ?? stop.distance;
    const facts = [
      far === undefined ? '' : distance(far),
      far === undefined ? '' : t('transit.onFoot', { time: walked ? walkingTime(walked.seconds) : onFoot(far) }),
      range && range.bearing !== null && heading !== null ? way(range.bearing, heading) : '',
    ].filter(Boolean);
    const board = this.#boards.get(stop.id);
    const forecast = board?.forecast;
    const isGone = board?.reason === 'retired_stop' || board?.reason === 'unknown_stop';
    const next = (forecast?.departures ?? []).filter((one) => isStillThere(one, this.data.clock) && one.state !== 'cancelled' && one.state !== 'skipped')
      .slice(0, NEXT);
    return h(
      'li',
      { dataset: { stop: stop.id }, class: isGone ? 'gone' : '' },
      h(
        'button',
        { type: 'button', class: 'stop-row', onclick: () => this.host.open(stop) },
        h('span', { class: 'stop-row-name' }, stop.name, stop.platform ? ` · ${stop.platform}` : ''),
        h('span', { class: 'stop-facts' }, (isGone ? [t(`transit.reason.${board.reason}`), ...facts] : facts).join(' · ')),
        h('span', { class: 'stop-lines' }, ...lineBadges(stop.lines, 12)),
        icon('go'),
      ),
      next.length > 0 && h(
        'ul',
        { class: 'next-departures', 'aria-label': t('transit.next') },
        ...next.map((one) =>
          h('li', {}, badge(one), h('span', { class: 'headsign' }, one.headsign), h('span', { class: one.state === 'live' ? 'due live' : 'due' }, due(one, this.data.clock)))
        ),
      ),
    );
  }
}

/**
 * @param {string} id
 * @param {string} name
 * @returns {Stop}
 */
function plainStop(id, name) {
  return {
    id, name, provider: id.split(':')[0], platform: null, station: false, lat: NaN, lon: NaN, wheelchair: null, modes: [],
    lines: [], reason: null, detail: null,
  };
}
