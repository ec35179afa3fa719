// How often something comes, how evenly, and how long it is on its way: of the last few seconds.

/** Events that count: four seconds of sensors, eight of a camera. */
const MOST = 240;

export class Rates {
  /** @type {{ stamp: number, heard: number }[]} */
  #events = [];
  /** All that ever came. */
  count = 0;

  /**
   * @param {number} stamp as the platform has it, seconds
   * @param {number} heard when the page heard of it, seconds
   */
  add(stamp, heard) {
    this.count += 1;
    this.#events.push({ stamp, heard });
    if (this.#events.length > MOST) this.#events.shift();
  }

  /**
   * @returns {{ rate: number, jitter: number, most: number, delay: number } | null} events a second; by how much intervals differ from the
   *   median one, in the median and of 95 in 100, and from stamp to the page in the median, all seconds; `null` before there are a few
   */
  get figures() {
    const stamps = this.#events.map(({ stamp }) => stamp);
    const intervals = stamps.slice(1).map((stamp, k) => stamp - stamps[k]);
    if (intervals.length < 4) return null;
    const usual = quantile(intervals, 0.5);
    const apart = intervals.map((interval) => Math.abs(interval - usual));
    const [first, last] = [stamps[0], stamps[stamps.length - 1]];
    return {
      rate: last > first ? intervals.length / (last - first) : 0, jitter: quantile(apart, 0.5), most: quantile(apart, 0.95),
      delay: quantile(this.#events.map(({ stamp, heard }) => heard - stamp), 0.5),
    };
  }
}

/**
 * @param {number[]} values at least one
 * @param {number} share 0 … 1
 */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
