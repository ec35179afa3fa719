// The engine for other people's pages, without a view: camera, sensors and vision worker as needed; frames with camera matrices,
// anchors with poses and states. See Documentation/embedding.md.

import { Emitter } from '../app/core/emitter.js';
import { fieldOfView } from '../app/device/camera.js';
import { PictureAge } from '../app/device/picture-age.js';
import { keepAwake, letSleep } from '../app/device/wake-lock.js';
import { files, preload } from '../app/session/engine-files.js';
import { Anchor } from './anchor.js';
import { contentOf, needsGeoid, readDescription } from './anchors.js';
import { FrameReader } from './frame-reader.js';
import { readOptions } from './options.js';
import { sharedCamera } from './shared-camera.js';
import { TrackerError, partFault } from './tracker-error.js';

/**
 * @typedef {import('./options.js').TrackerOptions} TrackerOptions
 * @typedef {import('./anchors.js').Description} Description
 * @typedef {import('./frame-reader.js').TrackerFrame} TrackerFrame
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 * @typedef {import('./frame-reader.js').TrackerSession} TrackerSession
 * @typedef {'idle' | 'starting' | 'running' | 'paused'} TrackerState
 * @typedef {import('./surfaces.js').SurfaceHit} SurfaceHit
 * @typedef {{ state: TrackerState, camera: string, location: string, orientation: string, surfaces: import('./surfaces.js').SurfacesState | 'unused',
 *   advice: import('./surfaces.js').Advice }} TrackerStatus `camera`: idle, waiting, running, paused, denied or missing; `location` and
 *   `orientation` the same, `unused` without places; `surfaces`: what world tracking knows; `advice`: what would help it most
 */

export { TrackerError } from './tracker-error.js';
export { DescriptionError } from './anchors.js';

/** @extends {Emitter<{ frame: TrackerFrame, found: Anchor, lost: Anchor, statechange: TrackerStatus, error: TrackerError }>} */
export class Tracker extends Emitter {
  /** @type {TrackerState} */
  state = 'idle';
  #options;
  /** @type {Map<number, Anchor>} */
  #anchors = new Map();
  #nextID = 0;
  /**
   * Anchors in the order of their features.
   * @type {Anchor[]}
   */
  #features = [];
  /** @type {Set<import('./world-session.js').WorldSession>} */
  #worlds = new Set();
  /** @type {TrackerSession | null} */
  #session = null;
  /** @type {FrameReader | null} */
  #reader = null;
  /** @type {import('./sensors.js').Sensors | null} */
  #sensors = null;
  /** @type {PictureAge | null} */
  #age = null;
  /** @type {import('./shared-camera.js').SharedCamera | null} */
  #shared = null;
  /** @type {AbortController | null} of one run, from `start` to `stop` */
  #run = null;
  #isStale = false;
  #told = '';
  /** @type {import('./surfaces.js').Surfaces | null} */
  #surfaces = null;

  /** @param {TrackerOptions} options */
  constructor(options) {
    super();
    this.#options = readOptions(options);
    const { base, Surfaces, size } = this.#options;
    if (base) files.folder = base;
    if (Surfaces) {
      this.#surfaces = new Surfaces({
        size, change: () => this.#change(), tell: () => this.#tellStatus(), forget: () => this.#forgetSurfaces(),
        fail: (code, error) => this.#fail(code, error),
        see: (sight, surfaces) => this.#see(sight, (reader, session) => {
          if ('engine' in session) surfaces.learn(sight, session.engine);
          return reader.readSurfaces(sight, this.#features, this.anchors, surfaces);
        }),
      });
    }
  }

  /** All that is looked for. */
  get anchors() {
    return [...this.#anchors.values()];
  }

  /**
   * Whether it was made with a part.
   * @param {'geo' | 'markers' | 'pictures' | 'codes' | 'surfaces'} part
   */
  has(part) {
    return this.#options[part];
  }

  /** The video that the camera's pictures come from; `null` while it is stopped. */
  get video() {
    return this.#shared?.video ?? null;
  }

  /** @returns {TrackerStatus} */
  get status() {
    const sensor = (/** @type {'location' | 'orientation'} */ name) => (this.#options.geo ? this.#sensors?.[name].state ?? 'idle' : 'unused');
    return { state: this.state, camera: this.#shared?.camera.state ?? 'idle', location: sensor('location'), orientation: sensor('orientation'),
      surfaces: this.#surfaces?.state ?? 'unused', advice: this.#surfaces?.advice ?? 'none' };
  }

  /**
   * Looks for something from now on; also while it runs.
   * @param {Description} description
   * @returns {Anchor}
   */
  add(description) {
    const checked = readDescription(description);
    const part = /** @type {const} */ ({ place: 'geo', marker: 'markers', picture: 'pictures', code: 'codes', surface: 'surfaces' })[checked.kind];
    if (!this.#options[part]) throw new TypeError(`${checked.kind}: this tracker was made without ${part}: give createTracker({ ${part}: true })`);
    if (checked.kind === 'surface') this.#surfaces?.take(checked.hit);
    const anchor = new Anchor(this.#nextID++, checked, (gone) => this.#remove(gone));
    this.#anchors.set(anchor.id, anchor);
    this.#change();
    return anchor;
  }

  /**
   * What stands at a place reaches as far as this: the larger it is, the farther away the place has a pose.
   * @param {Anchor} anchor
   * @param {number} metres
   */
  reach(anchor, metres) {
    if (anchor.kind !== 'place' || !(metres > anchor.reach)) return;
    anchor.reach = metres;
    const feature = this.#features.indexOf(anchor);
    if (feature >= 0 && this.#session) tellReach(this.#session, feature, anchor);
  }

  /**
   * Opens a world: its labels are laid out in each frame, beside whatever else is looked for.
   * @param {string | URL | object} world an address, or content in the form that a server gives
   * @param {Element} [element] in whose language its words are
   * @returns {Promise<import('./world-session.js').WorldSession>} its events say what becomes of it
   */
  async openWorld(world, element) {
    if (!this.#options.geo) throw new TypeError('world: this tracker was made without geo: give createTracker({ geo: true })');
    const { openWorld } = await import('./world-session.js');
    const opened = await openWorld(world, { ...this.#options, element });
    this.#worlds.add(opened);
    this.#session?.hearers.add(opened.hear);
    if (this.state === 'running') opened.look(this.#shared);
    opened.closed.addEventListener('abort', () => {
      this.#worlds.delete(opened);
      this.#session?.hearers.delete(opened.hear);
    });
    return opened;
  }

  /** @param {Anchor} anchor */
  #remove(anchor) {
    if (!this.#anchors.delete(anchor.id)) return;
    const wasVisible = anchor.isVisible;
    anchor.hide('lost');
    if (anchor.kind === 'surface') this.#surfaces?.release(anchor.description.hit);
    if (wasVisible) this.emit('lost', anchor);
    this.#change();
  }

  /**
   * What lies under a point of the view.
   * @param {number} x CSS pixels
   * @param {number} y
   * @param {{ facing?: 'up' | 'viewer' }} [look] `up`: what is set down there lies on the surface; `viewer`: it stands, its front to who
   *   looks; on a wall both are flat
   * @returns {Promise<import('./surfaces.js').HitTest>} at the next picture: a hit, or the reason why there is none
   */
  async hitTest(x, y, look = {}) {
    if (!this.#surfaces) throw new TypeError('hitTest: this tracker was made without surfaces: give createTracker({ surfaces: true })');
    return this.#surfaces.hitTest(x, y, look);
  }

  /**
   * Moves what was set down to another hit; it stays the same anchor.
   * @param {Anchor} anchor
   * @param {SurfaceHit} hit
   */
  move(anchor, hit) {
    if (anchor.kind !== 'surface' || !this.#anchors.has(anchor.id)) throw new TypeError('move: give an anchor of this tracker that was set down');
    this.#surfaces?.move(anchor, hit);
    this.#change();
  }

  #forgetSurfaces() {
    for (const anchor of this.anchors) if (anchor.kind === 'surface') anchor.remove();
  }

  /**
   * Begins; must be called inside a tap where the page has not asked for camera and sensors before. Permissions come first, so that
   * the tap counts.
   * @returns {Promise<void>} settles when camera and engine run, or the `error` event has said why not
   */
  async start() {
    if (this.state === 'starting' || this.state === 'running') return;
    const isNew = this.#run === null;
    const run = this.#run ??= this.#begin();
    this.#set('starting');
    const { geo, size, radius } = this.#options;
    try {
      const asked = Promise.all([this.#sensors?.start() ?? this.#surfaces?.ask(), this.#shared?.camera.start()]);
      void keepAwake();
      const session = this.#session ?? await (await sessionFor(this.#options)).start(size, {
        radius, isOnGround: geo, pictures: (target) => this.#reader?.pictureNumber(target.assetID) ?? -1,
      });
      if (run.signal.aborted) return session.close();
      this.#session = session;
      this.#reader ??= new FrameReader(this.#session, this.#options);
      for (const world of this.#worlds) session.hearers.add(world.hear);
      // Who stands still may be told where that is once only, before the engine was there.
      const fix = this.#sensors?.location.last;
      if (fix) session.tell({ type: 'fix', ...fix });
      await asked;
      if (run.signal.aborted) return;
      this.#set('running');
      this.#tellCamera();
      this.#isStale = true;
      this.#showAnchors();
      this.#surfaces?.watch(true);
      for (const world of this.#worlds) world.look(this.#shared);
      // After a pause the one that runs goes on.
      if (geo && isNew) this.#loop(run);
    } catch (error) {
      if (run.signal.aborted) return;
      this.#fail('engine', error);
      this.stop();
    }
  }

  /** What a run holds; everything here ends in `stop`. */
  #begin() {
    const run = new AbortController();
    const { geo, sensors: Sensors, video } = this.#options;
    this.#shared = sharedCamera(video);
    this.#shared.join(this.#user);
    this.#surfaces?.join(this.#shared);
    const offPicture = this.#shared.camera.on('picture', () => this.#tellCamera());
    run.signal.addEventListener('abort', offPicture);
    if (geo && Sensors) {
      this.#age = new PictureAge(this.#shared.video);
      this.#sensors = new Sensors((event, time) => this.#session?.tell(event, time));
      this.#sensors.on('change', () => this.#tellStatus());
    }
    for (const type of ['resize', 'orientationchange']) addEventListener(type, () => this.resized(), { signal: run.signal });
    return run;
  }

  /** @type {import('./shared-camera.js').User} */
  #user = {
    see: (sight) => this.#see(sight, (reader) => reader.readAnchors(sight, this.#features, this.anchors)),
    change: () => this.#tellStatus(),
    fail: (error) => this.#fail('vision', error),
  };

  /** The view has another size. */
  resized() {
    this.#session?.tellDisplay();
    this.#tellCamera();
  }

  #tellCamera() {
    const shared = this.#shared;
    if (!shared || !this.#session) return;
    const { videoWidth, videoHeight } = shared.video;
    const size = videoWidth ? { width: videoWidth, height: videoHeight } : this.#options.size();
    if (this.#options.geo) this.#session.tellPicture({ ...size, fieldOfView: fieldOfView(shared.camera.label) });
  }

  /** Nothing is looked for meanwhile; the camera stays open, so that it goes on at once. */
  pause() {
    if (this.state !== 'running') return;
    this.#shared?.watch(this.#user, null);
    this.#surfaces?.watch(false);
    for (const world of this.#worlds) world.look(null);
    this.#set('paused');
    letSleep();
  }

  /** Ends everything: worker, camera, listeners. What is looked for is kept for the next `start`; what was set down is gone. */
  stop() {
    this.#run?.abort();
    this.#run = null;
    for (const world of this.#worlds) world.rest();
    this.#forgetSurfaces();
    this.#surfaces?.leave();
    this.#sensors?.stop();
    this.#age?.close();
    this.#session?.close();
    this.#shared?.leave(this.#user);
    this.#sensors = this.#age = this.#session = this.#reader = this.#shared = null;
    letSleep();
    for (const anchor of this.#anchors.values()) {
      const wasVisible = anchor.isVisible;
      anchor.hide('waiting');
      if (wasVisible) this.emit('lost', anchor);
    }
    this.#set('idle');
  }

  // What is looked for

  #change() {
    if (this.#isStale) return;
    this.#isStale = true;
    // Several changes of one task are told together.
    queueMicrotask(() => this.#showAnchors());
  }

  #showAnchors() {
    if (!this.#isStale) return;
    this.#isStale = false;
    const [session, reader, shared] = [this.#session, this.#reader, this.#shared];
    if (!session || !reader || !shared || this.state !== 'running') return;
    const all = this.anchors;
    const contents = all.flatMap((anchor) => contentOf(anchor.id, anchor.description, reader.pictureKey(anchor)) ?? []);
    contents.push(...this.#surfaces?.contents() ?? []);
    this.#features = all.filter(({ kind }) => kind !== 'code' && kind !== 'surface');
    try {
      session.show(contents);
      this.#features.forEach((anchor, feature) => tellReach(session, feature, anchor));
    } catch (error) {
      return this.#fail('engine', error);
    }
    if (all.some(({ description }) => needsGeoid(description))) void this.#needGeoid(session);
    const pictures = all.filter(({ kind }) => kind === 'picture');
    const markers = /** @type {any[]} */ (all.filter(({ kind }) => kind === 'marker').map(({ description }) => description));
    const codes = all.some(({ kind }) => kind === 'code');
    const isLooking = markers.length > 0 || pictures.length > 0 || codes;
    shared.watch(this.#user, isLooking ? { markers, pictures: pictures.map((anchor) => reader.pictureKey(anchor)), codes } : null);
    for (const anchor of pictures) void this.#addPicture(reader, anchor);
  }

  /** @param {TrackerSession} session */
  async #needGeoid(session) {
    const { geoid } = await import('../app/session/geoid.js');
    try {
      const bytes = await geoid();
      if (!session.closed.aborted) session.tell({ type: 'geoid', bytes });
    } catch (error) {
      this.#fail('engine', error);
    }
  }

  /**
   * @param {FrameReader} reader
   * @param {Anchor} anchor
   */
  async #addPicture(reader, anchor) {
    const { src, target, width } = anchor.description;
    try {
      const { pictureAt } = await import('./picture-source.js');
      const found = await this.#shared?.addPicture(reader.pictureKey(anchor), width, async () => target ?? pictureAt(src));
      if (found && found.stars < 1) throw new Error(`too little to be known by (${found.reasons.join(', ')}): take another picture`);
    } catch (error) {
      if (this.#anchors.has(anchor.id) && this.state !== 'idle') this.#fail('picture', error, anchor);
    }
  }

  // Frames

  /** @param {AbortController} run */
  #loop(run) {
    let next = 0;
    const step = (/** @type {number} */ now) => {
      next = requestAnimationFrame(step);
      if (this.state === 'running') this.#frame(now / 1000);
    };
    next = requestAnimationFrame(step);
    run.signal.addEventListener('abort', () => cancelAnimationFrame(next));
  }

  /** @param {number} now seconds */
  #frame(now) {
    const [session, reader] = [this.#session, this.#reader];
    if (!session || !reader) return;
    try {
      session.tell({ type: 'pictureAge', seconds: this.#age?.at(now * 1000) ?? 0 }, now);
      for (const world of this.#worlds) world.tick(now);
      this.#emitFrame(reader.readPlaces(now, this.#features));
    } catch (error) {
      this.#fail('engine', error);
      this.stop();
    }
  }

  /**
   * @param {Sight & { center?: [number, number] }} sight
   * @param {(reader: FrameReader, session: import('./places-session.js').PlacesSession) => import('./frame-reader.js').Reading} read
   */
  #see(sight, read) {
    const [session, reader] = [this.#session, this.#reader];
    if (!session || !reader || !('engine' in session) || this.state !== 'running') return;
    try {
      const { rows, time, width, height, focal, lens, center } = sight;
      session.tell({ type: 'observations', rows, time, width, height, focal, lens, center });
      this.#emitFrame(read(reader, session));
    } catch (error) {
      this.#fail('engine', error);
      this.stop();
    }
  }

  /** @param {import('./frame-reader.js').Reading} reading */
  #emitFrame({ frame, found, lost }) {
    for (const anchor of found) this.emit('found', anchor);
    for (const anchor of lost) this.emit('lost', anchor);
    this.emit('frame', frame);
  }

  // States

  /** @param {TrackerState} state */
  #set(state) {
    this.state = state;
    this.#tellStatus();
  }

  #tellStatus() {
    const { status } = this;
    const told = Object.values(status).join();
    if (told === this.#told) return;
    const before = this.#told.split(',');
    this.#told = told;
    this.emit('statechange', status);
    /** @type {const} */ (['camera', 'location', 'orientation']).forEach((part, k) => {
      const fault = status[part] !== before[k + 1] && partFault(part, status[part]);
      if (fault) this.#fail(fault.code, fault);
    });
  }

  /**
   * @param {string} code
   * @param {unknown} cause
   * @param {Anchor | null} [anchor]
   */
  #fail(code, cause, anchor = null) {
    const error = new TrackerError(code, cause instanceof Error ? cause.message : String(cause), anchor);
    console.warn(`Sightline: ${error.message}`);
    this.emit('error', error);
  }
}

/**
 * The session that has what is wanted and no more.
 * @param {{ markers?: boolean, pictures?: boolean, codes?: boolean, surfaces?: boolean }} options
 */
async function sessionFor({ markers, pictures, codes, surfaces }) {
  const needsAll = markers || pictures || codes || surfaces;
  return needsAll ? (await import('./places-session.js')).PlacesSession : (await import('./geo-session.js')).GeoSession;
}

/**
 * Sessions that have a pose of every place need not know.
 * @param {TrackerSession} session
 * @param {number} feature
 * @param {Anchor} anchor
 */
function tellReach(session, feature, { kind, reach }) {
  if (kind === 'place' && 'reach' in session) session.reach(feature, reach);
}

/**
 * A tracker. The engine's files begin to load; nobody is asked for anything before `start`.
 * @param {TrackerOptions} [options]
 * @returns {Promise<Tracker>} once the modules are there, so that `start` waits for nothing inside a tap
 */
export async function createTracker(options = {}) {
  const sensors = options?.geo ? (await import('./sensors.js')).Sensors : undefined;
  const Surfaces = options?.surfaces ? (await import('./surfaces.js')).Surfaces : undefined;
  const tracker = new Tracker({ ...options, sensors, Surfaces });
  const looks = options.markers || options.pictures || options.codes;
  void preload(looks || options.surfaces ? 'engine.wasm' : 'places.wasm');
  if (looks) void preload('vision.wasm');
  if (options.surfaces) void preload('odometry.wasm');
  await sessionFor(options);
  return tracker;
}
