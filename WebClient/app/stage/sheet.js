// The sheet at the lower edge: what the view is, and the filter's state, always; drawn up, the nearest places and the filters;
// drawn up further, the list. It stops at three heights: `peek`, `half`, and `full`, which is the list with an address of its own.

import { find, icon, loadShared, reducedMotion, setText } from '../core/dom.js';
import { range } from '../core/format.js';
import { labelled, onLanguage, t, tn } from '../core/i18n.js';
import { isPartShown } from './bars.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../core/router.js').ViewName} ViewName
 * @typedef {'peek' | 'half'} Stop
 * @typedef {{ view: () => ViewName, show: (view: ViewName) => void, choose: (place: number) => void }} SheetHost
 */

const ALL = 0xffff_ffff_ffff_ffffn;
/** CSS pixels that a finger moves before it draws the sheet rather than taps what is on it. */
const TAP = 8;
/** How far beyond a stop the sheet is drawn for the next one to be meant, CSS pixels. */
const BEYOND = 56;
/** A finger that is faster than this when it lets go means the next stop, CSS pixels a millisecond. */
const FLICK = 0.5;
const MOVE_MS = 220;

export class Sheet {
  /** @type {Stop} */
  stop = 'peek';
  /**
   * Where the list was called from: it goes back there.
   * @type {'ar' | 'map'}
   */
  #from = 'ar';
  /** @type {import('./nearest.js').Nearest | null} */
  #nearest = null;
  #isFilterWanted = false;
  /** @type {import('../ui/filters.js').Filters | null} */
  #filters = null;
  /** Whether the finger that is let go now has drawn the sheet: then it taps nothing. */
  #hasDrawn = false;

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {SheetHost} host
   */
  constructor(session, device, host) {
    this.session = session;
    this.device = device;
    this.host = host;
    this.element = find('#dock', HTMLElement);
    this.stage = find('#stage', HTMLElement);
    this.body = find('#sheet-body', HTMLElement);
    this.handle = find('#sheet-handle', HTMLButtonElement);
    this.chip = find('#filter-chip', HTMLButtonElement);
    this.chip.prepend(icon('filter'));
    // What ends a drag is no tap; keys tap without a finger.
    const isTap = (/** @type {MouseEvent} */ event) => event.detail === 0 || !this.#hasDrawn;
    this.handle.addEventListener('click', (event) => isTap(event) && this.#tapHandle());
    this.chip.addEventListener('click', (event) => isTap(event) && this.#tapChip());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.stop === 'peek') return;
      event.stopPropagation();
      const back = this.#isFilterWanted ? this.chip : this.handle;
      this.to('peek');
      back.focus();
    });
    this.#draw();
    session.on('world', () => this.#tellFilter());
    session.on('filter', () => this.#tellFilter());
    session.on('selection', (place) => place !== null && this.to('peek'));
    onLanguage(() => this.#tell(), session.closed);
    this.#tell();
  }

  /**
   * @param {Stop} stop
   * @param {boolean} [filter] the filters rather than the nearest places
   */
  to(stop, filter = false) {
    const before = this.body.hidden ? 0 : this.body.offsetHeight;
    this.stop = stop;
    this.#isFilterWanted = filter && stop === 'half';
    const isOpen = stop === 'half';
    if (isOpen) {
      void this.#showFilters();
      // The card lies where the sheet comes up.
      if (this.session.selected !== null && this.#coversCard()) this.session.select(null);
      if (!this.#isFilterWanted && !this.#isListShown) void this.#showNearest();
    }
    this.element.dataset.stop = stop;
    this.element.dataset.part = this.#isFilterWanted ? 'filter' : 'nearest';
    this.stage.dataset.sheet = stop;
    this.body.style.height = '';
    this.body.hidden = !isOpen;
    this.#animate(before, isOpen ? this.body.offsetHeight : 0);
    this.#tell();
  }

  /** @param {ViewName} view the one that is shown now */
  showView(view) {
    if (view !== 'list') this.#from = view;
    if (this.stop !== 'peek') this.to('peek');
    this.#tell();
  }

  /** The list is there already, alone or beside the map. */
  get #isListShown() {
    return isPartShown(this.host.view(), 'list');
  }

  #coversCard() {
    return matchMedia('(max-width: 699px), (max-height: 480px)').matches;
  }

  async #showFilters() {
    if (this.#filters) return;
    const { Filters } = await import('../ui/filters.js');
    if (!this.session.closed.aborted) this.#filters ??= new Filters(this.session);
  }

  async #showNearest() {
    if (this.#nearest) return this.#nearest.show();
    const [{ Nearest }] = await Promise.all([import('./nearest.js'), loadShared('places')]);
    if (this.session.closed.aborted || this.#nearest) return;
    this.#nearest = new Nearest(find('#nearest', HTMLElement), this.session, this.device, {
      choose: (place) => this.host.choose(place),
      all: () => this.host.show('list'),
      isShown: () => this.stop === 'half' && !this.#isFilterWanted,
    });
  }

  #tapHandle() {
    if (this.host.view() === 'list') return this.host.show(this.#from);
    this.to(this.stop === 'peek' ? 'half' : 'peek');
  }

  #tapChip() {
    this.to(this.stop === 'half' && this.#isFilterWanted ? 'peek' : 'half', true);
  }

  /**
   * @param {number} from CSS pixels
   * @param {number} to
   */
  #animate(from, to) {
    if (from === to || reducedMotion() || !this.body.animate) return;
    this.body.hidden = false;
    const run = this.body.animate([{ height: `${from}px` }, { height: `${to}px` }], { duration: MOVE_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' });
    run.onfinish = () => (this.body.hidden = this.stop === 'peek');
  }

  /** A finger on the handle or beside it draws the sheet. */
  #draw() {
    let startY = 0;
    let startHeight = 0;
    let lastY = 0;
    let lastTime = 0;
    let speed = 0;
    let pointer = -1;
    this.element.addEventListener('pointerdown', (event) => {
      this.#hasDrawn = false;
      if (!(event.target instanceof Element) || this.body.contains(event.target) || !event.isPrimary || event.button > 0) return;
      [startY, lastY, lastTime, speed, pointer] = [event.clientY, event.clientY, event.timeStamp, 0, event.pointerId];
      startHeight = this.body.hidden ? 0 : this.body.offsetHeight;
    });
    this.element.addEventListener('pointermove', (event) => {
      if (event.pointerId !== pointer) return;
      const up = startY - event.clientY;
      if (!this.#hasDrawn) {
        if (Math.abs(up) < TAP) return;
        this.#hasDrawn = true;
        this.element.setPointerCapture(pointer);
        void this.#showFilters();
        if (!this.#isListShown) void this.#showNearest();
      }
      if (event.timeStamp > lastTime) speed = (lastY - event.clientY) / (event.timeStamp - lastTime);
      [lastY, lastTime] = [event.clientY, event.timeStamp];
      if (this.#isListShown) return;
      this.body.hidden = false;
      this.body.style.height = `${Math.max(0, startHeight + up)}px`;
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== pointer) return;
      pointer = -1;
      if (this.#hasDrawn) this.#letGo(startY - event.clientY, event.type === 'pointerup' ? speed : 0);
    };
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointercancel', end);
  }

  /**
   * @param {number} up how far the sheet was drawn up, CSS pixels
   * @param {number} speed upwards, CSS pixels a millisecond
   */
  #letGo(up, speed) {
    this.body.style.height = '';
    if (this.#isListShown) {
      if (up < -BEYOND || speed < -FLICK) this.host.show(this.#from);
      return;
    }
    const isUp = up > BEYOND || speed > FLICK;
    const isDown = up < -BEYOND || speed < -FLICK;
    const room = innerHeight / 2;
    if (isUp && (this.stop === 'half' || up > room)) return this.host.show('list');
    if (isUp || isDown) return this.to(isUp ? 'half' : 'peek');
    this.to(this.stop, this.#isFilterWanted);
  }

  #tell() {
    const isList = this.host.view() === 'list';
    const isOpen = this.stop === 'half';
    this.handle.setAttribute('aria-expanded', String(isList || isOpen));
    labelled(this.handle, isList ? 'sheet.leaveList' : isOpen ? 'sheet.less' : 'sheet.more');
    this.chip.setAttribute('aria-expanded', String(isOpen && this.#isFilterWanted));
    this.#tellFilter();
  }

  /** What the filter lets through, in a few words. */
  #tellFilter() {
    const { content, categoryMask, radius } = this.session;
    const categories = content?.categories ?? [];
    const hasPlaces = (content?.places ?? []).some(({ position }) => position) || !content;
    this.chip.hidden = !hasPlaces && categories.length < 2;
    const chosen = categoryMask === ALL ? [] : categories.filter(({ number }) => ((categoryMask >> BigInt(number)) & 1n) === 1n);
    const what = categoryMask === ALL ? t('filter.all') : chosen.length === 1 ? chosen[0].name || t('filter.none') : tn('filter.categories', chosen.length);
    const words = [categories.length > 1 && what, hasPlaces && range(radius)].filter(Boolean).join(' · ');
    setText(find('#filter-state', HTMLElement), words);
    this.chip.setAttribute('aria-label', t('filter.chip', { state: words }));
    this.chip.classList.toggle('filtering', categoryMask !== ALL);
  }
}
