// Writes a world into the engine's memory: the mirror of WorldImport.swift.

import { ACTION, KIND, WORLD } from './layout.js';

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {import('./types').WorldRecord} world
 */
export function writeWorld(view, start, world) {
  let p = start;
  view[p++] = world.radarRange;
  view[p++] = world.radarAvailable ? 1 : 0;
  view[p++] = world.refreshIntervalSeconds;
  view[p++] = world.refreshDistance;
  view[p++] = world.refreshAddress ?? -1;
  let focus = 0;
  for (const feature of world.features) {
    view[p] = feature.key;
    view[p + 1] = feature.latitude;
    view[p + 2] = feature.longitude;
    view[p + 3] = feature.altitude;
    view[p + 4] = feature.altitudeMode === 'eye' ? 1 : 0;
    view[p + 5] = feature.east;
    view[p + 6] = feature.north;
    view[p + 7] = feature.up;
    view[p + 8] = KIND.indexOf(feature.kind);
    view[p + 9] = feature.trueSize ? 1 : 0;
    view[p + 10] = feature.width;
    view[p + 11] = feature.height;
    view[p + 12] = feature.pivotX;
    view[p + 13] = feature.pivotY;
    view[p + 14] = feature.category;
    view[p + 15] = feature.showInRadar ? 1 : 0;
    view[p + 16] = feature.visibilityRadius;
    view[p + 17] = ACTION.indexOf(feature.action.kind);
    view[p + 18] = feature.action.address ?? -1;
    view[p + 19] = focus;
    view[p + 20] = feature.focusOverlays.length;
    view[p + 21] = feature.compactWidth ?? 0;
    view[p + 22] = feature.compactHeight ?? 0;
    p += WORLD.feature;
    focus += feature.focusOverlays.length;
  }
  for (const overlay of world.overlays) {
    view[p] = overlay.key;
    view[p + 1] = overlay.hidden ? 1 : 0;
    view[p + 2] = ACTION.indexOf(overlay.action.kind);
    view[p + 3] = overlay.action.address ?? -1;
    p += WORLD.overlay;
  }
  for (const feature of world.features) {
    view.set(feature.focusOverlays, p);
    p += feature.focusOverlays.length;
  }
}
