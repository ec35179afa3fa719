// Which corners of lines and areas lie on the ground near the user: the server is asked how high the ground is below them.

/**
 * @typedef {import('../types').Place} Place
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ corner: number, position: Point }} Corner a corner by its number in the engine: all corners of all places, in order
 */

/** Farther ones are too low over the horizon for their height to be seen, metres. */
const REACH = 5000;
const METRES_PER_DEGREE = 111_195;

/**
 * @param {Place[]} places
 * @param {Point} here
 * @param {Set<number>} known those that were asked about already
 * @param {number} most
 * @returns {Corner[]} the nearest, nearest first
 */
export function cornersAround(places, here, known, most) {
  const east = METRES_PER_DEGREE * Math.cos((here.latitude * Math.PI) / 180);
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
          // Over the date line too.
          const turn = ((((longitude - here.longitude + 180) % 360) + 360) % 360) - 180;
          const distance = Math.hypot((latitude - here.latitude) * METRES_PER_DEGREE, turn * east);
          if (distance <= REACH) near.push({ corner, position: { latitude, longitude }, distance });
        }
      }
    }
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, most).map(({ corner: number, position }) => ({ corner: number, position }));
}
