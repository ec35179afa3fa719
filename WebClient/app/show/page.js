// Pictures and markers of a world, one at a time and as large as the screen: for a camera that looks at it, and to be printed
// at their true size. `#/show/ID`; `#/show/around` has the marker of the demonstration.

import { h, icon, setText } from '../core/dom.js';
import { integer } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { formatRoute } from '../core/router.js';
import { pictureSource } from '../net/assets.js';
import { publicAddress } from '../net/public-address.js';
import { requestWorld } from '../net/worlds.js';
import { preloadVision } from '../session/engine-link.js';
import { Markers } from '../../engine/markers.js';
import { printsOf } from './prints.js';

/** @typedef {import('./prints.js').Print} Print */

const SVG = 'http://www.w3.org/2000/svg';

export class ShowPage {
  #life = new AbortController();
  /** @type {Print[]} */
  #prints = [];
  #index = 0;
  /** @type {Markers | null} */
  #markers = null;
  #state = /** @type {'loading' | 'ready' | 'failed' | 'nothing'} */ ('loading');
  note = h('p', { class: 'show-note', role: 'status' });
  sheets = h('div', { class: 'show-sheets', id: 'show-sheets' });
  caption = h('p', { class: 'show-caption' });
  heading = h('h1');

  /** @param {import('../parts.js').Opening} opening */
  constructor({ path, leave }) {
    this.id = path[0] ?? '';
    const round = (/** @type {string} */ symbol, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {() => void} */ run, id = '') =>
      labelled(h('button', { type: 'button', class: 'round', id, onclick: run }, icon(symbol)), key);
    this.before = round('left', 'show.before', () => this.#turn(-1), 'show-before');
    this.after = round('right', 'show.after', () => this.#turn(1), 'show-after');
    this.element = h('main', { id: 'show-page' },
      h('header', { class: 'show-bar' }, round('back', 'common.back', leave, 'show-back'), this.heading,
        h('button', { type: 'button', class: 'button', id: 'show-print', onclick: () => print() }, icon('download'), localized(h('span'), 'show.print'))),
      this.sheets, this.note,
      h('footer', { class: 'show-bar show-foot' }, this.before, this.caption, this.after));
    document.body.append(this.element);
    addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight') this.#turn(1);
      if (event.key === 'ArrowLeft') this.#turn(-1);
    }, { signal: this.#life.signal });
    onLanguage(() => this.#show(), this.#life.signal);
    this.#show();
    void this.#load();
  }

  async #load() {
    try {
      this.#prints = await this.#find();
      if (this.#prints.some(({ kind }) => kind === 'marker')) this.#markers = await Markers.make(await preloadVision());
      this.#state = this.#prints.length ? 'ready' : 'nothing';
    } catch (error) {
      console.warn(error);
      this.#state = 'failed';
    }
    if (this.#life.signal.aborted) return;
    this.sheets.replaceChildren(...this.#prints.map((one) => this.#sheet(one)));
    this.#show();
    this.link = (await publicAddress(this.id === 'around' ? '/#/around' : `/${formatRoute({ address: { kind: 'world', id: this.id } })}`)).url;
    this.#show();
  }

  /** @returns {Promise<Print[]>} */
  async #find() {
    if (this.id === 'around') {
      const { MARKER } = await import('../around/world.js');
      this.title = '';
      return [{ kind: 'marker', key: 'windmill', name: '', dictionary: MARKER.dictionary, id: MARKER.id, width: MARKER.length }];
    }
    const { dimension } = await requestWorld({ kind: 'world', id: this.id }, [], this.#life.signal);
    this.title = dimension.name ?? '';
    const urls = new Map(dimension.assets.map(({ id, url }) => [id, new URL(url, location.origin).href]));
    return printsOf(dimension, (id) => urls.get(id));
  }

  /** @param {Print} one */
  #sheet(one) {
    const shown = one.kind === 'picture'
      ? h('img', { src: pictureSource(one.url ?? ''), alt: one.name })
      : this.#drawing(one);
    const sheet = h('figure', { class: `show-sheet show-${one.kind}`, dataset: { key: one.key } }, shown);
    sheet.style.setProperty('--true-width', `${one.width * 1000}mm`);
    return sheet;
  }

  /** @param {Extract<Print, { kind: 'marker' }>} marker */
  #drawing({ dictionary, id, name }) {
    const rows = this.#markers?.cells(dictionary, id) ?? [];
    const side = rows.length + 2;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', name || `${dictionary} ${id}`);
    svg.setAttribute('shape-rendering', 'crispEdges');
    const part = (/** @type {string} */ d, /** @type {string} */ fill) => {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('d', d);
      path.setAttribute('fill', fill);
      svg.append(path);
    };
    part(`M0 0h${side}v${side}h${-side}z`, '#000');
    part(rows.map((row, y) => row.map((isWhite, x) => (isWhite ? `M${x + 1} ${y + 1}h1v1h-1z` : '')).join('')).join(''), '#fff');
    return svg;
  }

  /** @param {number} by */
  #turn(by) {
    this.#index = (this.#index + by + this.#prints.length) % Math.max(1, this.#prints.length);
    this.#show();
  }

  #show() {
    const one = this.#prints[this.#index];
    setText(this.heading, this.title || t('show.title'));
    setText(this.note, this.#state === 'ready' ? '' : t(`show.${this.#state}`));
    this.note.hidden = this.#state === 'ready';
    [...this.sheets.children].forEach((sheet, index) => sheet.classList.toggle('current', index === this.#index));
    this.before.hidden = this.after.hidden = this.#prints.length < 2;
    const size = one ? t('show.size', { width: integer(Math.round(one.width * 1000)) }) : '';
    setText(this.caption, [this.#prints.length > 1 ? `${this.#index + 1}/${this.#prints.length}` : '', size, this.link && t('show.open', { url: this.link.replace(/^https?:\/\//, '') })]
      .filter(Boolean).join(' · '));
  }

  state() {
    return { show: { state: this.#state, prints: this.#prints.length, index: this.#index } };
  }

  close() {
    this.#life.abort();
    this.element.remove();
  }
}
