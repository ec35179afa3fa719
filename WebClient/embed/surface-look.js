// How what is set down stands, as pages say it.

import { DescriptionError, SIZE, number } from './anchors.js';

/** @typedef {'up' | 'viewer'} Facing */

/** Metres: as wide as a sheet that is read from where it was set down. */
const USUAL_SIZE = 0.5;

/**
 * How content is set down.
 * @param {{ size?: number, facing?: any }} given metres
 * @returns {{ size: number, facing: Facing }} with what is usual for what was left out
 */
export function readSurfaceLook({ size = USUAL_SIZE, facing = 'viewer' }) {
  if (facing !== 'up' && facing !== 'viewer') throw new DescriptionError('surface.facing', `${JSON.stringify(facing)} is unknown: give up or viewer`);
  return { size: number(size, 'surface.size', SIZE.low, SIZE.high), facing };
}
