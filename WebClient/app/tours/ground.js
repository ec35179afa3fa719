// Distances and areas on the ground as a team's phone needs them without a network. What counts is decided by the
// server with the same rules; here they say only what to show.

/** @typedef {import('./api.js').Point} Point */

const METRES_PER_DEGREE = (6371008.8 * Math.PI) / 180;
const RADIAN = Math.PI / 180;
/** The most that a bad accuracy lets a team be away, metres. */
const LARGEST_TOLERANCE = 100;

/**
 * Great-circle metres on the mean sphere (haversine).
 * @param {Point} a
 * @param {Point} b
 */
export function metresBetween(a, b) {
  const north = Math.sin(((b.latitude - a.latitude) * RADIAN) / 2);
  const east = Math.sin(((b.longitude - a.longitude) * RADIAN) / 2);
  const share = north * north + Math.cos(a.latitude * RADIAN) * Math.cos(b.latitude * RADIAN) * east * east;
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(share)));
}

/**
 * Whether a position is near enough to answer at a station: within its radius, or outside by less than the accuracy.
 * @param {Point & { horizontalAccuracy: number }} fix
 * @param {{ position: Point, radius: number }} station
 */
export const isAt = (fix, station) =>
  metresBetween(fix, station.position) <= station.radius + Math.min(Math.max(fix.horizontalAccuracy, 0), LARGEST_TOLERANCE);

/**
 * Whether a position is outside of an area by more than its accuracy.
 * @param {Point & { horizontalAccuracy: number }} fix
 * @param {Point[]} border
 */
export function hasLeft(fix, border) {
  if (border.length < 3) return false;
  const points = border.map((corner) => ({
    east: (((corner.longitude - fix.longitude + 540) % 360) - 180) * METRES_PER_DEGREE * Math.cos(fix.latitude * RADIAN),
    north: (corner.latitude - fix.latitude) * METRES_PER_DEGREE,
  }));
  let inside = false;
  let nearest = Infinity;
  let last = points[points.length - 1];
  for (const point of points) {
    if (point.north > 0 !== last.north > 0) {
      const east = last.east + ((point.east - last.east) * -last.north) / (point.north - last.north);
      if (east > 0) inside = !inside;
    }
    const [east, north] = [point.east - last.east, point.north - last.north];
    const length = east * east + north * north;
    const share = length ? Math.max(0, Math.min(1, -(last.east * east + last.north * north) / length)) : 0;
    nearest = Math.min(nearest, Math.hypot(last.east + share * east, last.north + share * north));
    last = point;
  }
  return !inside && nearest > Math.min(Math.max(fix.horizontalAccuracy, 0), LARGEST_TOLERANCE);
}
