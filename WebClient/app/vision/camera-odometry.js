// From the camera's video and the motion sensors to where the phone is in its surroundings, by one worker; and what is set down there.

import { readObservations } from '../../engine/observations.js';
import { opticsOf } from '../device/camera.js';
import { preloadOdometry } from '../session/engine-link.js';
import { WorkerPump } from './worker-pump.js';

/**
 * @typedef {import('./odometry-worker.js').Answer} Answer
 * @typedef {import('./odometry-worker.js').Order} Order
 * @typedef {import('./odometry-worker.js').Request} Request
 * @typedef {import('../../engine/odometry.js').Posture} Posture
 * @typedef {import('../../engine/odometry.js').SurfaceHit} SurfaceHit
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {import('./camera-vision.js').Sight & { center: [number, number], tracked: Tracked, heard: number, taped: number }} TrackedSight `heard`: when
 *   the page got the picture, seconds; `taped`: bytes of the recording
 */

/** From one picture to the next while nothing moves, milliseconds: it saves the battery. */
const PAUSE_AT_REST = 95;

/** @extends {WorkerPump<{ sight: TrackedSight, begun: void }>} */
export class CameraOdometry extends WorkerPump {
  /** Something is held by a finger: every picture counts. */
  isBusy = false;
  /** From one picture to the next while something moves, at least, milliseconds. */
  leastPause = 0;
  /** @type {{ number: number | null, posture: Posture }} */
  #preview = { number: null, posture: 'flat' };
  #life = new AbortController();

  /**
   * @param {HTMLVideoElement} video
   * @param {() => string} label of the camera, by which what is known of its lens is kept
   * @param {() => [number, number]} [display] size of the display that the pictures fill, CSS pixels; without it the window's
   * @param {() => Worker} [make] the worker, where a page of another origin cannot make it by its address
   */
  constructor(
    video, label, display = () => [innerWidth, innerHeight],
    make = () => new Worker(new URL('./odometry-worker.js', import.meta.url), { type: 'module' }),
  ) {
    super(video, (size) => opticsOf(label(), size), preloadOdometry, make);
    this.display = display;
    addEventListener('resize', () => this.tellDisplay(), { signal: this.#life.signal });
  }

  /** @override */
  close() {
    this.#life.abort();
    super.close();
  }

  /**
   * From now on each picture tells where something would be that is set down in the middle of the display.
   * @param {number | null} number of its anchor; `null`: no more
   * @param {Posture} [posture]
   */
  preview(number, posture = 'flat') {
    this.#preview = { number, posture };
    this.#order({ kind: 'preview', number, posture });
  }

  /**
   * Sets something down.
   * @param {number} number of its anchor
   * @param {[number, number]} point of the display
   * @param {Posture} posture
   * @param {number} height of the thing, metres
   * @returns {Promise<SurfaceHit | null>} what it stands on
   */
  place(number, point, posture, height) {
    return this.#ask({ kind: 'place', number, point, posture, height });
  }

  /**
   * A finger takes what lies under it.
   * @param {[number, number]} point of the display
   * @returns {Promise<number | null>} its number
   */
  take(point) {
    return this.#ask({ kind: 'take', point });
  }

  /**
   * The finger that took something is at a point.
   * @param {[number, number]} point of the display
   * @returns {Promise<SurfaceHit | null>} what it stands on there
   */
  drag(point) {
    return this.#ask({ kind: 'drag', point });
  }

  /**
   * @param {number} number
   * @param {number} degrees by how much more, counter-clockwise from its front or from above
   */
  turn(number, degrees) {
    this.#order({ kind: 'turn', number, degrees });
  }

  /**
   * @param {number} number
   * @param {[number, number][]} before where two fingers were, on the display
   * @param {[number, number][]} now
   */
  twist(number, before, now) {
    this.#order({ kind: 'twist', number, before, now });
  }

  /** @param {number} number */
  remove(number) {
    this.#order({ kind: 'remove', number });
  }

  /**
   * Tracking begins anew, and all that it is given from now on is recorded.
   * @param {import('../sensors/tape.js').TapeOptions} options
   * @returns {Promise<true>} once it is
   */
  tape(options) {
    return this.#ask({ kind: 'tape', options });
  }

  /**
   * Something that belongs into the recording beside it.
   * @param {import('../../engine/types').EngineEvent} event
   * @param {number} time seconds
   */
  tell(event, time) {
    this.#order({ kind: 'tell', event, time });
  }

  /**
   * Ends the recording.
   * @returns {Promise<{ file: Blob, count: number } | null>}
   */
  untape() {
    return this.#ask({ kind: 'untape' });
  }

  /** The display has another size. */
  tellDisplay() {
    this.#order({ kind: 'display', size: this.display() });
  }

  /** @param {Order} order */
  #order(order) {
    this.worker?.postMessage(order);
  }

  /**
   * @param {Request} request
   * @returns {Promise<any>}
   */
  #ask(request) {
    return this.ask(request);
  }

  /** @override */
  greet() {
    this.tellDisplay();
    this.#order({ kind: 'preview', ...this.#preview });
  }

  /**
   * @override
   * @param {import('./worker-pump.js').Message} message
   */
  hear(message) {
    const answer = /** @type {Answer} */ (message);
    if (answer.kind === 'begun') return this.emit('begun', undefined);
    if (answer.kind === 'left') {
      this.counts.dropped += 1;
      return this.letGo();
    }
    if (answer.kind !== 'seen') return;
    const { tracked, ...seen } = answer;
    this.pause = tracked.isResting && !this.isBusy ? PAUSE_AT_REST : this.leastPause;
    const held = this.answered();
    if (!held) return;
    const { rows, focal, center, lens } = tracked;
    const { image, time, moment } = held;
    this.emit('sight', {
      image, time, heard: moment.heard, ...seen, rows, focal, center, lens: [...lens, 0], observations: readObservations(rows), codes: null, tracked,
    });
    this.done();
  }
}
