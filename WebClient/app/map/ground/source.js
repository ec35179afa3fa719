// The tiles of the operator's own map: fetched once each, the latest kept.

import { readTile } from './tile.js';

/**
 * @typedef {import('./tile.js').GroundTile} GroundTile
 * @typedef {NonNullable<import('../../types').ServerSettings['ground']>} GroundSettings
 */

/** Tiles that are kept, read. */
const MOST = 160;

export class GroundSource {
  /** @type {Map<string, Promise<GroundTile | null>>} the latest asked for stand last */
  #tiles = new Map();

  /** @param {GroundSettings} settings */
  constructor(settings) {
    this.settings = settings;
  }

  /**
   * The zoom of the tiles that a map is drawn of, or -1 where it shows too much for any.
   * @param {number} zoom of the display
   */
  zoomFor(zoom) {
    const fitting = this.settings.zooms.filter((one) => one <= zoom);
    return fitting.length ? Math.max(...fitting) : -1;
  }

  /**
   * Whether a tile touches an area that there is a map of.
   * @param {number} zoom
   * @param {number} column
   * @param {number} row
   */
  has(zoom, column, row) {
    // Areas are said in columns and rows of the finest tiles.
    const times = 2 ** (Math.max(...this.settings.zooms) - zoom);
    return this.settings.areas.some(([west, north, east, south]) =>
      west < (column + 1) * times && east >= column * times && north < (row + 1) * times && south >= row * times);
  }

  /**
   * @param {number} zoom one of those that there are tiles for
   * @param {number} column
   * @param {number} row
   * @returns {Promise<GroundTile | null>} nothing where the map has nothing; rejects when it cannot be had
   */
  tile(zoom, column, row) {
    const key = `${zoom}/${column}/${row}`;
    let tile = this.#tiles.get(key);
    if (tile) this.#tiles.delete(key);
    else {
      tile = this.#fetch(key);
      // What failed is asked for again the next time.
      tile.catch(() => this.#tiles.delete(key));
    }
    this.#tiles.set(key, tile);
    for (const [old] of this.#tiles) {
      if (this.#tiles.size <= MOST) break;
      this.#tiles.delete(old);
    }
    return tile;
  }

  /** @param {string} key */
  async #fetch(key) {
    const answer = await fetch(tileAddress(this.settings).replace('{z}/{x}/{y}', key));
    if (!answer.ok) throw new Error(`${key}: ${answer.status}`);
    // Nothing where the map has nothing; what was saved for later has lost its status.
    const bytes = await answer.arrayBuffer();
    return bytes.byteLength ? readTile(bytes) : null;
  }
}

/** @type {Map<string, GroundSource>} */
const sources = new Map();

/**
 * The one source of a map for all parts of the page: what one has fetched the others have.
 * @param {GroundSettings} settings
 */
export function groundSource(settings) {
  let source = sources.get(settings.version);
  if (!source) sources.set(settings.version, (source = new GroundSource(settings)));
  return source;
}

/**
 * The template of tiles' addresses. The version is in it, so that what a browser has kept is never out of date.
 * @param {GroundSettings} settings
 */
export const tileAddress = ({ version }) => `/api/v1/ground/tiles/{z}/{x}/{y}?version=${encodeURIComponent(version)}`;
