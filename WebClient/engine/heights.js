// The geoid's file into the engine's memory, and how high the user is out of it: see HeightExports.swift.

import { HEIGHTS, HEIGHT_DATUM } from './layout.js';

/** @typedef {Record<string, (...values: number[]) => number>} Calls */

/**
 * Metres. `datum`: what `altitude` is measured from; `geoid`: from the ellipsoid up to the sea; `ground`: over the sea. `null`: not known.
 * @typedef {{ altitude: number | null, datum: import('./bindings').HeightDatum | null, geoid: number | null, ground: number | null }} Heights
 */

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @param {{ bytes: Uint8Array }} event the geoid's file; what is none changes nothing
 * @param {number} time seconds
 */
export function tellGeoid(call, doubles, { bytes }, time) {
  const address = call.sl_geoid_in(bytes.length);
  if (!address) return;
  const room = doubles(address, Math.ceil(bytes.length / 8));
  new Uint8Array(room.buffer, room.byteOffset, bytes.length).set(bytes);
  call.sl_geoid(time, bytes.length);
}

/**
 * @param {Calls} call
 * @param {(address: number, count: number) => Float64Array} doubles
 * @returns {Heights}
 */
export function readHeights(call, doubles) {
  const v = doubles(call.sl_heights(), HEIGHTS.length);
  const known = (/** @type {number} */ place) => (Number.isNaN(v[place]) ? null : v[place]);
  return {
    altitude: known(HEIGHTS.altitude), datum: HEIGHT_DATUM[v[HEIGHTS.datum]] ?? null, geoid: known(HEIGHTS.geoid),
    ground: known(HEIGHTS.ground),
  };
}
