// Where a virtual phone stands at first, and which way it looks: among the places, towards most of them.

/** @typedef {import('../types').Place} Place */

const DEGREE = Math.PI / 180;
const METRES_PER_DEGREE = 111_195;

/**
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ place: Place, position: Point }} Placed
 */

/** Steps from the middle of the places that are tried as view points, metres. */
const STEPS = [0, 250, 600];

/**
 * A flat map is good enough for choosing a view point; nothing is drawn from it.
 * @param {Place[]} places
 * @param {Point | null} given where the user wants to stand
 * @param {number} radius metres
 * @param {number} halfView half of the picture's horizontal field of view, degrees
 * @returns {{ latitude: number, longitude: number, altitude: number | null, heading: number } | null}
 */
export function preferredStart(places, given, radius, halfView) {
  const placed = places.flatMap((place) => (place.position ? [{ place, position: place.position }] : []));
  if (placed.length === 0) return null;
  const middle = given ?? median(placed.map(({ position }) => position));
  const near = placed.filter(({ position }) => polar(middle, position).distance < radius * 1.5).slice(0, 2000);
  let best = { eye: middle, heading: 0, weight: -1 };
  for (const step of given ? [0] : STEPS) {
    for (let way = 0; way < (step ? 8 : 1); way++) {
      const eye = shifted(middle, step * Math.sin(way * 45 * DEGREE), step * Math.cos(way * 45 * DEGREE));
      const { heading, weight } = busiest(near.map(({ position }) => polar(eye, position)), halfView);
      if (weight > best.weight) best = { eye, heading, weight };
    }
  }
  return { ...best.eye, altitude: ground(near.map(({ place }) => place)), heading: best.heading };
}

/** @param {Point[]} positions @returns {Point} */
function median(positions) {
  const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return {
    latitude: middle(positions.map(({ latitude }) => latitude)),
    longitude: middle(positions.map(({ longitude }) => longitude)),
  };
}

/**
 * @param {Point} from
 * @param {number} east metres
 * @param {number} north metres
 * @returns {Point}
 */
function shifted(from, east, north) {
  return {
    latitude: from.latitude + north / METRES_PER_DEGREE,
    longitude: from.longitude + east / METRES_PER_DEGREE / Math.max(0.01, Math.cos(from.latitude * DEGREE)),
  };
}

/**
 * @param {Point} from
 * @param {Point} to
 */
function polar(from, to) {
  const longitude = ((to.longitude - from.longitude + 540) % 360) - 180;
  const east = longitude * METRES_PER_DEGREE * Math.cos(from.latitude * DEGREE);
  const north = (to.latitude - from.latitude) * METRES_PER_DEGREE;
  return { distance: Math.hypot(east, north), azimuth: Math.atan2(east, north) / DEGREE };
}

/**
 * The direction with most places in the picture. Those at hand and those at the end of the world count less, and a place
 * right before the eye counts against it.
 * @param {{ distance: number, azimuth: number }[]} around
 * @param {number} halfView degrees
 */
function busiest(around, halfView) {
  const crowd = around.some(({ distance }) => distance < 40) ? 1 : 0;
  let best = { heading: 0, weight: -1 };
  for (let heading = 0; heading < 360; heading += 5) {
    let weight = -crowd;
    for (const { distance, azimuth } of around) {
      const off = Math.abs(((azimuth - heading + 540) % 360) - 180);
      if (off < halfView * 0.85 && distance > 60) weight += (distance < 150 ? 0.6 : 1) / (1 + distance / 2500);
    }
    if (weight > best.weight) best = { heading, weight };
  }
  return best;
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
