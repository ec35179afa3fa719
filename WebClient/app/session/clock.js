// The time it is for a session: the clock's, or another that a virtual phone was given and that goes on from there.

export class SessionClock {
  /** How far it is from the clock's, milliseconds. */
  #shift = 0;

  /** Milliseconds since 1970. */
  get time() {
    return Date.now() + this.#shift;
  }

  /** @param {string | null} time ISO 8601; `null` for the clock's */
  set(time) {
    this.#shift = time ? new Date(time).getTime() - Date.now() : 0;
  }

  /** Whether it is another time than the clock's. */
  get isShifted() {
    return this.#shift !== 0;
  }

  /** As a year with fractions, for the field of the Earth. */
  decimalYear() {
    const now = new Date(this.time);
    const start = Date.UTC(now.getUTCFullYear(), 0, 1);
    const end = Date.UTC(now.getUTCFullYear() + 1, 0, 1);
    return now.getUTCFullYear() + (now.getTime() - start) / (end - start);
  }
}
