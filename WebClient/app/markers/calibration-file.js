// What `sightline camera calibrate --format json` writes, for the page's camera.

import { FIELD_OF_VIEW_RANGE } from '../device/camera.js';

/**
 * The camera of a calibration file.
 *
 * The principal point and the tangential terms are left aside: a phone turns its pictures and shifts them to hold them still.
 * @param {string} text
 * @param {(view: { width: number, height: number, focal: number }) => number} fieldOfView of a focal length, degrees
 * @param {(terms: number[]) => number} lensReach up to which r² the terms of a lens mean something
 * @returns {{ degrees: number, lens: number[] } | null} field of view along the longer side, and k1, k2, k3; `null` when this is
 *   no calibration, or not one of a camera that a phone has
 */
export function readCalibration(text, fieldOfView, lensReach) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  const { width, height, intrinsics, distortion } = file ?? {};
  const isList = (/** @type {any} */ list, /** @type {number} */ count) =>
    Array.isArray(list) && list.length === count && list.every((value) => Number.isFinite(value));
  if (!(width > 0 && height > 0) || !isList(intrinsics, 4) || !isList(distortion, 5)) return null;
  const [fx, fy] = intrinsics;
  const focal = (fx + fy) / 2;
  const degrees = fieldOfView({ width, height, focal });
  const [k1, k2, , , k3] = distortion;
  const { low, high } = FIELD_OF_VIEW_RANGE;
  if (!(fx > 0 && fy > 0 && Math.abs(fx / fy - 1) < 0.1 && degrees >= low && degrees <= high)) return null;
  // Within the picture a lens does not fold; a hair more than to its corner.
  const corner = (width * width + height * height) / 4 / (focal * focal);
  return lensReach([k1, k2, k3]) > 1.05 * corner ? { degrees, lens: [k1, k2, k3] } : null;
}
