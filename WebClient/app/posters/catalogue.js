// The catalogue: search, categories, and a waterfall of posters that keeps their shapes. More come as the end comes near.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { labelled, localized, onLanguage, t, tn } from '../core/i18n.js';
import { RequestError } from '../net/request.js';
import { favourites, fetchCategories, fetchChosen, fetchPosters } from './api.js';
import { addOwn, ownChanges, ownPosters, ownReady } from './own.js';
import { posterCard } from './poster-card.js';
import { Waterfall } from './waterfall.js';

/** @typedef {import('./api.js').Poster} Poster */

/** Wait for the next letter, milliseconds. */
const TYPING = 250;

export class Catalogue {
  #life = new AbortController();
  /** @type {AbortController | null} */
  #asking = null;
  /** @type {string | null} */
  #next = null;
  #words = '';
  #category = '';
  #order = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{ isFavourites: boolean }} options */
  constructor({ isFavourites }) {
    this.isFavourites = isFavourites;
    this.waterfall = new Waterfall(({ poster, width }) => posterCard(poster, width));
    this.status = h('p', { class: 'posters-status', role: 'status', id: 'posters-status' });
    this.end = h('div', { class: 'posters-end', 'aria-hidden': 'true' });
    this.categories = h('div', { class: 'posters-categories', role: 'group', 'data-i18n-label': 'posters.categories', 'aria-label': t('posters.categories') });
    this.element = h('div', { class: 'posters-list' }, !isFavourites && this.#tools(), !isFavourites && this.categories,
      isFavourites && localized(h('h2', {}), 'posters.favourites'),
      this.status, this.waterfall.element, this.end);
    const { signal } = this.#life;
    onLanguage(() => this.#redraw(), signal);
    signal.addEventListener('abort', ownChanges.on('change', () => void this.#begin()));
    signal.addEventListener('abort', favourites.on('change', () => isFavourites && void this.#begin()));
    this.watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && void this.#more(), { rootMargin: '800px' });
    this.watcher.observe(this.end);
    if (!isFavourites) void this.#showCategories();
    void this.#begin();
  }

  #tools() {
    const search = labelled(h('input', {
      type: 'search', class: 'field', id: 'posters-search', maxLength: 200, autocomplete: 'off',
      'data-i18n-placeholder': 'posters.search', placeholder: t('posters.search'),
      oninput: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#words = search.value.trim();
          void this.#begin();
        }, TYPING);
      },
    }), 'posters.search');
    const order = labelled(h('select', {
      class: 'select', id: 'posters-order',
      onchange: () => {
        this.#order = order.value;
        void this.#begin();
      },
    }, localized(h('option', { value: '' }), 'posters.newest'), localized(h('option', { value: 'title' }), 'posters.byTitle')), 'posters.order');
    const own = fileField({ label: 'posters.own', accept: 'image/*', id: 'posters-own-file', icon: 'plus', keep: false, pick: ([file]) => void this.#addOwn(file) });
    return h('div', { class: 'posters-tools' }, search, order, own);
  }

  /** @param {File} file */
  async #addOwn(file) {
    try {
      const { id } = await addOwn(file);
      location.hash = `#/posters/poster/${id}`;
    } catch {
      this.status.textContent = t('posters.ownFailed');
    }
  }

  async #showCategories() {
    const all = await fetchCategories().catch(() => []);
    const chip = (/** @type {string} */ name, /** @type {HTMLElement} */ text) => h('button', {
      type: 'button', class: 'chip', 'aria-pressed': String(this.#category === name), dataset: { category: name },
      onclick: () => {
        this.#category = name;
        for (const each of this.categories.querySelectorAll('button')) {
          each.setAttribute('aria-pressed', String(each.dataset.category === name));
        }
        void this.#begin();
      },
    }, text);
    this.categories.replaceChildren(chip('', localized(h('span'), 'posters.all')), ...all.map(({ name }) => chip(name, h('span', {}, name))));
    this.categories.hidden = all.length === 0;
  }

  async #begin() {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    this.#next = null;
    try {
      if (this.isFavourites) {
        const posters = await fetchChosen(favourites.ids);
        if (asking.signal.aborted) return;
        this.waterfall.show(posters);
        this.status.textContent = posters.length ? tn('posters.count', posters.length) : t('posters.noFavourites');
        return;
      }
      const [page] = await Promise.all([fetchPosters(this.#question(), asking.signal), ownReady()]);
      if (asking.signal.aborted) return;
      const own = this.#words || this.#category ? [] : [...ownPosters.values()].reverse();
      this.waterfall.show([...own, ...page.posters]);
      this.#next = page.next ?? null;
      this.status.textContent = page.total ? tn('posters.count', page.total) : t('posters.none');
    } catch (error) {
      if (!asking.signal.aborted) this.#fail(error);
    }
  }

  #question() {
    return { query: this.#words, category: this.#category, order: this.#order };
  }

  async #more() {
    const after = this.#next;
    const asking = this.#asking;
    if (!after || !asking) return;
    this.#next = null;
    try {
      const page = await fetchPosters({ ...this.#question(), after }, asking.signal);
      if (asking.signal.aborted) return;
      this.waterfall.add(page.posters);
      this.#next = page.next ?? null;
      // The end may still be in view: it tells only of changes.
      this.watcher.unobserve(this.end);
      this.watcher.observe(this.end);
    } catch (error) {
      if (!asking.signal.aborted) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const detail = error instanceof RequestError ? error.detail : '';
    this.status.replaceChildren(detail || t('posters.failed'), ' ', localized(h('button', {
      type: 'button', class: 'button tiny-button', id: 'posters-retry', onclick: () => void this.#begin(),
    }), 'common.retry'));
  }

  #redraw() {
    this.waterfall.show(this.waterfall.posters);
  }

  /** Asks anew: the catalogue has changed. */
  again() {
    if (!this.isFavourites) void this.#showCategories();
    void this.#begin();
  }

  /** After it was out of the page. */
  lay() {
    this.waterfall.lay();
  }

  state() {
    return { view: this.isFavourites ? 'favourites' : 'catalogue', shown: this.waterfall.posters.map(({ id }) => id), hasMore: this.#next !== null };
  }

  close() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#life.abort();
    this.watcher.disconnect();
    this.waterfall.close();
  }
}
