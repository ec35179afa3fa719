// The form fields of a dimension request, as the protocol wants them.

import { visitorID } from '../core/storage.js';

/**
 * @typedef {import('../../engine/types').DimensionRequest} DimensionRequest
 * @typedef {import('../types').WorldAddress} WorldAddress
 */

/**
 * @param {DimensionRequest} request
 * @param {WorldAddress} address
 * @param {string | null} source the pressed item's id
 * @param {number} [time] milliseconds since 1970; of a virtual phone it may be any
 * @returns {[string, string][]}
 */
export function requestFields(request, address, source, time = Date.now()) {
  /** @type {[string, string][]} */
  const fields = [
    ['event', request.event],
    ['eventSrc', request.event === 'refreshOnPress' && source ? source : 'NULL'],
  ];
  // What is not known is left out rather than invented.
  const add = (/** @type {string} */ name, /** @type {number | null} */ value, /** @type {number} */ digits) => {
    if (value !== null) fields.push([name, fixed(value, digits)]);
  };
  add('lat', request.latitude, 7);
  add('lon', request.longitude, 7);
  add('alt', request.altitude, 2);
  add('bearing', request.bearing, 2);
  add('pitch', request.pitch, 2);
  add('roll', request.roll, 2);
  if (request.width > 0 && request.height > 0) {
    fields.push(['width', String(Math.round(request.width))], ['height', String(Math.round(request.height))]);
  }
  fields.push(['uid', visitorID(sourceName(address))], ['time', String(Math.round(time))]);
  return fields;
}

/** @param {WorldAddress} address */
function sourceName(address) {
  if (address.kind !== 'url') return 'here';
  try {
    return new URL(address.url.replace(/^gamaray:/i, 'http:')).host;
  } catch {
    return address.url;
  }
}

/**
 * Never in exponent form, never "-0".
 * @param {number} value
 * @param {number} digits
 */
function fixed(value, digits) {
  const text = (Number.isFinite(value) ? value : 0).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}
