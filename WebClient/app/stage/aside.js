// An open world while another part is shown that needs the camera: it stays as it is, and what becomes due happens on return.

import { closeDialogs } from '../ui/dialog.js';

/** @typedef {import('./stage.js').Stage} Stage */

export class Aside {
  #is = false;
  /** Whether the camera was in use when the other part took it. */
  #isCameraLent = false;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  go() {
    if (this.#is) return;
    this.#is = true;
    const { session, device: { camera }, element } = this.stage;
    closeDialogs();
    this.stage.parts.sounds?.player.stop();
    session.suspend('aside', true);
    this.#isCameraLent = ['running', 'paused', 'waiting'].includes(camera.state);
    if (this.#isCameraLent) camera.stop();
    element.hidden = true;
  }

  /** @param {import('../core/router.js').Route} route that led back, perhaps with what was found meanwhile */
  comeBack(route) {
    if (!this.#is) return;
    this.#is = false;
    const { stage } = this;
    const { session, device, element } = stage;
    element.hidden = false;
    if (this.#isCameraLent) void device.camera.start();
    session.suspend('aside', false);
    if (route.anchor) void stage.anchors.watchCodes();
    const place = route.place === null ? -1 : session.content?.placeByID(route.place) ?? -1;
    if (place >= 0) session.select(place);
    void stage.show(route.view);
    stage.showTitle();
  }
}
