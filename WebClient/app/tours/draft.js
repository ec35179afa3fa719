// A tour while it is being changed: undo, what the server has, and a copy on this computer of what it does not have yet.

import { load, save } from '../core/storage.js';

/**
 * @typedef {import('./api.js').Tour} Tour
 * @typedef {import('./api.js').Station} Station
 * @typedef {import('./api.js').Point} Point
 */

const UNDO_STEPS = 100;
/** Typing within this time is one step to undo. */
const TYPING_MS = 1500;

export class Draft {
  /** @type {string[]} */
  #before = [];
  #noted = 0;
  /** @type {string | null} */
  selected = null;

  /** @param {import('./api.js').StoredTour} stored */
  constructor(stored) {
    this.id = stored.id;
    this.version = stored.version;
    this.tour = complete(stored.tour);
    this.known = JSON.stringify(this.content());
    const kept = load(this.#key, /** @type {{ version: number, tour: Tour } | null} */ (null));
    // What could not be saved the last time, if nobody has changed the tour since.
    if (kept?.version === stored.version && Array.isArray(kept.tour?.stations)) this.tour = complete(kept.tour);
    this.selected = this.tour.stations[0]?.id ?? null;
  }

  get #key() {
    return `tour.${this.id}`;
  }

  get isChanged() {
    return JSON.stringify(this.content()) !== this.known;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  /**
   * The tour as it is sent: without answers that were left empty.
   * @returns {Tour}
   */
  content() {
    return {
      ...this.tour,
      stations: this.tour.stations.map((station) => {
        const filled = station.options.map((option, number) => ({ option: option.trim(), number })).filter(({ option }) => option);
        return {
          ...station,
          title: station.title.trim(),
          options: filled.map(({ option }) => option),
          correct: filled.flatMap(({ number }, at) => (station.correct.includes(number) ? [at] : [])),
          accepted: station.accepted.map((answer) => answer.trim()).filter(Boolean),
          hints: station.hints.filter(({ text }) => text.trim()),
          visibleRadius: station.visibleRadius || undefined,
          picture: station.picture || undefined,
        };
      }),
    };
  }

  /**
   * Notes the tour before a change.
   * @param {boolean} isStep whether it is a step of its own, unlike a letter typed
   */
  note(isStep) {
    const now = Date.now();
    if (!isStep && now - this.#noted < TYPING_MS) return void (this.#noted = now);
    this.#noted = isStep ? 0 : now;
    this.#before.push(JSON.stringify(this.tour));
    if (this.#before.length > UNDO_STEPS) this.#before.shift();
  }

  undo() {
    const before = this.#before.pop();
    if (before === undefined) return false;
    this.tour = JSON.parse(before);
    this.#noted = 0;
    if (!this.tour.stations.some(({ id }) => id === this.selected)) this.selected = this.tour.stations.at(-1)?.id ?? null;
    return true;
  }

  /** @param {Point} position @returns {string} its identifier */
  addStation(position) {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => (byte % 36).toString(36)).join('') +
      (this.tour.stations.length + 1);
    const last = this.tour.stations.at(-1);
    // A new station is like the one before: who asks one choice mostly asks more.
    this.tour.stations.push({
      id, kind: last?.kind ?? 'choice', title: '', text: '', position, radius: last?.radius ?? 30, visibleRadius: last?.visibleRadius,
      options: ['', '', ''], correct: [0], accepted: [], points: last?.points ?? 10, tries: last?.tries ?? 1, hints: [],
      round: last?.round ?? 1,
    });
    return id;
  }

  /** @param {string} id */
  removeStation(id) {
    this.tour.stations = this.tour.stations.filter((station) => station.id !== id);
    this.selected = this.tour.stations.at(-1)?.id ?? null;
  }

  /** @param {string} id @param {Point} to */
  moveStation(id, to) {
    const station = this.tour.stations.find((entry) => entry.id === id);
    if (!station) return;
    const { latitude, longitude } = station.position;
    if (latitude !== to.latitude || longitude !== to.longitude) station.position = to;
  }

  /** @param {number} from @param {number} to */
  reorder(from, to) {
    const { stations } = this.tour;
    if (to < 0 || to >= stations.length) return;
    stations.splice(to, 0, ...stations.splice(from, 1));
  }

  /** @param {import('./api.js').StoredTour} stored @param {Tour} sent */
  saved(stored, sent) {
    this.version = stored.version;
    this.known = JSON.stringify(sent);
    save(this.#key, undefined);
  }

  /** Keeps on this computer what the server did not take. */
  keep() {
    save(this.#key, { version: this.version, tour: this.tour });
  }
}

/** @param {Tour} tour @returns {Tour} with every member there */
function complete(tour) {
  return {
    ...tour,
    border: tour.border ?? [],
    way: tour.way ?? 'none',
    route: tour.route ?? [],
    stations: (tour.stations ?? []).map((station) => ({
      ...station, options: station.options ?? [], correct: station.correct ?? [], accepted: station.accepted ?? [], hints: station.hints ?? [],
    })),
  };
}
