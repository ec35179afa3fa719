// One camera and one vision worker for all trackers of a page. Each says what it looks for; all of it is looked for in the same
// pictures. Who comes first opens the camera, who leaves last closes it.

import { Camera } from '../app/device/camera.js';

/**
 * @typedef {import('../app/vision/camera-vision.js').CameraVision} CameraVision
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 * @typedef {{ dictionary: string, id: number, size: number }} Marker
 * @typedef {{ markers: Marker[], pictures: string[], codes: boolean }} Watch `pictures`: keys of those that were added
 * @typedef {{ see: (sight: Sight) => void, change: () => void, fail: (error: unknown) => void }} User
 */

/** The page's own camera; asked twice while the user is still being asked, it asks once. */
class PageCamera extends Camera {
  /** @override */
  async start() {
    if (this.state !== 'waiting') await super.start();
  }
}

/** A video of the page: it runs and ends as the page wants. */
class GivenVideo extends Camera {
  /**
   * @override
   * @type {import('../app/device/camera.js').CameraState}
   */
  state = 'idle';

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    const { muted } = video;
    super(video);
    video.muted = muted;
  }

  /** @override */
  async start() {
    await this.resume();
  }

  /** @override */
  async resume() {
    try {
      await this.video.play();
      this.#set('running');
    } catch {
      this.#set('paused');
    }
  }

  /** @override */
  check() {}

  /** @override */
  stop() {
    this.#set('idle');
  }

  /** @param {import('../app/device/camera.js').CameraState} next */
  #set(next) {
    if (next === this.state) return;
    this.state = next;
    this.emit('state', next);
  }
}

/**
 * One for each video, for it listens as long as the video lives.
 * @type {WeakMap<HTMLVideoElement, Camera>}
 */
const givenVideos = new WeakMap();

/** @param {HTMLVideoElement} video */
function givenVideo(video) {
  const known = givenVideos.get(video) ?? new GivenVideo(video);
  givenVideos.set(video, known);
  return known;
}

export class SharedCamera {
  /** @type {Map<User, Watch | null>} `null`: pictures go by unseen */
  #users = new Map();
  /** @type {CameraVision | null} */
  #vision = null;
  /** @type {Promise<CameraVision> | null} */
  #coming = null;
  #life = new AbortController();
  /**
   * What else looks at the pictures: told whether the camera runs, and closed when nobody uses it any more.
   * @type {Set<{ run: (isOn: boolean) => void, close: () => void }>}
   */
  parts = new Set();

  /** @type {Camera} */
  camera;

  /**
   * @param {HTMLVideoElement | null} given
   * @param {() => void} end called when nobody uses it any more
   */
  constructor(given, end) {
    this.camera = given ? givenVideo(given) : new PageCamera(document.createElement('video'));
    this.isGiven = given !== null;
    this.end = end;
    const off = this.camera.on('state', () => {
      this.#run();
      for (const user of [...this.#users.keys()]) user.change();
    });
    this.#life.signal.addEventListener('abort', off);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.camera.check(), {
      signal: this.#life.signal,
    });
  }

  get video() {
    return this.camera.video;
  }

  /** How many pictures were looked at, for measuring. */
  get counts() {
    return this.#vision?.counts ?? { seen: 0, dropped: 0, paused: 0 };
  }

  /** @param {User} user */
  join(user) {
    this.#users.set(user, null);
  }

  /** @param {User} user */
  leave(user) {
    if (!this.#users.delete(user)) return;
    if (this.#users.size > 0) return this.#tell();
    this.#life.abort();
    for (const part of [...this.parts]) part.close();
    this.#vision?.close();
    this.#vision = null;
    this.camera.stop();
    this.end();
  }

  /**
   * What a user looks for from now on.
   * @param {User} user
   * @param {Watch | null} watch
   */
  watch(user, watch) {
    if (!this.#users.has(user)) return;
    this.#users.set(user, watch);
    if (watch) void this.#need().then(() => this.#tell(), (error) => this.#users.has(user) && user.fail(error));
    else this.#tell();
  }

  /**
   * Looks for a picture, once a user watches its key.
   * @param {string} key
   * @param {number} width metres
   * @param {() => Promise<import('../app/vision/camera-vision.js').Still | Uint8Array>} load pixels, or a target file
   * @returns {Promise<import('../engine/targets.js').TargetDescription | null>} `null`: it was known already
   */
  async addPicture(key, width, load) {
    const vision = await this.#need();
    if (vision.keys.includes(key)) return null;
    const picture = await load();
    const { description } = picture instanceof Uint8Array
      ? await vision.addFile(key, picture, width)
      : await vision.addPicture(key, picture, width);
    // Whoever wanted it may have left meanwhile.
    this.#tell();
    return description;
  }

  #need() {
    this.#coming ??= this.#load().catch((error) => {
      this.#coming = null;
      throw error;
    });
    return this.#coming;
  }

  async #load() {
    const [{ CameraVision }, { visionWorker }] = await Promise.all([import('../app/vision/camera-vision.js'), import('./vision-worker.js')]);
    if (this.#life.signal.aborted) throw new Error('the tracker was stopped');
    const vision = new CameraVision(this.video, () => this.camera.label, undefined, visionWorker);
    vision.on('sight', (sight) => {
      for (const [user, watch] of [...this.#users]) if (watch) user.see(sight);
    });
    this.#vision = vision;
    return vision;
  }

  #tell() {
    const vision = this.#vision;
    if (!vision) return;
    const all = [...this.#users.values()].flatMap((watch) => watch ?? []);
    const markers = all.flatMap((watch) => watch.markers);
    vision.watchMarkers(markers.length
      ? {
        dictionaries: [...new Set(markers.map(({ dictionary }) => dictionary))],
        sides: markers.map(({ dictionary, id, size }) => ({ dictionary, id, side: size })), usual: 0,
      }
      : null);
    vision.watchCodes(all.some(({ codes }) => codes));
    const kept = new Set(all.flatMap(({ pictures }) => pictures));
    vision.remove(vision.keys.filter((key) => !kept.has(key)));
    this.#run();
  }

  #run() {
    const isWanted = this.camera.state === 'running' && [...this.#users.values()].some(Boolean);
    this.#vision?.checkLens();
    if (isWanted) this.#vision?.start();
    else this.#vision?.stop();
    for (const part of this.parts) part.run(this.camera.state === 'running');
  }
}

/** @type {Map<HTMLVideoElement | null, SharedCamera>} */
const open = new Map();

/**
 * The page's camera, or a video of the page: the same for all who ask, until all have left.
 * @param {HTMLVideoElement | null} video
 */
export function sharedCamera(video) {
  let shared = open.get(video);
  if (!shared) {
    shared = new SharedCamera(video, () => open.delete(video));
    open.set(video, shared);
  }
  return shared;
}
