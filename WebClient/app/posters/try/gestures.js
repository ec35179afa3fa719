// Fingers on the wall: one drags the poster it touches, two turn it, a tap chooses it.

/**
 * @typedef {[number, number]} Point
 * @typedef {{ pick: (screen: Point) => string | null, begin: (key: string, screen: Point) => void,
 *   drag: (key: string, screen: Point) => void, turn: (key: string, degrees: number) => void }} Wall what the fingers act
 *   on; `pick` says what is at a point of the screen, `turn` is by how much more, counter-clockwise
 */

export class WallGestures {
  /** @type {Map<number, Point>} */
  #fingers = new Map();
  /** @type {string | null} */
  #key = null;
  #angle = 0;

  /**
   * @param {HTMLElement} element
   * @param {Wall} wall
   */
  constructor(element, wall) {
    this.wall = wall;
    element.addEventListener('pointerdown', (event) => this.#down(element, event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const kind of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      element.addEventListener(kind, (event) => this.#up(event));
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {PointerEvent} event
   */
  #down(element, event) {
    if (event.button !== 0 || this.#fingers.size >= 2) return;
    element.setPointerCapture(event.pointerId);
    /** @type {Point} */
    const at = [event.clientX, event.clientY];
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size === 1) {
      this.#key = this.wall.pick(at);
      if (this.#key) this.wall.begin(this.#key, at);
    } else {
      this.#angle = this.#slope();
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!this.#key) return;
    if (this.#fingers.size === 2) {
      const angle = this.#slope();
      let by = angle - this.#angle;
      if (by > 180) by -= 360;
      if (by < -180) by += 360;
      this.#angle = angle;
      // The screen's y points down.
      this.wall.turn(this.#key, -by);
    } else {
      this.wall.drag(this.#key, [event.clientX, event.clientY]);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size === 0) this.#key = null;
    else if (this.#key) {
      const [left] = this.#fingers.values();
      // The finger that stays takes the poster anew, where it is.
      this.wall.begin(this.#key, left);
    }
  }

  #slope() {
    const [[ax, ay], [bx, by]] = [...this.#fingers.values()];
    return (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  }
}
