// What stands behind houses looks like it: buildings of the operator's own map around the user are given to the engine and to what
// draws, and what the engine finds hidden is marked. A recording hears of them too.

import { Buildings } from '../../engine/buildings.js';
import { Places } from '../../engine/places.js';
import { groundSource } from '../map/ground/source.js';
import { EXTENT, KIND } from '../map/ground/tile.js';
import { Town } from '../town/town.js';
import { hiddenLabels, onHiddenLabels } from './hidden-labels.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ top: number, bottom: number, rings: Float64Array[] }} Building
 * @typedef {import('../recording/recorder.js').Recorder} Recorder
 * @typedef {import('../../engine/buildings.js').Visibility} Visibility
 */

/** Metres around the user within which buildings are looked at, and after which they are gathered anew. */
const REACH = 450;
const STRIDE = 120;

export class BuildingsAround {
  /** @type {Point | null} */
  #at = null;
  #turn = 0;
  #isActive = false;
  #hasMarks = false;
  /** @type {Recorder | null} */
  #recorder = null;

  /**
   * @param {Session} session
   * @param {import('../map/ground/source.js').GroundSettings} settings
   * @param {Point} [at] where the user is, if that is known
   */
  constructor(session, settings, at) {
    this.session = session;
    this.source = groundSource(settings);
    session.on('told', (event) => {
      if (event.type === 'fix') void this.#follow(event);
    });
    session.on('frame', () => this.#mark());
    session.on('restarted', () => {
      this.#at = null;
    });
    session.on('recorded', (recorder) => {
      this.#recorder = recorder;
      const time = performance.now() / 1000;
      recorder?.buildings(session.engine.part(Buildings).told, time);
      recorder?.hiddenLabels(hiddenLabels(), time);
    });
    onHiddenLabels(() => this.#choose(), session.closed);
    if (at) void this.#follow(at);
  }

  #choose() {
    const time = performance.now() / 1000;
    this.session.guarded(() => this.session.engine.part(Buildings).labels(hiddenLabels(), time));
    this.#recorder?.hiddenLabels(hiddenLabels(), time);
  }

  /** @param {Point} at */
  async #follow(at) {
    const { engine } = this.session;
    if (this.#at && engine.distance(this.#at.latitude, this.#at.longitude, at.latitude, at.longitude) < STRIDE) return;
    this.#at = { latitude: at.latitude, longitude: at.longitude };
    const turn = ++this.#turn;
    const point = engine.part(Places).onMap(at);
    /** @type {Building[]} */
    let buildings;
    try {
      buildings = await gather(this.source, point.x, point.y, REACH / point.side);
    } catch {
      // Without its tiles the view is as it is without a map; the next position tries again.
      this.#at = null;
      return;
    }
    if (turn !== this.#turn || this.session.closed.aborted) return;
    const time = performance.now() / 1000;
    this.session.guarded(() => this.session.engine.part(Buildings).set(buildings, time));
    this.#recorder?.buildings(this.session.engine.part(Buildings).told, time);
    this.#choose();
    this.#isActive = buildings.length > 0;
    if (!this.#isActive && !this.session.town) return;
    const town = this.session.town ??= new Town(this.session);
    town.set(buildings, point);
    this.session.emit('town', undefined);
  }

  /** What is hidden is drawn so; what is seen again is not. */
  #mark() {
    if (!this.#isActive && !this.#hasMarks) return;
    const hidden = this.session.guarded(() => this.session.engine.part(Buildings).hidden());
    if (!hidden) return;
    if (!hidden.size && !this.#hasMarks) return;
    const clusters = new Map(this.session.frame?.clusters.map(({ id, members }) => [String(id), best(members, hidden)]));
    mark('.label[data-feature]', (label) => hidden.get(Number(label.dataset.feature)));
    mark('.cluster[data-cluster]', (cluster) => clusters.get(cluster.dataset.cluster ?? ''));
    // An arrow is as the place that it names.
    mark('.edge-arrow', (arrow) => hidden.get(/** @type {HTMLElement & { place: number }} */ (arrow).place));
    this.#hasMarks = hidden.size > 0;
  }
}

/**
 * What a group of features is: as the one that is seen best.
 * @param {ArrayLike<number>} members
 * @param {Map<number, Visibility>} hidden
 * @returns {Visibility | undefined}
 */
export function best(members, hidden) {
  /** @type {Visibility | undefined} */
  let found = 'hidden';
  for (let k = 0; k < members.length && found; k++) {
    const one = hidden.get(members[k]);
    if (one !== 'hidden') found = one;
  }
  return members.length ? found : undefined;
}

/**
 * @param {string} selector
 * @param {(element: HTMLElement) => Visibility | undefined} visibilityOf
 */
function mark(selector, visibilityOf) {
  for (const element of document.querySelectorAll(selector)) {
    const { dataset } = /** @type {HTMLElement} */ (element);
    const visibility = visibilityOf(/** @type {HTMLElement} */ (element));
    if (dataset.visibility === visibility) continue;
    if (visibility) dataset.visibility = visibility;
    else delete dataset.visibility;
  }
}

/**
 * The buildings around a point, each once.
 * @param {import('../map/ground/source.js').GroundSource} source
 * @param {number} x on the web's map, 0 … 1
 * @param {number} y
 * @param {number} reach likewise
 * @returns {Promise<Building[]>}
 */
export async function gather(source, x, y, reach) {
  const zoom = Math.max(...source.settings.zooms);
  const side = 2 ** zoom;
  const range = (/** @type {number} */ value) => [Math.floor((value - reach) * side), Math.floor((value + reach) * side)];
  const [[west, east], [north, south]] = [range(x), range(y)];
  /** @type {{ column: number, row: number }[]} */
  const wanted = [];
  for (let column = west; column <= east; column++) {
    for (let row = north; row <= south; row++) if (source.has(zoom, column, row)) wanted.push({ column, row });
  }
  const tiles = await Promise.all(wanted.map(({ column, row }) => source.tile(zoom, column, row)));
  /** @type {Map<string, Building>} each stands whole in every tile that it touches */
  const found = new Map();
  tiles.forEach((tile, k) => {
    const { column, row } = wanted[k];
    for (const { kind, top, bottom, pieces, holes } of tile?.features ?? []) {
      if ((kind !== KIND.building && kind !== KIND.buildingPart) || top <= bottom) continue;
      // A building of several outlines is several: its rings come outline by outline, each with its courtyards.
      for (const rings of outlines(pieces, holes)) {
        const onMap = rings.map((ring) => Float64Array.from(ring, (value, at) => ((at % 2 ? row : column) + value / EXTENT) / side));
        const key = `${rings[0][0] + column * EXTENT},${rings[0][1] + row * EXTENT},${rings[0].length},${top}`;
        found.set(key, { top, bottom, rings: onMap });
      }
    }
  });
  return [...found.values()];
}

/**
 * @param {Int32Array[]} pieces
 * @param {boolean[]} holes
 * @returns {Int32Array[][]}
 */
function outlines(pieces, holes) {
  /** @type {Int32Array[][]} */
  const found = [];
  pieces.forEach((piece, k) => (holes[k] && found.length ? found[found.length - 1].push(piece) : found.push([piece])));
  return found;
}
