// What is looked for in the camera's picture while a world is open: markers, flat pictures, codes. Each part is fetched only
// when the world has a use for it.

import { loadShared } from '../core/dom.js';
import { loadTexts } from '../core/i18n.js';
import { standsOnPrints } from '../show/prints.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../device/device.js').Device} Device
 */

export class Anchors {
  /** @type {import('../markers/anchors.js').MarkerAnchors | import('../targets/anchors.js').TargetAnchors | null} */
  markers = null;
  /** @type {import('../markers/code-watch.js').CodeWatch | null} */
  codes = null;

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
    if (content.places.some((place) => place.target)) void this.#watchTargets();
    else if (!this.markers && content.places.some((place) => place.marker)) void this.#watchMarkers();
  }

  async #watchMarkers() {
    const [{ MarkerAnchors }] = await Promise.all([import('../markers/anchors.js'), loadShared('markers')]);
    if (!this.session.closed.aborted) this.markers ??= new MarkerAnchors(this.session, this.device, this.scene);
  }

  /** Flat pictures, and the markers beside them. */
  async #watchTargets() {
    const [{ TargetAnchors }] = await Promise.all([import('../targets/anchors.js'), loadTexts('targets'), loadShared('markers')]);
    if (this.session.closed.aborted || this.markers instanceof TargetAnchors) return;
    this.markers?.close();
    this.markers = new TargetAnchors(this.session, this.device, this.scene);
  }

  /** The user came by a code that knows where it hangs, and wants to be where it says. */
  async watchCodes() {
    const { CodeWatch } = await import('../markers/code-watch.js');
    if (!this.session.closed.aborted) this.codes ??= new CodeWatch(this.session, this.device);
  }

  state() {
    return { markers: this.markers?.state() ?? null, codes: this.codes?.seen ?? null };
  }
}
