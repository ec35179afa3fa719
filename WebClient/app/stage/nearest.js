// The nearest few places in the sheet over the view and the map: what is around, without leaving what one looks at.

import { h } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { makeRow, markRows, measureRows, nearestFirst, tellMarks, tellRows } from '../list/row.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 */

const COUNT = 5;
/** Milliseconds between two looks at the distances. */
const EVERY = 400;
/** Metres to walk before the order is made anew. */
const RESORT = 10;

export class Nearest {
  /** @type {import('../list/row.js').Row[]} */
  #rows = [];
  #looked = 0;
  /** @type {{ latitude: number, longitude: number } | null} */
  #sortedAt = null;

  /**
   * @param {HTMLElement} element
   * @param {Session} session
   * @param {Device} device
   * @param {{ choose: (place: number) => void, all: () => void, isShown: () => boolean }} on `isShown`: whether anybody sees it
   */
  constructor(element, session, device, on) {
    this.element = element;
    this.session = session;
    this.device = device;
    this.on = on;
    this.title = h('h2', { class: 'nearest-title' });
    this.list = h('ul', { class: 'list-rows', id: 'nearest-rows' });
    this.all = localized(h('button', { type: 'button', class: 'button', id: 'nearest-all', onclick: on.all }), 'sheet.all');
    element.replaceChildren(this.title, this.list, this.all);
    const showIfSeen = () => on.isShown() && this.show();
    session.on('world', showIfSeen);
    session.on('filter', showIfSeen);
    session.on('marks', () => tellMarks(this.#rows, session));
    session.on('selection', () => markRows(this.#rows, session.selected));
    session.on('frame', () => this.#move());
    onLanguage(showIfSeen, session.closed);
    this.show();
  }

  show() {
    const at = this.device.position();
    this.#sortedAt = at ? { latitude: at.latitude, longitude: at.longitude } : null;
    const found = nearestFirst(this.session, at);
    this.title.textContent = found.length ? t(at ? 'sheet.nearest' : 'sheet.places') : t('list.none');
    this.#rows = found.slice(0, COUNT).map((one) => makeRow(this.session, one, this.on.choose));
    this.list.replaceChildren(...this.#rows.map(({ row }) => row));
    this.all.hidden = found.length <= COUNT;
    markRows(this.#rows, this.session.selected);
    tellRows(this.#rows, this.session);
  }

  #move() {
    if (performance.now() - this.#looked < EVERY) return;
    this.#looked = performance.now();
    if (!this.on.isShown()) return;
    const at = this.device.position();
    if (!at) return;
    const from = this.#sortedAt;
    if (!from || this.session.engine.distance(at.latitude, at.longitude, from.latitude, from.longitude) > RESORT) {
      // Not under the finger that is about to choose one.
      if (!this.list.contains(document.activeElement)) return this.show();
    }
    measureRows(this.#rows, this.session, at);
    tellRows(this.#rows, this.session);
  }
}
