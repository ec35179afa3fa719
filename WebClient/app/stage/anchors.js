// What is looked for in the camera's picture while a world is open: markers, flat pictures, codes. It is fetched only when the world, or
// how the user came to it, has a use for it.

import { loadShared } from '../core/dom.js';
import { standsOnPrints } from '../show/prints.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../anchors/world-anchors.js').WorldAnchors} WorldAnchors
 */

export class Anchors {
  /** @type {WorldAnchors | null} */
  #anchors = null;
  /** @type {Promise<WorldAnchors | null> | null} */
  #coming = null;

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {HTMLElement} scene
   */
  constructor(session, device, scene) {
    this.session = session;
    this.device = device;
    this.scene = scene;
  }

  /** @param {Content} content */
  use(content) {
    this.device.setMarkersOnly(standsOnPrints(content));
    // Once it is there it hears of other worlds by itself.
    if (content.places.some(({ marker, target }) => marker || target)) void this.#make();
  }

  /** The user came by a code that knows where it hangs, and wants to be where it says. */
  async watchCodes() {
    (await this.#make())?.watchCodes();
  }

  #make() {
    const module = () => Promise.all([import('../anchors/world-anchors.js'), loadShared('markers')]);
    this.#coming ??= module().then(([{ WorldAnchors }]) => {
      if (this.session.closed.aborted) return null;
      this.#anchors = new WorldAnchors(this.session, this.device, this.scene);
      if (this.session.content) void this.#anchors.use(this.session.content);
      return this.#anchors;
    });
    return this.#coming;
  }

  /** Whether something that a place stands on has been found. */
  get isAnyFound() {
    return Boolean(this.#anchors?.state().markers.shown.length);
  }

  state() {
    return this.#anchors?.state() ?? { markers: null, codes: null };
  }
}
