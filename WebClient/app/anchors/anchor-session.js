// A session of its own for what stands on markers without an open world: nothing is known of where the phone is, and nothing has to be.

import { newEngine } from '../session/engine-link.js';

/**
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').ContentPlace} ContentPlace
 * @typedef {import('../../engine/engine.js').Engine} Engine
 */

const now = () => performance.now() / 1000;
/** Sizes of labels are told once they are drawn. */
const UNKNOWN = { width: 60, height: 32 };

export class AnchorSession {
  #life = new AbortController();

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.tell({ type: 'orientationUnavailable', reason: 'missing' });
    this.tell({ type: 'locationUnavailable', reason: 'missing' });
    this.#tellDisplay();
    addEventListener('resize', () => this.#tellDisplay(), { signal: this.#life.signal });
  }

  static async make() {
    return new AnchorSession(await newEngine());
  }

  /** @param {EngineEvent} event */
  tell(event) {
    this.engine.handle(event, now());
  }

  #tellDisplay() {
    this.tell({ type: 'display', width: innerWidth, height: innerHeight, screenAngle: screen.orientation?.angle ?? 0 });
  }

  /**
   * Shows these places, whose indices are their features, in place of those before.
   * @param {ContentPlace[]} places
   */
  show(places) {
    this.tell({ type: 'open', address: 0 });
    for (let effect = this.engine.nextEffect(); effect; effect = this.engine.nextEffect()) {
      if (effect.type !== 'request') continue;
      const dimension = {
        radarRange: 1000, radarAvailable: false, refreshIntervalSeconds: 0, refreshDistance: 0, places, overlays: [],
        namesWhatStandsOnAnchors: true,
      };
      this.engine.compile(effect.request.id, {
        dimension, address: () => null, label: () => ({ label: UNKNOWN, compact: UNKNOWN }), picture: () => -1,
      });
      this.engine.loaded(effect.request.id, now());
    }
  }

  close() {
    this.#life.abort();
  }
}
