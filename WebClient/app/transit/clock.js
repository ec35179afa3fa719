// The server's clock, which runs on here: it may be set into the validity of a demonstration.

export class ServerClock {
  #server = 0;
  #local = 0;

  /** @param {string} now of an answer that came this moment, RFC 3339 */
  set(now) {
    const time = Date.parse(now);
    if (!Number.isFinite(time)) return;
    this.#server = time;
    this.#local = performance.now();
  }

  get isKnown() {
    return this.#server > 0;
  }

  /** Milliseconds since 1970. */
  now() {
    return this.#server ? this.#server + performance.now() - this.#local : Date.now();
  }

  /**
   * Seconds from now until a time; negative when it is over.
   * @param {string} time RFC 3339
   */
  until(time) {
    return (Date.parse(time) - this.now()) / 1000;
  }
}

/**
 * What the clock on the platform shows at a time: the offset in it is that of the stop.
 * @param {string} time RFC 3339
 */
export function wallClock(time) {
  return time.slice(11, 16);
}

/**
 * What the clock of a demonstration shows, where it plays.
 * @param {{ clock: ServerClock, providers: import('./types').Providers | null }} data
 */
export function demonstrationClock({ clock, providers }) {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(providers?.now ?? '') ?? ['', '+', '0', '0'];
  const shift = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return wallClock(new Date(clock.now() + shift).toISOString());
}
