// A session of its own for what stands on markers without an open world: nothing is known of where the phone is, and nothing has to be.

import { newEngine } from '../session/engine-link.js';

/**
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').ContentPlace} ContentPlace
 * @typedef {import('../../engine/engine.js').Engine} Engine
 */

const now = () => performance.now() / 1000;
/** What a recording that begins later has to know. */
const STEADY = new Set(['orientationUnavailable', 'locationUnavailable', 'display', 'camera']);
/** Sizes of labels are told once they are drawn. */
const UNKNOWN = { width: 60, height: 32 };

export class AnchorSession {
  #life = new AbortController();
  /** @type {import('../recording/recorder.js').Recorder | null} */
  #recorder = null;
  /**
   * The last of each kind.
   * @type {Map<string, EngineEvent>}
   */
  #told = new Map();
  /** @type {ContentPlace[]} */
  #places = [];

  /**
   * @param {Engine} engine
   * @param {() => { width: number, height: number }} [size] of the view, CSS pixels
   */
  constructor(engine, size = () => ({ width: innerWidth, height: innerHeight })) {
    this.engine = engine;
    this.size = size;
    this.begin();
  }

  /** What the engine is told first. */
  begin() {
    this.tell({ type: 'orientationUnavailable', reason: 'missing' });
    this.tell({ type: 'locationUnavailable', reason: 'missing' });
    this.tellDisplay();
    addEventListener('resize', () => this.tellDisplay(), { signal: this.closed });
  }

  static async make() {
    return new AnchorSession(await newEngine());
  }

  /**
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time = now()) {
    if (STEADY.has(event.type)) this.#told.set(event.type, event);
    this.#recorder?.event(event, time);
    this.engine.handle(event, time);
  }

  /** Aborted when the session is closed. */
  get closed() {
    return this.#life.signal;
  }

  /**
   * From now on a recorder hears what the engine is told; first what it already knows.
   * @param {import('../recording/recorder.js').Recorder | null} recorder `null` ends it
   */
  record(recorder) {
    this.#recorder = recorder;
    if (!recorder) return;
    for (const event of this.#told.values()) recorder.event(event, now());
    this.show(this.#places);
  }

  /** What stands on anchors in the newest picture. */
  anchors() {
    if (this.#recorder) {
      // A replay makes its pictures where they were made here.
      const time = now();
      this.#recorder.tick(time);
      this.engine.makeFrame(time);
    }
    return this.engine.anchors();
  }

  tellDisplay() {
    this.tell({ type: 'display', ...this.size(), screenAngle: screen.orientation?.angle ?? 0 });
  }

  /**
   * Shows these places, whose indices are their features, in place of those before.
   * @param {ContentPlace[]} places
   */
  show(places) {
    this.#places = places;
    this.tell({ type: 'open', address: 0 });
    this.answer();
  }

  /**
   * The number of a picture that places stand on.
   * @param {{ assetID: string, width: number }} _target
   */
  pictureOf(_target) {
    return -1;
  }

  /**
   * The engine asks for the places once it knows what there is to know.
   * @returns {boolean} whether it has them from now on
   */
  answer() {
    const places = this.#places;
    let isAnswered = false;
    for (let effect = this.engine.nextEffect(); effect; effect = this.engine.nextEffect()) {
      if (effect.type !== 'request') continue;
      const dimension = {
        radarAvailable: false, refreshIntervalSeconds: 0, refreshDistance: 0, places, overlays: [],
        namesWhatStandsOnAnchors: true,
      };
      this.engine.compile(effect.request.id, {
        dimension, address: () => null, label: () => ({ label: UNKNOWN, compact: UNKNOWN }), picture: (target) => this.pictureOf(target),
      });
      this.#recorder?.worldOf(effect.request.id, this.engine, null, () => ({
        title: '', texts: places.map(({ title }) => title), addresses: [],
      }), now());
      this.engine.loaded(effect.request.id, now());
      isAnswered = true;
    }
    return isAnswered;
  }

  close() {
    this.#life.abort();
  }
}
