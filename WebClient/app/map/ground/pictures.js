// The operator's own map as pictures, for the ground that is drawn in perspective. Dark, as what is over a camera's picture.

import { covers } from './area.js';
import { drawTile } from './draw.js';
import { place } from './layer.js';
import { groundSource } from './source.js';

/** Pixels along a picture's side: on the ground they are seen at a slant and from near. */
const SIDE = 512;
/** Points that lines are drawn for: as on a map of this many to the tile. */
const POINTS = 256;

/**
 * @param {import('./source.js').GroundSettings} settings
 * @param {() => Pick<import('../../../engine/places.js').Places, 'onMap'>} places
 * @returns {import('../../transit/tiles.js').Source}
 */
export function groundPictures(settings, places) {
  const source = groundSource(settings);
  return {
    maxZoom: 19,
    covers: (position) => covers(settings, places().onMap(position)),
    async picture(zoom, column, row) {
      const at = place(source, { x: column, y: row, z: zoom });
      if (!at) return null;
      const tile = await source.tile(at.zoom, at.column, at.row);
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = SIDE;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
      drawTile(context, tile, at.window, { zoom, scheme: 'dark', ratio: SIDE / POINTS, points: POINTS });
      return canvas;
    },
  };
}
