// Turns a world into the engine's records: positions, kinds and numbers, no text.

import { measureLabel, measurePill } from '../ar/measure.js';
import { placeKey } from './content.js';

/**
 * @typedef {import('../../engine/types').WorldRecord} WorldRecord
 * @typedef {import('../../engine/types').FeatureRecord} FeatureRecord
 * @typedef {import('../../engine/types').ActionRecord} ActionRecord
 * @typedef {import('./content.js').Content} Content
 * @typedef {import('../net/addresses.js').AddressTable} AddressTable
 * @typedef {import('../types').Place} Place
 * @typedef {import('../types').Action} Action
 */

const FRACTION = /** @type {Record<string, number>} */ ({ T: 0, L: 0, C: 0.5, B: 1, R: 1 });

/**
 * @param {Content} content
 * @param {AddressTable} addresses
 * @returns {WorldRecord}
 */
export function describe(content, addresses) {
  const { dimension } = content;
  /** @type {Map<string, number>} */
  const overlays = new Map();
  dimension.overlays.forEach((overlay, index) => overlay.id && overlays.set(overlay.id, index));
  const action = (/** @type {Action | undefined} */ given) => actionRecord(given, content, addresses);
  const refresh = dimension.refreshURL && content.absolute(dimension.refreshURL);
  return {
    radarRange: dimension.radarRange,
    radarAvailable: dimension.radarAvailable,
    refreshIntervalSeconds: dimension.refreshIntervalSeconds,
    refreshDistance: dimension.refreshDistance,
    refreshAddress: refresh ? addresses.numberOfURL(refresh) : null,
    features: dimension.places.map((place, index) => ({
      ...featureRecord(place, index, content),
      action: action(place.action),
      focusOverlays: place.showOnFocus.flatMap((id) => overlays.get(id) ?? []),
    })),
    paths: pathRecords(dimension.places),
    overlays: dimension.overlays.map((overlay, index) => ({
      key: identity(overlay.id ?? `#${index}`),
      hidden: overlay.hidden,
      action: action(overlay.action),
    })),
  };
}

/**
 * Lines and areas; heights count only where they are absolute, all others lie on the ground.
 * @param {Place[]} places
 */
function pathRecords(places) {
  /** @type {import('../../engine/paths.js').PathRecord[]} */
  const paths = [];
  let shape = 0;
  places.forEach((place, feature) => {
    const isAbsolute = place.altitudeMode === 'ellipsoid' || place.altitudeMode === 'seaLevel';
    for (const { kind, parts } of place.shapes ?? []) {
      for (const part of parts) {
        const points = isAbsolute ? part : part.map(([longitude, latitude]) => [longitude, latitude]);
        paths.push({ feature, shape, isRing: kind === 'area', points });
      }
      shape += 1;
    }
  });
  return paths;
}

/**
 * @param {Place} place
 * @param {number} index
 * @param {Content} content
 * @returns {FeatureRecord}
 */
function featureRecord(place, index, content) {
  const { position, offset } = place;
  const text = content.labelText(place);
  const size = place.visual.kind === 'image' ? { width: 72, height: 72 } : measureLabel(text);
  // A picture is shown whole or not at all.
  const compact = place.visual.kind === 'image' ? { width: 0, height: 0 } : measurePill(text);
  // "Above the ground" without a terrain model: the ground is taken to be where the user stands. A place whose source
  // gives no height stands at eye level, which is never absurd.
  const fromEye = place.altitudeMode === 'eye' || place.altitudeMode === 'ground' || position?.altitude === undefined;
  return {
    key: identity(place.id ?? `${placeKey(place, index)}/${place.title}/${position?.latitude},${position?.longitude}`),
    latitude: position?.latitude ?? NaN,
    longitude: position?.longitude ?? NaN,
    altitude: position?.altitude ?? 0,
    altitudeMode: fromEye ? 'eye' : 'absolute',
    east: offset.east,
    north: offset.north,
    up: offset.up,
    // A model is drawn as the label of its place.
    kind: place.visual.kind === 'image' ? 'image' : 'text',
    trueSize: false,
    width: size.width,
    height: size.height,
    compactWidth: compact.width,
    compactHeight: compact.height,
    pivotX: FRACTION[place.pivot[1]],
    pivotY: FRACTION[place.pivot[0]],
    category: content.categoryNumber(place),
    showInRadar: place.showInRadar,
    visibilityRadius: place.visibilityRadius ?? 0,
    action: { kind: 'none' },
    focusOverlays: [],
  };
}

/**
 * @param {Action | undefined} action
 * @param {Content} content
 * @param {AddressTable} addresses
 * @returns {ActionRecord}
 */
function actionRecord(action, content, addresses) {
  if (!action) return { kind: 'none' };
  if (action.kind === 'refresh') return { kind: 'refresh' };
  const url = content.absolute(action.url);
  if (!url) return { kind: 'none' };
  if (action.kind === 'webPage') return { kind: 'webPage', address: addresses.number({ kind: 'url', url }) };
  return { kind: 'dimension', address: addresses.numberOfURL(url) };
}

/**
 * 52 bits of a hash (two rounds of FNV-1a with different seeds), never 0.
 * @param {string} text
 */
export function identity(text) {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ (text.charCodeAt(i) + i), 0x85ebca6b);
  }
  return ((b >>> 0) & 0xfffff) * 0x1_0000_0000 + (a >>> 0) || 1;
}
