// Where a team is, as its phone needs to know without a network. What counts is decided by the server with the same rules; here
// they say only what to show.

import { Places } from '../../engine/places.js';

/**
 * @typedef {import('./api.js').Point} Point
 * @typedef {Point & { horizontalAccuracy: number }} Fix
 * @typedef {Pick<import('../../engine/engine.js').Engine, 'distance' | 'part'>} Engine
 */

/** The most that a bad accuracy lets a team be away, metres. */
const LARGEST_TOLERANCE = 100;

export class TourGround {
  /** @type {() => Engine | null} the session's, when there is one */
  engine = () => null;

  /**
   * Metres along the ground; ∞ before there is a session.
   * @param {Point} a
   * @param {Point} b
   */
  distance(a, b) {
    return this.engine()?.distance(a.latitude, a.longitude, b.latitude, b.longitude) ?? Infinity;
  }

  /**
   * Whether a position is near enough to answer at a station: within its radius, or outside by less than the accuracy.
   * @param {Fix} fix
   * @param {{ position: Point, radius: number }} station
   */
  isAt(fix, station) {
    return this.distance(fix, station.position) <= station.radius + tolerance(fix);
  }

  /**
   * Whether a position is outside of an area by more than its accuracy.
   * @param {Fix} fix
   * @param {Point[]} border
   */
  hasLeft(fix, border) {
    const out = border.length < 3 ? NaN : this.engine()?.part(Places).distanceToBorder(fix, border) ?? NaN;
    return out > tolerance(fix);
  }
}

/** @param {Fix} fix */
const tolerance = ({ horizontalAccuracy }) => Math.min(Math.max(horizontalAccuracy, 0), LARGEST_TOLERANCE);
