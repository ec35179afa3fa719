// The open worlds of a tracker. Each hears what the tracker's session is told, whichever that is, and looks at the camera's pictures while the
// tracker runs.

import { openWorld } from './world-session.js';

/**
 * @typedef {import('./frame-reader.js').TrackerSession} TrackerSession
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('./world-session.js').WorldSession} WorldSession
 */

export class TrackerWorlds {
  /** @type {Set<WorldSession>} */
  #worlds = new Set();
  /** @type {TrackerSession | null} */
  #session = null;
  /** @type {SharedCamera | null} */
  #camera = null;

  /**
   * @param {string | URL | object} world
   * @param {Parameters<typeof openWorld>[1]} options
   */
  async open(world, options) {
    const opened = await openWorld(world, options);
    this.#worlds.add(opened);
    opened.closed.addEventListener('abort', () => {
      this.#worlds.delete(opened);
      this.#session?.hearers.delete(opened.hear);
    });
    this.#session?.hearers.add(opened.hear);
    opened.look(this.#camera);
    return opened;
  }

  /** @param {TrackerSession | null} session that takes the place of the one before; what that was told the worlds know */
  join(session) {
    this.#session = session;
    for (const { hear } of this.#worlds) session?.hearers.add(hear);
  }

  /** @param {SharedCamera | null} camera whose pictures may be looked at; `null`: none */
  look(camera) {
    this.#camera = camera;
    for (const world of this.#worlds) world.look(camera);
  }

  /** @param {number} now seconds */
  tick(now) {
    for (const world of this.#worlds) world.tick(now);
  }

  /** Nothing runs any more. */
  rest() {
    this.#session = this.#camera = null;
    for (const world of this.#worlds) world.rest();
  }
}
