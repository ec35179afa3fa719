// A frame in a few plain numbers, for `window.sightline.state()`.

import { bearing } from '../core/format.js';

/** @param {import('../../engine/types').SceneFrame} frame */
export function frameSnapshot(frame) {
  return {
    isValid: frame.isValid,
    width: frame.width,
    height: frame.height,
    bearing: frame.bearing,
    pitch: frame.pitch,
    roll: frame.roll,
    horizontalFieldOfView: frame.horizontalFieldOfView,
    verticalFieldOfView: frame.verticalFieldOfView,
    items: frame.items.length,
    clusters: frame.clusters.length,
    arrows: frame.arrows.length,
    blips: frame.radar.blips.length,
    candidates: frame.candidateCount,
    heading: bearing(frame.bearing),
  };
}
