// What a tracker can be told, checked.

import { DescriptionError } from './anchors.js';

/**
 * @typedef {Partial<Record<Part, boolean>> & { base?: string | URL, video?: HTMLVideoElement,
 *   size?: () => { width: number, height: number }, radius?: number, platform?: boolean | Element, askPlatform?: import('./platform.js').AskPlatform,
 *   sensors?: typeof import('./sensors.js').Sensors, Surfaces?: typeof import('./surfaces.js').Surfaces }} TrackerOptions
 *   the parts that are wanted, each loaded only then; `base`: the folder of the WebAssembly files, where they do not lie beside the modules;
 *   `video`: pictures come from this one and not from the camera; `size` of the view in CSS pixels, without it the window's;
 *   `radius` in metres within which places are shown; `platform`: as public.d.ts says
 * @typedef {Required<Pick<TrackerOptions, Part | 'size' | 'radius'>> & Omit<TrackerOptions, Part | 'size' | 'radius' | 'base' | 'video'> &
 *   { base: string | null, video: HTMLVideoElement | null }} CheckedOptions
 */

/** @typedef {'geo' | 'markers' | 'pictures' | 'codes' | 'surfaces'} Part of what can be looked for, each loaded only when it is wanted */

export const PARTS = /** @type {Part[]} */ (['geo', 'markers', 'pictures', 'codes', 'surfaces']);
/**
 * Which one an anchor needs.
 * @type {Record<import('./anchors.js').AnchorKind, Part>}
 */
export const PART = { place: 'geo', marker: 'markers', picture: 'pictures', code: 'codes', surface: 'surfaces' };
/** Metres: beyond the horizon of every mountain. */
const RADIUS = 500_000;

/**
 * @param {TrackerOptions} options
 * @returns {CheckedOptions}
 */
export function readOptions(options) {
  if (typeof options !== 'object' || options === null) throw new DescriptionError('options', 'give an object');
  const { base, video, size, radius = RADIUS, platform, askPlatform, sensors, Surfaces } = options;
  const parts = /** @type {Record<Part, boolean>} */ ({});
  for (const part of PARTS) {
    const { [part]: value = false } = options;
    if (typeof value !== 'boolean') throw new DescriptionError(`options.${part}`, 'give true or false');
    parts[part] = value;
  }
  if (!PARTS.some((part) => parts[part])) throw new DescriptionError('options', `say what is looked for: ${PARTS.join(', ')}`);
  if (video !== undefined && !(video instanceof HTMLVideoElement)) throw new DescriptionError('options.video', 'give a <video> element');
  if (platform && platform !== true && !(platform instanceof Element)) throw new DescriptionError('options.platform', 'give true or an element');
  if (size !== undefined && typeof size !== 'function') throw new DescriptionError('options.size', 'give a function');
  if (!(typeof radius === 'number' && radius > 0 && radius <= 20_100_000)) throw new DescriptionError('options.radius', 'give metres');
  return {
    ...parts, base: baseOf(base), video: video ?? null,
    size: size ?? (() => ({ width: innerWidth, height: innerHeight })), radius, platform, askPlatform, sensors, Surfaces,
  };
}

/** @param {string | URL | undefined} base */
function baseOf(base) {
  if (base === undefined) return null;
  try {
    const url = new URL(base, document.baseURI);
    return url.href.endsWith('/') ? url.href : `${url.href}/`;
  } catch {
    throw new DescriptionError('options.base', `${JSON.stringify(String(base))} is no address: give the folder of the WebAssembly files`);
  }
}
