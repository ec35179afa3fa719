// A world's content into the engine's memory, and what the engine made of it out again: the mirror of WorldImport.swift and
// WorldExport.swift. What a document says goes over as it is.

import { anchorNumbers } from './anchors.js';
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
  put(dimension.namesWhatStandsOnAnchors ? 1 : 0);
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
    printOf(place, source).forEach(put);
    modelOf(place).forEach(put);
    put(place.showInRadar ? 1 : 0);
    put(place.visibilityRadius ?? NaN);
    putAction(place.action);
    put(place.showOnFocus.length);
  }
  for (const { showOnFocus } of dimension.places) for (const name of showOnFocus) put(name.length);
  if (hasShapes) p = writeShapes(view, p, dimension.places);
}

const NO_PRINT = [-1, 0, 0, 0, NaN, 0, 0];

/**
 * The print that a place stands on: what it is, how wide, and how it hangs.
 * @param {ContentPlace} place
 * @param {WorldSource} source
 */
function printOf({ target, marker }, source) {
  if (target) return [...anchorNumbers({ kind: 'picture', id: source.picture(target) }), target.width, NaN, 0, 0];
  if (!marker) return NO_PRINT;
  const { dictionary, id, length, facing = NaN, tilt = 0, roll = 0 } = marker;
  return [...anchorNumbers({ kind: 'marker', dictionary, id }), length, facing, tilt, roll];
}

/** @param {ContentPlace} place */
function modelOf({ visual: { xRotation = 0, yRotation = 0, zRotation = 0, scale = 1 } }) {
  return [xRotation, yRotation, zRotation, scale === 'fit' ? NaN : scale];
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
  const focusCount = view[p++];
  const anchors = view[p++];
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
        compactWidth: v[21], compactHeight: v[22], anchor: v[23],
        model: v[24] ? { x: v[25], y: v[26], z: v[27], scale: v[28] } : null,
      };
    }),
    overlays: Array.from({ length: overlays }, () => {
      const v = view.subarray(p, (p += WORLD.overlay));
      return { key: v[0], hidden: v[1] !== 0, action: actionOf(v[2], v[3]) };
    }),
    anchors: Array.from({ length: anchors }, (_, k) => {
      const v = view.slice(focus + focusCount + k * WORLD.anchor, focus + focusCount + (k + 1) * WORLD.anchor);
      return {
        numbers: Array.from(v.subarray(0, 3)), width: v[3], survey: v[4] ? Array.from(v.subarray(5, 12)) : null,
        reference: { kind: v[12], anchor: v[13] }, transform: Array.from(v.subarray(14, 22)),
      };
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
