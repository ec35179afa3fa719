// Which corners of lines and areas lie on the ground near the user: the server is asked how high the ground is below them.

/**
 * @typedef {import('../types').Place} Place
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ corner: number, position: Point }} Corner a corner by its number in the engine: all corners of all places, in order
 */

/** Farther ones are too low over the horizon for their height to be seen, metres. */
const REACH = 5000;
/** More degrees of latitude than {@link REACH}. */
const BAND = 0.05;

/**
 * @param {Place[]} places
 * @param {Point} here
 * @param {Set<number>} known those that were asked about already
 * @param {number} most
 * @param {(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number) => number} measure metres between two points
 * @returns {Corner[]} the nearest, nearest first
 */
export function cornersAround(places, here, known, most, measure) {
  /** @type {(Corner & { distance: number })[]} */
  const near = [];
  let corner = -1;
  for (const { altitudeMode, shapes } of places) {
    const isAbsolute = altitudeMode === 'ellipsoid' || altitudeMode === 'seaLevel';
    for (const { parts } of shapes ?? []) {
      for (const part of parts) {
        for (const [longitude, latitude, altitude] of part) {
          corner += 1;
          // What has a height of its own keeps it.
          if ((isAbsolute && altitude !== undefined) || known.has(corner)) continue;
          // Most of a long line is far to the north or south.
          if (!(Math.abs(latitude - here.latitude) <= BAND)) continue;
          const distance = measure(here.latitude, here.longitude, latitude, longitude);
          if (distance <= REACH) near.push({ corner, position: { latitude, longitude }, distance });
        }
      }
    }
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, most).map(({ corner: number, position }) => ({ corner: number, position }));
}
