// Fingers on what was set down: a tap sets something down or chooses what is there, one finger moves it along the surfaces, two turn it.
// What lies under a finger, where it goes and by how much two fingers turn the engine decides.

/**
 * @typedef {[number, number]} Point of the display, CSS pixels
 * @typedef {{ take: (point: Point) => Promise<number | null>, drag: (point: Point) => Promise<unknown>,
 *   twist: (number: number, before: [Point, Point], now: [Point, Point]) => void,
 *   tap: (point: Point, number: number | null) => void, hold: (number: number | null) => void }} Ground what the fingers act on; `take` answers
 *   what is under a finger, which then holds it; `hold` is told what is held, and `null` when it is let go
 */

/** How far a finger may go, points, and how long it may stay, milliseconds, for a tap. */
const TAP = { distance: 10, time: 450 };

export class GroundGestures {
  /** @type {Map<number, Point>} */
  #fingers = new Map();
  /** @type {Promise<number | null>} */
  #taken = Promise.resolve(null);
  /** @type {number | null} */
  #held = null;
  /** @type {{ point: Point, time: number } | null} where a touch began that may become a tap */
  #begun = null;
  /** @type {Point | null} where the finger is, while the answer to the last drag is awaited */
  #wanted = null;
  #isDragging = false;

  /**
   * @param {HTMLElement} element
   * @param {Ground} ground
   */
  constructor(element, ground) {
    this.ground = ground;
    element.addEventListener('pointerdown', (event) => this.#down(element, event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event, true));
    element.addEventListener('pointercancel', (event) => this.#up(event, false));
  }

  /**
   * @param {HTMLElement} element
   * @param {PointerEvent} event
   */
  #down(element, event) {
    if (event.button !== 0 || this.#fingers.size >= 2) return;
    element.setPointerCapture(event.pointerId);
    /** @type {Point} */
    const point = [event.clientX, event.clientY];
    this.#fingers.set(event.pointerId, point);
    if (this.#fingers.size === 2) {
      this.#begun = null;
      return;
    }
    this.#begun = { point, time: performance.now() };
    this.#take(point);
  }

  /** @param {Point} point */
  #take(point) {
    const taken = this.ground.take(point).catch(() => null);
    this.#taken = taken;
    void taken.then((number) => {
      if (this.#taken !== taken || this.#fingers.size === 0) return;
      this.#held = number;
      this.ground.hold(number);
    });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pair();
    if (!this.#fingers.has(event.pointerId)) return;
    /** @type {Point} */
    const point = [event.clientX, event.clientY];
    this.#fingers.set(event.pointerId, point);
    if (this.#begun && Math.hypot(point[0] - this.#begun.point[0], point[1] - this.#begun.point[1]) > TAP.distance) this.#begun = null;
    if (this.#held === null || this.#begun) return;
    const now = this.#pair();
    if (before && now) return this.ground.twist(this.#held, before, now);
    this.#wanted = point;
    void this.#drag();
  }

  async #drag() {
    if (this.#isDragging) return;
    this.#isDragging = true;
    try {
      while (this.#wanted) {
        const point = this.#wanted;
        this.#wanted = null;
        await this.ground.drag(point);
      }
    } catch {
      // The worker is gone, and what was held with it.
      this.#held = null;
    } finally {
      this.#isDragging = false;
    }
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} isWanted
   */
  #up(event, isWanted) {
    if (!this.#fingers.delete(event.pointerId)) return;
    const [left] = this.#fingers.values();
    // The finger that stays takes it anew, where it is.
    if (left) return this.#take(left);
    const begun = this.#begun;
    this.#begun = null;
    this.#held = null;
    this.ground.hold(null);
    if (!isWanted || !begun || performance.now() - begun.time > TAP.time) return;
    void this.#taken.then((number) => this.ground.tap(begun.point, number));
  }

  /** @returns {[Point, Point] | null} */
  #pair() {
    const [a, b] = this.#fingers.values();
    return a && b ? [a, b] : null;
  }
}
