// Reads a frame out of the engine's memory into objects that are made once and reused.

import {
  EDGE_ARROW_LENGTH, FRAME, RADAR_BLIP_LENGTH, SCENE_CLUSTER_LENGTH, SCENE_ITEM_LENGTH, fillEdgeArrow, fillRadarBlip,
  fillRadarHead, fillSceneCluster, fillSceneItem, newEdgeArrow, newRadarBlip, newRadarHead, newSceneCluster, newSceneItem,
} from './layout.js';

/** @typedef {import('./types').SceneFrame} SceneFrame */

/** @returns {SceneFrame} */
export function newFrame() {
  return {
    time: 0, width: 0, height: 0, isValid: false, isFrozen: false, worldFromDevice: new Float64Array(4),
    eyeX: 0, eyeY: 0, eyeZ: 0, clipFromWorld: new Float32Array(16),
    bearing: 0, pitch: 0, roll: 0, horizontalFieldOfView: 0, verticalFieldOfView: 0,
    items: [], clusters: [], arrows: [], overlayVisible: [], selected: null, focused: null, candidateCount: 0,
    radar: { ...newRadarHead(), range: 1000, isAvailable: true, blips: [] },
  };
}

/**
 * @param {Float64Array} view the engine's memory
 * @param {number} start index of the frame's first value
 * @param {SceneFrame} frame filled in place
 * @returns {SceneFrame} the same
 */
export function readFrame(view, start, frame) {
  const at = (/** @type {number} */ k) => view[start + k];
  const index = (/** @type {number} */ k) => (at(k) < 0 ? null : at(k));
  frame.time = at(FRAME.time);
  frame.width = at(FRAME.width);
  frame.height = at(FRAME.height);
  frame.isValid = at(FRAME.isValid) !== 0;
  frame.isFrozen = at(FRAME.isFrozen) !== 0;
  for (let k = 0; k < 4; k++) frame.worldFromDevice[k] = at(FRAME.worldFromDevice + k);
  frame.eyeX = at(FRAME.eye);
  frame.eyeY = at(FRAME.eye + 1);
  frame.eyeZ = at(FRAME.eye + 2);
  for (let k = 0; k < 16; k++) frame.clipFromWorld[k] = at(FRAME.clipFromWorld + k);
  frame.bearing = at(FRAME.bearing);
  frame.pitch = at(FRAME.pitch);
  frame.roll = at(FRAME.roll);
  frame.horizontalFieldOfView = at(FRAME.horizontalFieldOfView);
  frame.verticalFieldOfView = at(FRAME.verticalFieldOfView);
  frame.selected = index(FRAME.selected);
  frame.focused = index(FRAME.focused);
  frame.candidateCount = at(FRAME.candidateCount);
  const table = (/** @type {number} */ k) => start + at(k + 1);
  const members = table(FRAME.members);
  resize(frame.items, at(FRAME.items), spareItems, newSceneItem);
  let p = table(FRAME.items);
  for (const item of frame.items) {
    fillSceneItem(view, p, item);
    p += SCENE_ITEM_LENGTH;
  }
  resize(frame.clusters, at(FRAME.clusters), spareClusters, newSceneCluster);
  p = table(FRAME.clusters);
  for (const cluster of frame.clusters) {
    fillSceneCluster(view, p, cluster, members);
    p += SCENE_CLUSTER_LENGTH;
  }
  resize(frame.arrows, at(FRAME.arrows), spareArrows, newEdgeArrow);
  p = table(FRAME.arrows);
  for (const arrow of frame.arrows) {
    fillEdgeArrow(view, p, arrow);
    p += EDGE_ARROW_LENGTH;
  }
  fillRadarHead(view, start + FRAME.radar, frame.radar);
  resize(frame.radar.blips, at(FRAME.blips), spareBlips, newRadarBlip);
  p = table(FRAME.blips);
  for (const blip of frame.radar.blips) {
    fillRadarBlip(view, p, blip);
    p += RADAR_BLIP_LENGTH;
  }
  const overlays = at(FRAME.overlays);
  const first = table(FRAME.overlays);
  frame.overlayVisible.length = overlays;
  for (let k = 0; k < overlays; k++) frame.overlayVisible[k] = view[first + k] !== 0;
  return frame;
}

/** @type {import('./types').SceneItem[]} */
const spareItems = [];
/** @type {import('./types').SceneCluster[]} */
const spareClusters = [];
/** @type {import('./types').EdgeArrow[]} */
const spareArrows = [];
/** @type {import('./types').RadarBlip[]} */
const spareBlips = [];

/**
 * Makes a list a number of entries long; what is cut off is kept for when it grows again.
 * @template T
 * @param {T[]} list
 * @param {number} count
 * @param {T[]} spare
 * @param {() => T} make
 */
function resize(list, count, spare, make) {
  while (list.length > count) spare.push(/** @type {T} */ (list.pop()));
  while (list.length < count) list.push(spare.pop() ?? make());
}
