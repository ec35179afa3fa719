// The start page's search beyond the titles that it has: places in all worlds, and worlds by their names in other languages.

import { h, icon } from '../core/dom.js';
import { language, t } from '../core/i18n.js';
import { formatRoute } from '../core/router.js';
import { quietPosition } from '../device/location.js';
import { getJSON } from '../net/request.js';

/**
 * @typedef {{ world: { id: string, title: string }, place: { id: string, title: string } | null, latitude: number | null, longitude: number | null }} Found
 */

/** Results that are shown at most. */
const MOST = 12;
/** A pause of so many milliseconds ends a word. */
const PAUSE_MS = 250;

export class WorldSearch {
  /** @type {Found[]} what was found for the text that was asked last */
  results = [];
  /** Whether the server could not be asked: then the titles on this page are all there is. */
  isOffline = false;
  #asked = '';
  #timer = 0;
  #running = new AbortController();

  /**
   * @param {HTMLInputElement} field
   * @param {HTMLElement} list gets a card for each place
   * @param {{ virtual: boolean, changed: () => void }} on `virtual`: whether links open the virtual phone; `changed`: there are other results
   */
  constructor(field, list, on) {
    this.field = field;
    this.list = list;
    this.on = on;
    this.section = /** @type {HTMLElement} */ (list.parentElement);
    this.section.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Worlds that were found by another name than the one in the list. */
  worlds() {
    return new Set(this.results.flatMap(({ world, place }) => (place ? [] : [world.id])));
  }

  /** Whether an answer to what stands in the field is still to come. */
  get isWaiting() {
    return this.#text() !== this.#asked;
  }

  #text() {
    return this.field.value.trim();
  }

  /** The field has changed. */
  look() {
    clearTimeout(this.#timer);
    this.#running.abort();
    if (!this.#text()) return this.#take('', [], false);
    this.#timer = window.setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask() {
    const text = this.#text();
    const running = (this.#running = new AbortController());
    const fields = new URLSearchParams({ q: text.slice(0, 200), limit: String(MOST), language: language() });
    const here = await quietPosition();
    // A kilometre is near enough to say what is nearer.
    if (here) for (const name of /** @type {const} */ (['latitude', 'longitude'])) fields.set(name, here[name].toFixed(2));
    if (running.signal.aborted) return;
    try {
      const { results } = await getJSON(`/api/v1/search?${fields}`, { signal: running.signal });
      if (!running.signal.aborted) this.#take(text, results, false);
    } catch {
      if (!running.signal.aborted) this.#take(text, [], true);
    }
  }

  /**
   * @param {string} text
   * @param {Found[]} results
   * @param {boolean} isOffline
   */
  #take(text, results, isOffline) {
    this.#asked = text;
    this.results = results;
    this.isOffline = isOffline;
    this.show();
    this.on.changed();
  }

  show() {
    const places = this.results.flatMap(({ world, place }) => (place ? [{ world, place }] : []));
    this.list.replaceChildren(...places.map(({ world, place }) => h('li', {}, h('a', {
      class: 'world-card found', dataset: { found: `${world.id}/${place.id}` },
      // The map shows a place wherever one is, and asks for nothing.
      href: formatRoute({ address: { kind: 'world', id: world.id }, also: [], place: place.id, view: 'map', virtual: this.on.virtual }),
    }, h('span', { class: 'world-art' }, icon('location')),
    h('span', { class: 'world-words' }, h('span', { class: 'world-title' }, place.title || t('card.unnamed')),
      h('span', { class: 'world-facts' }, t('start.inWorld', { world: world.title || t('menu.untitled') }))),
    icon('go')))));
    this.list.hidden = !places.length;
  }

  /**
   * Arrows go through what was found, Enter opens the first.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const cards = /** @type {HTMLElement[]} */ ([...this.section.querySelectorAll('a.world-card')].filter((card) => card.getClientRects().length));
    const at = cards.indexOf(/** @type {HTMLElement} */ (event.target));
    const isField = event.target === this.field;
    if (at < 0 && !isField) return;
    if (event.key === 'ArrowDown') (cards[at + 1] ?? cards[at])?.focus();
    else if (event.key === 'ArrowUp' && !isField) (at > 0 ? cards[at - 1] : this.field).focus();
    else if (event.key === 'Enter' && isField && this.#text() && !event.isComposing) cards[0]?.click();
    else if (event.key === 'Escape' && !isField) this.field.focus();
    else return;
    event.preventDefault();
  }
}
