// A world's content into the engine's memory, and what the engine made of it out again: see WorldImport.swift.
// What a document says goes over as it is.

import { anchorNumbers } from './anchors.js';
import {
  ACTION_KIND, CATEGORY_ROW_LENGTH, CONTENT_CORNER_ROW as CORNER, CONTENT_HEAD as HEAD, CONTENT_OVERLAY_ROW as OVERLAY,
  CONTENT_PART_ROW as PART, CONTENT_PIVOT, CONTENT_PLACE_ROW as PLACE, HEIGHT_DATUM, SHOWN_WORLD_LENGTH, VISUAL_KIND,
  readCategoryRow, readShownWorld,
} from './layout.js';

/**
 * @typedef {import('./types').WorldSource} WorldSource
 * @typedef {import('./types').ContentPlace} ContentPlace
 * @typedef {import('./types').CompiledWorld} CompiledWorld
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
  /** @type {(p: number, action: import('./types').ContentAction | undefined) => void} */
  const putAction = (p, action) => {
    view[p] = ACTION_KIND.indexOf(action?.kind ?? 'none');
    view[p + 1] = action && action.kind !== 'refresh' ? source.address(action.url, action.kind) ?? -1 : -1;
  };
  view[start + HEAD.radarRange] = dimension.radarRange ?? 0;
  view[start + HEAD.radarAvailable] = dimension.radarAvailable ? 1 : 0;
  view[start + HEAD.refreshIntervalSeconds] = dimension.refreshIntervalSeconds;
  view[start + HEAD.refreshDistance] = dimension.refreshDistance;
  view[start + HEAD.refreshAddress] = refresh ?? -1;
  view[start + HEAD.namesWhatStandsOnAnchors] = dimension.namesWhatStandsOnAnchors ? 1 : 0;
  let p = start + HEAD.length;
  for (const overlay of dimension.overlays) {
    view[p + OVERLAY.idLength] = lengthOf(overlay.id);
    view[p + OVERLAY.hidden] = overlay.hidden ? 1 : 0;
    putAction(p + OVERLAY.action, overlay.action);
    p += OVERLAY.length;
  }
  for (const place of dimension.places) {
    const { label = NO_LABEL, compact = NO_LABEL } = source.label(place);
    view[p + PLACE.idLength] = lengthOf(place.id);
    view[p + PLACE.titleLength] = titleOf(place).length;
    view[p + PLACE.categoryLength] = lengthOf(place.categories[0]);
    view[p + PLACE.latitude] = place.position?.latitude ?? NaN;
    view[p + PLACE.longitude] = place.position?.longitude ?? NaN;
    view[p + PLACE.altitude] = place.position?.altitude ?? NaN;
    view[p + PLACE.datum] = HEIGHT_DATUM.indexOf(place.altitudeMode);
    view[p + PLACE.followsUser] = place.followsUser ? 1 : 0;
    view.set([place.offset.east, place.offset.north, place.offset.up], p + PLACE.offset);
    view[p + PLACE.visual] = VISUAL_KIND.indexOf(place.kind ?? place.visual.kind);
    view.set([label.width, label.height], p + PLACE.label);
    view.set([compact.width, compact.height], p + PLACE.compact);
    view[p + PLACE.pivot] = CONTENT_PIVOT.indexOf(place.pivot);
    putPrint(view, p, place, source);
    const { xRotation = 0, yRotation = 0, zRotation = 0, scale = 1 } = place.visual;
    view.set([xRotation, yRotation, zRotation], p + PLACE.modelTurn);
    view[p + PLACE.modelScale] = scale === 'fit' ? NaN : scale;
    view.set([place.size?.width ?? NaN, place.size?.height ?? NaN], p + PLACE.size);
    const { heading = NaN, pitch = 0, roll = 0 } = place.attitude ?? {};
    view.set([heading, pitch, roll], p + PLACE.attitude);
    view[p + PLACE.showInRadar] = place.showInRadar ? 1 : 0;
    view[p + PLACE.visibilityRadius] = place.visibilityRadius ?? NaN;
    putAction(p + PLACE.action, place.action);
    view[p + PLACE.names] = place.showOnFocus.length;
    p += PLACE.length;
  }
  for (const { showOnFocus } of dimension.places) for (const name of showOnFocus) view[p++] = name.length;
  if (hasShapes) writeShapes(view, p, dimension.places);
}

const NO_PRINT = [-1, 0, 0];

/**
 * The print that a place stands on: what it is, how wide, and how it hangs.
 * @param {Float64Array} view
 * @param {number} p where the place's row begins
 * @param {ContentPlace} place
 * @param {WorldSource} source
 */
function putPrint(view, p, { target, marker, placed }, source) {
  const { dictionary = '', id = 0, length = 0, facing = NaN, tilt = 0, roll = 0 } = (!target && marker) || {};
  const set = placed ? anchorNumbers({ kind: 'placed', id: placed.id }) : NO_PRINT;
  const marked = marker ? anchorNumbers({ kind: 'marker', dictionary, id }) : set;
  view.set(target ? anchorNumbers({ kind: 'picture', id: source.picture(target) }) : marked, p + PLACE.print);
  view[p + PLACE.printWidth] = target?.width ?? (marker ? length : placed?.width ?? 0);
  view.set([facing, tilt, roll], p + PLACE.printHanging);
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {ContentPlace[]} places
 */
function writeShapes(view, start, places) {
  let p = start;
  places.forEach(({ shapes }, place) => shapes?.forEach(({ kind, parts }, shape) => parts.forEach((part) => {
    view[p + PART.place] = place;
    view[p + PART.shape] = shape;
    view[p + PART.isArea] = kind === 'area' ? 1 : 0;
    view[p + PART.corners] = part.length;
    p += PART.length;
  })));
  for (const { shapes } of places) {
    for (const { parts } of shapes ?? []) {
      for (const part of parts) {
        for (const [longitude, latitude, altitude] of part) {
          view[p + CORNER.latitude] = latitude;
          view[p + CORNER.longitude] = longitude;
          view[p + CORNER.altitude] = altitude ?? NaN;
          p += CORNER.length;
        }
      }
    }
  }
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
  const count = view[start];
  const end = start + 1 + count * CATEGORY_ROW_LENGTH;
  return {
    categories: Array.from({ length: count }, (_, k) => readCategoryRow(view, start + 1 + k * CATEGORY_ROW_LENGTH)),
    unplaced: Array.from(view.subarray(end + 1, end + 1 + view[end])),
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').ShownWorld[]}
 */
export function readShown(view, start) {
  return Array.from({ length: view[start] }, (_, k) => readShownWorld(view, start + 1 + k * SHOWN_WORLD_LENGTH));
}
