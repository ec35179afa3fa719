// Texts and pictures that a world fixes to the view. Pages of others, which a world may ask for too, are not shown in pages of others.

import { fill, put } from '../app/ar/overlay-box.js';
import { h } from '../app/core/dom.js';
import { allowedLink } from '../app/net/addresses.js';
import { sheetOf } from './style-sheet.js';

/**
 * @typedef {import('./world-session.js').WorldSession} WorldSession
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../app/types').Overlay} Overlay
 * @typedef {import('../app/session/content.js').Content} Content
 */

const STYLE = `
.world-overlays { --bar: 0px; --dock: 0px; }
.world .overlay { position: absolute; pointer-events: none; max-width: none; text-decoration: none; border: 0; text-align: left; }
.world .overlay.pressable { pointer-events: auto; cursor: pointer; }
.world .overlay.anchored { width: max-content; max-width: 100%; }
.world .overlay-text { padding: 2px 5px; border-radius: 6px; font: 650 14px/18px system-ui, sans-serif; white-space: pre-wrap;
  color: var(--sightline-label-color, #fff); background: var(--sightline-label, rgb(8 12 16 / 0.82)); }
.world .overlay-text.pressable { box-shadow: 0 0 0 1px currentColor; }
.world .overlay-image { padding: 0; background: none; }
.world .overlay-image img { display: block; max-width: none; }
.world .overlay.pressable::after { content: ""; position: absolute; inset: min(0px, calc((100% - 44px) / 2)); }
.world .overlay.pressable:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

export class WorldOverlays {
  /** @type {{ element: HTMLElement, index: number }[]} */
  #all = [];
  #shown = '';

  /**
   * @param {HTMLElement} layer that they stand in
   * @param {ShadowRoot} root
   * @param {WorldSession} world
   */
  constructor(layer, root, world) {
    this.layer = layer;
    this.world = world;
    const sheet = sheetOf(STYLE);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    layer.classList.add('world-overlays');
  }

  /** @param {Content} content */
  show(content) {
    this.#shown = '';
    this.#all = content.dimension.overlays.flatMap((overlay, index) => {
      const element = this.#make(content, overlay, index);
      return element ? [{ element, index }] : [];
    });
    this.layer.replaceChildren(...this.#all.map(({ element }) => element));
  }

  /** @param {SceneFrame} frame */
  draw({ overlayVisible }) {
    const shown = this.#all.map(({ index }) => (overlayVisible[index] ? '1' : '0')).join('');
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#all.forEach(({ element }, k) => (element.hidden = shown[k] === '0'));
  }

  /** Nothing is laid out under those that are visible. */
  get elements() {
    return this.#all.map(({ element }) => element);
  }

  /**
   * @param {Content} content
   * @param {Overlay} overlay
   * @param {number} index
   * @returns {HTMLElement | null}
   */
  #make(content, overlay, index) {
    if (overlay.content.kind === 'html') return null;
    const element = this.#box(content, overlay, index);
    element.classList.add('overlay', `overlay-${overlay.content.kind}`);
    element.setAttribute('part', 'overlay');
    if (overlay.id) element.dataset.id = overlay.id;
    element.hidden = true;
    put(element, overlay);
    fill(element, overlay, overlay.content, (id) => content.assetURL(id));
    return element;
  }

  /**
   * What leads to a page is a link, which opens by itself only when it is pressed; what does something else is a button.
   * @param {Content} content
   * @param {Overlay} overlay
   * @param {number} index
   */
  #box(content, { action }, index) {
    if (!action) return h('div');
    if (action.kind !== 'webPage') {
      return h('button', { type: 'button', class: 'pressable', onclick: () => this.world.tell({ type: 'pressOverlay', overlay: index }) });
    }
    const link = allowedLink(content.absolute(action.url) ?? '');
    return link ? h('a', { class: 'pressable', href: link.href, target: '_blank', rel: 'noopener noreferrer' }) : h('div');
  }
}
