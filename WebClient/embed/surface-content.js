// What is set down on surfaces, as pages say it and as the session takes it.

import { DescriptionError, OWN_AXES, SIZE, number } from './anchors.js';

/** @typedef {'up' | 'viewer'} Facing */

/** Metres: as wide as a sheet that is read from where it was set down. */
const USUAL_SIZE = 0.5;
/** Not turned back: x right, y up, z to who set it down, or out of the wall. */
const UPRIGHT_AXES = { ...OWN_AXES, xRotation: 0 };

/**
 * How content is set down.
 * @param {{ size?: number, facing?: any }} given metres
 * @returns {{ size: number, facing: Facing }} with what is usual for what was left out
 */
export function readSurfaceLook({ size = USUAL_SIZE, facing = 'viewer' }) {
  if (facing !== 'up' && facing !== 'viewer') throw new DescriptionError('surface.facing', `${JSON.stringify(facing)} is unknown: give up or viewer`);
  return { size: number(size, 'surface.size', SIZE.low, SIZE.high), facing };
}

/**
 * What the session knows of something that was set down.
 * @param {{ number: number, facing: Facing }} hit
 * @returns {import('../engine/types').ContentPlace}
 */
export function surfaceContent({ number, facing }) {
  const id = `set down ${number}`;
  return {
    id, title: id, altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, pivot: 'CC', showInRadar: false, showOnFocus: [], categories: [],
    visual: facing === 'up' ? OWN_AXES : UPRIGHT_AXES, placed: { id: number, width: 1 },
  };
}
