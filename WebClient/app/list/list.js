// The list: every place of the world, nearest first, with search. What the view shows to the eye this says in order, so
// it is also the way for screen readers.

import { h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { language, localized, onLanguage, t, tn } from '../core/i18n.js';
import { picture } from '../net/assets.js';
import { categoryHue, placeKey } from '../session/content.js';
import { standpointNote } from '../ui/standpoint-note.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {{ index: number, distance: number, bearing: number | null, row: HTMLElement, far: HTMLElement, arrow: SVGSVGElement }} Row
 */

const PAGE = 120;
/**
 * What comes first of two that are equally far; without a position all are.
 * @param {string} a
 * @param {string} b
 * @param {unknown} at
 */
const byName = (a, b, at) => (at ? 0 : a.localeCompare(b, language()));
/** Metres to walk before the order is made anew. */
const RESORT = 25;

export class ListView {
  /** @type {Row[]} */
  #rows = [];
  #limit = PAGE;
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
        h('div', { class: 'list-head' }, icon('search'), this.search, this.count),
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
    const words = this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const found = content.places.map((place, index) => ({ place, index, range: this.session.range(index, at) }))
      .filter(({ index }) => this.session.isShown(index))
      .filter(({ place }) => {
        const text = `${content.placeTitle(place)} ${place.summary ?? ''} ${place.categories.join(' ')} ${content.worldName(place)}`
          .toLocaleLowerCase();
        return words.every((word) => text.includes(word));
      })
      .sort((a, b) => (a.range?.distance ?? Infinity) - (b.range?.distance ?? Infinity) ||
        byName(content.placeTitle(a.place), content.placeTitle(b.place), at) || a.index - b.index);
    setText(this.count, found.length ? tn('list.count', found.length) : t('list.none'));
    this.#rows = found.slice(0, this.#limit).map(({ index, range }) => this.#row(index, range));
    this.list.replaceChildren(...this.#rows.map(({ row }) => row));
    this.more.hidden = found.length <= this.#limit;
    this.#select();
    this.#tell();
  }

  /**
   * @param {number} index
   * @param {{ distance: number, bearing: number | null } | null} range
   * @returns {Row}
   */
  #row(index, range) {
    const content = /** @type {import('../session/content.js').Content} */ (this.session.content);
    const place = content.places[index];
    const far = h('span', { class: 'row-far' });
    const arrow = icon('pointer');
    const dot = h('i', { class: 'row-dot' });
    dot.style.setProperty('--hue', String(categoryHue(content.categoryNumber(place))));
    const url = content.placePicture(place);
    const image = url ? h('img', { class: 'row-picture', alt: '', loading: 'lazy', src: picture(url).source }) : dot;
    const second = [content.worldName(place), place.summary?.replace(/\s+/g, ' ') || place.categories.join(' · ')]
      .filter(Boolean).join(' · ');
    const button = h(
      'button',
      {
        type: 'button',
        class: 'row',
        dataset: { feature: String(index), id: placeKey(place, index) },
        onclick: () => this.session.select(index),
      },
      image,
      h(
        'span',
        { class: 'row-words' },
        h('span', { class: 'row-name' }, content.placeTitle(place)),
        second && h('span', { class: 'row-more' }, second),
      ),
      h('span', { class: 'row-range' }, arrow, far),
    );
    return {
      index,
      distance: range?.distance ?? NaN,
      bearing: range?.bearing ?? null,
      row: h('li', {}, button),
      far,
      arrow,
    };
  }

  #select() {
    for (const { row, index } of this.#rows) {
      row.firstElementChild?.setAttribute('aria-pressed', String(index === this.session.selected));
    }
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
    for (const row of this.#rows) {
      const range = this.session.range(row.index, at);
      row.distance = range?.distance ?? NaN;
      row.bearing = range?.bearing ?? null;
    }
    this.#tell();
  }

  #tell() {
    const ahead = this.session.frame?.isValid ? this.session.frame.bearing : 0;
    for (const row of this.#rows) {
      setText(row.far, Number.isNaN(row.distance) ? '' : distance(row.distance));
      row.row.classList.toggle('outside', row.distance > this.session.radius);
      row.arrow.style.visibility = row.bearing === null || !this.session.frame?.isValid ? 'hidden' : '';
      if (row.bearing !== null) row.arrow.style.transform = `rotate(${(row.bearing - ahead).toFixed(2)}rad)`;
    }
  }
}
