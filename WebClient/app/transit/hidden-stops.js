// Which stops stand behind houses: the engine judges them as it judges places of a world, and is given them as one. Where no buildings
// are known nothing is done.

import { Buildings } from '../../engine/buildings.js';
import { offerLocalWorld } from '../net/local-worlds.js';
import { layerOf } from './layer.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('../../engine/buildings.js').Visibility} Visibility
 */

/** A world of this page's own, which no list has. */
const WORLD = 'departures';
/** Metres within which stops are judged: farther ones are seen. */
const REACH = 5000;
/** Metres that the user goes before roof lines are looked for again. */
const STEP = 1;

export class HiddenStops {
  /** @type {Map<string, Visibility>} by stop; those that are not seen whole */
  #visibility = new Map();
  /** @type {Map<string, number>} by stop: its number in the engine's world */
  #features = new Map();
  #isOpen = false;
  /** @type {Map<string, number | null>} by stop: the roofs before it, upwards for a metre of distance */
  #roofs = new Map();
  #roofsOf = '';

  /**
   * @param {Session} session
   * @param {import('./data.js').TransitData} data
   */
  constructor(session, data) {
    this.session = session;
    session.on('town', () => this.#open(data));
    data.on('stops', () => this.#isOpen && session.refresh());
    session.on('world', ({ places }) => {
      this.#features = new Map(places.map(({ id }, index) => [id ?? '', index]));
      session.tell({ type: 'setRadius', radius: REACH });
    });
  }

  /** @param {import('./data.js').TransitData} data */
  #open(data) {
    if (this.#isOpen) return;
    this.#isOpen = true;
    offerLocalWorld(WORLD, () => layerOf(data.stops, []));
    this.session.open({ kind: 'around', id: WORLD });
  }

  /**
   * Asks the engine about its last frame.
   * @returns {boolean} whether something has changed
   */
  look() {
    if (!this.#isOpen || !this.session.content) return false;
    const hidden = this.session.guarded(() => this.session.engine.part(Buildings).hidden());
    if (!hidden) return false;
    const before = this.#visibility;
    /** @type {Map<string, Visibility>} */
    const now = new Map();
    for (const [id, feature] of this.#features) {
      const visibility = hidden.get(feature);
      if (visibility) now.set(id, visibility);
    }
    this.#visibility = now;
    return now.size !== before.size || [...now].some(([id, visibility]) => before.get(id) !== visibility);
  }

  /** @param {Stop | null} stop @returns {Visibility | undefined} none for one that is seen */
  of(stop) {
    return stop ? this.#visibility.get(stop.id) : undefined;
  }

  /** @param {Stop | null} stop @returns {number | undefined} its number in the engine's world */
  feature(stop) {
    return stop ? this.#features.get(stop.id) : undefined;
  }

  /**
   * How high the roofs before a stop are seen: upwards from the eye, for a metre of distance.
   * @param {Stop} stop
   * @returns {number | null} null where nothing stands before it
   */
  roofLine({ id, lat, lon }) {
    const { town, status } = this.session;
    const here = town?.at(status?.standpoint);
    if (!town || !here) return null;
    const key = `${town.version} ${here.map((metres) => Math.round(metres / STEP))}`;
    if (key !== this.#roofsOf) this.#roofs.clear();
    this.#roofsOf = key;
    let found = this.#roofs.get(id);
    if (found === undefined) this.#roofs.set(id, found = town.roofLine(here, { latitude: lat, longitude: lon }));
    return found;
  }
}
