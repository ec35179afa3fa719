// Where a virtual phone stands at first, and which way it looks: among the places, towards most of them.

/** @typedef {import('../types').Place} Place */

const DEGREE = Math.PI / 180;
const METRES_PER_DEGREE = 111_195;

/**
 * A flat map is good enough for choosing a view point; nothing is drawn from it.
 * @param {Place[]} places
 * @param {{ latitude: number, longitude: number } | null} given where the user wants to stand
 * @param {number} radius metres
 * @returns {{ latitude: number, longitude: number, altitude: number | null, heading: number } | null}
 */
export function preferredStart(places, given, radius) {
  const placed = places.flatMap((place) => (place.position ? [{ place, position: place.position }] : []));
  if (placed.length === 0) return null;
  const eye = given ?? median(placed.map(({ position }) => position));
  const parallel = Math.cos(eye.latitude * DEGREE);
  const around = placed.map(({ place, position }) => {
    const longitude = ((position.longitude - eye.longitude + 540) % 360) - 180;
    const east = longitude * METRES_PER_DEGREE * parallel;
    const north = (position.latitude - eye.latitude) * METRES_PER_DEGREE;
    return { place, distance: Math.hypot(east, north), azimuth: Math.atan2(east, north) };
  }).filter(({ distance }) => distance < radius * 1.5);
  return { latitude: eye.latitude, longitude: eye.longitude, altitude: ground(around.map(({ place }) => place)), heading: busiest(around) };
}

/** @param {{ latitude: number, longitude: number }[]} positions */
function median(positions) {
  const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const latitude = middle(positions.map((position) => position.latitude));
  const longitude = middle(positions.map((position) => position.longitude));
  // A little aside, so that one does not stand inside the middle place.
  return { latitude: latitude - 60 / METRES_PER_DEGREE, longitude };
}

/**
 * The direction with most places in a phone's picture, near ones counting more.
 * @param {{ distance: number, azimuth: number }[]} around
 */
function busiest(around) {
  let best = { heading: 0, weight: -1 };
  for (let heading = 0; heading < 360; heading += 5) {
    let weight = 0;
    for (const { distance, azimuth } of around) {
      const off = Math.abs(((azimuth / DEGREE - heading + 540) % 360) - 180);
      if (off < 28 && distance > 30) weight += (1 - off / 56) / (1 + distance / 1500);
    }
    if (weight > best.weight) best = { heading, weight };
  }
  return best.heading;
}

/**
 * Eye height over the ground, taken from the lower places: tops of towers say little about where one stands.
 * @param {Place[]} places
 * @returns {number | null} metres, null if no place has a height of its own
 */
function ground(places) {
  const heights = places.flatMap((place) => {
    const absolute = place.altitudeMode === 'ellipsoid' || place.altitudeMode === 'seaLevel';
    return absolute && place.position?.altitude !== undefined ? [place.position.altitude] : [];
  }).sort((a, b) => a - b);
  return heights.length ? heights[Math.floor(heights.length * 0.15)] + 1.7 : null;
}
