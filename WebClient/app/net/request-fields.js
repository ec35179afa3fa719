// The form fields of a dimension request, as the protocol wants them.

import { visitorID } from '../core/storage.js';

/**
 * @typedef {import('../session/engine-port').DimensionRequest} DimensionRequest
 * @typedef {import('../types').WorldAddress} WorldAddress
 */

/**
 * @param {DimensionRequest} request
 * @param {WorldAddress} address
 * @param {string | null} source the pressed item's id
 * @returns {[string, string][]}
 */
export function requestFields(request, address, source) {
  /** @type {[string, string][]} */
  const fields = [
    ['event', request.event],
    ['eventSrc', request.event === 'refreshOnPress' && source ? source : 'NULL'],
    ['lat', fixed(request.latitude, 7)],
    ['lon', fixed(request.longitude, 7)],
    ['alt', fixed(request.altitude, 2)],
    ['bearing', fixed(request.bearing, 2)],
    ['pitch', fixed(request.pitch, 2)],
    ['roll', fixed(request.roll, 2)],
  ];
  if (request.width > 0 && request.height > 0) {
    fields.push(['width', String(Math.round(request.width))], ['height', String(Math.round(request.height))]);
  }
  fields.push(['uid', visitorID(sourceName(address))], ['time', String(Date.now())]);
  return fields;
}

/** @param {WorldAddress} address */
function sourceName(address) {
  if (address.kind === 'world') return 'here';
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
