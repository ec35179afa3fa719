// The card of the selected place: what it is, how far, how high, and what one can do with it.

import { h, icon, setText } from '../core/dom.js';
import { bearing, distance, height } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { picture, whenPicture } from '../net/assets.js';
import { fetchSettings } from '../net/settings.js';
import { categoryHue } from '../session/content.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../types').Place} Place
 * @typedef {{ leave: (url: string) => void, share: (place: number) => void, showIn: (view: 'ar' | 'map') => void,
 *   view: () => 'ar' | 'map' | 'list', range: (place: number) => { distance: number, bearing: number | null } | null,
 *   body?: (place: Place) => Node[] | null }} CardHost `body` is what stands in the card instead of the place's own text
 */

export class Card {
  /** @type {number | null} */
  #place = null;
  /** @type {{ far: HTMLElement, way: HTMLElement, arrow: SVGSVGElement, high: HTMLElement } | null} */
  #live = null;
  #updated = 0;

  /**
   * @param {HTMLElement} element
   * @param {Session} session
   * @param {CardHost} host
   */
  constructor(element, session, host) {
    this.element = element;
    this.session = session;
    this.host = host;
    session.on('selection', (place) => this.show(place));
    session.on('world', () => this.show(session.selected));
    session.on('frame', () => this.#tick());
    onLanguage(() => this.show(this.#place), session.closed);
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') session.select(null);
    });
  }

  /** @param {number | null} place */
  show(place) {
    const content = this.session.content;
    this.#place = place;
    this.#live = null;
    if (place === null || !content?.places[place]) {
      this.element.hidden = true;
      this.element.replaceChildren();
      return;
    }
    const entry = content.places[place];
    this.element.replaceChildren(...this.#build(entry, place));
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.#update();
  }

  /** Moves the keyboard's focus in, for those who came by keys. */
  focus() {
    if (!this.element.hidden) this.element.querySelector('h2')?.focus();
  }

  /**
   * @param {Place} place
   * @param {number} index
   * @returns {Node[]}
   */
  #build(place, index) {
    const content = this.session.content;
    if (!content) return [];
    const name = content.placeTitle(place);
    const close = labelled(
      h('button', {
        type: 'button',
        class: 'round small plain card-close',
        onclick: () => this.session.select(null),
      }, icon('close')),
      'common.close',
    );
    const head = h('header', { class: 'card-head' });
    const category = place.categories[0];
    const title = h('div', { class: 'card-title' }, h('h2', { tabIndex: -1 }, name));
    if (category) {
      const chip = h('span', { class: 'card-category' }, place.categories.join(' · '));
      chip.style.setProperty('--hue', String(categoryHue(content.categoryNumber(place))));
      title.append(chip);
    }
    const world = content.worldName(place);
    if (world) title.append(h('span', { class: 'card-world' }, world));
    head.append(title, close);
    const body = h('div', { class: 'card-body' });
    const photo = this.#photo(place, name);
    body.append(this.#facts(place));
    const own = this.host.body?.(place);
    if (own) {
      body.append(...own);
      return [head, body];
    }
    const text = this.#text(place, name);
    if (text) body.append(h('p', { class: 'card-text' }, text));
    const more = Object.entries(place.metadata);
    if (more.length) {
      body.append(
        h('dl', { class: 'card-more' }, ...more.flatMap(([key, value]) => [h('dt', {}, wordFor(key)), h('dd', {}, value)])),
      );
    }
    return [head, ...(photo ? [photo] : []), body, this.#actions(place, index)];
  }

  /**
   * @param {Place} place
   * @param {string} name
   */
  #photo(place, name) {
    const url = this.session.content?.placePicture(place);
    if (!url) return null;
    const image = h('img', {
      class: 'card-photo',
      alt: t('card.photo', { name }),
      hidden: picture(url).state !== 'ready',
    });
    whenPicture(url, (loaded) => {
      image.src = loaded.source;
      image.hidden = loaded.state !== 'ready';
      image.classList.toggle('tiny', loaded.width < 160);
    });
    return image;
  }

  /** @param {Place} place @param {string} name */
  #text(place, name) {
    if (place.summary?.trim()) return place.summary.trim();
    const label = place.visual.kind === 'text' ? place.visual.text.trim() : '';
    return label.replace(/\s+/g, ' ') === name ? '' : label;
  }

  /** @param {Place} place */
  #facts(place) {
    if (!place.position) return localized(h('p', { class: 'card-note' }), 'card.noPosition');
    const far = h('dd');
    const way = h('span');
    const arrow = icon('pointer');
    const high = h('dd', {}, heightText(place));
    this.#live = { far, way, arrow, high };
    const pairs = [
      h('div', {}, localized(h('dt'), 'card.distance'), far),
      h('div', {}, localized(h('dt'), 'card.direction'), h('dd', { class: 'card-way' }, arrow, way)),
    ];
    if (high.textContent) pairs.push(h('div', {}, localized(h('dt'), 'card.height'), high));
    return h('dl', { class: 'card-facts' }, ...pairs);
  }

  /**
   * @param {Place} place
   * @param {number} index
   */
  #actions(place, index) {
    const row = h('div', { class: 'actions card-actions' });
    const content = this.session.content;
    const link = content?.link(place);
    const press = () => this.session.tell({ type: 'press', feature: index });
    if (place.action?.kind === 'refresh') row.append(action('refresh', t('card.refresh'), press, true));
    if (place.action?.kind === 'dimension') row.append(action('world', t('card.dimension'), press, true));
    if (link) row.append(action('link', t('card.openLink'), () => this.host.leave(link.href), true));
    if (place.phone) {
      const phone = place.phone;
      row.append(
        action('call', t('card.call', { phone }), () => this.host.leave(`tel:${phone.replace(/[^\d+*#]/g, '')}`)),
      );
    }
    if (place.position) {
      const view = this.host.view();
      if (view !== 'map') row.append(action('map', t('card.onMap'), () => this.host.showIn('map')));
      if (view !== 'ar') row.append(action('ar', t('card.inView'), () => this.host.showIn('ar')));
    }
    const share = action('share', t('card.share'), () => this.host.share(index));
    row.append(share);
    if (place.position) void this.#departures(place.position, share);
    return row;
  }

  /**
   * Departures near a place, where the server has timetables.
   * @param {import('../types').Position} position
   * @param {HTMLElement} before which they are offered
   */
  async #departures({ latitude, longitude }, before) {
    const { transit } = await fetchSettings();
    if (!transit) return;
    before.before(action('bus', t('card.departures'), () => {
      location.hash = `#/transit?virtual=1&lat=${latitude.toFixed(6)}&lon=${longitude.toFixed(6)}&view=list`;
    }));
  }

  /** Distance and direction follow the walker, a few times a second. */
  #tick() {
    if (this.element.hidden || performance.now() - this.#updated < 200) return;
    this.#update();
  }

  #update() {
    this.#updated = performance.now();
    if (this.#place === null || !this.#live) return;
    const range = this.host.range(this.#place);
    if (!range) return;
    setText(this.#live.far, distance(range.distance));
    setText(this.#live.way, range.bearing === null ? '–' : bearing(range.bearing));
    const turn = (range.bearing ?? 0) - (this.session.frame?.bearing ?? 0);
    this.#live.arrow.style.transform = `rotate(${turn.toFixed(2)}rad)`;
  }
}

/**
 * What a world's own field is called: fields of known formats in the reader's language, others as their author wrote them.
 * @param {string} key
 */
function wordFor(key) {
  return key.toLowerCase() === 'height' ? t('card.ownHeight') : key;
}

/** @param {Place} place */
function heightText(place) {
  const altitude = place.position?.altitude;
  const up = (altitude ?? 0) + place.offset.up;
  if (place.altitudeMode === 'eye') {
    if (Math.abs(up) < 0.5) return altitude === undefined ? '' : t('card.level');
    return up > 0 ? t('card.aboveYou', { height: height(up) }) : t('card.belowYou', { height: height(-up) });
  }
  if (altitude === undefined) return '';
  if (place.altitudeMode === 'ground') return t('card.heightGround', { height: height(up) });
  return place.altitudeMode === 'seaLevel'
    ? t('card.heightSea', { height: height(up) })
    : t('card.heightEllipsoid', { height: height(up) });
}

/**
 * @param {string} symbol
 * @param {string} text
 * @param {() => void} run
 * @param {boolean} [primary]
 */
function action(symbol, text, run, primary = false) {
  return h(
    'button',
    { type: 'button', class: primary ? 'button primary' : 'button', onclick: run, dataset: { action: symbol } },
    icon(symbol),
    h('span', {}, text),
  );
}
