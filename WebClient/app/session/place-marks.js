// What the reader thinks of a world's places: the favourites, and those whose card was opened. Kept on this phone only.

import { load, save } from '../core/storage.js';

/** Worlds and places of each that are remembered; the oldest go first. */
const MOST_WORLDS = 100;
const MOST_PLACES = 500;

/** @typedef {'favouritePlaces' | 'seenPlaces'} Kind */

export class PlaceMarks {
  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.session = session;
    addEventListener('storage', () => this.#known.clear(), { signal: session.closed });
  }

  /** @param {number} place */
  isFavourite(place) {
    return this.#has('favouritePlaces', place);
  }

  /** @param {number} place */
  isSeen(place) {
    return this.#has('seenPlaces', place);
  }

  /** Whether any place of what is open is a favourite. */
  get hasFavourites() {
    return (this.session.content?.places ?? []).some((_, index) => this.isFavourite(index));
  }

  /**
   * @param {number} place
   * @param {boolean} on
   */
  setFavourite(place, on) {
    this.#set('favouritePlaces', place, on);
  }

  /** @param {number} place */
  see(place) {
    if (!this.isSeen(place)) this.#set('seenPlaces', place, true);
  }

  /** @param {number} place */
  #key(place) {
    const { content, worlds } = this.session;
    if (!content?.places[place]) return null;
    const origin = worlds.origin(content.places[place], place);
    if (!origin) return null;
    const address = worlds.addressOf(origin.world);
    return { world: address.kind === 'url' ? address.url : `${address.kind} ${address.id}`, key: origin.key };
  }

  /**
   * By kind and world; read once, and anew when another tab has changed it.
   * @type {Map<Kind, Map<string, Set<string>>>}
   */
  #known = new Map();

  /**
   * @param {Kind} kind
   * @returns {Map<string, Set<string>>}
   */
  #lists(kind) {
    let lists = this.#known.get(kind);
    if (!lists) {
      const kept = Object.entries(load(kind, /** @type {Record<string, unknown>} */ ({})));
      lists = new Map(kept.map(([world, keys]) => [world, new Set(Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [])]));
      this.#known.set(kind, lists);
    }
    return lists;
  }

  /**
   * @param {Kind} kind
   * @param {number} place
   */
  #has(kind, place) {
    const at = this.#key(place);
    return at !== null && this.#lists(kind).get(at.world)?.has(at.key) === true;
  }

  /**
   * @param {Kind} kind
   * @param {number} place
   * @param {boolean} on
   */
  #set(kind, place, on) {
    const at = this.#key(place);
    if (!at) return;
    this.#known.delete(kind);
    const lists = this.#lists(kind);
    const keys = [...lists.get(at.world) ?? []].filter((key) => key !== at.key);
    if (on) keys.push(at.key);
    // Named last, it is the last to be forgotten.
    lists.delete(at.world);
    if (keys.length) lists.set(at.world, new Set(keys.slice(-MOST_PLACES)));
    for (const world of [...lists.keys()].slice(0, Math.max(0, lists.size - MOST_WORLDS))) lists.delete(world);
    // Without a prototype, for a world may be called `__proto__`.
    save(kind, Object.assign(Object.create(null), Object.fromEntries([...lists].map(([world, all]) => [world, [...all]]))));
    this.session.emit('marks', undefined);
  }
}
