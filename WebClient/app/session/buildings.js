// What stands behind houses looks like it: buildings of the operator's own map around the user are given to the engine and to what draws,
// and labels that the engine finds hidden are marked.

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
 */

/** Metres around the user within which buildings are looked at, and after which they are gathered anew. */
const REACH = 450;
const STRIDE = 120;

export class BuildingsAround {
  /** @type {Point | null} */
  #at = null;
  #turn = 0;
  #isActive = false;
  /** @type {Set<number>} features whose labels are marked */
  #marked = new Set();

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
    onHiddenLabels(() => this.#choose(), session.closed);
    if (at) void this.#follow(at);
  }

  #choose() {
    this.session.guarded(() => this.session.engine.part(Buildings).labels(hiddenLabels(), performance.now() / 1000));
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
    this.session.guarded(() => this.session.engine.part(Buildings).set(buildings, performance.now() / 1000));
    this.#choose();
    this.#isActive = buildings.length > 0;
    if (!this.#isActive && !this.session.town) return;
    const town = this.session.town ??= new Town(this.session);
    town.set(buildings, point);
    this.session.emit('town', undefined);
  }

  /** Labels of what is hidden are drawn so; those that are seen again are not. */
  #mark() {
    if (!this.#isActive && !this.#marked.size) return;
    const hidden = this.session.guarded(() => this.session.engine.part(Buildings).hidden()) ?? new Map();
    if (!hidden.size && !this.#marked.size) return;
    for (const element of document.querySelectorAll('.label[data-feature]')) {
      const label = /** @type {HTMLElement} */ (element);
      const visibility = hidden.get(Number(label.dataset.feature)) ?? '';
      if ((label.dataset.visibility ?? '') === visibility) continue;
      if (visibility) label.dataset.visibility = visibility;
      else delete label.dataset.visibility;
    }
    this.#marked = new Set(hidden.keys());
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
