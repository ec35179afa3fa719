// What a world fixes to the screen: texts, pictures, and other people's pages in a locked frame.

import { consent, hostOf, onConsent, setConsent } from '../core/consents.js';
import { h, icon } from '../core/dom.js';
import { labelled } from '../core/i18n.js';
import { occupy, remeasure } from '../stage/occupied.js';
import { frameLink, frameQuestion } from '../ui/consent.js';
import { leaveFor } from '../ui/share.js';
import { CONTROLS, shiftClear } from './clear-of-controls.js';
import { ACROSS, DOWN, TOP, fill, put } from './overlay-box.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../types').Overlay} Overlay
 */

/** Foreign pages that are loaded without a tap for each. */
const MOST_FRAMES = 6;

export class Overlays {
  /** @type {HTMLElement[]} */
  #elements = [];
  /** Closed by hand; they stay closed until the world is loaded again. */
  #closed = new Set();
  #shown = '';
  /**
   * Overlays whose foreign page is loaded.
   * @type {Set<number>}
   */
  #framed = new Set();
  /**
   * What a change of consent does to the overlays with foreign pages.
   * @type {((host: string) => void)[]}
   */
  #pages = [];

  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   */
  constructor(layer, session) {
    this.layer = layer;
    this.session = session;
    session.on('world', () => this.rebuild());
    onConsent((kind, host) => {
      if (kind !== 'frames') return;
      for (const change of this.#pages) change(host);
    }, session.closed);
  }

  rebuild() {
    const content = this.session.content;
    this.#closed.clear();
    this.#shown = '';
    this.#framed.clear();
    this.#pages = [];
    this.#elements = (content?.dimension.overlays ?? []).map((overlay, index) => this.#make(overlay, index));
    this.layer.replaceChildren(...this.#elements);
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    const shown = this.#elements.map((_, i) => (frame.overlayVisible[i] && !this.#closed.has(i) ? '1' : '0')).join('');
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#elements.forEach((element, i) => (element.hidden = shown[i] === '0'));
  }

  /** Moves those that count from the free part of the screen away from what stands there now. */
  clear() {
    const overlays = this.session.content?.dimension.overlays ?? [];
    const controls = [...document.querySelectorAll(CONTROLS)].filter((one) => one.checkVisibility?.({ visibilityProperty: true }) ?? true)
      .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height > 0);
    let moved = false;
    this.#elements.forEach((element, index) => {
      const { anchor } = overlays[index] ?? {};
      if (!anchor || element.hidden || element.classList.contains('asking')) return;
      const before = element.style.translate;
      const [x = 0, y = 0] = before.split(' ').map((length) => parseFloat(length) || 0);
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const own = { left: left - x, right: right - x, top: top - y, bottom: bottom - y };
      const shift = shiftClear(own, anchor, controls, { width: innerWidth, height: innerHeight });
      element.style.translate = shift.x || shift.y ? `${shift.x}px ${shift.y}px` : '';
      moved ||= element.style.translate !== before;
    });
    if (moved) remeasure();
  }

  /**
   * @param {Overlay} overlay
   * @param {number} index
   */
  #make(overlay, index) {
    const { content } = overlay;
    const press = overlay.action ? () => this.session.tell({ type: 'pressOverlay', overlay: index }) : undefined;
    const element = press && content.kind !== 'html'
      ? h('button', { type: 'button', class: `overlay overlay-${content.kind} pressable`, onclick: press })
      : h('div', { class: `overlay overlay-${content.kind}` });
    element.dataset.overlay = String(index);
    occupy(element);
    if (overlay.id) element.dataset.id = overlay.id;
    element.hidden = true;
    put(element, overlay);
    if (content.kind === 'html') this.#page(element, overlay, content, index);
    else fill(element, overlay, content, (id) => this.session.content?.assetURL(id));
    return element;
  }

  /**
   * A page of another website: nothing of it is asked for before its host is allowed.
   * @param {HTMLElement} element
   * @param {Overlay} overlay
   * @param {{ url: string, width: number, height: number }} content
   * @param {number} index
   */
  #page(element, overlay, content, index) {
    const address = this.session.content?.absolute(content.url)?.replace(/^gamaray:/i, 'http:') ?? '';
    const host = hostOf(address);
    const close = (/** @type {boolean} */ wasRead) => {
      this.#closed.add(index);
      this.#framed.delete(index);
      element.hidden = true;
      element.replaceChildren();
      // The original client loads the world again here: servers count on it to hear that a page was read.
      if (wasRead && this.session.content?.dimension.refreshURL) this.session.refresh();
    };
    const closer = labelled(
      h('button', { type: 'button', class: 'overlay-close round small', onclick: () => close(true) }, icon('close')),
      'common.close',
    );
    const show = () => {
      this.#framed.add(index);
      element.classList.remove('asking');
      put(element, overlay);
      element.style.width = `${content.width}px`;
      element.style.height = `${content.height}px`;
      putCloser(closer, overlay, content);
      element.replaceChildren(foreignFrame(address), closer);
    };
    const question = (/** @type {HTMLElement} */ card) => {
      element.classList.add('asking');
      element.style.translate = '';
      putQuestion(element, overlay);
      element.replaceChildren(card);
    };
    const ask = () => question(frameQuestion(host, {
      show: () => (consent('frames', host) === 'allowed' ? show() : setConsent('frames', host, true)),
      later: () => (consent('frames', host) === 'allowed' ? close(false) : setConsent('frames', host, false)),
    }));
    const decide = () => {
      const answer = consent('frames', host);
      this.#framed.delete(index);
      if (!host || answer === 'refused') close(false);
      else if (!canBeFramed(address, host)) question(frameLink(host, { open: () => leaveFor(address), later: () => close(false) }));
      else if (answer === 'allowed' && this.#framed.size < MOST_FRAMES) show();
      else ask();
    };
    this.#pages.push((changed) => {
      if (changed !== host) return;
      this.#closed.delete(index);
      this.#shown = '';
      decide();
    });
    decide();
  }
}

/**
 * A question stands where the page would, but always whole on the screen: between the bars, and not beside it.
 * @param {HTMLElement} element
 * @param {Overlay} overlay
 */
function putQuestion({ style }, { x, y, anchor }) {
  const top = `(${TOP})`;
  style.left = `clamp(12px, ${anchor ? ACROSS[anchor[1]](x) : `${x}px`}, calc(100% - 312px))`;
  style.top = `clamp(calc${top}, ${anchor ? DOWN[anchor[0]](y) : `${y}px`}, max(calc${top}, calc(100% - var(--dock, 130px) - 340px)))`;
  style.transform = style.width = style.height = '';
}

/**
 * The button lies in the box, in its top right corner or as far from it as the screen's edges ask for.
 * @param {HTMLElement} closer
 * @param {Overlay} overlay
 * @param {{ width: number, height: number }} box
 */
function putCloser({ style }, { x, y, anchor, pivot }, { width, height }) {
  const part = /** @type {Record<string, number>} */ ({ T: 0, L: 0, C: 0.5, B: 1, R: 1 });
  // What comes from the free part of the screen is clear of its edges.
  const right = anchor ? '0px' : `${x + (1 - part[pivot[1]]) * width}px - 100vw + var(--safe-right, 0px)`;
  const top = anchor ? '0px' : `var(--safe-top, 0px) - ${y - part[pivot[0]] * height}px`;
  style.right = `clamp(4px, calc(${right} + 4px), ${Math.max(4, width - 48)}px)`;
  style.top = `clamp(4px, calc(${top} + 4px), ${Math.max(4, height - 48)}px)`;
}

/**
 * A policy can name hosts, but no IPv6 address; and a secure page shows no insecure ones.
 * @param {string} address
 * @param {string} host
 */
const canBeFramed = (address, host) =>
  !host.startsWith('[') && (location.protocol !== 'https:' || address.startsWith('https:'));

/**
 * A foreign page in its frame: no scripts, no forms, no pop-ups, an origin of its own, no permission, and no word of where
 * it is shown. It stands in a page of this server whose policy knows its host alone, so that neither it nor a redirect
 * leads to another one.
 * @param {string} address
 */
function foreignFrame(address) {
  const frame = h('iframe', { referrerPolicy: 'no-referrer', loading: 'lazy', title: address });
  frame.setAttribute('sandbox', '');
  frame.setAttribute('allow', '');
  frame.src = `/frame?url=${encodeURIComponent(address)}`;
  return frame;
}
