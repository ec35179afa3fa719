// What a tracker holds from `start` to `stop`: its share of the camera, the sensors, and the session that has what is wanted and no more.

import { fieldOfView, lensAtSize } from '../app/device/camera.js';
import { PictureAge } from '../app/device/picture-age.js';
import { preload } from '../app/session/engine-files.js';
import { FrameReader } from './frame-reader.js';
import { sharedCamera } from './shared-camera.js';

/**
 * @typedef {import('./options.js').CheckedOptions} CheckedOptions
 * @typedef {Partial<CheckedOptions> | import('./options.js').TrackerOptions} Wishes
 * @typedef {import('./frame-reader.js').TrackerSession} TrackerSession
 * @typedef {import('./sensors.js').Sensors} Sensors
 * @typedef {{ user: import('./shared-camera.js').User, resized: () => void, change: () => void, frame: (now: number) => void }} Host the tracker:
 *   `change`: a sensor is in another state; `frame`: the next picture of the display, seconds
 */

export class TrackerRun {
  /** @type {TrackerSession | null} */
  session = null;
  /** @type {FrameReader | null} */
  reader = null;
  /** @type {Sensors | null} */
  sensors = null;
  #life = new AbortController();
  /** @type {PictureAge | null} */
  #age = null;
  #isOnGround = false;
  #options;
  #host;

  /**
   * @param {CheckedOptions} options
   * @param {Host} host
   */
  constructor(options, host) {
    this.#options = options;
    this.#host = host;
    this.shared = sharedCamera(options.video);
    this.shared.join(host.user);
    this.signal.addEventListener('abort', this.shared.camera.on('picture', () => this.tellCamera()));
    for (const type of ['resize', 'orientationchange']) addEventListener(type, host.resized, { signal: this.signal });
    this.needSensors();
  }

  /** Aborted when it ends. */
  get signal() {
    return this.#life.signal;
  }

  /** Where the phone is is wanted, from now on perhaps. */
  needSensors() {
    const { geo, sensors: Type } = this.#options;
    if (!geo || !Type || this.sensors) return null;
    this.#age = new PictureAge(this.shared.video);
    this.sensors = new Type((event, time) => this.session?.tell(event, time));
    this.sensors.on('change', this.#host.change);
    this.#loop();
    return this.sensors;
  }

  /**
   * Makes the session, or another one in place of one that lacks what is wanted now.
   * @returns {Promise<boolean>} whether it is of use
   */
  async makeSession() {
    const { geo, size, radius } = this.#options;
    const Session = await sessionFor(this.#options);
    const session = await Session.start(size, { radius, isOnGround: geo, pictures: (target) => this.reader?.pictureNumber(target.assetID) ?? -1 });
    if (this.signal.aborted) {
      session.close();
      return false;
    }
    // Of direction and position it knows what the one before it was told; that said without sensors that there are none.
    if (this.#isOnGround) this.session?.hearers.repeat((event) => session.tell(event));
    this.session?.close();
    this.session = session;
    this.#isOnGround = geo;
    this.reader = new FrameReader(session, this.#options);
    // Who stands still may be told where that is once only, before the engine was there.
    const fix = this.sensors?.location.last;
    if (fix) session.tell({ type: 'fix', ...fix });
    return true;
  }

  /** The size of the camera's pictures. */
  tellCamera() {
    const { session, shared } = this;
    if (!session || !this.#options.geo) return;
    const { videoWidth, videoHeight } = shared.video;
    const size = videoWidth ? { width: videoWidth, height: videoHeight } : this.#options.size();
    const { label } = shared.camera;
    session.tellPicture({ ...size, fieldOfView: fieldOfView(label, videoWidth ? size : undefined) });
    if (this.#age) this.#age.lateness = lensAtSize(label, size)?.timeOffset ?? 0;
  }

  /** @param {number} now seconds */
  tellAge(now) {
    this.session?.tell({ type: 'pictureAge', seconds: this.#age?.at(now * 1000) ?? 0 }, now);
  }

  /** Heights over the sea and over the ellipsoid have to agree. */
  async needGeoid() {
    const { session } = this;
    const { geoid } = await import('../app/session/geoid.js');
    const bytes = await geoid();
    if (session && session === this.session && !this.signal.aborted) session.tell({ type: 'geoid', bytes });
  }

  /**
   * @param {import('./anchor.js').Anchor} anchor a picture that is to be looked for
   * @throws {Error} when it cannot be
   */
  async addPicture(anchor) {
    const { src, target, width } = anchor.description;
    const { pictureAt } = await import('./picture-source.js');
    const found = await this.shared.addPicture(this.reader?.pictureKey(anchor) ?? '', width, async () => target ?? pictureAt(src));
    if (found && found.stars < 1) throw new Error(`too little to be known by (${found.reasons.join(', ')}): take another picture`);
  }

  end() {
    this.#life.abort();
    this.sensors?.stop();
    this.#age?.close();
    this.session?.close();
    this.shared.leave(this.#host.user);
  }

  #loop() {
    let next = 0;
    const step = (/** @type {number} */ now) => {
      next = requestAnimationFrame(step);
      this.#host.frame(now / 1000);
    };
    next = requestAnimationFrame(step);
    this.signal.addEventListener('abort', () => cancelAnimationFrame(next));
  }
}

/** @param {Wishes} options */
export async function sessionFor({ markers, pictures, codes, surfaces }) {
  const needsAll = markers || pictures || codes || surfaces;
  return needsAll ? (await import('./places-session.js')).PlacesSession : (await import('./geo-session.js')).GeoSession;
}

/**
 * The modules that all parts together need; the engine's files begin to load.
 * @param {Wishes} parts
 */
export async function modulesFor(parts) {
  const looks = parts.markers || parts.pictures || parts.codes;
  const session = sessionFor(parts);
  void preload(looks || parts.surfaces ? 'engine.wasm' : 'places.wasm');
  if (looks) void preload('vision.wasm');
  if (parts.surfaces) void preload('odometry.wasm');
  await session;
  return {
    sensors: parts.geo ? (await import('./sensors.js')).Sensors : undefined,
    Surfaces: parts.surfaces ? (await import('./surfaces.js')).Surfaces : undefined,
    askPlatform: parts.platform && navigator.xr ? await (await import('./platform.js')).platformHere() : undefined,
  };
}
