// A poster's own page: large, with its sizes and prices, the way to the wall and the way to the shop.

import { confirmDialog } from '../controls/confirm.js';
import { h, icon } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { RequestError } from '../net/request.js';
import { offerPoster, placeHere } from '../place/offered.js';
import { leaveFor, shareLink } from '../ui/share.js';
import { announce } from '../ui/toast.js';
import { aspectOf, favourites, fetchPoster, pictureBlob, pictureFor, priceText, sizeText } from './api.js';
import { heart, posterCard } from './poster-card.js';
import { removeOwn } from './own.js';

/** @typedef {import('./api.js').Poster} Poster */

export class PosterDetail {
  #life = new AbortController();
  /** @type {{ poster: Poster, similar: Poster[] } | null} */
  #shown = null;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.element = h('article', { class: 'poster-detail', 'aria-busy': 'true' });
    onLanguage(() => this.#show(), this.#life.signal);
    void this.#load();
  }

  async #load() {
    try {
      this.#shown = await fetchPoster(this.id);
      if (!this.#life.signal.aborted) this.#show();
    } catch (error) {
      const detail = error instanceof RequestError ? error.detail : '';
      this.element.replaceChildren(h('p', { role: 'status' }, detail || t('posters.failed')),
        localized(h('button', { type: 'button', class: 'button', onclick: () => void this.#load() }), 'common.retry'));
    }
    this.element.setAttribute('aria-busy', 'false');
  }

  #show() {
    if (!this.#shown) return;
    const { poster, similar } = this.#shown;
    const picture = pictureFor(poster, Math.min(innerWidth, 620) * Math.min(2, devicePixelRatio || 1));
    const image = h('img', { src: picture.url, alt: t('posters.pictureOf', { title: poster.title }), width: picture.width, height: picture.height });
    const frame = h('div', { class: 'poster-large' }, image);
    frame.style.setProperty('--aspect', String(aspectOf(poster)));
    frame.style.backgroundColor = poster.color;
    const words = h('div', { class: 'poster-words' },
      h('div', { class: 'poster-heading' }, h('h2', { id: 'poster-title' }, poster.title), heart(poster.id)),
      poster.artist && h('p', { class: 'poster-artist' }, poster.artist),
      h('div', { class: 'actions' },
        h('a', { class: 'button primary large', href: `#/posters/try/${encodeURIComponent(poster.id)}`, id: 'poster-try' }, icon('ar'),
          localized(h('span'), 'posters.try')),
        poster.sizes.length > 0 && h('button', { type: 'button', class: 'button', id: 'poster-place', onclick: () => placeHere(offerPoster(poster, () => pictureBlob(poster, 1200))) },
          icon('target'), localized(h('span'), 'start.place')),
        poster.shop && h('button', { type: 'button', class: 'button', id: 'poster-shop', onclick: () => leaveFor(poster.shop ?? '') },
          icon('link'), localized(h('span'), 'posters.shop')),
        !poster.isOwn && h('button', { type: 'button', class: 'button', id: 'poster-share', onclick: () => void shareLink(location.href, poster.title) },
          icon('share'), localized(h('span'), 'posters.share'))),
      poster.text && h('p', { class: 'poster-text' }, poster.text),
      localized(h('h3', {}), 'posters.sizes'),
      h('ul', { class: 'poster-sizes' }, ...poster.sizes.map((size) =>
        h('li', {}, h('span', {}, sizeText(size)), h('span', { class: 'poster-price' }, priceText(size))))),
      poster.isOwn && localized(h('p', { class: 'poster-note' }), 'posters.ownNote'),
      poster.isOwn && localized(h('button', { type: 'button', class: 'button danger', id: 'poster-remove', onclick: () => void this.#remove(poster) }), 'posters.removeOwn'),
      poster.categories.length > 0 && h('p', { class: 'poster-note' }, poster.categories.join(' · ')));
    this.element.replaceChildren(h('div', { class: 'poster-main' }, frame, words));
    if (similar.length) {
      this.element.append(h('section', { class: 'poster-similar' }, localized(h('h3'), 'posters.similar'),
        h('div', { class: 'poster-row', role: 'list' }, ...similar.map((each) => posterCard(each, 170)))));
    }
  }

  /** @param {Poster} poster one's own */
  async #remove({ id, title }) {
    const action = t('posters.removeOwn');
    if (!await confirmDialog({ title: action, text: t('posters.removeOwnText', { title }), action, danger: true, until: this.#life.signal })) return;
    if (favourites.has(id)) favourites.toggle(id);
    await removeOwn(id);
    announce(t('posters.removedOwn', { title }));
    location.hash = '#/posters';
  }

  state() {
    return { view: 'poster', id: this.#shown?.poster.id ?? null };
  }

  close() {
    this.#life.abort();
  }
}
