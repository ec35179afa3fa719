// Shaking the phone, and pulling a list down: both ask for fresh data.

/** Metres per second squared beyond gravity that count as a jolt. */
const JOLT = 11;
/** Seconds in which the jolts of one shake fall. */
const SHAKE = 1;
/** Seconds between two shakes. */
const REST = 3;

/** Three jolts to and fro within a second. */
export class ShakeDetector {
  /** @type {number[]} */
  #jolts = [];
  #last = [0, 0, 0];
  #rest = -Infinity;

  /**
   * @param {{ x: number, y: number, z: number } | undefined} force m/s², with gravity
   * @param {number} time seconds
   * @returns {boolean} whether this ends a shake
   */
  add(force, time) {
    if (!force || time < this.#rest) return false;
    const size = Math.hypot(force.x, force.y, force.z);
    if (Math.abs(size - 9.81) < JOLT) return false;
    // The same jolt lasts several samples; the next one goes another way.
    const way = [force.x / size, force.y / size, force.z / size];
    const isSame = this.#jolts.length > 0 && way.reduce((sum, value, k) => sum + value * this.#last[k], 0) > 0.3;
    if (isSame) return false;
    this.#last = way;
    this.#jolts = [...this.#jolts.filter((then) => time - then < SHAKE), time];
    if (this.#jolts.length < 3) return false;
    this.#jolts = [];
    this.#rest = time + REST;
    return true;
  }
}

/** Points a list is pulled before letting go refreshes it. */
const PULL = 70;

/**
 * @param {HTMLElement} list that scrolls
 * @param {HTMLElement} note that shows how far it was pulled
 * @param {{ pulled: (far: boolean) => void, refresh: () => void }} listener
 */
export function pullToRefresh(list, note, { pulled, refresh }) {
  let start = 0;
  let way = 0;
  let on = false;
  list.addEventListener('touchstart', (event) => {
    on = list.scrollTop <= 0 && event.touches.length === 1;
    start = event.touches[0].clientY;
    way = 0;
  }, { passive: true });
  list.addEventListener('touchmove', (event) => {
    if (!on) return;
    way = event.touches[0].clientY - start;
    if (list.scrollTop > 0) on = false;
    const shown = on && way > 0 ? Math.min(way * 0.55, PULL) : 0;
    note.style.height = `${shown}px`;
    pulled(way * 0.55 >= PULL);
    if (on && way > 6 && event.cancelable) event.preventDefault();
  }, { passive: false });
  const end = () => {
    note.style.height = '';
    if (on && way * 0.55 >= PULL) refresh();
    on = false;
  };
  list.addEventListener('touchend', end);
  list.addEventListener('touchcancel', () => {
    way = 0;
    end();
  });
}
