// The geoid's file into the engine's memory: see HeightExports.swift.

/**
 * @param {Record<string, (...values: number[]) => number>} call
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
