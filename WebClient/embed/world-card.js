// The card of a world's place: what it is, how far, and where it leads. Everything of the world is text; links open a page of their own, which
// knows nothing of this one.

import { h, setText } from '../app/core/dom.js';
import { distance } from '../app/core/format.js';
import { t } from '../app/core/i18n.js';
import { decoded } from '../app/core/router.js';
import { richText } from '../app/core/rich-text.js';
import { whenPicture } from '../app/net/assets.js';

/** @typedef {import('./world-places.js').WorldPlace} WorldPlace */

const away = (/** @type {string} */ url) => window.open(url, '_blank', 'noopener,noreferrer');

export class WorldCard {
  #far = h('p', { class: 'card-far' });
  /** @type {WorldPlace | null} */
  place = null;

  /**
   * @param {() => void} close
   * @param {(index: number) => Promise<HTMLElement | null>} sound the button for what is heard of a place
   */
  constructor(close, sound) {
    this.own = h('div', { class: 'card-own' });
    this.slot = h('slot', { name: 'card' }, this.own);
    this.element = h('section', { class: 'card', hidden: true, tabIndex: -1 }, this.slot);
    this.element.setAttribute('part', 'card');
    this.close = close;
    this.sound = sound;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    });
  }

  /** @param {WorldPlace | null} place */
  show(place) {
    this.place = place;
    this.element.hidden = place === null;
    this.own.replaceChildren(...(place ? this.#build(place) : []));
    this.element.scrollTop = 0;
  }

  /** @param {number | null} metres */
  tell(metres) {
    setText(this.#far, metres === null ? '' : distance(metres));
  }

  /** @param {WorldPlace} place */
  #build(place) {
    const title = h('h2', {}, place.title);
    title.setAttribute('part', 'card-title');
    const close = h('button', { type: 'button', class: 'card-close', 'aria-label': t('common.close'), onclick: () => this.close() }, '×');
    this.element.setAttribute('aria-label', place.title);
    const body = h('div', { class: 'card-body' }, this.#far);
    body.setAttribute('part', 'card-body');
    this.sound(place.index).then((button) => button && this.place === place && this.#far.after(button), (error) => console.warn(`Sightline: ${error}`));
    if (place.text) body.append(h('p', { class: 'card-text' }, ...richText(place.text, away)));
    const more = Object.entries(place.metadata);
    if (more.length) body.append(h('dl', {}, ...more.flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, value)])));
    const links = [
      ...(place.link ? [link(place.link, hostOf(place.link))] : []),
      ...(place.phone ? [link(`tel:${place.phone.replace(/[^\d+*#]/g, '')}`, place.phone)] : []),
    ];
    if (links.length) body.append(h('p', { class: 'card-links' }, ...links));
    return [h('header', {}, title, close), ...this.#photo(place), body];
  }

  /** @param {WorldPlace} place */
  #photo(place) {
    if (!place.picture) return [];
    const image = h('img', { alt: t('card.photo', { name: place.title }), hidden: true });
    image.setAttribute('part', 'card-picture');
    whenPicture(place.picture, (loaded) => {
      if (loaded.state === 'ready') image.src = loaded.source;
      image.hidden = loaded.state !== 'ready';
    });
    return [image];
  }
}

/**
 * @param {string} url with a scheme that may be opened
 * @param {string} words
 */
function link(url, words) {
  const element = h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, words);
  element.setAttribute('part', 'card-link');
  return element;
}

/**
 * Where a link leads, for those who decide whether to follow it.
 * @param {string} url
 */
function hostOf(url) {
  const { host, pathname } = new URL(url);
  return host || decoded(pathname);
}
