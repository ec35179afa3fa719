// How far it is to walk to the stops of the list, by the ways of the server's own map: one question for the nearest of them, and
// again when the user has gone elsewhere. Without a map, or a network, the list goes on with straight lines.

import { Emitter } from '../core/emitter.js';
import { footDistances } from '../net/foot.js';
import { fetchSettings } from '../net/settings.js';

/**
 * @typedef {import('../net/foot.js').FootDistance} FootDistance
 * @typedef {import('./types').Stop} Stop
 * @typedef {{ latitude: number, longitude: number }} Point
 */

/** Stops asked for at a time. */
const MOST = 24;
/** Metres the user goes before the ways are asked for again. */
const STEP = 30;

/** @extends {Emitter<{ change: void }>} */
export class WalkedDistances extends Emitter {
  attribution = '';
  /** @type {Map<string, FootDistance | null>} by stop; null where no way leads */
  #known = new Map();
  /** @type {Point | null} */
  #from = null;
  #asked = '';
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
   * @param {Stop} stop
   * @returns {FootDistance | null} null where it is not known
   */
  of(stop) {
    return this.#known.get(stop.id) ?? null;
  }

  /**
   * Other stops, or the user is elsewhere.
   * @param {Stop[]} stops the nearest first
   * @param {Point | null} position
   * @param {boolean} avoidsSteps
   */
  follow(stops, position, avoidsSteps) {
    if (!position) return;
    const near = stops.filter(({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon)).slice(0, MOST);
    const key = `${avoidsSteps} ${near.map(({ id }) => id).join(' ')}`;
    if (near.length === 0 || (key === this.#asked && this.#from && this.distance(this.#from, position) < STEP)) return;
    this.#asked = key;
    this.#from = position;
    void this.#ask(near, position, avoidsSteps);
  }

  close() {
    this.#question?.abort();
  }

  /**
   * @param {Stop[]} stops
   * @param {Point} from
   * @param {boolean} avoidSteps
   */
  async #ask(stops, from, avoidSteps) {
    this.#question?.abort();
    const { signal } = this.#question = new AbortController();
    try {
      const { ground } = await fetchSettings();
      const points = stops.map(({ lat, lon }) => ({ latitude: lat, longitude: lon }));
      const isThere = ground && this.covers(ground, from);
      if (signal.aborted) return;
      // What was known holds for another place.
      if (!isThere) return this.#show(new Map(), '');
      const { distances, attribution } = await footDistances(from, points, { avoidSteps, signal });
      if (!signal.aborted) this.#show(new Map(stops.map(({ id }, index) => [id, distances[index] ?? null])), attribution);
    } catch {
      if (signal.aborted) return;
      // The list's next look asks again.
      this.#asked = '';
      this.#show(new Map(), '');
    }
  }

  /**
   * @param {Map<string, FootDistance | null>} known
   * @param {string} attribution
   */
  #show(known, attribution) {
    if (known.size === 0 && this.#known.size === 0) return;
    this.#known = known;
    this.attribution = attribution;
    this.emit('change', undefined);
  }
}
