// World tracking behind the geo view: where the camera was in each picture goes to the session, whose headings then neither drift nor jump
// when a compass is disturbed, and whose position moves between fixes as the phone does. Nothing waits for it, and all is as without it where
// the phone has no readings of motion, is too slow for a while, or wants to save data; a world with anchors has it beside vision (extended-tracking.js).

import { CameraOdometry } from '../vision/camera-odometry.js';
import { LensKeeper } from '../vision/lens-keeper.js';
import { pathEvent } from '../vision/path-event.js';
import { Pace } from './pace.js';

/**
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {import('../vision/camera-odometry.js').TrackedSight} TrackedSight
 */

/** From one picture to the next, at least, milliseconds: the sensors tell what is in between. */
const PAUSE = 45;

export class PathTracking {
  /** @type {CameraOdometry | null} */
  #odometry = null;
  #lens = new LensKeeper();
  /** @type {Tracked | null} */
  #tracked = null;
  #pace = new Pace();
  #isTooSlow = false;

  /** @param {import('./stage.js').Stage} stage */
  constructor({ session, device, anchors }) {
    this.session = session;
    this.device = device;
    this.anchors = anchors;
    if (session.closed.aborted) return;
    if (/** @type {any} */ (navigator).connection?.saveData) return;
    const life = new AbortController();
    // A device without the sensors says so once, with readings that are none.
    addEventListener('devicemotion', ({ rotationRate, accelerationIncludingGravity }) => {
      if (rotationRate?.alpha == null || accelerationIncludingGravity?.x == null) return;
      life.abort();
      this.#begin();
    }, { signal: life.signal });
    session.closed.addEventListener('abort', () => life.abort());
  }

  #begin() {
    const { session, device } = this;
    this.#odometry = new CameraOdometry(device.camera.video, () => device.camera.label);
    this.#odometry.leastPause = PAUSE;
    this.#odometry.on('sight', (sight) => this.#see(sight));
    device.on('camera', () => this.check());
    device.on('sources', () => this.check());
    session.on('world', () => this.check());
    session.on('suspended', () => this.check());
    session.closed.addEventListener('abort', () => this.#odometry?.close());
    this.check();
  }

  /** Looks at pictures while there are some to be drawn over. */
  check() {
    const { session, device } = this;
    const isOn = device.sources.picture === 'camera' && device.camera.state === 'running' && !session.suspended
      && !this.#isTooSlow && !this.anchors.state().markers;
    if (isOn) this.#odometry?.start();
    else this.#odometry?.stop();
  }

  /** @param {TrackedSight} sight */
  #see(sight) {
    const { session, device } = this;
    const { tracked, milliseconds } = sight;
    this.#tracked = tracked;
    session.tell(pathEvent(tracked));
    if (this.#lens.keep(tracked, sight, device.camera.label, session.engine)) device.tellPicture();
    const pause = this.#pace.add(milliseconds);
    if (pause !== null) this.#rest(pause);
  }

  /**
   * Leaves the phone alone for a while.
   * @param {number} milliseconds
   */
  #rest(milliseconds) {
    this.#isTooSlow = true;
    this.check();
    const timer = setTimeout(() => {
      this.#isTooSlow = false;
      this.check();
    }, milliseconds);
    this.session.closed.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** What tests look at. */
  state() {
    const odometry = this.#odometry;
    return {
      ...odometry?.counts, camera: this.device.camera.state, isLooking: Boolean(odometry?.isRunning && odometry.worker), isTooSlow: this.#isTooSlow,
      tracked: this.#tracked && { ...this.#tracked, rows: 0 },
    };
  }
}
