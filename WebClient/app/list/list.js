// The list: every place of the world, nearest first, with search. What the view shows to the eye this says in order, so
// it is also the way for screen readers.

import { h, icon, setText } from '../core/dom.js';
import { localized, onLanguage, t, tn } from '../core/i18n.js';
import { standpointNote } from '../ui/standpoint-note.js';
import { makeRow, markRows, measureRows, nearestFirst, tellMarks, tellRows } from './row.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('./row.js').Row} Row
 */

const PAGE = 120;
/** Metres to walk before the order is made anew. */
const RESORT = 25;

export class ListView {
  /** @type {Row[]} */
  #rows = [];
  #limit = PAGE;
  #onlyFavourites = false;
  /** @type {{ latitude: number, longitude: number } | null} */
  #sortedAt = null;
  #updated = 0;

  /**
   * @param {HTMLElement} element
   * @param {Session} session
   * @param {Device} device
   */
  constructor(element, session, device) {
    this.session = session;
    this.device = device;
    this.search = h('input', {
      type: 'search',
      id: 'list-search',
      class: 'field',
      autocomplete: 'off',
      'data-i18n-placeholder': 'list.search',
    });
    this.search.placeholder = t('list.search');
    this.search.setAttribute('data-i18n-label', 'list.search');
    this.search.setAttribute('aria-label', t('list.search'));
    this.count = h('p', { class: 'list-count', role: 'status' });
    this.favourites = h('button', {
      type: 'button', class: 'chip list-favourites', id: 'list-favourites', 'aria-pressed': 'false', hidden: true,
      onclick: () => {
        this.#onlyFavourites = !this.#onlyFavourites;
        this.show();
      },
    }, icon('heart'), localized(h('span'), 'list.favourites'));
    this.list = h('ul', { class: 'list-rows', id: 'list-rows' });
    this.more = localized(
      h('button', {
        type: 'button',
        class: 'button',
        onclick: () => {
          this.#limit += PAGE;
          this.show();
        },
      }),
      'common.more',
    );
    element.append(
      h(
        'div',
        { class: 'list-page' },
        h('div', { class: 'list-head' }, h('div', { class: 'list-search' }, icon('search'), this.search), this.favourites, this.count),
        standpointNote(device),
        this.list,
        this.more,
      ),
    );
    this.search.addEventListener('input', () => {
      this.#limit = PAGE;
      this.show();
    });
    session.on('world', () => {
      this.#limit = PAGE;
      this.show();
    });
    session.on('filter', () => this.show());
    session.on('marks', () => {
      tellMarks(this.#rows, session);
      this.favourites.hidden = !this.#onlyFavourites && !session.marks.hasFavourites;
    });
    session.on('selection', () => this.#select());
    onLanguage(() => this.show(), session.closed);
    this.element = element;
  }

  show() {
    if (this.element.hidden) return;
    const { content } = this.session;
    const at = this.device.position();
    this.#sortedAt = at ? { latitude: at.latitude, longitude: at.longitude } : null;
    if (!content) {
      this.list.replaceChildren();
      this.more.hidden = true;
      return setText(this.count, t('list.empty'));
    }
    const { marks } = this.session;
    this.favourites.hidden = !marks.hasFavourites;
    if (this.favourites.hidden) this.#onlyFavourites = false;
    this.favourites.setAttribute('aria-pressed', String(this.#onlyFavourites));
    const words = this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const found = nearestFirst(this.session, at).filter(({ place, index }) => {
      if (this.#onlyFavourites && !marks.isFavourite(index)) return false;
      const text = `${content.placeTitle(place)} ${place.summary ?? ''} ${place.categories.join(' ')} ${content.worldName(place)}`
        .toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
    setText(this.count, found.length ? tn('list.count', found.length) : t('list.none'));
    this.#rows = found.slice(0, this.#limit).map((one) => makeRow(this.session, one, (index) => this.session.select(index)));
    this.list.replaceChildren(...this.#rows.map(({ row }) => row));
    this.more.hidden = found.length <= this.#limit;
    this.#select();
    tellRows(this.#rows, this.session);
  }

  #select() {
    markRows(this.#rows, this.session.selected);
  }

  /** Distances follow the walker; the order follows only larger steps, so that rows do not run away from the finger. */
  move() {
    if (performance.now() - this.#updated < 400) return;
    this.#updated = performance.now();
    const at = this.device.position();
    if (!at) return;
    if (
      !this.#sortedAt ||
      this.session.engine.distance(at.latitude, at.longitude, this.#sortedAt.latitude, this.#sortedAt.longitude) >
        RESORT
    ) {
      return this.show();
    }
    measureRows(this.#rows, this.session, at);
    tellRows(this.#rows, this.session);
  }
}
