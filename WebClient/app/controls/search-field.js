// One field to get to a place on a map: what the page knows, coordinates in any usual form, addresses where the server finds some, and where one is.

import { readCoordinates } from '../core/coordinates.js';
import { h, icon } from '../core/dom.js';
import { labelled, language, loadTexts, onLanguage, t } from '../core/i18n.js';
import { getJSON, RequestError } from '../net/request.js';
import { fetchSettings } from '../net/settings.js';

/**
 * @typedef {{ latitude: number, longitude: number }} Point degrees
 * @typedef {Point & { title: string, detail?: string, id?: string }} Found `id`: of one of the page's own places
 * @typedef {{
 *   choose: (found: Found) => void,
 *   until: AbortSignal,
 *   known?: () => Found[],
 *   around?: () => Point | null,
 *   label?: import('../core/i18n.js').TextKey,
 *   id?: string,
 * }} Wishes `until`: when the page goes that it stands on; `known`: the page's own places, asked for with each letter; `around`: what is looked at, so that near addresses come first
 * @typedef {{ icon: string, title: string, detail?: string, kind: string, run: () => void }} Choice
 */

/** Own places that are shown at most. */
const MOST_KNOWN = 6;
/** Shorter texts are not sent to a service of addresses. */
const SHORTEST_ADDRESS = 3;
let count = 0;

/**
 * Small letters without accents.
 * @param {string} text
 */
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase().replace(/ß/g, 'ss');

/**
 * @param {Wishes} wishes
 * @returns {Promise<HTMLElement>} once its texts are there; has `data-occupies`, so that it may stand over a map
 */
export async function searchField(wishes) {
  await loadTexts('find');
  return new SearchField(wishes).element;
}

class SearchField {
  /** @type {Choice[]} */
  #choices = [];
  /** The choice that Enter takes; none before an arrow was pressed. */
  #active = -1;
  #isOpen = false;
  #hasGeocoder = false;
  /** @type {{ query: string, results: Found[] } | null} */
  #addresses = null;
  /** What is said below the choices, such as that nothing was found. */
  #word = '';
  #asking = new AbortController();

  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    const id = wishes.id ?? `search-field-${++count}`;
    this.label = wishes.label ?? 'find.label';
    this.list = h('ul', { class: 'search-list', role: 'listbox', id: `${id}-list` });
    labelled(this.list, 'find.results');
    this.note = h('p', { class: 'search-note', role: 'status' });
    this.popup = h('div', { class: 'search-popup', hidden: true }, this.list, this.note);
    this.input = h('input', {
      type: 'search', class: 'field', id, autocomplete: 'off', spellcheck: false, role: 'combobox', enterKeyHint: 'search',
      'aria-expanded': 'false', 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list',
      'data-i18n-placeholder': this.label, placeholder: t(this.label),
      oninput: () => this.#changed(),
      onfocus: () => this.#open(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
    labelled(this.input, this.label);
    this.element = h('div', { class: 'search-field', role: 'search', 'data-occupies': '' }, h('div', { class: 'search-box' }, icon('search'), this.input), this.popup);
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(/** @type {Node | null} */ (event.relatedTarget))) this.#close();
    });
    // Over a map, a drag or a wheel in the list is for the list.
    for (const kind of ['pointerdown', 'mousedown', 'touchstart', 'click', 'dblclick', 'wheel', 'contextmenu']) this.element.addEventListener(kind, (event) => event.stopPropagation(), { passive: true });
    void fetchSettings().then(({ hasGeocoder }) => (this.#hasGeocoder = Boolean(hasGeocoder)));
    onLanguage(() => this.#show(), wishes.until);
  }

  #changed() {
    this.#active = -1;
    this.#asking.abort();
    this.#word = '';
    if (this.#addresses?.query !== this.input.value.trim()) this.#addresses = null;
    this.#open();
  }

  #open() {
    this.#isOpen = true;
    this.#show();
  }

  #close() {
    this.#isOpen = false;
    this.#active = -1;
    this.#show();
  }

  /** @returns {Choice[]} */
  #find() {
    const query = this.input.value.trim();
    /** @type {Choice[]} */
    const choices = [];
    const take = (/** @type {string} */ symbol, /** @type {string} */ kind, /** @type {Found} */ found) =>
      choices.push({ icon: symbol, kind, title: found.title, detail: found.detail, run: () => this.#choose(found) });
    if (!query) {
      if (navigator.geolocation) choices.push({ icon: 'target', kind: 'here', title: t('find.here'), run: () => void this.#here() });
      return choices;
    }
    const at = readCoordinates(query, language());
    if (at) take('flag', 'coordinates', { ...at, title: `${at.latitude.toFixed(5)}, ${at.longitude.toFixed(5)}`, detail: t('find.coordinates') });
    const words = folded(query).split(/\s+/);
    const known = (this.wishes.known?.() ?? []).filter(({ title }) => words.every((word) => folded(title).includes(word)));
    for (const found of known.slice(0, MOST_KNOWN)) take('location', 'known', found);
    if (this.#addresses) for (const found of this.#addresses.results) take('search', 'address', found);
    else if (this.#hasGeocoder && !at && query.length >= SHORTEST_ADDRESS) {
      choices.push({ icon: 'search', kind: 'ask', title: t('find.ask', { query }), run: () => void this.#ask(query) });
    }
    return choices;
  }

  #show() {
    this.#choices = this.#isOpen ? this.#find() : [];
    if (this.#active >= this.#choices.length) this.#active = -1;
    this.list.replaceChildren(...this.#choices.map((choice, index) => {
      return h('li', {
        role: 'option', class: 'search-choice', id: `${this.list.id}-${index}`, 'aria-selected': String(index === this.#active), dataset: { kind: choice.kind },
        onclick: () => choice.run(),
        // The field keeps the focus: one goes on typing.
        onmousedown: (/** @type {MouseEvent} */ event) => event.preventDefault(),
      }, icon(choice.icon), h('span', { class: 'search-words' }, h('span', {}, choice.title), choice.detail && h('small', {}, choice.detail)));
    }));
    this.list.hidden = !this.#choices.length;
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    if (this.#active >= 0) this.input.setAttribute('aria-activedescendant', `${this.list.id}-${this.#active}`);
    else this.input.removeAttribute('aria-activedescendant');
    const isNothing = this.#isOpen && this.input.value.trim() && !this.#choices.length;
    this.note.textContent = this.#word || (isNothing ? t(this.#hasGeocoder ? 'find.nothing' : 'find.nothingHere') : '');
    this.note.hidden = !this.note.textContent;
    this.popup.hidden = this.list.hidden && this.note.hidden;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!this.#isOpen) this.#open();
      const all = this.#choices.length;
      if (!all) return;
      this.#active = this.#active < 0 ? (step > 0 ? 0 : all - 1) : (this.#active + step + all) % all;
      this.#show();
      this.list.children[this.#active]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      // Not the form's: it may stand in one.
      event.preventDefault();
      const choice = this.#choices[Math.max(0, this.#active)];
      if (this.input.value.trim() || this.#active >= 0) choice?.run();
    } else if (event.key === 'Escape' && (this.input.value || this.#choices.length)) {
      event.preventDefault();
      event.stopPropagation();
      if (this.#choices.length && this.input.value) this.#close();
      else {
        this.input.value = '';
        this.#changed();
        this.#close();
      }
    }
  }

  /** @param {Found} found */
  #choose(found) {
    this.input.value = found.title;
    this.#word = '';
    this.#close();
    this.wishes.choose(found);
  }

  async #here() {
    this.#say('find.locating');
    const position = await new Promise((/** @type {(coords: GeolocationCoordinates | null) => void} */ resolve) =>
      navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), () => resolve(null), { timeout: 15_000, maximumAge: 60_000 }));
    if (!position) return this.#say('find.noPosition');
    this.#choose({ latitude: position.latitude, longitude: position.longitude, title: t('find.hereTitle') });
  }

  /** @param {string} query */
  async #ask(query) {
    this.#asking.abort();
    const asking = (this.#asking = new AbortController());
    this.#say('find.asking');
    const near = this.wishes.around?.();
    const fields = new URLSearchParams({ q: query, language: language() });
    // A town's width is enough for what is near to come first; where exactly one looks is nobody's business.
    if (near) for (const [name, value] of Object.entries(near)) fields.set(name, value.toFixed(1));
    try {
      const { results } = await getJSON(`/api/v1/geocode?${fields}`, { signal: asking.signal });
      if (asking.signal.aborted) return;
      this.#addresses = { query, results };
      this.#active = -1;
      this.#word = results.length ? '' : t('find.nothing');
      this.#open();
    } catch (error) {
      if (asking.signal.aborted) return;
      const isBusy = error instanceof RequestError && error.reason.kind === 'status' && [429, 503].includes(error.reason.status ?? 0);
      this.#say(isBusy ? 'find.busy' : 'find.failed');
    }
  }

  /** @param {import('../core/i18n.js').TextKey} key */
  #say(key) {
    this.#word = t(key);
    this.#show();
  }
}
