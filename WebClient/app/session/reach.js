// The radius inside which places are shown, and how far it has to go: from the nearest that is worth a step to what the farthest
// place of the world needs.

import { load, save } from '../core/storage.js';
import { within } from './sound.js';

/** Steps of the radius in each power of ten: about equally far apart by their ratio. */
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
/** Metres: the least radius, what it is before anybody chooses, and half around the Earth. */
export const RADIUS = { low: 50, default: 5000, high: 20_040_000 };
/** What the radius can be while it is not known how far the places are, metres. */
const USUAL_REACH = 20_000;
/** How far the user goes before the farthest place is looked for again, as a part of how far it was. */
const MOVED = 0.05;
/** Beyond it a world is said to be far away, metres. */
export const FAR = 20_000;
/** Places fade towards the rim of the radius: the farthest one stands clear of it. */
const CLEAR = 1.25;
/** A world within a house keeps a radius that can be told from the errors of a position, metres. */
const LEAST_REACH = 200;
/** Corners of a line that are looked at: enough for how far it goes. */
const MOST_CORNERS = 500;

/**
 * The smallest step that is not below a distance.
 * @param {number} metres
 */
export function stepFor(metres) {
  if (!(metres > RADIUS.low)) return RADIUS.low;
  if (metres >= RADIUS.high) return RADIUS.high;
  const power = 10 ** Math.floor(Math.log10(metres));
  const step = STEPS.find((one) => Math.round(one * power) >= metres) ?? 10;
  return Math.min(RADIUS.high, Math.round(step * power));
}

/**
 * What the farthest place needs.
 * @param {number} farthest metres; 0 without a place
 */
export const reachFor = (farthest) => stepFor(Math.max(LEAST_REACH, farthest * CLEAR));

/**
 * How far the farthest thing of a world is, metres; 0 when it has none with a position.
 * @param {import('./content.js').Content} content
 * @param {{ latitude: number, longitude: number }} from
 * @param {(latitude1: number, longitude1: number, latitude2: number, longitude2: number) => number} distance metres; degrees in
 */
export function farthestOf({ places }, from, distance) {
  let farthest = 0;
  const look = (/** @type {number} */ latitude, /** @type {number} */ longitude) => {
    const far = distance(from.latitude, from.longitude, latitude, longitude);
    if (far > farthest) farthest = far;
  };
  for (const { position, shapes } of places) {
    if (position) look(position.latitude, position.longitude);
    for (const part of shapes?.flatMap(({ parts }) => parts) ?? []) {
      const stride = Math.ceil(part.length / MOST_CORNERS);
      for (let at = 0; at < part.length; at += stride) look(part[at][1], part[at][0]);
    }
  }
  return farthest;
}

export class Radius {
  /** How far it goes in what is shown, metres. */
  reach = USUAL_REACH;
  /** What the user chose, in whatever world, metres. */
  #chosen = within(load('radius', RADIUS.default), RADIUS.low, RADIUS.high, RADIUS.default);
  /** Metres. */
  value = this.#chosen;
  /**
   * Where the farthest place was looked for, and in what.
   * @type {{ content: import('./content.js').Content, latitude: number, longitude: number } | null}
   */
  #looked = null;

  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {number} metres */
  choose(metres) {
    this.#chosen = metres;
    save('radius', metres);
    this.reach = Math.max(this.reach, metres);
    this.#apply();
  }

  /** Goes along with the world, and with the user in it. */
  follow() {
    const { content, status, engine } = this.session;
    const from = status?.standpoint;
    if (!content || !from) return;
    const before = this.#looked;
    const moved = before ? engine.distance(before.latitude, before.longitude, from.latitude, from.longitude) : Infinity;
    if (before?.content === content && moved <= this.reach * MOVED) return;
    this.#looked = { content, latitude: from.latitude, longitude: from.longitude };
    const farthest = farthestOf(content, from, (...way) => engine.distance(...way));
    const reach = farthest > 0 ? reachFor(farthest) : USUAL_REACH;
    if (reach === this.reach) return;
    this.reach = reach;
    this.#apply();
  }

  /** As the user chose it, but no farther than the places are: then the radar shows them as large as it can. */
  #apply() {
    const radius = Math.min(this.#chosen, this.reach);
    if (radius !== this.value) {
      this.value = radius;
      this.session.tell({ type: 'setRadius', radius });
    }
    this.session.emit('filter', undefined);
  }
}
