// Extended tracking: world tracking beside vision, in a worker of its own. It gets each picture that vision has looked at, with what was seen in
// it, ties that to its map of the surroundings, and says where it is in pictures that do not show it. Nothing depends on it: when it
// fails, or is not ready yet, the page goes on with what vision sees.

import { isSeenInMetres, loseObservations, mergeObservations } from '../../engine/merged-observations.js';
import { readObservations } from '../../engine/observations.js';
import { preloadOdometry } from '../session/engine-link.js';
import { LensKeeper } from './lens-keeper.js';

/**
 * @typedef {import('./camera-vision.js').Sight} Sight
 * @typedef {import('./frame-pump.js').Held} Held
 * @typedef {import('./odometry-worker.js').Answer} Answer
 * @typedef {import('./odometry-worker.js').Order} Order
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {import('../../engine/vision.js').MarkerWatch} MarkerWatch
 * @typedef {{ engine: () => import('../../engine/engine.js').Engine | undefined, label: () => string, learned: () => void,
 *   markers: MarkerWatch | null }} Setup `label` of the camera; `learned` is called when its lens was; `markers` that are looked for
 */

/** Longest a picture may take, milliseconds: it is not shown before. */
const PATIENCE = 2000;
/** How often it may fail until it is left alone, and how long it is left alone before that, seconds. */
const [TRIES, PAUSE] = [3, 10];
/** Nothing is followed any more when nothing was seen or carried on for so long, seconds: it saves the battery. */
const LONGEST_SEARCH = 60;
const NOTHING = new Float64Array(0);

export class ExtendedTracking {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {'off' | 'starting' | 'running' | 'resting' | 'failed'} */
  #state = 'off';
  /** @type {((tracked: Tracked | null) => void) | null} who waits for the answer to a picture */
  #waiting = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** When the picture was taken whose answer is waited for, seconds: that to an earlier one comes too late. */
  #time = NaN;
  /** When something was last seen or carried on, seconds. */
  #needed = -Infinity;
  /** How often it failed, when the last picture was taken, and from when on it may begin again; seconds. */
  #failures = 0;
  #latest = -Infinity;
  #again = -Infinity;
  /** Rows of what is carried on. */
  #carried = NOTHING;
  /** @type {Tracked | null} */
  #tracked = null;

  #lens = new LensKeeper();

  /**
   * @param {Setup} setup
   * @param {() => Promise<WebAssembly.Module>} [load] the engine's file
   * @param {() => Worker} [make] the worker
   */
  constructor(setup, load = preloadOdometry, make = () => new Worker(new URL('./odometry-worker.js', import.meta.url), { type: 'module' })) {
    this.setup = setup;
    this.start = () => this.#start(load, make).catch((error) => this.#fail(String(error)));
  }

  /**
   * @param {() => Promise<WebAssembly.Module>} load
   * @param {() => Worker} make
   */
  async #start(load, make) {
    this.#state = 'starting';
    const module = await load();
    if (/** @type {string} */ (this.#state) === 'failed') return;
    const worker = make();
    this.#worker = worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    worker.onerror = (event) => worker === this.#worker && this.#fail(event.message);
    worker.postMessage(/** @type {Order} */ ({ kind: 'start', module }));
  }

  /**
   * Hands a picture on.
   * @param {Held} held
   * @param {Sight} sight what vision saw in it
   * @returns {Promise<Tracked | null> | null} where the phone was, and what is carried on; `null`: it is not taken
   */
  follow({ image, width, height, moment }, { rows, observations, focal, lens, time }) {
    if (observations.some(isSeenInMetres) || this.#carried.length) this.#needed = time;
    // A device without the sensors says so once, with readings that are none.
    this.#latest = time;
    if (this.#state === 'off' && this.#needed === time && time >= this.#again && moment.turning.some(isReading)) void this.start();
    if (this.#state === 'starting' || !this.#worker) return null;
    this.#state = time - this.#needed < LONGEST_SEARCH ? 'running' : 'resting';
    if (this.#state === 'resting') return null;
    const seen = { rows, focal, lens };
    if (typeof image.clone === 'function') {
      const frame = image.clone();
      this.#worker.postMessage(/** @type {Order} */ ({ kind: 'frame', frame, ...moment, seen }), [frame]);
    } else {
      const pixels = image.getContext('2d').getImageData(0, 0, width, height).data.buffer;
      this.#worker.postMessage(/** @type {Order} */ ({ kind: 'pixels', pixels, width, height, ...moment, seen }), [pixels]);
    }
    return new Promise((resolve) => {
      this.#time = moment.time;
      this.#waiting = resolve;
      this.#timer = setTimeout(() => this.#fail('no answer'), PATIENCE);
    });
  }

  /**
   * What is in a picture by vision and world tracking; of a picture that was not followed what was carried on is lost, once.
   * @param {Sight} sight
   * @param {Tracked | null} tracked what `follow` gave
   * @returns {Sight}
   */
  complete(sight, tracked) {
    const carried = tracked?.rows ?? loseObservations(this.#carried);
    if (tracked) sight = { ...sight, tracked };
    const engine = this.setup.engine();
    if (!tracked) this.#carried = NOTHING;
    else if (engine && this.#lens.keep(tracked, sight, this.setup.label(), engine)) this.setup.learned();
    if (!carried.length) return sight;
    const rows = mergeObservations(sight.rows, carried);
    return { ...sight, rows, observations: readObservations(rows) };
  }

  /**
   * Other markers are looked for. By lengths that were wrong nothing is known: when one has another size, tracking begins anew.
   * @param {MarkerWatch | null} watch
   */
  watchMarkers(watch) {
    if (areOtherSizes(this.setup.markers, watch)) this.#worker?.postMessage(/** @type {Order} */ ({ kind: 'forget' }));
    this.setup.markers = watch;
  }

  /** No pictures come for a while: who waits for one does so in vain. */
  rest() {
    this.#answer(null);
  }

  /** @param {Answer} answer */
  #hear(answer) {
    if (answer.kind === 'failed') return this.#fail(answer.text);
    if (answer.kind === 'ready') this.#state = 'running';
    if (answer.kind === 'left' && answer.time === this.#time) this.#answer(null);
    if (answer.kind !== 'seen') return;
    this.#tracked = answer.tracked;
    this.#carried = answer.tracked.rows;
    if (answer.tracked.time === this.#time) this.#answer(answer.tracked);
  }

  /** @param {Tracked | null} tracked */
  #answer(tracked) {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(tracked);
  }

  /** @param {string} text */
  #fail(text) {
    if (this.#state === 'failed') return;
    console.warn(`extended tracking ended: ${text}`);
    this.close();
    this.#failures += 1;
    if (this.#failures === TRIES) return;
    this.#state = 'off';
    this.#again = this.#latest + PAUSE;
  }

  close() {
    this.#state = 'failed';
    this.#worker?.terminate();
    this.#worker = null;
    this.#tracked = null;
    this.#answer(null);
  }

  /** What tests look at. */
  state() {
    const tracked = this.#tracked;
    return {
      state: this.#state, carried: readObservations(this.#carried).filter(({ state }) => state === 'carried').length,
      tracking: tracked && { ...tracked, rows: 0 },
    };
  }
}

/**
 * @param {MarkerWatch | null} before
 * @param {MarkerWatch | null} now
 */
function areOtherSizes(before, now) {
  if (!before || !now) return false;
  if (before.usual > 0 && now.usual > 0 && before.usual !== now.usual) return true;
  return before.sides.some((old) => now.sides.some(({ dictionary, id, side }) => dictionary === old.dictionary && id === old.id && side !== old.side));
}

/** @param {import('./vision-worker.js').Turning} turning */
function isReading({ rate, force }) {
  return [...rate, ...force].every(Number.isFinite);
}
