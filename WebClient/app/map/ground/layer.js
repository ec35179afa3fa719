// The operator's own map under a Leaflet map: pieces of canvas that are drawn of tiles, and a canvas of names over them.

import * as L from '../../../vendor/leaflet/leaflet.esm.js';
import { h } from '../../core/dom.js';
import { whenAtRest } from '../life.js';
import { touches } from './area.js';
import { drawTile } from './draw.js';
import { GroundNames } from './names.js';
import { groundSource } from './source.js';
import { EXTENT } from './tile.js';

/** @typedef {import('./style.js').Scheme} Scheme */

/** Points along a piece's side. */
const SIDE = 256;

const scheme = () => /** @type {Scheme} */ (document.documentElement.dataset.scheme === 'light' ? 'light' : 'dark');

/**
 * The tile a piece of the map is drawn of, and where in it.
 * @param {import('./source.js').GroundSource} source
 * @param {{ x: number, y: number, z: number }} coords of the piece, as Leaflet counts
 */
export function place(source, { x, y, z }) {
  const zoom = source.zoomFor(z);
  if (zoom < 0) return null;
  const times = 2 ** (z - zoom);
  const side = 2 ** zoom;
  const column = ((Math.floor(x / times) % side) + side) % side;
  const row = Math.floor(y / times);
  if (row < 0 || row >= side || !source.has(zoom, column, row)) return null;
  const part = EXTENT / times;
  const within = (/** @type {number} */ value) => (((value % times) + times) % times) * part;
  return { zoom, column, row, window: { x: within(x), y: within(y), points: SIDE * times } };
}

/**
 * @param {L.LeafletMap} map
 * @param {import('./source.js').GroundSettings} settings
 * @param {number} maxZoom of the map
 */
export function addGround(map, settings, maxZoom) {
  const source = groundSource(settings);
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  /** @type {Map<HTMLElement, () => void>} what draws a piece again, while the map has it */
  const shown = new Map();
  const Layer = L.GridLayer.extend({
    createTile(/** @type {{ x: number, y: number, z: number }} */ coords, /** @type {(error: Error | null, tile: HTMLElement) => void} */ done) {
      const at = place(source, coords);
      if (!at) {
        // What lies below shows.
        const empty = h('div');
        setTimeout(() => done(null, empty));
        return empty;
      }
      const canvas = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'map-ground' }));
      canvas.width = canvas.height = SIDE * ratio;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
      source.tile(at.zoom, at.column, at.row).then((tile) => {
        const draw = () => drawTile(context, tile, at.window, { zoom: coords.z, scheme: scheme(), ratio, points: SIDE });
        draw();
        shown.set(canvas, draw);
        done(null, canvas);
      }).catch((error) => done(error, canvas));
      return canvas;
    },
  });
  new Layer({ tileSize: SIDE, maxZoom, minZoom: 0, updateWhenZooming: false })
    .on('tileunload', (event) => void shown.delete(/** @type {any} */ (event).tile))
    .addTo(map);
  const names = new GroundNames(map, source, scheme);
  creditWhereShown(map, settings);
  const observer = new MutationObserver(() => {
    for (const draw of shown.values()) draw();
    names.draw();
  });
  observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  map.on('unload', () => {
    observer.disconnect();
    names.close();
  });
  return names;
}

/**
 * The credit stands where something of the map is to be seen.
 * @param {L.LeafletMap} map
 * @param {import('./source.js').GroundSettings} settings
 */
function creditWhereShown(map, settings) {
  const credit = attributionOf(settings);
  let isShown = false;
  const look = () => {
    const bounds = map.getBounds();
    // At zoom 0 the world is 256 points wide.
    const [northWest, southEast] = [bounds.getNorthWest(), bounds.getSouthEast()].map((corner) => map.project(corner, 0)).map(({ x, y }) => ({ x: x / 256, y: y / 256 }));
    const shows = touches(settings, northWest, southEast);
    if (shows === isShown) return;
    isShown = shows;
    if (shows) map.attributionControl?.addAttribution(credit);
    else map.attributionControl?.removeAttribution(credit);
  };
  whenAtRest(map, look);
  if (map.getZoom() !== undefined) look();
}

/**
 * The credit, as a link to what it means.
 * @param {import('./source.js').GroundSettings} settings
 */
function attributionOf({ attribution }) {
  const link = h('a', { href: 'https://www.openstreetmap.org/copyright', target: '_blank', rel: 'noopener' }, attribution);
  return link.outerHTML;
}
