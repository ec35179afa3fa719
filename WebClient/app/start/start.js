// The start page: the server's worlds, an address of one's own, the last world, and how it works.

import { find, h, icon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { language, languages, localized, onLanguage, t, tn, useLanguage } from '../core/i18n.js';
import { formatRoute, isWorldAddress } from '../core/router.js';
import { load } from '../core/storage.js';
import { quietPosition } from '../device/location.js';
import { PARTS } from '../parts.js';
import { worldAddress } from '../net/addresses.js';
import { RequestError } from '../net/request.js';
import { fetchSettings } from '../net/settings.js';
import { fetchWorlds } from '../net/worlds.js';
import { newEngine } from '../session/engine-link.js';

/**
 * @typedef {import('../types').WorldEntry} WorldEntry
 * @typedef {import('../types').WorldAddress} WorldAddress
 */

/** A computer with a mouse and without a turning screen: the virtual phone is the way to see anything at all. */
export const isDesktop = () =>
  matchMedia('(hover: hover) and (pointer: fine)').matches && navigator.maxTouchPoints === 0;

export class StartPage {
  /** @type {WorldEntry[] | null} */
  worlds = null;
  /** @type {string} */
  error = '';
  /**
   * Metres to the middle of each world, by id.
   * @type {Map<string, number>}
   */
  distances = new Map();
  #loading = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.list = h('ul', { class: 'worlds', id: 'worlds' });
    this.note = h('div', { class: 'start-note', id: 'worlds-note', role: 'status' });
    this.last = h('section', { class: 'start-last', hidden: true });
    this.hint = h('p', { class: 'field-hint', id: 'address-hint' });
    this.field = h('input', {
      type: 'text',
      id: 'address',
      class: 'field',
      inputMode: 'url',
      autocapitalize: 'off',
      autocomplete: 'url',
      spellcheck: false,
      'aria-describedby': 'address-hint',
      'data-i18n-placeholder': 'start.addressPlaceholder',
    });
    this.field.placeholder = t('start.addressPlaceholder');
    this.languages = h('select', {
      id: 'language',
      class: 'select',
      'data-i18n-label': 'app.language',
      'aria-label': t('app.language'),
      onchange: () => void useLanguage(this.languages.value),
    });
    this.#build();
    onLanguage(() => this.show());
    this.showLanguages();
  }

  #build() {
    const form = h(
      'form',
      { class: 'address-form', onsubmit: (/** @type {Event} */ event) => this.#open(event) },
      this.field,
      h('button', { type: 'submit', class: 'button primary' }, localized(h('span'), 'common.open')),
    );
    this.element.append(
      h(
        'header',
        { class: 'start-head' },
        h('div', { class: 'brand' }, icon('logo'), localized(h('span', { class: 'brand-name' }), 'app.name')),
        this.languages,
      ),
      h(
        'main',
        { class: 'start-main' },
        localized(h('h1', { class: 'tagline' }), 'app.tagline'),
        this.last,
        h('section', {}, localized(h('h2'), 'start.worlds'), this.list, this.note),
        h('section', { class: 'start-parts' }, localized(h('h2'), 'start.more'),
          h('ul', { class: 'worlds' }, ...Object.entries(PARTS).map(([name, part]) => partCard(name, part)))),
        h(
          'section',
          { class: 'start-address' },
          h('h2', {}, localized(h('label', { htmlFor: 'address' }), 'start.address')),
          form,
          this.hint,
        ),
        h(
          'section',
          { class: 'how' },
          localized(h('h2'), 'start.howTitle'),
          h('ol', {}, step('start.how1', 'phone'), step('start.how2', 'turn'), step('start.how3', 'tap')),
          isDesktop() && localized(h('p', { class: 'how-desktop' }), 'start.howDesktop'),
        ),
      ),
    );
  }

  showLanguages() {
    this.languages.replaceChildren(
      ...languages().map(({ code, name }) => h('option', { value: code, lang: code }, name)),
    );
    this.languages.value = language();
  }

  show() {
    this.#showLast();
    this.#showWorlds();
    this.languages.value = language();
    if (!this.hint.classList.contains('bad')) setText(this.hint, t('start.addressHint'));
  }

  /** Asks the server again. */
  async refresh() {
    if (this.#loading) return;
    this.#loading = true;
    this.error = '';
    this.#showWorlds();
    try {
      this.worlds = await fetchWorlds();
    } catch (error) {
      const failed = error instanceof RequestError ? error : null;
      this.error = failed?.reason.kind === 'status'
        ? t('start.worldsRefused', { detail: failed.detail ?? failed.reason.status })
        : t('start.worldsFailed');
    }
    this.#loading = false;
    this.#showWorlds();
    void this.#measure();
  }

  async #measure() {
    const here = await quietPosition();
    if (!here || !this.worlds?.length) return;
    const engine = await newEngine().catch(() => null);
    if (!engine) return;
    for (const world of this.worlds) {
      if (!world.center) continue;
      this.distances.set(
        world.id,
        engine.distance(here.latitude, here.longitude, world.center.latitude, world.center.longitude),
      );
    }
    this.#showWorlds();
  }

  #showWorlds() {
    const worlds = this.worlds ?? /** @type {WorldEntry[]} */ ([]);
    const focused = /** @type {HTMLElement | null} */ (this.list.querySelector('.world-card:focus'))?.dataset.world;
    this.list.replaceChildren(...worlds.map((world) => this.#card(world)));
    // Who goes by keyboard stays where they are when the distances come.
    if (focused) {
      const card = this.list.querySelector(`[data-world="${CSS.escape(focused)}"]`);
      /** @type {HTMLElement | null} */ (card)?.focus({ preventScroll: true });
    }
    this.note.replaceChildren();
    this.note.classList.toggle('bad', Boolean(this.error));
    if (this.error) {
      this.note.append(
        icon('warning'),
        h('p', {}, this.error),
        localized(
          h('button', { type: 'button', class: 'button', id: 'worlds-retry', onclick: () => void this.refresh() }),
          'common.retry',
        ),
      );
    } else if (!this.worlds) {
      this.note.append(h('p', {}, t('start.worldsLoading')));
    } else if (worlds.length === 0) {
      this.note.append(h('p', {}, t('start.worldsNone')));
    }
    this.note.hidden = !this.note.firstChild;
  }

  /** @param {WorldEntry} world */
  #card(world) {
    const far = this.distances.get(world.id);
    const facts = [tn('places', world.places)];
    if (world.overlays) facts.push(tn('overlays', world.overlays));
    if (far !== undefined) facts.push(far < 2000 ? t('start.near') : t('start.away', { distance: distance(far) }));
    const art = h('span', { class: 'world-art' }, icon('world'));
    art.style.setProperty('--hue', String(hueOf(world.id)));
    return h(
      'li',
      {},
      h(
        'a',
        { class: 'world-card', href: link({ kind: 'world', id: world.id }), dataset: { world: world.id } },
        art,
        h(
          'span',
          { class: 'world-words' },
          h('span', { class: 'world-title' }, world.title || t('menu.untitled')),
          world.summary && h('span', { class: 'world-summary' }, world.summary),
          h('span', { class: 'world-facts' }, facts.join(' · ')),
        ),
        icon('go'),
      ),
    );
  }

  #showLast() {
    const last = lastWorlds();
    this.last.hidden = !last;
    if (!last) return;
    this.last.replaceChildren(
      h('h2', {}, t('start.last')),
      h(
        'a',
        { class: 'world-card last', href: link(last.address, last.also) },
        h('span', { class: 'world-art' }, icon('again')),
        h(
          'span',
          { class: 'world-words' },
          h('span', { class: 'world-title' }, last.title),
          last.address.kind === 'url' && h('span', { class: 'world-facts' }, last.address.url),
        ),
        icon('go'),
      ),
    );
  }

  /** @param {Event} event */
  #open(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    const address = worldAddress(text) ??
      (/^[\w-]+(\.[\w-]+)+([/:]|$)/.test(text) ? worldAddress(`https://${text}`) : null);
    this.hint.classList.toggle('bad', !address);
    if (address) location.hash = link(address);
    else setText(this.hint, t('start.addressBad'));
    this.field.setAttribute('aria-invalid', String(!address));
  }

  focus() {
    find('h1', HTMLElement, this.element).focus?.();
  }
}

/**
 * What was open at the end of the last visit.
 * @returns {{ address: WorldAddress, also: WorldAddress[], title: string } | null}
 */
function lastWorlds() {
  const { address, also, title } = load('last', /** @type {Record<string, unknown>} */ ({}));
  if (!isWorldAddress(address)) return null;
  return {
    address, also: Array.isArray(also) ? also.filter(isWorldAddress) : [],
    title: typeof title === 'string' && title ? title : t('menu.untitled'),
  };
}

/**
 * @param {string} name
 * @param {import('../parts.js').Part} part
 */
function partCard(name, part) {
  const art = h('span', { class: 'world-art' }, icon(part.icon));
  art.style.setProperty('--hue', String(part.hue));
  const item = h('li', { hidden: Boolean(part.isOffered) }, h('a', { class: 'world-card', href: `#/${name}`, id: `start-${name}` }, art,
    h('span', { class: 'world-words' }, localized(h('span', { class: 'world-title' }), part.title),
      localized(h('span', { class: 'world-summary' }), part.summary)),
    icon('go')));
  void fetchSettings().then((settings) => (item.hidden = !(part.isOffered?.(settings) ?? true)));
  return item;
}

/** @param {WorldAddress} address @param {WorldAddress[]} [also] */
function link(address, also = []) {
  return formatRoute({ address, also, virtual: isDesktop() });
}

/**
 * @param {import('../core/i18n.js').TextKey} key
 * @param {string} symbol
 */
function step(key, symbol) {
  return h('li', {}, icon(symbol), localized(h('span'), key));
}

/** @param {string} text */
function hueOf(text) {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return 150 + (sum % 140);
}
