// The way on foot to what is chosen, a stop or a place: asked for once, and again when the user has gone elsewhere.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';
import { footRoutes } from '../net/foot.js';
import { fetchSettings } from '../net/settings.js';

/**
 * @typedef {import('../net/foot.js').FootRoute} FootRoute
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {Point & { id: string }} Goal
 */

/** Metres the user goes before the way is asked for again. */
const STEP = 20;
/** Farther away nobody walks who was not asked; metres in a straight line. */
const FARTHEST = 5000;

/** @extends {Emitter<{ change: void }>} */
export class Walk extends Emitter {
  /** @type {FootRoute | null} */
  route = null;
  attribution = '';
  /** Whether an answer is waited for. */
  isAsking = false;
  /** Whether the reader wants no steps. */
  avoidsSteps = Boolean(load('avoidSteps', false));
  /** @type {Goal | null} */
  #goal = null;
  /** @type {Point | null} */
  #from = null;
  /** @type {AbortController | null} */
  #question = null;

  /**
   * @param {(a: Point, b: Point) => number} distance metres
   * @param {(ground: import('../map/ground/source.js').GroundSettings, at: Point) => boolean} covers whether a map is there
   * @param {number} [farthest] metres in a straight line
   */
  constructor(distance, covers, farthest = FARTHEST) {
    super();
    this.farthest = farthest;
    this.distance = distance;
    this.covers = covers;
  }

  /**
   * Another goal, or the user is elsewhere.
   * @param {Goal | null} goal
   * @param {Point | null} position
   */
  follow(goal, position) {
    if (goal?.id !== this.#goal?.id) this.#forget();
    this.#goal = goal;
    if (!goal || !position || !Number.isFinite(goal.latitude)) return;
    if (this.#from && this.distance(this.#from, position) < STEP) return;
    if (this.distance(position, goal) > this.farthest) return this.#forget();
    this.#from = position;
    void this.#ask(position, goal);
  }

  /** @param {boolean} value */
  avoidSteps(value) {
    this.avoidsSteps = value;
    save('avoidSteps', value || undefined);
    const [goal, from] = [this.#goal, this.#from];
    this.#from = null;
    this.follow(goal, from);
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
    this.isAsking = true;
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
    const isNew = route || this.route || this.isAsking;
    this.isAsking = false;
    this.route = route;
    if (!isNew) return;
    this.emit('change', undefined);
  }
}
