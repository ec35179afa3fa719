// The way of a tour on the ground, and what of it comes next: by the same rules as TourWay.swift, for a phone without a network.
// Fixtures/tours/ways.json has cases that both are held to. Distances are those of a plane that touches the Earth at the corner before.

/** @typedef {import('./api.js').Point} Point */

/** A way that comes so near to a station, metres, comes to it. */
const REACH = 40;
/** Degrees over which it is measured how long one is. */
const SPAN = 0.01;

/** @param {number} degrees of longitude, by the shorter way over the date line */
const turned = (degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

/** @param {Point} a @param {Point} b @param {number} part @returns {Point} */
const between = (a, b, part) => ({
  latitude: a.latitude + part * (b.latitude - a.latitude), longitude: turned(a.longitude + part * turned(b.longitude - a.longitude)),
});

/** @typedef {{ position: Point, along: number, distance: number }} Place `along` in metres from the way's begin, `distance` from what it was looked for */

export class TourWay {
  /** @type {number[]} metres from the begin to each corner */
  #reached = [0];
  /** @type {[number, number][]} metres to the east and to the north of a degree of longitude and latitude, by corner */
  #degrees;

  /**
   * @param {Point[]} corners two or more
   * @param {(a: Point, b: Point) => number} distance metres along the ground
   */
  constructor(corners, distance) {
    this.corners = corners;
    this.#degrees = corners.map(({ latitude, longitude }) => [
      distance({ latitude, longitude }, { latitude, longitude: turned(longitude + SPAN) }) / SPAN,
      distance({ latitude, longitude }, { latitude: latitude + (latitude > 0 ? -SPAN : SPAN), longitude }) / SPAN,
    ]);
    for (let k = 1; k < corners.length; k += 1) this.#reached.push(this.#reached[k - 1] + Math.hypot(...this.#step(k - 1, corners[k])));
  }

  /** @param {number} k number of a corner @param {Point} position @returns {[number, number]} metres from there to the east and the north */
  #step(k, position) {
    const { latitude, longitude } = this.corners[k];
    const [east, north] = this.#degrees[k];
    return [turned(position.longitude - longitude) * east, (position.latitude - latitude) * north];
  }

  /** Metres from begin to end. */
  get length() {
    return this.#reached[this.#reached.length - 1];
  }

  /**
   * @param {Point[]} corners
   * @param {(a: Point, b: Point) => number} distance
   * @returns {TourWay | null} null for fewer than two
   */
  static of(corners, distance) {
    return corners.length < 2 ? null : new TourWay(corners, distance);
  }

  /** @param {Point} position @returns {Place[]} the nearest place of each leg */
  #feet(position) {
    return this.corners.slice(1).map((to, k) => {
      const from = this.corners[k];
      const [legEast, legNorth] = this.#step(k, to);
      const [east, north] = this.#step(k, position);
      const square = legEast * legEast + legNorth * legNorth;
      const part = square > 0 ? Math.min(1, Math.max(0, (east * legEast + north * legNorth) / square)) : 0;
      return {
        position: between(from, to, part), along: this.#reached[k] + part * (this.#reached[k + 1] - this.#reached[k]),
        distance: Math.hypot(east - part * legEast, north - part * legNorth),
      };
    });
  }

  /** @param {Point} position @returns {Place} the nearest of the way; of several the first */
  nearest(position) {
    return this.#feet(position).reduce((best, foot) => (foot.distance < best.distance ? foot : best));
  }

  /**
   * Where the way comes to a position from a place on it on: the first time that it comes near, else where it is nearest, which may be
   * behind.
   * @param {Point} position
   * @param {number} along
   */
  arrival(position, along) {
    /** @type {Place | null} */
    let found = null;
    for (const foot of this.#feet(position)) {
      if (foot.along < along || foot.distance > REACH) continue;
      if (found && foot.distance >= found.distance) break;
      found = foot;
    }
    return found ?? this.nearest(position);
  }

  /**
   * The part between two places of the way; it leads back when the second comes before the first.
   * @param {number} from metres from the begin
   * @param {number} to
   */
  part(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    const inner = this.corners.filter((_, k) => this.#reached[k] > low && this.#reached[k] < high);
    return [this.position(from), ...(from <= to ? inner : inner.reverse()), this.position(to)];
  }

  /** @param {number} along metres from the begin @returns {Point} beyond the ends the nearest one */
  position(along) {
    const k = this.#reached.findIndex((metres) => metres >= along);
    if (k < 0) return this.corners[this.corners.length - 1];
    if (k === 0) return this.corners[0];
    const length = this.#reached[k] - this.#reached[k - 1];
    return between(this.corners[k - 1], this.corners[k], length > 0 ? (along - this.#reached[k - 1]) / length : 0);
  }

  /**
   * Which of some stations comes next: the first that the way comes to from where the team is, else the one that it passed last.
   * @template {{ position: Point }} S
   * @param {S[]} stations that wait
   * @param {Point} team
   * @returns {S | null}
   */
  next(stations, team) {
    const here = this.nearest(team).along;
    const arrivals = stations.map((station) => ({ station, along: this.arrival(station.position, here).along }));
    // What lies ahead comes before what lies behind, the nearer first.
    arrivals.sort((a, b) => Number(a.along < here) - Number(b.along < here) || Math.abs(a.along - here) - Math.abs(b.along - here));
    return arrivals[0]?.station ?? null;
  }
}
