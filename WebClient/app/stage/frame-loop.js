// When pictures of the view are made: as long as something moves, and for a while after the last cause, so that movements of
// the layout come to their end. Then nothing runs until there is a new cause: rest costs nothing.

import { onLanguage } from '../core/i18n.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 */

/** How long pictures are made after a cause, milliseconds: the layout's longest waiting, and a movement after it. */
const LINGER = 2000;
/** How often time passes without a picture: due refreshes and old readings are found there, milliseconds. */
const BEAT = 500;
/** Slower turns than this (radians a second) are a phone that lies still; where it lies is looked at with the beat. */
const STILL = 0.01;
/** Degrees that the standpoint has to move from picture to picture to be on its way: about a millimetre. */
const GLIDE = 1e-8;
/** What is told while nothing moves: the same again, or what a picture itself brings about. */
const READINGS = new Set(['orientation', 'orientationQuaternion', 'orientationWithCompass', 'fix', 'camera', 'display', 'calendar', 'geoid', 'ground', 'featureGround', 'cornerGround']);
/** What a picture that is held still does not show. */
const UNSEEN_WHEN_FROZEN = new Set(['orientation', 'orientationQuaternion', 'orientationWithCompass', 'motion', 'fix']);

export class FrameLoop {
  #until = 0;
  /** @type {{ latitude: number, longitude: number } | null} that of the last picture */
  #standpoint = null;
  #request = 0;
  #beat;
  /** @type {Map<string, string>} */
  #told = new Map();
  /** @type {(stamp: number) => void} */
  #draw;

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {(stamp: number) => void} draw makes a picture
   */
  constructor(session, device, draw) {
    this.session = session;
    this.device = device;
    this.#draw = draw;
    const { signal } = this;
    session.on('told', (event) => this.#hear(event));
    const wake = () => this.wake();
    for (const type of /** @type {const} */ (['world', 'status', 'selection', 'filter', 'worlds', 'restarted', 'failure',
      'suspended', 'town'])) {
      session.on(type, wake);
    }
    device.on('sources', wake);
    device.on('camera', wake);
    device.phone.on('began', wake);
    onLanguage(wake, signal);
    addEventListener('resize', wake, { signal });
    document.addEventListener('visibilitychange', wake, { signal });
    this.#beat = setInterval(() => this.#pass(), BEAT);
    signal.addEventListener('abort', () => {
      clearInterval(this.#beat);
      cancelAnimationFrame(this.#request);
    });
    this.wake();
  }

  get signal() {
    return this.session.closed;
  }

  /** Something has changed that is to be seen. */
  wake() {
    this.#until = performance.now() + LINGER;
    // Behind a dialog the picture stands still; time goes on with the beat.
    if (this.session.suspended || this.signal.aborted) return;
    this.#request ||= requestAnimationFrame(this.#frame);
  }

  #frame = (/** @type {number} */ stamp) => {
    this.#request = 0;
    if (this.session.suspended) return;
    this.device.phone.tick(stamp / 1000);
    this.#draw(stamp);
    if (this.device.phone.isMoving || this.#isGliding()) this.#until = performance.now() + LINGER;
    if (performance.now() < this.#until) this.#request ||= requestAnimationFrame(this.#frame);
  };

  /** Whether the standpoint still moves towards the last fix, which it follows slowly and without jumps. */
  #isGliding() {
    const at = this.session.status?.standpoint ?? null;
    const last = this.#standpoint;
    this.#standpoint = at;
    if (!at || !last) return false;
    return Math.abs(at.latitude - last.latitude) + Math.abs(at.longitude - last.longitude) > GLIDE;
  }

  /** Time passes without a picture. */
  #pass() {
    if (!this.#request) this.session.advance();
  }

  /** @param {EngineEvent} event */
  #hear(event) {
    if (event.type === 'pictureAge' || event.type === 'path') return;
    if (this.session.frozen && UNSEEN_WHEN_FROZEN.has(event.type)) return;
    if (event.type === 'motion') {
      const turn = event.angularVelocity;
      if (turn && Math.hypot(turn.x, turn.y, turn.z) > STILL) this.wake();
      return;
    }
    if (READINGS.has(event.type)) {
      const key = JSON.stringify(event);
      if (this.#told.get(event.type) === key) return;
      this.#told.set(event.type, key);
    }
    this.wake();
  }
}
