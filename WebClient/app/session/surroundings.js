// What the view has to know of the user's surroundings beside the world, from the first position on: heights, and where the operator has
// a map of his own, the buildings behind which something may stand.

import { loadStyle } from '../core/dom.js';
import { fetchSettings } from '../net/settings.js';
import { tellEyeHeight } from './eye-height.js';
import { Heights } from './heights.js';

/** Milliseconds after the first picture at which buildings are fetched: what it waits for comes first. */
const BUILDINGS_AFTER_MS = 1000;

export class Surroundings {
  /**
   * @param {import('./session.js').Session} session
   * @param {import('../../engine/types').EngineEvent} [last] the last position, if there was one
   */
  constructor(session, last) {
    this.session = session;
    tellEyeHeight(session);
    this.heights = new Heights(session, last);
    const stop = session.on('frame', () => {
      stop();
      // Without a network nothing is hidden.
      setTimeout(() => this.#wantBuildings().catch(() => undefined), BUILDINGS_AFTER_MS);
    });
  }

  async #wantBuildings() {
    const { closed } = this.session;
    const { ground } = await fetchSettings();
    if (!ground || closed.aborted) return;
    const [{ BuildingsAround }] = await Promise.all([import('./buildings.js'), loadStyle('hidden')]);
    if (!closed.aborted) new BuildingsAround(this.session, ground, this.heights.here);
  }
}
