// The engine for other people's pages, without a view: camera, sensors and vision worker as needed; frames with camera matrices,
// anchors with poses and states. See Documentation/embedding.md.

import { Emitter } from '../app/core/emitter.js';
import { fieldOfView } from '../app/device/camera.js';
import { PictureAge } from '../app/device/picture-age.js';
import { keepAwake, letSleep } from '../app/device/wake-lock.js';
import { files, preloadEngine, preloadVision } from '../app/session/engine-link.js';
import { Anchor } from './anchor.js';
import { contentOf, needsGeoid, readDescription } from './anchors.js';
import { FrameReader } from './frame-reader.js';
import { readOptions } from './options.js';
import { PlacesSession } from './places-session.js';
import { sharedCamera } from './shared-camera.js';
import { TrackerError, partFault } from './tracker-error.js';

/**
 * @typedef {import('./options.js').TrackerOptions} TrackerOptions
 * @typedef {import('./anchors.js').Description} Description
 * @typedef {import('./frame-reader.js').TrackerFrame} TrackerFrame
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 * @typedef {'idle' | 'starting' | 'running' | 'paused'} TrackerState
 * @typedef {{ state: TrackerState, camera: string, location: string, orientation: string }} TrackerStatus `camera`: idle, waiting, running,
 *   paused, denied or missing; `location` and `orientation` the same, `unused` without places
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
  /** @type {PlacesSession | null} */
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

  /** @param {TrackerOptions} options */
  constructor(options) {
    super();
    this.#options = readOptions(options);
    if (this.#options.base) files.folder = this.#options.base;
  }

  /** All that is looked for. */
  get anchors() {
    return [...this.#anchors.values()];
  }

  /**
   * Whether it was made with a part.
   * @param {'geo' | 'markers' | 'pictures' | 'codes'} part
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
    return { state: this.state, camera: this.#shared?.camera.state ?? 'idle', location: sensor('location'), orientation: sensor('orientation') };
  }

  /**
   * Looks for something from now on; also while it runs.
   * @param {Description} description
   * @returns {Anchor}
   */
  add(description) {
    const checked = readDescription(description);
    const part = /** @type {const} */ ({ place: 'geo', marker: 'markers', picture: 'pictures', code: 'codes' })[checked.kind];
    if (!this.#options[part]) throw new TypeError(`${checked.kind}: this tracker was made without ${part}: give createTracker({ ${part}: true })`);
    const anchor = new Anchor(this.#nextID++, checked, (gone) => this.#remove(gone));
    this.#anchors.set(anchor.id, anchor);
    this.#change();
    return anchor;
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
    this.#session?.follow(opened.hear);
    opened.closed.addEventListener('abort', () => {
      this.#worlds.delete(opened);
      this.#session?.leave(opened.hear);
    });
    return opened;
  }

  /** @param {Anchor} anchor */
  #remove(anchor) {
    if (!this.#anchors.delete(anchor.id)) return;
    const wasVisible = anchor.isVisible;
    anchor.hide('lost');
    if (wasVisible) this.emit('lost', anchor);
    this.#change();
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
      const asked = Promise.all([this.#sensors?.start(), this.#shared?.camera.start()]);
      void keepAwake();
      const session = this.#session ?? await PlacesSession.start(size, {
        radius, isOnGround: geo, pictures: (target) => this.#reader?.pictureNumber(target.assetID) ?? -1,
      });
      if (run.signal.aborted) return session.close();
      this.#session = session;
      this.#reader ??= new FrameReader(this.#session, this.#options);
      for (const world of this.#worlds) session.follow(world.hear);
      // Who stands still may be told where that is once only, before the engine was there.
      const fix = this.#sensors?.location.last;
      if (fix) session.tell({ type: 'fix', ...fix });
      await asked;
      if (run.signal.aborted) return;
      this.#set('running');
      this.#tellCamera();
      this.#isStale = true;
      this.#showAnchors();
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
    see: (sight) => this.#see(sight),
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
    this.#set('paused');
    letSleep();
  }

  /** Ends everything: worker, camera, listeners. What is looked for is kept for the next `start`. */
  stop() {
    this.#run?.abort();
    this.#run = null;
    this.#sensors?.stop();
    this.#age?.close();
    this.#session?.close();
    this.#shared?.leave(this.#user);
    this.#sensors = this.#age = this.#session = this.#reader = this.#shared = null;
    for (const world of this.#worlds) world.rest();
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
    this.#features = all.filter(({ kind }) => kind !== 'code');
    try {
      session.show(contents);
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

  /** @param {PlacesSession} session */
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
      const { stillAt } = await import('./picture-source.js');
      const found = await this.#shared?.addPicture(reader.pictureKey(anchor), width, async () => target ?? stillAt(src));
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

  /** @param {Sight} sight */
  #see(sight) {
    const [session, reader] = [this.#session, this.#reader];
    if (!session || !reader || this.state !== 'running') return;
    try {
      const { rows, time, width, height, focal, lens } = sight;
      session.tell({ type: 'observations', rows, time, width, height, focal, lens });
      this.#emitFrame(reader.readAnchors(sight, this.#features, this.anchors));
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
 * A tracker. The engine's files begin to load; nobody is asked for anything before `start`.
 * @param {TrackerOptions} [options]
 * @returns {Promise<Tracker>} once the modules are there, so that `start` waits for nothing inside a tap
 */
export async function createTracker(options = {}) {
  const sensors = options?.geo ? (await import('./sensors.js')).Sensors : undefined;
  const tracker = new Tracker({ ...options, sensors });
  void preloadEngine();
  if (options.markers || options.pictures || options.codes) void preloadVision();
  return tracker;
}
