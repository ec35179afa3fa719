// What is set down on surfaces, as the session takes it.

import { OWN_AXES } from './anchors.js';

/** Not turned back: x right, y up, z to who set it down, or out of the wall. */
const UPRIGHT_AXES = { ...OWN_AXES, xRotation: 0 };

/**
 * What the session knows of something that was set down.
 * @param {{ number: number, facing: import('./surface-look.js').Facing }} hit
 * @returns {import('../engine/types').ContentPlace}
 */
export function surfaceContent({ number, facing }) {
  const id = `set down ${number}`;
  return {
    id, title: id, altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, pivot: 'CC', showInRadar: false, showOnFocus: [], categories: [],
    visual: facing === 'up' ? OWN_AXES : UPRIGHT_AXES, placed: { id: number, width: 1 },
  };
}
