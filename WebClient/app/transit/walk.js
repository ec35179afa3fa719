// The way on foot to the chosen stop: asked for once, and again when the user has gone elsewhere.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';
import { footRoutes } from '../net/foot.js';
import { fetchSettings } from '../net/settings.js';

/**
 * @typedef {import('../net/foot.js').FootRoute} FootRoute
 * @typedef {import('./types').Stop} Stop
 * @typedef {{ latitude: number, longitude: number }} Point
 */

/** Metres the user goes before the way is asked for again. */
const STEP = 20;
/** Farther away nobody walks; metres in a straight line. */
const FARTHEST = 5000;

/** @extends {Emitter<{ change: void }>} */
export class StopWalk extends Emitter {
  /** @type {FootRoute | null} */
  route = null;
  attribution = '';
  /** Whether the reader wants no steps. */
  avoidsSteps = Boolean(load('avoidSteps', false));
  /** @type {Stop | null} */
  #stop = null;
  /** @type {Point | null} */
  #from = null;
  /** @type {AbortController | null} */
  #question = null;

  /**
   * @param {(a: Point, b: Point) => number} distance metres
   * @param {(ground: import('../map/ground/source.js').GroundSettings, at: Point) => boolean} covers whether a map is there
   */
  constructor(distance, covers) {
    super();
    this.distance = distance;
    this.covers = covers;
  }

  /**
   * Another stop, or the user is elsewhere.
   * @param {Stop | null} stop
   * @param {Point | null} position
   */
  follow(stop, position) {
    if (stop?.id !== this.#stop?.id) this.#forget();
    this.#stop = stop;
    if (!stop || !position || !Number.isFinite(stop.lat)) return;
    if (this.#from && this.distance(this.#from, position) < STEP) return;
    const target = { latitude: stop.lat, longitude: stop.lon };
    if (this.distance(position, target) > FARTHEST) return this.#forget();
    this.#from = position;
    void this.#ask(position, target);
  }

  /** @param {boolean} value */
  avoidSteps(value) {
    this.avoidsSteps = value;
    save('avoidSteps', value || undefined);
    const [stop, from] = [this.#stop, this.#from];
    this.#from = null;
    this.follow(stop, from);
  }

  close() {
    this.#question?.abort();
  }

  #forget() {
    this.#question?.abort();
    this.#from = null;
    this.#show(null);
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  async #ask(from, to) {
    this.#question?.abort();
    const question = this.#question = new AbortController();
    const { ground } = await fetchSettings();
    if (question.signal.aborted) return;
    if (!ground || !this.covers(ground, from) || !this.covers(ground, to)) return this.#show(null);
    try {
      const answer = await footRoutes(from, to, { avoidSteps: this.avoidsSteps, signal: question.signal });
      if (question.signal.aborted) return;
      this.attribution = answer.attribution;
      this.#show(answer.routes[0] ?? null);
    } catch {
      // Without a network the straight line is shown as before.
      if (!question.signal.aborted) this.#show(null);
    }
  }

  /** @param {FootRoute | null} route */
  #show(route) {
    if (!route && !this.route) return;
    this.route = route;
    this.emit('change', undefined);
  }
}
