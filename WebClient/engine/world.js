// A world's content into the engine's memory, and what the engine made of it out again: the mirror of WorldImport.swift and
// WorldExport.swift. What a document says goes over as it is.

import { ACTION, KIND, PIVOT, SURFACE, WORLD } from './layout.js';

/**
 * @typedef {import('./types').WorldSource} WorldSource
 * @typedef {import('./types').ContentPlace} ContentPlace
 * @typedef {import('./types').CompiledWorld} CompiledWorld
 * @typedef {import('./types').WorldRecord} WorldRecord
 * @typedef {import('./types').ActionRecord} ActionRecord
 * @typedef {{ places: number, overlays: number, names: number, parts: number, corners: number, units: number }} Counts
 */

/** A title tells places apart that have no identifier; nobody else's is asked for. */
const titleOf = (/** @type {ContentPlace} */ { id, title }) => (id === undefined ? title : '');
const lengthOf = (/** @type {string | undefined} */ text) => text?.length ?? -1;
const NO_LABEL = { width: 0, height: 0 };

/**
 * @param {WorldSource['dimension']} dimension
 * @returns {Counts}
 */
export function countsOf({ places, overlays }) {
  const counts = { places: places.length, overlays: overlays.length, names: 0, parts: 0, corners: 0, units: 0 };
  for (const { id } of overlays) counts.units += id?.length ?? 0;
  for (const place of places) {
    counts.names += place.showOnFocus.length;
    counts.units += (place.id?.length ?? 0) + titleOf(place).length + (place.categories[0]?.length ?? 0);
    for (const name of place.showOnFocus) counts.units += name.length;
    for (const { parts } of place.shapes ?? []) {
      counts.parts += parts.length;
      for (const part of parts) counts.corners += part.length;
    }
  }
  return counts;
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {WorldSource} source
 * @param {boolean} hasShapes whether room was made for them
 */
export function writeNumbers(view, start, source, hasShapes) {
  const { dimension } = source;
  const refresh = dimension.refreshURL ? source.address(dimension.refreshURL, 'refresh') : null;
  let p = start;
  const put = (/** @type {number} */ value) => void (view[p++] = value);
  const putAction = (/** @type {import('./types').ContentAction | undefined} */ action) => {
    put(ACTION.indexOf(action?.kind ?? 'none'));
    put(action && action.kind !== 'refresh' ? source.address(action.url, action.kind) ?? -1 : -1);
  };
  put(dimension.radarRange);
  put(dimension.radarAvailable ? 1 : 0);
  put(dimension.refreshIntervalSeconds);
  put(dimension.refreshDistance);
  put(refresh ?? -1);
  for (const overlay of dimension.overlays) {
    put(lengthOf(overlay.id));
    put(overlay.hidden ? 1 : 0);
    putAction(overlay.action);
  }
  for (const place of dimension.places) {
    const { position, offset } = place;
    const { label = NO_LABEL, compact = NO_LABEL } = source.label(place);
    put(lengthOf(place.id));
    put(titleOf(place).length);
    put(lengthOf(place.categories[0]));
    put(position?.latitude ?? NaN);
    put(position?.longitude ?? NaN);
    put(position?.altitude ?? NaN);
    put(SURFACE.indexOf(place.altitudeMode));
    put(offset.east);
    put(offset.north);
    put(offset.up);
    put(KIND.indexOf(place.visual.kind));
    put(label.width);
    put(label.height);
    put(compact.width);
    put(compact.height);
    put(PIVOT.indexOf(place.pivot));
    put(supportOf(place));
    put(place.showInRadar ? 1 : 0);
    put(place.visibilityRadius ?? NaN);
    putAction(place.action);
    put(place.showOnFocus.length);
  }
  for (const { showOnFocus } of dimension.places) for (const name of showOnFocus) put(name.length);
  if (hasShapes) p = writeShapes(view, p, dimension.places);
}

/**
 * Its position, a print that may be anywhere, a print that hangs at its position: as the document has a target or marker.
 * @param {ContentPlace} place
 */
function supportOf({ target, marker }) {
  if (target !== undefined) return 1;
  return marker === undefined ? 0 : marker.facing === undefined ? 1 : 2;
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {ContentPlace[]} places
 */
function writeShapes(view, start, places) {
  let p = start;
  places.forEach(({ shapes }, place) => shapes?.forEach(({ kind, parts }, shape) => parts.forEach((part) => {
    view[p++] = place;
    view[p++] = shape;
    view[p++] = kind === 'area' ? 1 : 0;
    view[p++] = part.length;
  })));
  for (const { shapes } of places) {
    for (const { parts } of shapes ?? []) {
      for (const part of parts) {
        for (const [longitude, latitude, altitude] of part) {
          view[p++] = latitude;
          view[p++] = longitude;
          view[p++] = altitude ?? NaN;
        }
      }
    }
  }
  return p;
}

/**
 * @param {Uint16Array} units
 * @param {WorldSource['dimension']} dimension
 */
export function writeTexts(units, { places, overlays }) {
  let p = 0;
  const put = (/** @type {string} */ text) => {
    for (let k = 0; k < text.length; k++) units[p++] = text.charCodeAt(k);
  };
  for (const { id } of overlays) if (id) put(id);
  for (const place of places) {
    if (place.id) put(place.id);
    put(titleOf(place));
    if (place.categories[0]) put(place.categories[0]);
    for (const name of place.showOnFocus) put(name);
  }
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {CompiledWorld}
 */
export function readCompiled(view, start) {
  let p = start;
  const categories = Array.from({ length: view[p++] }, () => ({ number: view[p++], first: view[p++], count: view[p++] }));
  const count = view[p++];
  return { categories, unplaced: Array.from(view.subarray(p, p + count)) };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').ShownWorld[]}
 */
export function readShown(view, start) {
  let p = start;
  return Array.from({ length: view[p++] }, () => (
    { number: view[p++], firstPlace: view[p++], places: view[p++], firstOverlay: view[p++], overlays: view[p++] }));
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {WorldRecord}
 */
export function readRecord(view, start) {
  let p = start;
  const [features, overlays] = [view[p++], view[p++]];
  const focus = start + WORLD.head + features * WORLD.feature + overlays * WORLD.overlay;
  p += 1;
  const head = {
    radarRange: view[p++], radarAvailable: view[p++] !== 0, refreshIntervalSeconds: view[p++], refreshDistance: view[p++],
    refreshAddress: addressOf(view[p++]),
  };
  return {
    ...head,
    features: Array.from({ length: features }, () => {
      const v = view.subarray(p, (p += WORLD.feature));
      return {
        key: v[0], latitude: v[1], longitude: v[2], altitude: v[3], altitudeMode: v[4] ? 'eye' : 'absolute',
        east: v[5], north: v[6], up: v[7], kind: KIND[v[8]], trueSize: v[9] !== 0, width: v[10], height: v[11],
        pivotX: v[12], pivotY: v[13], category: v[14], showInRadar: v[15] !== 0, visibilityRadius: v[16],
        action: actionOf(v[17], v[18]), focusOverlays: Array.from(view.subarray(focus + v[19], focus + v[19] + v[20])),
        compactWidth: v[21], compactHeight: v[22],
      };
    }),
    overlays: Array.from({ length: overlays }, () => {
      const v = view.subarray(p, (p += WORLD.overlay));
      return { key: v[0], hidden: v[1] !== 0, action: actionOf(v[2], v[3]) };
    }),
  };
}

const addressOf = (/** @type {number} */ number) => (number < 0 ? null : number);

/**
 * @param {number} kind
 * @param {number} address
 * @returns {ActionRecord}
 */
function actionOf(kind, address) {
  return address < 0 ? { kind: ACTION[kind] } : { kind: ACTION[kind], address };
}
