// The start page: the server's worlds, an address of one's own, the last world, and how it works.

import { find, h, icon, loadShared, loadStyle, setText, whenIdle } from '../core/dom.js';
import { distance } from '../core/format.js';
import { labelled, language, languages, localized, onLanguage, t, tn, useLanguage } from '../core/i18n.js';
import { formatRoute, isWorldAddress, sameAddress } from '../core/router.js';
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

/** What a visitor comes for besides worlds; and what those who make something need. */
const TOOLS = ['place', 'scan', 'transit', 'posters', 'join'];
const MAKERS = ['studio', 'tours', 'markers', 'account'];
/** Worlds that are so near are what one sees when looking around, metres. */
const NEAR = 5000;

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
    this.look = h('a', { class: 'button primary large', id: 'look-around', href: link({ kind: 'around', id: 'around' }) }, icon('ar'), localized(h('span'), 'start.look'));
    this.loop = h('div', { class: 'hero-loop', 'aria-hidden': 'true' });
    this.phone = h('section', { class: 'start-phone', hidden: true });
    this.search = h('input', {
      type: 'search', id: 'start-search', class: 'field', autocomplete: 'off', 'data-i18n-placeholder': 'start.search', 'data-i18n-label': 'start.search',
      placeholder: t('start.search'), 'aria-label': t('start.search'), onfocus: () => void this.#searchAll(), oninput: () => this.#showWorlds(),
    });
    this.found = h('ul', { class: 'worlds', id: 'found-places', hidden: true, 'data-i18n-label': 'start.places', 'aria-label': t('start.places') });
    this.search.addEventListener('input', () => void this.#searchAll());
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
    onLanguage(() => {
      this.show();
      this.#everywhere?.look();
    });
    this.showLanguages();
  }

  #build() {
    const form = h(
      'form',
      { class: 'address-form', onsubmit: (/** @type {Event} */ event) => this.#open(event) },
      this.field,
      h('button', { type: 'submit', class: 'button primary' }, localized(h('span'), 'common.open')),
    );
    const part = (/** @type {string} */ name) => partCard(name, PARTS[name]);
    this.element.append(
      h(
        'header',
        { class: 'start-head' },
        h('div', { class: 'brand' }, icon('logo'), localized(h('span', { class: 'brand-name' }), 'app.name')),
        h('div', { class: 'start-tools-row' }, this.languages, labelled(h('button', {
          type: 'button', class: 'round small plain', id: 'start-settings', onclick: () => void Promise.all([import('../ui/settings.js'), loadShared('panels')]).then(([{ showSettings }]) => showSettings(null)),
        }, icon('settings')), 'settings.title')),
      ),
      h(
        'main',
        { class: 'start-main' },
        h('section', { class: 'hero' },
          h('div', { class: 'hero-words' },
            localized(h('h1', { class: 'tagline' }), 'app.tagline'),
            this.look,
            localized(h('p', { class: 'hero-note' }), isDesktop() ? 'start.lookDesktop' : 'start.lookNote')),
          this.loop),
        this.last,
        h('section', {},
          h('div', { class: 'start-line' }, localized(h('h2'), 'start.worlds'), this.search),
          this.found, this.list, this.note),
        h('section', { class: 'start-tools' }, localized(h('h2'), 'start.tools'),
          h('ul', { class: 'worlds tools' }, ...TOOLS.map(part))),
        this.phone,
        h('details', { class: 'start-door', id: 'start-makers' },
          h('summary', {}, icon('edit'), h('span', { class: 'world-words' }, localized(h('span', { class: 'world-title' }), 'start.makers'),
            localized(h('span', { class: 'world-summary' }), 'start.makersSummary'))),
          h('ul', { class: 'worlds' }, ...MAKERS.map(part))),
        h(
          'section',
          { class: 'start-address' },
          h('h2', {}, localized(h('label', { htmlFor: 'address' }), 'start.address')),
          form,
          this.hint,
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
    this.#adorn();
  }

  /** What is fetched once the page can be used: the picture that moves, covers, the code for a phone. */
  #adorn() {
    whenIdle(async () => {
      const [adorn] = await Promise.all([import('./adorn.js').catch(() => null), loadStyle('start-more')]);
      // Without a network the page does without.
      if (!adorn) return;
      const { showCovers, showLoop, showPhoneCode } = adorn;
      showLoop(this.loop);
      this.covers = showCovers;
      showCovers(this.list, this.worlds ?? []);
      if (isDesktop()) void showPhoneCode(this.phone);
    });
  }

  /** @type {((list: HTMLElement, worlds: WorldEntry[]) => void) | null} */
  covers = null;

  /** @type {import('./world-search.js').WorldSearch | null} */
  #everywhere = null;

  /** Looks for what stands in the field in all worlds, as soon as what does so is here. */
  async #searchAll() {
    const { WorldSearch } = await import('./world-search.js');
    this.#everywhere ??= new WorldSearch(this.search, this.found, { virtual: isDesktop(), changed: () => this.#showWorlds() });
    if (this.#everywhere.isWaiting) this.#everywhere.look();
  }

  /** The worlds that the search leaves, nearest first as far as that is known. */
  #wanted() {
    const words = this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const others = words.length ? this.#everywhere?.worlds() : null;
    const worlds = (this.worlds ?? []).filter(({ id, title, summary }) =>
      others?.has(id) || words.every((word) => `${title} ${summary ?? ''}`.toLocaleLowerCase().includes(word)));
    const far = (/** @type {WorldEntry} */ { id }) => this.distances.get(id) ?? (this.distances.size ? 1e9 : 0);
    return worlds.map((world, index) => ({ world, index })).sort((a, b) => far(a.world) - far(b.world) || a.index - b.index).map(({ world }) => world);
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
    const worlds = this.#wanted();
    const nearest = worlds.find(({ id }) => (this.distances.get(id) ?? Infinity) < NEAR);
    this.look.href = link(nearest && !this.search.value ? { kind: 'world', id: nearest.id } : { kind: 'around', id: 'around' });
    const focused = /** @type {HTMLElement | null} */ (this.list.querySelector('.world-card:focus'))?.dataset.world;
    this.list.replaceChildren(...worlds.map((world) => this.#card(world)));
    // Who goes by keyboard stays where they are when the distances come.
    if (focused) {
      const card = this.list.querySelector(`[data-world="${CSS.escape(focused)}"]`);
      /** @type {HTMLElement | null} */ (card)?.focus({ preventScroll: true });
    }
    this.covers?.(this.list, worlds);
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
      const isLooking = this.search.value.trim() && (this.#everywhere?.isWaiting ?? true);
      if (!isLooking && this.found.hidden) this.note.append(h('p', {}, t(this.search.value ? 'start.searchNone' : 'start.worldsNone')));
    }
    if (this.search.value.trim() && this.#everywhere?.isOffline) this.note.append(h('p', {}, t('start.searchOffline')));
    this.note.hidden = !this.note.firstChild;
  }

  /** @param {WorldEntry} world */
  #card(world) {
    const far = this.distances.get(world.id);
    const facts = [tn('places', world.places)];
    if (world.overlays) facts.push(tn('overlays', world.overlays));
    if (recentWorlds().some(({ address }) => address.kind === 'world' && address.id === world.id)) facts.push(t('start.visited'));
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
    const recent = recentWorlds();
    this.last.hidden = recent.length === 0;
    this.last.replaceChildren(h('h2', {}, t('start.last')), h('ul', { class: 'worlds recent' }, ...recent.slice(0, 3).map(({ address, also, title }) => h('li', {}, h(
      'a',
      { class: 'world-card last', href: link(address, also) },
      h('span', { class: 'world-art' }, icon('again')),
      h('span', { class: 'world-words' }, h('span', { class: 'world-title' }, title),
        address.kind === 'url' && h('span', { class: 'world-facts' }, address.url)),
      icon('go'),
    )))));
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
 * What was open in the last visits, the latest first.
 * @returns {{ address: WorldAddress, also: WorldAddress[], title: string }[]}
 */
function recentWorlds() {
  const kept = [load('last', /** @type {Record<string, unknown>} */ ({})), ...load('recent', /** @type {Record<string, unknown>[]} */ ([]))];
  /** @type {{ address: WorldAddress, also: WorldAddress[], title: string }[]} */
  const found = [];
  for (const entry of kept) {
    const { address, also, title } = entry ?? {};
    if (!isWorldAddress(address) || found.some((other) => sameAddress(other.address, address))) continue;
    found.push({
      address, also: Array.isArray(also) ? also.filter(isWorldAddress) : [],
      title: typeof title === 'string' && title ? title : t('menu.untitled'),
    });
  }
  return found;
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

/** @param {string} text */
function hueOf(text) {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return 150 + (sum % 140);
}
