// World tracking for all trackers of a page that look through one camera: one worker, and numbers of what is set down that are nobody
// else's. Points are pixels of the picture, for the views that it fills have sizes of their own.

import { CameraOdometry } from '../app/vision/camera-odometry.js';
import { ownWorker } from './own-worker.js';

/**
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('../app/xr/platform-source.js').PlatformSource} PlatformSource
 * @typedef {import('../app/vision/camera-odometry.js').TrackedSight | import('../app/xr/platform-source.js').PlatformSight} TrackedSight
 * @typedef {import('../app/vision/camera-odometry.js').SurfaceHit} EngineHit
 * @typedef {import('../app/vision/camera-odometry.js').Posture} Posture
 * @typedef {{ see: (sight: TrackedSight) => void, forget: (numbers: number[]) => void, end: () => void, fail: (error: unknown) => void }} User
 *   `forget`: these were set down, and do not come back; `end`: the phone's own tracking has ended
 */

/** Number of the anchor under the middle of every view, which is the middle of the picture. */
export const RETICLE = 0;
/** As many as the engine keeps. */
const MOST = 64;

const odometryWorker = () => ownWorker(new URL('../app/vision/odometry-worker.js', import.meta.url));

export class SharedOdometry {
  /** @type {Map<User, boolean>} whether each looks */
  #users = new Map();
  /** @type {Set<number>} */
  #numbers = new Set();
  #next = RETICLE + 1;
  #shared;
  #odometry;
  #isOn = false;
  #offPicture;

  /**
   * @param {SharedCamera} shared
   * @param {PlatformSource | null} [platform] in place of its pictures
   */
  constructor(shared, platform = null) {
    this.#shared = shared;
    this.isPlatform = platform !== null;
    const { video, camera } = shared;
    const odometry = /** @type {CameraOdometry} */ (
      platform ?? new CameraOdometry(video, () => camera.label, () => [video.videoWidth, video.videoHeight], odometryWorker)
    );
    odometry.preview(RETICLE, 'flat');
    odometry.on('sight', (sight) => {
      for (const [user, isLooking] of [...this.#users]) if (isLooking) user.see(sight);
    });
    for (const type of /** @type {const} */ (['begun', 'restarted'])) odometry.on(type, () => this.#forget([...this.#numbers]));
    platform?.on('forgotten', (numbers) => this.#forget(numbers));
    platform?.on('ended', () => [...this.#users.keys()].forEach((user) => user.end()));
    this.#offPicture = camera.on('picture', () => odometry.tellDisplay());
    this.#odometry = odometry;
    shared.parts.add(this);
  }

  /** Width and height of what points are of. */
  get size() {
    return this.#odometry.display();
  }

  /** How many pictures were looked at, for measuring. */
  get counts() {
    return this.#odometry.counts;
  }

  get isLooking() {
    return this.#odometry.isRunning && this.#odometry.worker !== null;
  }

  /** @param {User} user */
  join(user) {
    this.#users.set(user, false);
  }

  /** @param {User} user */
  leave(user) {
    if (!this.#users.delete(user)) return;
    if (this.#users.size > 0) this.run(this.#isOn);
    else this.close();
  }

  /**
   * @param {User} user
   * @param {boolean} isLooking whether it wants to hear of pictures
   */
  watch(user, isLooking) {
    if (!this.#users.has(user)) return;
    this.#users.set(user, isLooking);
    this.run(this.#shared.camera.state === 'running');
    // The pump says failures to the console only.
    if (isLooking) this.#odometry.begin().catch((error) => this.#users.has(user) && user.fail(error));
  }

  /** @param {boolean} isOn whether the camera runs */
  run(isOn) {
    this.#isOn = isOn;
    if (isOn && [...this.#users.values()].some(Boolean)) this.#odometry.start();
    else this.#odometry.stop();
  }

  close() {
    this.#shared.parts.delete(this);
    if (open.get(this.#shared) === this) open.delete(this.#shared);
    this.#offPicture();
    this.#odometry.close();
  }

  /**
   * Sets something down.
   * @param {[number, number]} point pixels of the picture
   * @param {Posture} posture
   * @returns {Promise<{ number: number, hit: EngineHit } | null>} `null`: nothing is known there
   */
  async place(point, posture) {
    const number = this.#next++;
    this.#numbers.add(number);
    let hit = null;
    try {
      hit = await this.#odometry.place(number, point, posture, 0);
      return hit && { number, hit };
    } finally {
      if (!hit) this.#numbers.delete(number);
    }
  }

  get isFull() {
    return this.#numbers.size >= MOST;
  }

  /** @param {number} number */
  remove(number) {
    if (this.#numbers.delete(number)) this.#odometry.remove(number);
  }

  /** @param {number[]} numbers */
  #forget(numbers) {
    for (const number of numbers) this.remove(number);
    for (const user of [...this.#users.keys()]) user.forget(numbers);
  }
}

/** @type {WeakMap<SharedCamera, SharedOdometry>} */
const open = new WeakMap();

/** @param {SharedCamera} shared */
export function sharedOdometry(shared) {
  const odometry = open.get(shared) ?? new SharedOdometry(shared);
  open.set(shared, odometry);
  return odometry;
}
