// The form fields of a dimension request, as the protocol wants them.

import { consent, hostOf, isOwnServer } from '../core/consents.js';
import { visitorID } from '../core/storage.js';

/**
 * @typedef {import('../../engine/types').DimensionRequest} DimensionRequest
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {'own' | 'allowed' | 'withheld'} Sharing how much of where the phone is goes along: to the server that the user
 *   opened all of it, to others as much as was allowed, or nothing
 */

/** Decimals of a degree for this server, a centimetre; and for others, a metre. */
const DECIMALS = { own: 7, allowed: 5 };

/**
 * @param {WorldAddress} address
 * @returns {Sharing}
 */
export function sharingWith(address) {
  if (address.kind !== 'url' || isOwnServer(address.url)) return 'own';
  return consent('position', hostOf(address.url)) === 'allowed' ? 'allowed' : 'withheld';
}

/**
 * @param {DimensionRequest} request
 * @param {WorldAddress} address
 * @param {string | null} source the pressed item's id
 * @param {number} [time] milliseconds since 1970; of a virtual phone it may be any
 * @param {Sharing} [sharing]
 * @returns {[string, string][]}
 */
export function requestFields(request, address, source, time = Date.now(), sharing = sharingWith(address)) {
  /** @type {[string, string][]} */
  const fields = [
    ['event', request.event],
    ['eventSrc', request.event === 'refreshOnPress' && source ? source : 'NULL'],
  ];
  // What is not known is left out rather than invented.
  const add = (/** @type {string} */ name, /** @type {number | null} */ value, /** @type {number} */ digits) => {
    if (value !== null) fields.push([name, fixed(value, digits)]);
  };
  if (sharing !== 'withheld') {
    add('lat', request.latitude, DECIMALS[sharing]);
    add('lon', request.longitude, DECIMALS[sharing]);
    add('alt', request.altitude, 2);
    add('bearing', request.bearing, 2);
    add('pitch', request.pitch, 2);
    add('roll', request.roll, 2);
  }
  if (request.width > 0 && request.height > 0) {
    fields.push(['width', String(Math.round(request.width))], ['height', String(Math.round(request.height))]);
  }
  if (sharing !== 'withheld') fields.push(['uid', visitorID(sourceName(address))]);
  fields.push(['time', String(Math.round(time))]);
  return fields;
}

/** @param {WorldAddress} address */
function sourceName(address) {
  return (address.kind === 'url' && !isOwnServer(address.url) && hostOf(address.url)) || 'here';
}

/**
 * Never in exponent form, never "-0".
 * @param {number} value
 * @param {number} digits
 */
function fixed(value, digits) {
  // From 1e21 on, digits come with an exponent; no angle and no height is near that.
  const text = (Math.abs(value) < 1e15 ? value : 0).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}
