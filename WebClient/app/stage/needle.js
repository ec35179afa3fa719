// A needle to one place: it points there and says how far, over the view, the map and the list, until one is there.

import { find, h, icon, setText } from '../core/dom.js';
import { Emitter } from '../core/emitter.js';
import { distance } from '../core/format.js';
import { labelled, onLanguage, t } from '../core/i18n.js';
import { placeKey } from '../session/content.js';
import { celebrate } from '../ui/feel.js';
import { announce } from '../ui/toast.js';

/**
 * @typedef {import('./stage.js').Stage} Stage
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 */

/** Metres below which one is there: as near as satellites know it in a street. */
const THERE = 20;
const EVERY = 200;

/** @type {WeakMap<Stage, Needle>} */
const needles = new WeakMap();

/**
 * The needle of a stage, made once.
 * @param {Stage} stage
 */
export function needleOf(stage) {
  let needle = needles.get(stage);
  if (!needle) needles.set(stage, needle = new Needle(stage.session, stage.device));
  return needle;
}

/**
 * Needle and distance to a place, in every view, until one is there; its card makes room.
 * @param {Stage} stage
 * @param {number} place
 */
export function leadTo(stage, place) {
  if (stage.session.closed.aborted) return;
  needleOf(stage).lead(place);
  stage.session.select(null);
}

/** @extends {Emitter<{ place: number | null }>} */
export class Needle extends Emitter {
  /** How far it is, where more is known than the straight line; else ''. */
  far = () => '';
  /** @type {number | null} */
  #place = null;
  /** What the place is called: a refreshed world may count anew. */
  #key = '';
  #looked = 0;
  #isThere = false;

  /**
   * @param {Session} session
   * @param {Device} device
   */
  constructor(session, device) {
    super();
    this.session = session;
    this.device = device;
    this.arrow = icon('pointer');
    this.name = h('strong', { class: 'needle-name' });
    this.distance = h('span', { class: 'needle-far' });
    const show = h('button', { type: 'button', class: 'needle-place', id: 'needle-place', onclick: () => this.session.select(this.#place) },
      h('span', { class: 'needle-arrow' }, this.arrow), h('span', { class: 'needle-words' }, this.name, this.distance));
    this.element = h('section', { id: 'needle', hidden: true }, show,
      labelled(h('button', { type: 'button', class: 'round small plain', id: 'needle-end', onclick: () => this.end() }, icon('close')), 'needle.end'));
    labelled(this.element, 'needle.title').removeAttribute('title');
    find('#dock-row', HTMLElement).before(this.element);
    session.on('frame', () => performance.now() - this.#looked > EVERY && this.tell());
    session.on('world', (content) => {
      if (this.#place === null) return;
      const now = content.places.findIndex((place, index) => placeKey(place, index) === this.#key);
      if (now < 0) this.end();
      else this.lead(now);
    });
    onLanguage(() => this.tell(), session.closed);
  }

  /** @param {number} place with a position */
  lead(place) {
    const { content } = this.session;
    if (!content?.places[place]) return;
    this.#place = place;
    this.#key = placeKey(content.places[place], place);
    this.#isThere = false;
    this.element.hidden = false;
    this.emit('place', place);
    this.tell();
  }

  end() {
    this.#place = null;
    this.element.hidden = true;
    this.emit('place', null);
  }

  /** Says again where the place is. */
  tell() {
    this.#looked = performance.now();
    const { content, frame } = this.session;
    if (this.#place === null || !content) return;
    const name = content.placeTitle(content.places[this.#place]);
    const range = this.session.range(this.#place, this.device.position());
    setText(this.name, name);
    const isThere = range !== null && range.distance < THERE;
    setText(this.distance, !range ? t('needle.waiting') : isThere ? t('needle.there') : this.far() || distance(range.distance));
    const turn = range?.bearing ?? null;
    this.element.toggleAttribute('data-there', isThere);
    this.arrow.style.visibility = turn === null ? 'hidden' : '';
    if (turn !== null) this.arrow.style.transform = `rotate(${(turn - (frame?.isValid ? frame.bearing : 0)).toFixed(2)}rad)`;
    if (isThere && !this.#isThere) {
      celebrate('arrived');
      announce(`${name}: ${t('needle.there')}`);
    }
    // Twice as far away counts as gone: at the edge of it nobody is told again and again.
    this.#isThere = isThere || (this.#isThere && range !== null && range.distance < 2 * THERE);
  }
}
