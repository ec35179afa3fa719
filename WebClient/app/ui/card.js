// The card of the selected place: what it is, how far, how high, and what one can do with it.

import { h, icon, loadShared, setText } from '../core/dom.js';
import { bearing, distance, height } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { richText } from '../core/rich-text.js';
import { picture, whenPicture } from '../net/assets.js';
import { fetchSettings } from '../net/settings.js';
import { categoryHue } from '../session/content.js';
import { standsOnPrint } from '../show/prints.js';
import { mapsAddress } from './maps-app.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../types').Place} Place
 * @typedef {{ leave: (url: string) => void, share: (place: number) => void, lead: (place: number) => void, showIn: (view: 'ar' | 'map') => void,
 *   view: () => 'ar' | 'map' | 'list', range: (place: number) => { distance: number, bearing: number | null } | null,
 *   sound?: (place: Place) => Promise<HTMLElement | null>, body?: (place: Place) => Node[] | null,
 *   stage?: import('../stage/stage.js').Stage }} CardHost `body` is what stands in the card instead of the place's own text
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
    session.on('selection', (place) => this.choose(place));
    session.on('world', () => this.show(session.selected));
    session.on('frame', () => this.#tick());
    onLanguage(() => this.show(this.#place), session.closed);
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') session.select(null);
    });
  }

  /**
   * What was chosen by keys leads into the card, and back to where it was chosen.
   * @param {number | null} place
   */
  choose(place) {
    const { activeElement } = document;
    const isInside = this.element.contains(activeElement);
    if (place !== null && activeElement instanceof HTMLElement && activeElement.matches('.label:focus-visible')) this.#cameFrom = activeElement;
    this.show(place);
    if (place !== null && this.#cameFrom === activeElement) this.focus();
    if (place !== null || !isInside) return;
    const back = this.#cameFrom?.isConnected ? this.#cameFrom : document.querySelector('#scene');
    this.#cameFrom = null;
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  }

  /** @type {HTMLElement | null} */
  #cameFrom = null;

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
    this.session.marks.see(place);
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
    head.append(title, this.#heart(index), close);
    const body = h('div', { class: 'card-body' });
    const photo = this.#photo(place, name);
    body.append(this.#facts(place), this.#way(place, index));
    const own = this.host.body?.(place);
    if (own) {
      body.append(...own);
      return [head, body];
    }
    const text = this.#text(place, name);
    if (text) body.append(h('p', { class: 'card-text' }, ...richText(text, this.host.leave)));
    const more = Object.entries(place.metadata);
    if (more.length) {
      body.append(
        h('dl', { class: 'card-more' }, ...more.flatMap(([key, value]) => [h('dt', {}, wordFor(key)), h('dd', {}, value)])),
      );
    }
    return [head, ...(photo ? [photo] : []), body, this.#actions(place, index)];
  }

  /**
   * Keeps a place among the favourites, or not.
   * @param {number} place
   */
  #heart(place) {
    const { marks } = this.session;
    const button = h('button', {
      type: 'button', class: 'round small plain card-heart', id: 'card-heart',
      onclick: () => {
        marks.setFavourite(place, !marks.isFavourite(place));
        show();
      },
    });
    const show = () => {
      const isOn = marks.isFavourite(place);
      button.setAttribute('aria-pressed', String(isOn));
      button.replaceChildren(icon(isOn ? 'heart-full' : 'heart'));
    };
    show();
    return labelled(button, 'list.favourite');
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

  /**
   * The way there on foot, where the server has a map.
   * @param {Place} place
   * @param {number} index
   */
  #way(place, index) {
    const room = h('div', { hidden: true });
    // Without a network nobody can be asked for it; the next card offers it again.
    const { stage } = this.host;
    if (stage && place.position && !standsOnPrint(place)) {
      const offer = async () => (await fetchSettings()).ground && (await import('../way/world-way.js')).offerWay(stage, room, index);
      offer().catch(() => undefined);
    }
    return room;
  }

  /** @param {Place} place */
  #facts(place) {
    const stands = standsOn(place);
    if (stands) return stands;
    if (!place.position) return localized(h('p', { class: 'card-note' }), place.followsUser ? 'card.followsUser' : 'card.noPosition');
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
      row.append(action('compass', t('card.lead'), () => this.host.lead(index)));
      if (view !== 'map') row.append(action('map', t('card.onMap'), () => this.host.showIn('map')));
      if (view !== 'ar') row.append(action('ar', t('card.inView'), () => this.host.showIn('ar')));
    }
    if (place.visual.kind === 'model' || (place.visual.kind === 'image' && place.size?.width)) {
      row.append(action('target', t('start.place'), () => void this.#placeHere(place)));
    }
    if (place.marker || place.target) row.append(action('print', t('card.print'), () => void this.#print(place)));
    if (place.position) {
      const { position } = place;
      row.append(action('external', t('card.mapsApp'), () => this.host.leave(mapsAddress(position, content?.placeTitle(place) ?? ''))));
    }
    const share = action('share', t('card.share'), () => this.host.share(index));
    row.append(share);
    if (place.soundURL) void this.host.sound?.(place).then((button) => button && row.prepend(button));
    if (place.position) void this.#departures(place.position, share);
    return row;
  }

  /** @param {Place} place whose model or picture is wanted where the user is */
  async #placeHere(place) {
    const { content } = this.session;
    const [{ lookOf }, { offerOf, placeHere }] = await Promise.all([import('../anchors/anchored-content.js'), import('../place/offered.js')]);
    const offered = content && offerOf(content.placeTitle(place), place, lookOf(content, place));
    if (offered) placeHere(offered);
  }

  /**
   * What has to be there for the place to be seen.
   * @param {Place} place
   */
  async #print({ marker, target }) {
    if (marker) {
      const [{ showSheet }] = await Promise.all([import('../markers/sheet.js'), loadShared('markers')]);
      return showSheet({ dictionary: marker.dictionary, first: marker.id, count: 1, side: Math.round(marker.length * 1e4) / 10 });
    }
    const { address } = this.session;
    if (target && address?.kind === 'world') window.open(`#/show/${encodeURIComponent(address.id)}`, '_blank', 'noopener');
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

/**
 * What a place stands on, in place of where it is.
 * @param {Place} place
 */
function standsOn(place) {
  if (!standsOnPrint(place)) return null;
  const { marker, target } = place;
  const text = marker
    ? t('card.onMarker', { id: marker.id, dictionary: marker.dictionary, size: millimetres(marker.length) })
    : t('card.onPicture', { size: millimetres(target?.width ?? 0) });
  return h('p', { class: 'card-stands' }, icon(marker ? 'qr' : 'picture'), h('span', {}, text));
}

/** @param {number} metres */
function millimetres(metres) {
  return `${Math.round(metres * 1000)} mm`;
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
