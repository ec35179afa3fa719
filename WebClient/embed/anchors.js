// What a page wants to be found, checked, and as the engine takes it. Everything that is wrong is said with where, and what to do.

import { MARKER_DICTIONARY } from '../engine/layout.js';

/**
 * @typedef {{ latitude: number, longitude: number, height?: number, heightOver?: 'eye' | 'sea' | 'ellipsoid' }} PlaceDescription
 *   degrees, metres; without a height on the ground that the user stands on, at the eye's height
 * @typedef {{ dictionary: string, id: number, size: number }} MarkerDescription `size` of the black border in metres
 * @typedef {{ src?: string | URL, target?: Uint8Array, physicalWidth: number }} PictureDescription a picture or a file
 *   of `sightline target build` to be fetched, or such a file; `physicalWidth` of the print in metres
 * @typedef {{ text?: string }} CodeDescription without a text: whatever code is seen
 * @typedef {{ surface: Pick<import('./surfaces.js').SurfaceHit, keyof import('./surfaces.js').SurfaceHit>, size?: number }} SurfaceDescription what a hit test met; `size`: width of the
 *   content in metres, for who lays something flat there
 * @typedef {{ place: PlaceDescription } | { marker: MarkerDescription } | { picture: PictureDescription } | { code: CodeDescription }
 *   | SurfaceDescription} Description
 * @typedef {'place' | 'marker' | 'picture' | 'code' | 'surface'} AnchorKind
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 */

/** What was given is not what is needed: `where` names the field. */
export class DescriptionError extends TypeError {
  /**
   * @param {string} where
   * @param {string} message what is wrong, and what to do
   */
  constructor(where, message) {
    super(`${where}: ${message}`);
    this.name = 'DescriptionError';
    this.where = where;
  }
}

/** Metres: farther up or down than that is a mistake of units. */
const HIGHEST = 100_000;
/** Metres: what a print can be wide. */
export const SIZE = { low: 0.001, high: 100 };
/** Where places fade, no marker is of more use than its number; the largest dictionary has fewer. */
const MOST_ID = 100_000;

/**
 * @param {any} value
 * @param {string} where
 * @param {number} low
 * @param {number} high
 */
export function number(value, where, low, high) {
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw new DescriptionError(where, `${JSON.stringify(value) ?? 'nothing'} is no number from ${low} to ${high}: give one`);
}

/**
 * @param {any} description
 * @returns {{ kind: AnchorKind } & Record<string, any>} the same, checked
 */
export function readDescription(description) {
  const kinds = /** @type {const} */ (['place', 'marker', 'picture', 'code', 'surface']).filter((name) => description?.[name] !== undefined);
  if (kinds.length !== 1) throw new DescriptionError('anchor', 'give exactly one of place, marker, picture, code and surface');
  const [kind] = kinds;
  const given = description[kind];
  if (typeof given !== 'object' || given === null) throw new DescriptionError(kind, 'give an object with its fields');
  return { kind, ...READ[kind](given, description) };
}

/**
 * A page on a disk has its files there.
 * @param {URL} url
 */
export const canBeFetched = ({ protocol }) => ['http:', 'https:', 'data:', 'blob:', globalThis.location?.protocol].includes(protocol);

/** @type {Record<AnchorKind, (given: any, description: any) => Record<string, any>>} */
const READ = {
  place({ latitude, longitude, height, heightOver = 'eye' }) {
    if (!Object.hasOwn(DATUM, heightOver)) {
      throw new DescriptionError('place.heightOver', `${JSON.stringify(heightOver)} is unknown: give ${Object.keys(DATUM).join(', ')}`);
    }
    return {
      latitude: number(latitude, 'place.latitude', -90, 90), longitude: number(longitude, 'place.longitude', -180, 180), heightOver,
      height: height === undefined ? undefined : number(height, 'place.height', -HIGHEST, HIGHEST),
    };
  },
  marker({ dictionary, id, size }) {
    if (!MARKER_DICTIONARY.includes(dictionary)) {
      throw new DescriptionError('marker.dictionary', `${JSON.stringify(dictionary) ?? 'nothing'} is unknown: give one of ${MARKER_DICTIONARY.join(', ')}`);
    }
    if (!Number.isInteger(id)) throw new DescriptionError('marker.id', `${JSON.stringify(id) ?? 'nothing'} is no whole number: give the marker's number`);
    return { dictionary, id: number(id, 'marker.id', 0, MOST_ID), size: number(size, 'marker.size', SIZE.low, SIZE.high) };
  },
  picture({ src, target, physicalWidth }) {
    const width = number(physicalWidth, 'picture.physicalWidth', SIZE.low, SIZE.high);
    if (target instanceof Uint8Array) return { target, width };
    if (typeof src !== 'string' && !(src instanceof URL) || String(src) === '') {
      throw new DescriptionError('picture.src', 'give the address of a picture, or a target file as `target`');
    }
    return { src: addressOf(src), width };
  },
  code({ text }) {
    if (text !== undefined && typeof text !== 'string') throw new DescriptionError('code.text', 'give a text, or nothing for every code');
    return { text };
  },
  surface(hit, { size }) {
    if (hit.isReleased !== false) throw new DescriptionError('surface', 'this is no hit that `hitTest` has just found: give one');
    return { hit, size: size === undefined ? null : number(size, 'size', SIZE.low, SIZE.high) };
  },
};

/** @param {string | URL} src */
function addressOf(src) {
  let url;
  try {
    url = new URL(src, document.baseURI);
  } catch {
    throw new DescriptionError('picture.src', `${JSON.stringify(String(src))} is no address: give one of a picture`);
  }
  if (!canBeFetched(url)) {
    throw new DescriptionError('picture.src', `${url.protocol} cannot be fetched: give an address with https:`);
  }
  return url.href;
}

/** @type {Record<string, 'eye' | 'seaLevel' | 'ellipsoid'>} */
const DATUM = { eye: 'eye', sea: 'seaLevel', ellipsoid: 'ellipsoid' };

/**
 * The model frame of the engine stands on a print, y up; turned back, its axes are the print's own: x right, y up, z out of it. At a
 * place they are east, north and up.
 */
export const OWN_AXES = /** @type {const} */ ({ kind: 'model', xRotation: -90, yRotation: 0, zRotation: 0, scale: 1 });

/** Degrees: a model at a place looks to its heading; one that looks south has its own east in the east. */
const MODEL_FRONT = 180;

/**
 * What the session knows of an anchor; nothing of one that has no place in it.
 * @param {number} number of the anchor, which survives others
 * @param {{ kind: AnchorKind } & Record<string, any>} checked
 * @param {string} key of a picture
 * @returns {ContentPlace | null}
 */
export function contentOf(number, checked, key) {
  if (checked.kind === 'code' || checked.kind === 'surface') return null;
  const id = `${checked.kind} ${number}`;
  const content = {
    id, title: id, altitudeMode: /** @type {const} */ ('eye'), offset: { east: 0, north: 0, up: 0 }, pivot: /** @type {const} */ ('CC'),
    showInRadar: false, showOnFocus: [], categories: [], visual: OWN_AXES,
  };
  if (checked.kind === 'marker') return { ...content, marker: { dictionary: checked.dictionary, id: checked.id, length: checked.size } };
  if (checked.kind === 'picture') return { ...content, target: { assetID: key, width: checked.width } };
  const { latitude, longitude, height, heightOver } = checked;
  return {
    ...content, altitudeMode: DATUM[heightOver], attitude: { heading: MODEL_FRONT },
    position: { latitude, longitude, ...(height === undefined ? { altitude: 0 } : { altitude: height }) },
    ...(height === undefined ? { altitudeMode: 'eye' } : {}),
  };
}

/**
 * Whether heights over the sea and over the ellipsoid have to agree for it.
 * @param {Record<string, any>} checked
 */
export const needsGeoid = (checked) => checked.kind === 'place' && checked.heightOver !== 'eye' && checked.height !== undefined;
