// The dialog that corrects what the sensors call level: the phone lies on a table, and once more turned half round, so that the
// table need not be level itself.

import { Level } from '../../engine/level.js';
import { toDegrees } from '../core/angles.js';
import { h } from '../core/dom.js';
import { degrees } from '../core/format.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { announce, toast } from '../ui/toast.js';
import { keepLevel, keptLevel, tellLevel } from './kept-level.js';

/** @typedef {import('./kept-level.js').Level} Tilt */

/** A reading every so many milliseconds, and so many of them. */
const EVERY = 50;
const READINGS = 30;
/** Parts of "up" may differ by so much while the phone lies still: 0.3°. */
const STILL = 0.005;
/** Least part of "up" out of the screen of a phone that lies on something: 10° from level. */
const FLAT = 0.985;
/** Least turn between the two readings, degrees: a smaller one leaves too much of the table's slope in their mean. */
const TURN = 120;
/** Corrections that are shown as a fraction of a degree at least, degrees. */
const LEAST = 0.1;

export class LevelDialog {
  /** @type {{ tilt: Tilt, heading: number | null } | null} what the first of both readings said */
  #first = null;
  #timer = 0;
  /** @type {number | null} how a phone that lies flat is turned about the vertical, degrees: the last that its sensors said */
  #heading = null;

  /**
   * @param {import('../session/session.js').Session} session
   * @param {import('../device/device.js').Device} device
   */
  constructor(session, device) {
    this.session = session;
    this.device = device;
    this.step = h('p', { id: 'level-step' }, t('align.levelFirst'));
    this.bar = h('progress', { max: READINGS, value: 0, id: 'level-progress' });
    this.note = h('p', { class: 'setting-hint', role: 'status', id: 'level-note' }, this.#kept());
    this.button = localized(h('button', { type: 'button', class: 'button primary', id: 'level-measure', onclick: () => this.#measure() }), 'align.levelMeasure');
    this.forget = localized(h('button', { type: 'button', class: 'button', id: 'level-forget', onclick: () => this.#set({ right: 0, top: 0 }) }), 'align.levelForget');
    this.#showForget();
    const dialog = showDialog({ title: t('align.level'), id: 'level-dialog' }, localized(h('p'), 'align.levelText'), this.step, this.bar, this.note,
      h('div', { class: 'actions' }, this.button, this.forget));
    this.close = dialog.close;
    // Not out of the frame: none is made while a dialog covers the view.
    const stop = session.on('told', (event) => {
      if (event.type === 'orientation' || event.type === 'orientationWithCompass') this.#heading = event.alpha;
    });
    void dialog.closed.then(() => {
      stop();
      clearInterval(this.#timer);
    });
  }

  #kept() {
    const angle = angleOf(keptLevel());
    return angle >= LEAST ? t('align.levelKept', { angle: exact(angle) }) : '';
  }

  #showForget() {
    this.forget.hidden = angleOf(keptLevel()) === 0;
  }

  #measure() {
    clearInterval(this.#timer);
    /** @type {Tilt[]} */
    const readings = [];
    this.button.disabled = true;
    this.note.textContent = t('align.levelHold');
    const end = (/** @type {import('../core/i18n.js').TextKey | null} */ failure) => {
      clearInterval(this.#timer);
      this.button.disabled = false;
      this.bar.value = 0;
      if (failure) this.note.textContent = t(failure);
      else this.#take(meanOf(readings));
    };
    this.#timer = window.setInterval(() => {
      const up = this.session.guarded(() => this.session.engine.part(Level).up());
      if (!up) return end('align.outcome.noOrientation');
      if (up.out < FLAT) return end('align.levelNotFlat');
      readings.push(up);
      this.bar.value = readings.length;
      if (spreadOf(readings) > STILL) return end('align.levelMoved');
      if (readings.length >= READINGS) end(null);
    }, EVERY);
  }

  /** @param {Tilt} tilt */
  #take(tilt) {
    const heading = this.#heading;
    if (!this.#first) {
      this.#first = { tilt, heading };
      this.step.textContent = t('align.levelSecond');
      this.note.textContent = '';
      announce(this.step.textContent);
      navigator.vibrate?.(60);
      return;
    }
    if (!isTurned(this.#first.heading, heading)) {
      this.note.textContent = t('align.levelNotTurned');
      return;
    }
    // What the table adds is the other way round now.
    this.#set(meanOf([this.#first.tilt, tilt]));
  }

  /** @param {Tilt} level */
  #set(level) {
    keepLevel(level);
    tellLevel(this.session, this.device);
    const angle = angleOf(level);
    toast(angle === 0 ? t('align.levelForgotten') : t('align.levelDone', { angle: exact(angle) }), { key: 'align' });
    this.close();
  }
}

/**
 * Whether a phone was turned far enough between two headings; where one is not known, it is believed.
 * @param {number | null} first degrees
 * @param {number | null} second
 */
function isTurned(first, second) {
  if (first === null || second === null) return true;
  const turn = Math.abs(second - first) % 360;
  return Math.min(turn, 360 - turn) >= TURN;
}

/** @param {Tilt[]} tilts @returns {Tilt} */
function meanOf(tilts) {
  const sum = tilts.reduce((all, { right, top }) => ({ right: all.right + right, top: all.top + top }), { right: 0, top: 0 });
  return { right: sum.right / tilts.length, top: sum.top / tilts.length };
}

/** @param {Tilt[]} tilts */
function spreadOf(tilts) {
  const range = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);
  return Math.max(range(tilts.map(({ right }) => right)), range(tilts.map(({ top }) => top)));
}

/**
 * Degrees; of small angles the sine is the angle.
 * @param {Tilt} tilt
 */
const angleOf = ({ right, top }) => toDegrees(Math.hypot(right, top));

/** @param {number} angle degrees */
const exact = (angle) => degrees(angle, 1);
