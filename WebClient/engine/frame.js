// Reads a frame out of the engine's memory into objects that are made once and reused.

import { ATTITUDE, FRAME, LEVEL, SIDE, STRIDE } from './layout.js';

/** @typedef {import('./types').SceneFrame} SceneFrame */

/** @returns {SceneFrame} */
export function newFrame() {
  return {
    time: 0, width: 0, height: 0, isValid: false, isFrozen: false, worldFromDevice: new Float64Array(4),
    eyeX: 0, eyeY: 0, eyeZ: 0, clipFromWorld: new Float32Array(16),
    bearing: 0, pitch: 0, roll: 0, horizontalFieldOfView: 0, verticalFieldOfView: 0,
    items: [], clusters: [], arrows: [], overlayVisible: [], selected: null, focused: null, candidateCount: 0,
    radar: {
      attitude: 'upright', range: 1000, north: 0, wedgeDirection: 0, wedgeOpening: 0, wedgeLength: 0,
      isAvailable: true, blips: [],
    },
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
  readItems(view, start, frame);
  readClusters(view, start, frame);
  readArrows(view, start, frame);
  readRadar(view, start, frame);
  const overlays = at(FRAME.overlays);
  const first = start + at(FRAME.overlays + 1);
  frame.overlayVisible.length = overlays;
  for (let k = 0; k < overlays; k++) frame.overlayVisible[k] = view[first + k] !== 0;
  return frame;
}

/** @type {import('./types').SceneItem[]} */
const spareItems = [];

/** @type {(view: Float64Array, start: number, frame: SceneFrame) => void} */
function readItems(view, start, frame) {
  const count = view[start + FRAME.items];
  let p = start + view[start + FRAME.items + 1];
  resize(frame.items, count, spareItems, newItem);
  for (const item of frame.items) {
    item.feature = view[p];
    item.anchorX = view[p + 1];
    item.anchorY = view[p + 2];
    item.centerX = view[p + 3];
    item.centerY = view[p + 4];
    item.width = view[p + 5];
    item.height = view[p + 6];
    item.depth = view[p + 7];
    item.distance = view[p + 8];
    item.opacity = view[p + 9];
    const flags = view[p + 10];
    item.hasLeader = (flags & 1) !== 0;
    item.isSelected = (flags & 2) !== 0;
    item.isFannedOut = (flags & 4) !== 0;
    item.isNearField = (flags & 8) !== 0;
    item.level = LEVEL[(flags >> 4) & 3];
    p += STRIDE.item;
  }
}

/** @returns {import('./types').SceneItem} */
function newItem() {
  return {
    feature: 0, anchorX: 0, anchorY: 0, centerX: 0, centerY: 0, width: 0, height: 0, depth: 0, distance: 0, opacity: 1,
    hasLeader: false, isSelected: false, isFannedOut: false, isNearField: false, level: 'card',
  };
}

/** @type {import('./types').SceneCluster[]} */
const spareClusters = [];

/** @type {(view: Float64Array, start: number, frame: SceneFrame) => void} */
function readClusters(view, start, frame) {
  const count = view[start + FRAME.clusters];
  let p = start + view[start + FRAME.clusters + 1];
  const members = start + view[start + FRAME.members + 1];
  resize(frame.clusters, count, spareClusters, newCluster);
  for (const cluster of frame.clusters) {
    cluster.id = view[p];
    cluster.anchorX = view[p + 1];
    cluster.anchorY = view[p + 2];
    cluster.centerX = view[p + 3];
    cluster.centerY = view[p + 4];
    cluster.width = view[p + 5];
    cluster.height = view[p + 6];
    cluster.nearestDistance = view[p + 7];
    cluster.opacity = view[p + 8];
    const first = members + view[p + 9];
    cluster.members.length = view[p + 10];
    for (let k = 0; k < cluster.members.length; k++) cluster.members[k] = view[first + k];
    const flags = view[p + 11];
    cluster.isOpen = (flags & 1) !== 0;
    cluster.hasLeader = (flags & 2) !== 0;
    p += STRIDE.cluster;
  }
}

/** @returns {import('./types').SceneCluster} */
function newCluster() {
  return {
    id: 0, anchorX: 0, anchorY: 0, centerX: 0, centerY: 0, width: 0, height: 0, nearestDistance: 0, opacity: 1,
    members: [], isOpen: false, hasLeader: false,
  };
}

/** @type {import('./types').EdgeArrow[]} */
const spareArrows = [];

/** @type {(view: Float64Array, start: number, frame: SceneFrame) => void} */
function readArrows(view, start, frame) {
  const count = view[start + FRAME.arrows];
  let p = start + view[start + FRAME.arrows + 1];
  resize(frame.arrows, count, spareArrows, newArrow);
  for (const arrow of frame.arrows) {
    arrow.side = SIDE[view[p]];
    arrow.x = view[p + 1];
    arrow.y = view[p + 2];
    arrow.direction = view[p + 3];
    arrow.count = view[p + 4];
    arrow.nearest = view[p + 5];
    arrow.nearestDistance = view[p + 6];
    arrow.isForSelection = view[p + 7] !== 0;
    p += STRIDE.arrow;
  }
}

/** @returns {import('./types').EdgeArrow} */
function newArrow() {
  return { side: 'left', x: 0, y: 0, direction: 0, count: 0, nearest: 0, nearestDistance: 0, isForSelection: false };
}

/** @type {import('./types').RadarBlip[]} */
const spareBlips = [];

/** @type {(view: Float64Array, start: number, frame: SceneFrame) => void} */
function readRadar(view, start, { radar }) {
  const head = start + FRAME.radar;
  radar.attitude = ATTITUDE[view[head]];
  radar.range = view[head + 1];
  radar.north = view[head + 2];
  radar.wedgeDirection = view[head + 3];
  radar.wedgeOpening = view[head + 4];
  radar.wedgeLength = view[head + 5];
  radar.isAvailable = view[head + 6] !== 0;
  const count = view[start + FRAME.blips];
  let p = start + view[start + FRAME.blips + 1];
  resize(radar.blips, count, spareBlips, newBlip);
  for (const blip of radar.blips) {
    blip.feature = view[p];
    blip.x = view[p + 1];
    blip.y = view[p + 2];
    blip.isSelected = view[p + 3] !== 0;
    p += STRIDE.blip;
  }
}

/** @returns {import('./types').RadarBlip} */
function newBlip() {
  return { feature: 0, x: 0, y: 0, isSelected: false };
}

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
