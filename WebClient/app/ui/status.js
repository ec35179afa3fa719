// The lights at the top: what cannot be relied on, and why, in words. What is as it should be shows none; the menu tells all.

import { h, icon, setAttribute } from '../core/dom.js';
import { degrees, distance } from '../core/format.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { occupy } from '../stage/occupied.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SessionStatus} SessionStatus
 * @typedef {'content' | 'location' | 'heading'} LightName
 */

const LIGHTS = /** @type {const} */ (['content', 'location', 'heading']);
/** What is worth a word without being asked; failures, and that nothing is to be seen, have messages of their own. */
const SPEAKS_UP = /^(inaccurate|stale|noNorth|noMagneticNorth|noDeclination|disturbed|uncertain|denied|missing)$/;
const SHOWN_MS = 6000;
/** A reason that comes and goes is not said again before: what it hides meanwhile is wanted too. */
const SAID_AGAIN_MS = 60_000;
/** @type {Record<LightName, string>} */
const SYMBOLS = { content: 'world', location: 'location', heading: 'compass' };

export class StatusLights {
  /** @type {LightName | null} */
  #open = null;
  /**
   * The last reasons, by light.
   * @type {Map<LightName, string>}
   */
  #reasons = new Map();
  /**
   * When a light's reason was last said, milliseconds.
   * @type {Map<string, number>}
   */
  #said = new Map();
  #timer = 0;
  /**
   * The lights' buttons, kept: the last status may come when the view has gone from the page.
   * @type {Map<LightName, HTMLElement>}
   */
  #buttons = new Map();

  /**
   * @param {HTMLElement} element
   * @param {Session} session
   * @param {{ accuracy: () => number | null, isVirtual: () => boolean, isChosen: () => boolean, entered: () => boolean, failure: () => string,
   *   markersOnly: () => boolean, nothing: () => string, align: () => (() => void) | null }} host  `align`: opens the tools for finding north, where
   *   there is one to find
   */
  constructor(element, session, host) {
    this.session = session;
    this.host = host;
    this.note = h('p', { class: 'status-note glass', id: 'status-note', hidden: true, role: 'status' });
    occupy(this.note);
    for (const name of LIGHTS) {
      const button = h('button', {
        type: 'button',
        id: `status-${name}`,
        class: 'light',
        'aria-describedby': 'status-note',
        dataset: { quality: 'none', reason: 'waiting' },
        onclick: () => this.#toggle(name),
      }, icon(SYMBOLS[name]));
      this.#buttons.set(name, button);
      element.append(button);
    }
    element.after(this.note);
    session.on('status', () => this.update());
    onLanguage(() => this.update(), session.closed);
    document.addEventListener('pointerdown', (event) => {
      if (this.#open && event.target instanceof Node && !element.contains(event.target) && !this.note.contains(event.target)) {
        this.#show(null);
      }
    }, { signal: session.closed });
  }

  update() {
    if (!this.session.status) return;
    for (const [name, button] of this.#buttons) {
      const { quality, reason } = this.#light(name, this.session.status);
      button.hidden = this.#isQuiet(name, quality);
      setAttribute(button, 'data-quality', quality);
      setAttribute(button, 'data-reason', reason);
      const text = this.sentence(name);
      setAttribute(button, 'aria-label', `${t(`status.${name}`)}: ${text}`);
      button.title = text;
      if (this.#reasons.get(name) !== reason && SPEAKS_UP.test(reason) && this.host.entered()) this.#mention(name);
      this.#reasons.set(name, reason);
    }
    if (!this.#open) return;
    // What is said is kept true; how long it is shown stays as it was.
    if (this.#buttons.get(this.#open)?.hidden) this.#show(null);
    else this.#say(this.#open);
  }

  /**
   * What stands on markers is nowhere in particular, so that none of it is near is no fault.
   * @param {LightName} name
   * @param {SessionStatus} status
   * @returns {{ quality: import('../../engine/types').Quality, reason: string }}
   */
  #light(name, status) {
    const isExpected = name === 'content' && status.content.reason === 'nothingInRange' && this.host.markersOnly();
    return isExpected ? { quality: 'good', reason: 'ready' } : status[name];
  }

  /**
   * @param {LightName} name
   * @param {import('../../engine/types').Quality} quality
   */
  #isQuiet(name, quality) {
    if (name !== 'content' && this.host.markersOnly()) return true;
    // A copy that stands in for the world is good, and yet not what one thinks.
    return quality === 'good' && !(name === 'content' && this.session.content?.saved);
  }

  /**
   * Everything that can be said: for the menu.
   * @returns {{ name: LightName, symbol: string, quality: import('../../engine/types').Quality, text: string }[]}
   */
  sentences() {
    const said = LIGHTS.filter((name) => name === 'content' || !this.host.markersOnly());
    return said.map((name) => ({
      name, symbol: SYMBOLS[name], quality: this.session.status ? this.#light(name, this.session.status).quality : 'none',
      text: `${t(`status.${name}`)}: ${this.sentence(name)}`,
    }));
  }

  /** @param {LightName} name */
  sentence(name) {
    const status = this.session.status;
    if (!status) return '';
    let text = '';
    if (name === 'content') {
      const { quality, reason } = this.#light(name, status);
      text = t(`status.content.${/** @type {SessionStatus['content']['reason']} */ (reason)}`);
      if (reason === 'nothingInRange') text = this.host.nothing() || text;
      const saved = this.session.content?.saved;
      if (saved) text = `${text} ${t('status.savedCopy', { date: new Date(saved).toLocaleDateString() })}`;
      if (quality !== 'good') text = [text, this.host.failure()].filter(Boolean).join(' ');
    } else if (name === 'location') {
      text = t(this.host.isChosen() ? 'status.location.chosen' : `status.location.${status.location.reason}`);
    } else {
      text = t(`status.heading.${status.heading.reason}`);
      // Beyond a quarter turn a number says no more than the sentence.
      if (!this.host.isVirtual() && status.headingBound < 90) {
        text = aside(text, t('status.headingWithin', { angle: degrees(status.headingBound) }));
      }
    }
    if (name !== 'content' && this.host.isVirtual()) return aside(text, t('status.virtual'));
    const accuracy = name === 'location' ? this.host.accuracy() : null;
    return accuracy === null ? text : aside(text, t('status.accuracy', { distance: distance(accuracy) }));
  }

  /**
   * Shows a reason for a while.
   * @param {LightName} name
   */
  #mention(name) {
    const reason = `${name} ${this.#light(name, /** @type {SessionStatus} */ (this.session.status)).reason}`;
    const now = performance.now();
    if (now - (this.#said.get(reason) ?? -Infinity) < SAID_AGAIN_MS) return;
    this.#said.set(reason, now);
    this.#show(name);
    this.#timer = window.setTimeout(() => this.#show(null), SHOWN_MS);
  }

  /** @param {LightName} name */
  #toggle(name) {
    this.#show(this.#open === name ? null : name);
  }

  /** @param {LightName | null} name */
  #show(name) {
    clearTimeout(this.#timer);
    this.#open = name;
    this.note.hidden = name === null;
    if (name) this.#say(name);
  }

  /** @param {LightName} name */
  #say(name) {
    const text = `${t(`status.${name}`)}: ${this.sentence(name)}`;
    const align = name === 'heading' && this.session.status?.heading.quality === 'poor' ? this.host.align() : null;
    // A button that is made anew while a finger is on it takes no tap.
    if (this.note.firstChild?.textContent === text && Boolean(align) === Boolean(this.note.querySelector('#status-align'))) return;
    this.note.textContent = text;
    if (!align) return;
    this.note.append(' ', localized(
      h('button', {
        type: 'button',
        class: 'button small',
        id: 'status-align',
        onclick: () => {
          this.#show(null);
          align();
        },
      }),
      'menu.align',
    ));
  }
}

/**
 * @param {string} sentence
 * @param {string} more goes into brackets before its full stop
 */
export function aside(sentence, more) {
  const end = /[.。]$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - end.length)} (${more})${end}`;
}
