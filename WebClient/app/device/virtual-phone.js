// A phone that exists only here: its place and the way it is held follow mouse, touch and keys. It feeds the engine
// with the same kind of readings as real sensors do.

import { Emitter } from '../core/emitter.js';

/**
 * @typedef {import('./location.js').Fix} Fix
 * @typedef {{ latitude: number, longitude: number, altitude: number | null,
 *   altitudeDatum: import('../../engine/bindings').HeightDatum, heading: number, pitch: number }} Pose
 *   degrees, metres
 */

/** Metres per second. */
const WALK = 12;
const RUN = 60;
/** Degrees per second. */
const TURN = 70;

const KEYS = /** @type {Record<string, string>} */ ({
  KeyW: 'forward',
  KeyS: 'backward',
  KeyA: 'left',
  KeyD: 'right',
  KeyQ: 'turnLeft',
  KeyE: 'turnRight',
  ArrowUp: 'forward',
  ArrowDown: 'backward',
  ArrowLeft: 'turnLeft',
  ArrowRight: 'turnRight',
  PageUp: 'lookUp',
  PageDown: 'lookDown',
  KeyR: 'rise',
  KeyF: 'sink',
});

/** @extends {Emitter<{ moved: void, turned: void, used: void, began: void }>} */
export class VirtualPhone extends Emitter {
  /** @type {Pose} */
  pose = { latitude: 45, longitude: -85, altitude: null, altitudeDatum: 'seaLevel', heading: 0, pitch: 0 };
  /** Whether keys and wheel walk. Turning is always possible. */
  canWalk = true;
  /** Whether it stands where it was put so that something is seen, and nobody chose that. */
  isInMiddle = false;
  /** @type {Set<string>} */
  #held = new Set();
  #fast = false;
  #last = 0;
  /** Degrees per second left over from a drag. */
  #spin = { heading: 0, pitch: 0 };
  /** A finger or the mouse is dragging: the spin waits until it lets go. */
  #dragging = false;
  /** @type {{ heading: number, start: number, from: number } | null} */
  #glide = null;
  #engine;

  /** @param {() => Pick<import('../../engine/engine.js').Engine, 'part'>} engine what knows the Earth and the lens */
  constructor(engine) {
    super();
    this.#engine = engine;
  }

  /**
   * Fetched when somebody leads it.
   * @type {typeof import('../../engine/places.js').Places | null}
   */
  static Places = null;
  static async prepare() {
    ({ Places: VirtualPhone.Places } = await import('../../engine/places.js'));
  }

  get places() {
    return VirtualPhone.Places && this.#engine().part(VirtualPhone.Places);
  }

  /**
   * @param {Partial<Pose>} change
   * @param {boolean} [isInMiddle] whether that is only where something is seen, and nobody's choice
   */
  place(change, isInMiddle = false) {
    Object.assign(this.pose, change);
    if (change.latitude !== undefined) this.isInMiddle = isInMiddle;
    this.emit('moved', undefined);
  }

  /** The angles the browser would report for it (β = 90° is upright), with true north. */
  angles() {
    return { alpha: -this.pose.heading, beta: 90 + this.pose.pitch, gamma: 0 };
  }

  /** @returns {Fix} */
  fix() {
    const { latitude, longitude, altitude, altitudeDatum } = this.pose;
    return { latitude, longitude, altitude, altitudeDatum, horizontalAccuracy: 3, verticalAccuracy: altitude === null ? null : 3 };
  }

  /**
   * Turns so that what was under the finger stays under it.
   * @param {number} dx CSS pixels
   * @param {number} dy
   * @param {number} seconds since the last movement, 0 for none
   */
  drag(dx, dy, seconds) {
    this.#glide = null;
    const { heading, pitch } = this.places?.dragTurn(dx, dy, this.pose.pitch) ?? { heading: 0, pitch: 0 };
    this.turn(heading, pitch);
    this.#dragging = true;
    if (seconds > 0) this.#spin = { heading: heading / seconds, pitch: pitch / seconds };
    this.emit('used', undefined);
  }

  /** @param {boolean} glide whether the movement may go on by itself for a moment */
  release(glide) {
    this.#dragging = false;
    if (!glide) this.#spin = { heading: 0, pitch: 0 };
    this.emit('began', undefined);
  }

  hold() {
    this.#spin = { heading: 0, pitch: 0 };
    this.#glide = null;
  }

  /**
   * @param {number} heading degrees
   * @param {number} pitch degrees
   */
  turn(heading, pitch) {
    this.pose.heading = (((this.pose.heading + heading) % 360) + 360) % 360;
    this.pose.pitch = Math.min(89, Math.max(-89, this.pose.pitch + pitch));
    this.emit('turned', undefined);
  }

  /**
   * Turns to a direction, smoothly unless the user does not want that.
   * @param {number} heading degrees
   * @param {boolean} smooth
   */
  face(heading, smooth) {
    const difference = ((heading - this.pose.heading + 540) % 360) - 180;
    this.hold();
    if (!smooth) return this.turn(difference, 0);
    this.#glide = { heading: difference, start: performance.now() / 1000, from: this.pose.heading };
    this.emit('began', undefined);
  }

  /** Whether it moves on by itself. */
  get isMoving() {
    return this.#held.size > 0 || this.#glide !== null || (!this.#dragging && isSpinning(this.#spin));
  }

  /**
   * @param {number} forward metres
   * @param {number} right metres
   * @param {number} [up] metres
   */
  walk(forward, right, up = 0) {
    this.isInMiddle = false;
    const { latitude, longitude } = this.places?.moved(this.pose, this.pose.heading, forward, right) ?? this.pose;
    // Not over a pole, where all directions change.
    this.pose.latitude = Math.min(89.99, Math.max(-89.99, latitude));
    this.pose.longitude = longitude;
    if (up && this.pose.altitude !== null) this.pose.altitude += up;
    this.emit('moved', undefined);
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key is one of its own
   */
  key(event) {
    const action = KEYS[event.code];
    this.#fast = event.shiftKey;
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.type === 'keydown') {
      this.#held.add(action);
      this.#glide = null;
      this.emit('used', undefined);
      this.emit('began', undefined);
    } else {
      this.#held.delete(action);
    }
    return true;
  }

  /**
   * A button of the walking pad.
   * @param {string} action
   * @param {boolean} down
   */
  press(action, down) {
    if (down) this.#held.add(action);
    else this.#held.delete(action);
    if (down) this.emit('used', undefined);
    if (down) this.emit('began', undefined);
  }

  letGo() {
    this.#held.clear();
  }

  /**
   * Moves on by the time that has passed.
   * @param {number} now seconds
   */
  tick(now) {
    const step = Math.min(0.1, Math.max(0, now - this.#last));
    this.#last = now;
    const held = (/** @type {string} */ name) => (this.#held.has(name) ? 1 : 0);
    const heading = held('turnRight') - held('turnLeft');
    const pitch = held('lookUp') - held('lookDown');
    if (heading || pitch) this.turn(heading * TURN * step, pitch * TURN * step);
    const forward = held('forward') - held('backward');
    const right = held('right') - held('left');
    const up = held('rise') - held('sink');
    if (this.canWalk && (forward || right || up)) {
      const speed = (this.#fast ? RUN : WALK) * step;
      this.walk(forward * speed, right * speed, up * speed);
    }
    if (this.#glide) this.#followGlide(now);
    else if (!this.#dragging) this.#coast(step);
  }

  /** @param {number} now */
  #followGlide(now) {
    const glide = this.#glide;
    if (!glide) return;
    const part = Math.min(1, (now - glide.start) / 0.6);
    const eased = 1 - (1 - part) ** 3;
    this.turn(glide.from + glide.heading * eased - this.pose.heading, 0);
    if (part >= 1) this.#glide = null;
  }

  /** @param {number} step seconds */
  #coast(step) {
    if (!isSpinning(this.#spin)) return;
    const { heading, pitch } = this.#spin;
    this.turn(heading * step, pitch * step);
    const rest = Math.exp(-step * 5);
    this.#spin = { heading: heading * rest, pitch: pitch * rest };
  }
}

/** @param {{ heading: number, pitch: number }} spin degrees a second */
const isSpinning = ({ heading, pitch }) => Math.hypot(heading, pitch) >= 2;
