// <sightline-model>: a glTF model on the anchor element around it. What draws is loaded once there is one.

import { AnchorElement } from './anchor-elements.js';
import { sheetOf } from './style-sheet.js';

/**
 * @typedef {import('./model-layer.js').ModelLayer} ModelLayer
 * @typedef {'waiting' | 'loading' | 'ready' | 'failed'} ModelState
 */

// It has no look of its own, but is there for those who hear what is seen; also on an anchor with nothing else, which is hidden.
const STYLE = `
:host { position: absolute; left: 50%; top: 50%; width: 1px; height: 1px; overflow: hidden; visibility: hidden; pointer-events: none; }
:host([data-visible]) { visibility: visible; }
`;

/**
 * A model on the anchor around it.
 * @fires load its file was read, and it is drawn from now on
 * @fires error its file or an attribute is wrong: `detail.code`, and `detail.message` with what to do
 * @fires select what is drawn of it was tapped
 */
export class ModelElement extends HTMLElement {
  static observedAttributes = ['src', 'scale', 'rotation', 'position', 'heading', 'alt'];
  /** @type {ModelState} */
  state = 'waiting';
  /** @type {ModelLayer | null} */
  #layer = null;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheetOf(STYLE)];
    this.addEventListener('click', (event) => {
      // The anchor around it is selected by what is said here.
      event.stopPropagation();
      this.select();
    });
  }

  connectedCallback() {
    this.#describe();
    const view = /** @type {HTMLElement | null} */ (this.closest('sightline-view'));
    if (!view) return this.fail('attribute', `<${this.localName}> belongs on an anchor in a <sightline-view>: put it there`);
    import('./model-layer.js').then(({ layerOf }) => {
      // It may have been taken out, or moved, meanwhile.
      if (!this.isConnected || this.#layer || this.closest('sightline-view') !== view) return;
      // Other kinds of anchors may be defined after this one.
      if (!this.anchorElement) return this.fail('attribute', `<${this.localName}> belongs on a place, a marker or another anchor: put it into one`);
      this.#layer = layerOf(view);
      this.#layer.enter(this);
    }, (error) => this.fail('engine', String(error)));
  }

  disconnectedCallback() {
    this.#layer?.leave(this);
    this.#layer = null;
    this.state = 'waiting';
    this.removeAttribute('data-visible');
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === 'alt') this.#describe();
    else this.#layer?.change(this);
  }

  /** The anchor element that it stands on. */
  get anchorElement() {
    for (let element = this.parentElement; element; element = element.parentElement) {
      if (element instanceof AnchorElement) return element;
    }
    return null;
  }

  /** As a picture is told of: by `alt`, unless the page says it otherwise. */
  #describe() {
    const alt = this.getAttribute('alt')?.trim();
    if (alt === undefined) return;
    if (!this.hasAttribute('role')) this.setAttribute('role', 'img');
    this.setAttribute('aria-label', alt);
  }

  select() {
    this.dispatchEvent(new CustomEvent('select', { detail: { anchor: this.anchorElement?.anchor ?? null, model: this }, bubbles: true, composed: true }));
  }

  /** @param {{ bounds: { low: number[], high: number[] } }} detail */
  succeed(detail) {
    this.state = 'ready';
    // Does not bubble: that of a page is another thing.
    this.dispatchEvent(new CustomEvent('load', { detail }));
  }

  /**
   * @param {import('./model-file.js').ModelErrorCode} code
   * @param {string} message
   */
  fail(code, message) {
    this.state = 'failed';
    console.warn(`Sightline: ${message}`, this);
    this.dispatchEvent(new CustomEvent('error', { detail: { code, message }, bubbles: true, composed: true }));
  }
}
