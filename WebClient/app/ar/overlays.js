// What a world fixes to the screen: texts, pictures, and other people's pages in a locked frame.

import { h, icon } from '../core/dom.js';
import { labelled } from '../core/i18n.js';
import { whenPicture } from '../net/assets.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../types').Overlay} Overlay
 */

/** Which part of its own size an overlay is moved left and up by, for each letter of its pivot. */
const UP = /** @type {Record<string, string>} */ ({ T: '0', C: '-50%', B: '-100%' });
const LEFT = /** @type {Record<string, string>} */ ({ L: '0', C: '-50%', R: '-100%' });

export class Overlays {
  /** @type {HTMLElement[]} */
  #elements = [];
  /** Closed by hand; they stay closed until the world is loaded again. */
  #closed = new Set();
  #shown = '';

  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   */
  constructor(layer, session) {
    this.layer = layer;
    this.session = session;
    session.on('world', () => this.rebuild());
  }

  rebuild() {
    const content = this.session.content;
    this.#closed.clear();
    this.#shown = '';
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

  /** The overlays that are visible now, for the screenshot. */
  visible() {
    return this.#elements.flatMap((element, index) => (element.hidden ? [] : [{ element, index }]));
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
    if (overlay.id) element.dataset.id = overlay.id;
    element.hidden = true;
    element.style.left = `${overlay.x}px`;
    element.style.top = `${overlay.y}px`;
    element.style.transform = `translate(${LEFT[overlay.pivot[1]]}, ${UP[overlay.pivot[0]]})`;
    if (content.kind === 'text') {
      element.textContent = content.text;
      if (content.width > 0) element.style.width = `${content.width}px`;
    } else if (content.kind === 'image') {
      const picture = h('img', { alt: overlay.id ?? '', draggable: false });
      element.append(picture);
      element.classList.add('loading');
      whenPicture(this.session.content?.assetURL(content.assetID), (loaded) => {
        picture.src = loaded.source;
        element.classList.remove('loading');
      });
    } else {
      this.#page(element, content, index);
    }
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {{ url: string, width: number, height: number }} content
   * @param {number} index
   */
  #page(element, content, index) {
    element.style.width = `${content.width}px`;
    element.style.height = `${content.height}px`;
    const address = this.session.content?.absolute(content.url);
    // An empty sandbox: no scripts, no forms, no pop-ups, an origin of its own, and no word of where it is shown.
    const frame = h('iframe', { sandbox: '', referrerPolicy: 'no-referrer', loading: 'lazy', title: content.url });
    if (address && /^https?:/.test(address)) frame.src = address;
    const close = labelled(
      h('button', {
        type: 'button',
        class: 'overlay-close round small',
        onclick: () => {
          this.#closed.add(index);
          element.hidden = true;
          // The original client loads the world again here: servers count on it to hear that a page was read.
          if (this.session.content?.dimension.refreshURL) this.session.refresh();
        },
      }, icon('close')),
      'common.close',
    );
    element.append(frame, close);
  }
}
