// What a recording has of the buildings around the user (Documentation/recording.md).

import { ByteWriter } from './format.js';

/**
 * @param {import('../../engine/buildings.js').Buildings['told']} told
 * @returns {Uint8Array} the payload of their chunk
 */
export function buildingsPayload({ count, numbers }) {
  const out = new ByteWriter();
  out.u32(count);
  for (let at = 0; at < numbers.length;) {
    // Each of one part: where it begins and ends, then its rings.
    out.u32(1);
    out.f64(numbers[at + 1], numbers[at]);
    const rings = numbers[at + 2];
    out.u32(rings);
    at += 3;
    for (let ring = 0; ring < rings; ring++) {
      const corners = numbers[at++];
      out.u32(corners);
      for (const end = at + 2 * corners; at < end; at++) out.f64(numbers[at]);
    }
  }
  return out.bytes();
}
