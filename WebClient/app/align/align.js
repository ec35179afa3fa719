// North as the user shows it: what was found out is kept on this device for each place, and handed back to the engine.

import { loadShared } from '../core/dom.js';
import { degrees } from '../core/format.js';
import { t } from '../core/i18n.js';
import { load, save } from '../core/storage.js';
import { toast } from '../ui/toast.js';
import { tellLevel } from './kept-level.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/types').HeadingCorrection} HeadingCorrection
 * @typedef {import('../../engine/types').AlignmentOutcome} AlignmentOutcome
 */

/**
 * @typedef {object} AlignHost where the panel stands and what is dragged under it; without it, the view of an open world
 * @property {HTMLElement} scene is dragged; put into the layer while the panel is open, if it is in none
 * @property {HTMLElement} layer
 * @property {HTMLElement} stage is marked while the panel is open
 * @property {() => { name: string, latitude: number, longitude: number }[]} landmarks in place of the world's own
 */

/** Under which what was found out is kept. */
const KEPT = 'headingCorrections';
/** Corrections fade within hours; older ones only take room. */
const LONGEST_YEARS = 2 / 365;

export class Align {
  /** @type {import('./panel.js').AlignPanel | null} */
  #panel = null;

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {AlignHost} [host]
   */
  constructor(session, device, host) {
    this.session = session;
    this.device = device;
    this.host = host;
    this.#restore();
    session.on('restarted', () => this.#restore());
    tellLevel(session, device);
    device.on('sources', () => {
      // What is led by hand has no error.
      tellLevel(session, device);
      if (!this.isPossible) this.close();
    });
    session.closed.addEventListener('abort', () => this.close());
  }

  /** Whether there is a compass to be corrected. */
  get isPossible() {
    return this.device.hasCompass;
  }

  get isOpen() {
    return this.#panel !== null;
  }

  async open() {
    const [{ AlignPanel }] = await Promise.all([import('./panel.js'), loadShared('panels')]);
    if (this.#panel || !this.isPossible || this.session.closed.aborted) return;
    this.#panel = new AlignPanel(this);
  }

  /** The phone is laid on a table, which says what its sensors call level. */
  async measureLevel() {
    const { LevelDialog } = await import('./level.js');
    if (!this.session.closed.aborted) new LevelDialog(this.session, this.device);
  }

  close() {
    if (!this.#panel) return;
    this.#panel.close();
    this.#panel = null;
    this.keep();
  }

  /** Keeps what the engine knows by now. */
  keep() {
    const all = this.session.headingCorrections();
    save(KEPT, all.length ? all : undefined);
  }

  forget() {
    this.session.tell({ type: 'forgetHeadingCorrections' });
    save(KEPT, undefined);
    toast(t('align.forgotten'), { key: 'align' });
  }

  #restore() {
    const year = this.session.decimalYear;
    for (const correction of load(KEPT, /** @type {HeadingCorrection[]} */ ([]))) {
      const isSound = [correction?.angle, correction?.deviation, correction?.latitude, correction?.longitude].every(Number.isFinite);
      const isRecent = isSound && correction.decimalYear !== null && Math.abs(year - correction.decimalYear) < LONGEST_YEARS;
      if (isRecent) this.session.tell({ type: 'restoreHeadingCorrection', correction });
    }
  }

  /**
   * What became of an alignment.
   * @param {{ outcome: AlignmentOutcome, by: number }} event `by` in degrees clockwise
   */
  aligned({ outcome, by }) {
    if (outcome === 'done' || outcome === 'fromCourse') this.keep();
    // What the engine found out from walking is no answer to anything the user did.
    if (outcome === 'fromCourse') return;
    toast(t(`align.outcome.${outcome}`, { angle: degrees(Math.abs(by)) }), {
      key: 'align',
      ...(outcome === 'done' ? {} : { kind: 'warning' }),
    });
  }
}
