// <sightline-surface>: what stands in it is set down by a tap on the floor, a table or a wall. Until then it is not to be seen.

import { AnchorElement } from './anchor-elements.js';
import { readSurfaceLook } from './surface-look.js';

/**
 * @typedef {import('./surfaces.js').HitTest} HitTest
 * @typedef {{ placeChild: (child: SurfaceElement, point?: { x: number, y: number }) => Promise<HitTest>, pickUpChild: (child: SurfaceElement) => void }} Placer
 */

/**
 * What stands in it is set down on a surface.
 * @fires place it was set down or moved: `detail.anchor`, `detail.hit`
 */
export class SurfaceElement extends AnchorElement {
  static observedAttributes = ['size', 'facing', 'fixed'];
  /** @type {Placer | null} while the view runs */
  placer = null;
  #look = readSurfaceLook({});

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    this.#read();
  }

  /**
   * What is set down stays where it is when its attributes change.
   * @override
   */
  attributeChangedCallback() {
    if (this.isConnected) this.#read();
  }

  #read() {
    try {
      this.#look = readSurfaceLook({ size: this.number('size'), facing: this.getAttribute('facing') ?? undefined });
    } catch (error) {
      this.complain(`<${this.localName}>: ${error instanceof Error ? error.message : error}`);
    }
    if (this.anchor) this.anchor.description.size = this.#look.size;
  }

  /** Width in metres, and how it faces: the last that were right. */
  get look() {
    return this.#look;
  }

  /** Once set down, a tap does not move it. */
  get isFixed() {
    return this.hasAttribute('fixed');
  }

  /**
   * Sets it down, or moves it.
   * @param {{ x: number, y: number }} [point] of the view, CSS pixels; without it the middle
   * @returns {Promise<HitTest>} what it stands on, or why it does not
   */
  async setDown(point) {
    return this.placer?.placeChild(this, point) ?? { hit: null, reason: 'not-running' };
  }

  /** It is no longer set down. */
  pickUp() {
    this.placer?.pickUpChild(this);
  }
}
