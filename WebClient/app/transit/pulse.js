// When the departures are drawn: once for whatever has changed, on and on while something moves, and not at rest.

/** Milliseconds between two looks at what changes by itself. */
const SLOW_MS = 500;

export class Pulse {
  #request = 0;
  /** @type {Set<string>} */
  #held = new Set();

  /**
   * @param {{ draw: (now: number, stamp: number) => boolean, slow: () => void }} page `draw` makes one picture, at a time
   *   in milliseconds, and answers whether the next has to follow; `slow` is called twice a second
   * @param {AbortSignal} closed
   */
  constructor(page, closed) {
    this.page = page;
    const timer = setInterval(() => this.#held.has('hidden') || page.slow(), SLOW_MS);
    const look = () => this.hold('hidden', document.visibilityState === 'hidden');
    document.addEventListener('visibilitychange', look, { signal: closed });
    closed.addEventListener('abort', () => {
      clearInterval(timer);
      cancelAnimationFrame(this.#request);
      this.#held.add('closed');
    });
    look();
    this.wake();
  }

  /** Something has changed, or may have: a picture is made of it. */
  wake = () => {
    if (!this.#held.size) this.#request ||= requestAnimationFrame(this.#frame);
  };

  /**
   * While anything holds it nothing is drawn.
   * @param {string} reason
   * @param {boolean} on
   */
  hold(reason, on) {
    if (on) this.#held.add(reason);
    else this.#held.delete(reason);
    if (!on) return this.wake();
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  #frame = (/** @type {number} */ stamp) => {
    this.#request = 0;
    if (this.page.draw(performance.now(), stamp)) this.wake();
  };
}
