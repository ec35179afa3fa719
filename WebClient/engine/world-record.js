// What the engine knows of a world, for a recording: see WorldExport.swift.

import { ACTION_KIND, HEIGHT_DATUM, VISUAL_KIND } from './layout.js';
import { FEATURE_ROW, OVERLAY_ROW, WORLD_ANCHOR_ROW, WORLD_CORNER_ROW, WORLD_HEAD, WORLD_PATH_ROW, WORLD_RULE_ROW, WORLD_THING_ROW } from './layout-by-need.js';

/**
 * @typedef {import('./types').WorldRecord} WorldRecord
 * @typedef {import('./types').ActionRecord} ActionRecord
 */

export class WorldRecords {
  #call;
  #view;

  /**
   * @param {Record<string, (...values: number[]) => number>} call the engine's functions
   * @param {() => Float64Array} view its memory
   */
  constructor(call, view) {
    this.#call = call;
    this.#view = view;
  }

  /**
   * @param {number | null} number of an open world; `null`: what was compiled and is not loaded yet
   * @returns {WorldRecord | null}
   */
  read(number) {
    const start = this.#call.sl_world_rows(number ?? -1) / 8;
    if (!start) return null;
    const record = readRecord(this.#view(), start);
    this.#call.sl_world_rows_end();
    return record;
  }
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {WorldRecord}
 */
function readRecord(view, start) {
  const head = (/** @type {number} */ place) => view[start + place];
  const [features, overlays] = [head(WORLD_HEAD.features), head(WORLD_HEAD.overlays)];
  const firstOverlay = start + WORLD_HEAD.length + features * FEATURE_ROW.length;
  const focus = firstOverlay + overlays * OVERLAY_ROW.length;
  const firstAnchor = focus + head(WORLD_HEAD.focus);
  const firstThing = firstAnchor + head(WORLD_HEAD.anchors) * WORLD_ANCHOR_ROW.length;
  const firstPath = firstThing + head(WORLD_HEAD.things) * WORLD_THING_ROW.length;
  const firstCorner = firstPath + head(WORLD_HEAD.paths) * WORLD_PATH_ROW.length;
  const firstRule = firstCorner + head(WORLD_HEAD.corners) * WORLD_CORNER_ROW.length;
  return {
    radarRange: head(WORLD_HEAD.radarRange), radarAvailable: head(WORLD_HEAD.radarAvailable) !== 0,
    refreshIntervalSeconds: head(WORLD_HEAD.refreshIntervalSeconds), refreshDistance: head(WORLD_HEAD.refreshDistance),
    refreshAddress: addressOf(head(WORLD_HEAD.refreshAddress)),
    features: Array.from({ length: features }, (_, k) =>
      readFeature(view, start + WORLD_HEAD.length + k * FEATURE_ROW.length, focus)),
    overlays: Array.from({ length: overlays }, (_, k) => {
      const p = firstOverlay + k * OVERLAY_ROW.length;
      return {
        key: view[p + OVERLAY_ROW.key], hidden: view[p + OVERLAY_ROW.hidden] !== 0,
        action: actionOf(view, p + OVERLAY_ROW.action),
      };
    }),
    anchors: Array.from({ length: head(WORLD_HEAD.anchors) }, (_, k) =>
      readAnchor(view, firstAnchor + k * WORLD_ANCHOR_ROW.length)),
    things: Array.from({ length: head(WORLD_HEAD.things) }, (_, k) => readThing(view, firstThing + k * WORLD_THING_ROW.length)),
    paths: Array.from({ length: head(WORLD_HEAD.paths) }, (_, k) => readPath(view, firstPath + k * WORLD_PATH_ROW.length)),
    corners: view.slice(firstCorner, firstRule),
    rules: Array.from({ length: head(WORLD_HEAD.rules) }, (_, k) => readRule(view, firstRule + k * WORLD_RULE_ROW.length)),
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @param {number} focus where the focus list begins
 * @returns {import('./types').FeatureRecord}
 */
function readFeature(view, start, focus) {
  const at = FEATURE_ROW;
  const v = view.subarray(start, start + at.length);
  const [x, y, z, scale] = v.subarray(at.model);
  return {
    key: v[at.key], latitude: v[at.latitude], longitude: v[at.longitude], altitude: v[at.altitude],
    altitudeDatum: HEIGHT_DATUM[v[at.altitudeDatum]], east: v[at.offset], north: v[at.offset + 1],
    up: v[at.offset + 2], kind: VISUAL_KIND[v[at.kind]], trueSize: v[at.trueSize] !== 0, width: v[at.width],
    height: v[at.height], pivotX: v[at.pivot], pivotY: v[at.pivot + 1], category: v[at.category],
    showInRadar: v[at.showInRadar] !== 0, visibilityRadius: v[at.visibilityRadius], action: actionOf(v, at.action),
    focusOverlays: Array.from(view.subarray(focus + v[at.focus], focus + v[at.focus] + v[at.focus + 1])),
    compactWidth: v[at.compact], compactHeight: v[at.compact + 1], anchor: v[at.anchor],
    model: v[at.hasModel] ? { x, y, z, scale } : null, followsEye: v[at.followsEye] !== 0,
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').AnchorRecord}
 */
function readAnchor(view, start) {
  const at = WORLD_ANCHOR_ROW;
  const v = view.subarray(start, start + at.length);
  return {
    numbers: Array.from(v.subarray(at.numbers, at.width)), width: v[at.width],
    survey: v[at.isSurveyed] ? Array.from(v.subarray(at.survey, at.reference)) : null,
    reference: { kind: v[at.reference], anchor: v[at.referenceAnchor] }, transform: Array.from(v.subarray(at.transform, at.altitudeDatum)),
    altitudeDatum: HEIGHT_DATUM[v[at.altitudeDatum]],
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').ThingRecord}
 */
function readThing(view, start) {
  const at = WORLD_THING_ROW;
  const v = view.subarray(start, start + at.length);
  return {
    feature: v[at.feature], isModel: v[at.isModel] !== 0, model: Array.from(v.subarray(at.model, at.width)), width: v[at.width],
    height: v[at.height], attitude: v[at.hasAttitude] ? Array.from(v.subarray(at.attitude)) : null,
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').PathRecord}
 */
function readPath(view, start) {
  const at = WORLD_PATH_ROW;
  const v = view.subarray(start, start + at.length);
  return {
    feature: v[at.feature], shape: v[at.shape], isRing: v[at.isRing] !== 0, altitudeDatum: HEIGHT_DATUM[v[at.datum]],
    first: v[at.corners], count: v[at.corners + 1],
  };
}

/**
 * @param {Float64Array} view
 * @param {number} start
 * @returns {import('./types').RuleRecord}
 */
function readRule(view, start) {
  const at = WORLD_RULE_ROW;
  const v = view.subarray(start, start + at.length);
  return {
    feature: v[at.feature], nearest: v[at.nearest], scaling: Array.from(v.subarray(at.scaling, at.selection)),
    selection: v[at.selection], group: v[at.group],
  };
}

const addressOf = (/** @type {number} */ number) => (number < 0 ? null : number);

/**
 * @param {Float64Array} v
 * @param {number} p
 * @returns {ActionRecord}
 */
function actionOf(v, p) {
  const [kind, address] = [ACTION_KIND[v[p]], v[p + 1]];
  return address < 0 ? { kind } : { kind, address };
}
