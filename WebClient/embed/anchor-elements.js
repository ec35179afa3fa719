// <sightline-place>, <sightline-marker> and <sightline-picture>: what stands in them is shown where they are. Each tells the view
// around it what it is; whatever is wrong with its attributes it says in an event, and never throws.

import { sheetOf } from './style-sheet.js';

/**
 * @typedef {import('./anchors.js').Description} Description
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {{ enter: (element: AnchorElement) => void, leave: (element: AnchorElement) => void, change: (element: AnchorElement) => void }} View
 */

const STYLE = `
:host { position: absolute; left: 0; top: 0; display: block; width: max-content; visibility: hidden; pointer-events: none;
  transform-origin: 0 0; opacity: 1; }
:host([data-visible]) { visibility: visible; pointer-events: auto; }
`;

/** What a page may leave out, and still means. */
const isGiven = (/** @type {string | null} */ text) => text !== null && text.trim() !== '';

/**
 * What stands in it is shown where it is.
 * @fires found it is in the picture: `detail.anchor`
 * @fires lost it no longer is: `detail.anchor`
 * @fires select it was tapped: `detail.anchor`
 * @fires error an attribute is wrong, or a picture cannot be looked for: `detail.code`, and `detail.message` with what to do
 */
export class AnchorElement extends HTMLElement {
  /** @type {Anchor | null} set by the view while it runs */
  anchor = null;
  /** @type {View | null} */
  #view = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheetOf(STYLE)];
    root.append(document.createElement('slot'));
  }

  connectedCallback() {
    const view = /** @type {(HTMLElement & Partial<View>) | null} */ (this.closest('sightline-view'));
    if (!view) return this.complain(`<${this.localName}> belongs into a <sightline-view>: put it there`);
    customElements.upgrade(view);
    this.#view = /** @type {View} */ (/** @type {unknown} */ (view));
    this.#view.enter(this);
  }

  disconnectedCallback() {
    this.#view?.leave(this);
    this.#view = null;
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(_name, before, after) {
    if (before !== after) this.#view?.change(this);
  }

  /**
   * What it stands for, as a tracker takes it; numbers that are none are found out there.
   * @returns {Description}
   */
  describe() {
    throw new TypeError('an anchor of no kind');
  }

  /** @param {string} name of an attribute */
  number(name) {
    const text = this.getAttribute(name);
    return isGiven(text) ? Number(text) : undefined;
  }

  /** @param {string} message */
  complain(message) {
    console.warn(`Sightline: ${message}`, this);
    this.dispatchEvent(new CustomEvent('error', { detail: { code: 'attribute', message }, bubbles: true, composed: true }));
  }

  /** @param {string | null} transform `null`: it is not to be seen */
  place(transform, opacity = 1) {
    this.toggleAttribute('data-visible', transform !== null);
    if (transform === null) return;
    this.style.transform = transform;
    this.style.opacity = opacity < 1 ? opacity.toFixed(2) : '';
  }
}

export class PlaceElement extends AnchorElement {
  static observedAttributes = ['latitude', 'longitude', 'height', 'height-over'];

  /** @override */
  describe() {
    const over = /** @type {any} */ (this.getAttribute('height-over') ?? undefined);
    return { place: /** @type {any} */ ({ latitude: this.number('latitude'), longitude: this.number('longitude'), height: this.number('height'), heightOver: over }) };
  }
}

export class MarkerElement extends AnchorElement {
  static observedAttributes = ['dictionary', 'marker-id', 'size'];

  /** @override */
  describe() {
    return { marker: /** @type {any} */ ({ dictionary: this.getAttribute('dictionary') ?? undefined, id: this.number('marker-id'), size: this.number('size') }) };
  }
}

export class PictureElement extends AnchorElement {
  static observedAttributes = ['src', 'physical-width'];

  /** @override */
  describe() {
    return { picture: /** @type {any} */ ({ src: this.getAttribute('src') ?? undefined, physicalWidth: this.number('physical-width') }) };
  }
}
