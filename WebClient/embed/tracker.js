// The engine for other people's pages, without a view: camera, sensors and vision worker as needed; frames with camera matrices,
// anchors with poses and states. See Documentation/embedding.md.

import { Emitter } from '../app/core/emitter.js';
import { keepAwake, letSleep } from '../app/device/wake-lock.js';
import { files } from '../app/session/engine-files.js';
import { readDescription } from './anchors.js';
import { PART, PARTS, readOptions } from './options.js';
import { TrackerError, engineFault, statusTeller } from './tracker-error.js';
import { TrackerFrames } from './tracker-frames.js';
import { TrackerRun, modulesFor } from './tracker-run.js';
import { Wanted } from './wanted.js';

/**
 * @typedef {import('./options.js').TrackerOptions} TrackerOptions
 * @typedef {import('./options.js').Part} Part
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./anchors.js').Description} Description
 * @typedef {import('./frame-reader.js').FrameReader} FrameReader
 * @typedef {import('./frame-reader.js').TrackerFrame} TrackerFrame
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 * @typedef {'idle' | 'starting' | 'running' | 'paused'} TrackerState
 * @typedef {import('./surfaces.js').SurfaceHit} SurfaceHit
 * @typedef {import('./public').TrackerStatus} TrackerStatus
 */

export { TrackerError } from './tracker-error.js';
export { DescriptionError } from './anchors.js';

/** @extends {Emitter<{ frame: TrackerFrame, found: Anchor, lost: Anchor, statechange: TrackerStatus, error: TrackerError }>} */
export class Tracker extends Emitter {
  /** @type {TrackerState} */
  state = 'idle';
  #options;
  #wanted = new Wanted(() => this.#tellWanted());
  /** @type {import('./tracker-worlds.js').TrackerWorlds | null} loaded with the first */
  #worlds = null;
  /** @type {import('./surfaces.js').Surfaces | null} */
  #surfaces = null;
  /** @type {TrackerRun | null} from `start` to `stop` */
  #run = null;
  #told = statusTeller((status) => this.emit('statechange', status), (code, fault) => this.#fail(code, fault));
  #frames = new TrackerFrames({
    running: () => this.#running, features: () => this.#wanted.features, worlds: () => this.#worlds, emit: (type, value) => this.emit(type, value),
    fail: (error) => this.#end(error),
  });
  /** @type {Promise<void>} */
  #extended = Promise.resolve();

  /** @param {TrackerOptions} options */
  constructor(options) {
    super();
    this.#options = readOptions(options);
    this.#makeSurfaces();
  }

  #makeSurfaces() {
    const { Surfaces, size } = this.#options;
    if (!Surfaces || this.#surfaces) return null;
    return this.#surfaces = new Surfaces({
      size, change: () => this.#wanted.change(), tell: () => this.#tellStatus(), forget: (numbers) => this.#forgetSurfaces(numbers),
      end: () => this.stop(), fail: (code, error) => this.#fail(code, error),
      see: (sight, surfaces) => this.#frames.see(sight, (reader, { engine }, features) => {
        surfaces.learn(sight, engine);
        return reader.readSurfaces(sight, features, this.anchors, surfaces);
      }),
    });
  }

  /** All that is looked for. */
  get anchors() {
    return this.#wanted.all;
  }

  /**
   * Whether it has a part.
   * @param {Part} part
   */
  has(part) {
    return this.#options[part];
  }

  /** The video that the camera's pictures come from; `null` while it is stopped. */
  get video() {
    return this.#run?.shared.video ?? null;
  }

  /** @returns {TrackerStatus} */
  get status() {
    const sensor = (/** @type {'location' | 'orientation'} */ name) => (this.#options.geo ? this.#run?.sensors?.[name].state ?? 'idle' : 'unused');
    return { state: this.state, camera: this.#run?.shared.camera.state ?? 'idle', location: sensor('location'), orientation: sensor('orientation'),
      surfaces: this.#surfaces?.state ?? 'unused', advice: this.#surfaces?.advice ?? 'none', platform: this.#surfaces?.isPlatform ?? false };
  }

  // What is looked for

  /**
   * Looks for something from now on; also while it runs.
   * @param {Description} description
   * @returns {Anchor}
   */
  add(description) {
    const checked = readDescription(description);
    const part = PART[checked.kind];
    if (!this.has(part)) throw new TypeError(`${checked.kind}: this tracker was made without ${part}: give createTracker({ ${part}: true }), or await extend({ ${part}: true })`);
    if (checked.kind === 'surface') this.#surfaces?.take(checked.hit);
    return this.#wanted.add(checked, (gone) => this.#remove(gone));
  }

  /**
   * More is looked for from now on; also while it runs. What was found and set down stays. Call it inside a tap where it asks for sensors.
   * @param {Partial<Record<Part, boolean>>} parts
   * @returns {Promise<void>} once anchors of those parts can be added
   */
  extend(parts) {
    // One after the other, for each may need another session.
    const extended = this.#extended.then(() => this.#extend(parts));
    this.#extended = extended.catch(() => undefined);
    return extended;
  }

  /** @param {Partial<Record<Part, boolean>>} parts */
  async #extend(parts) {
    const more = PARTS.filter((part) => parts[part] === true && !this.has(part));
    if (!more.length) return;
    const options = this.#options;
    const found = await modulesFor({ ...options, ...Object.fromEntries(more.map((part) => [part, true])) });
    for (const part of more) options[part] = true;
    options.sensors ??= found.sensors;
    options.Surfaces ??= found.Surfaces;
    if (this.#surfaces?.isPlatform) return this.stop();
    const surfaces = this.#makeSurfaces();
    const run = this.#run;
    if (!run) return;
    try {
      if (surfaces) surfaces.join(run.shared);
      const sensors = run.needSensors();
      const asked = sensors?.start() ?? surfaces?.ask();
      // A run that has not begun yet makes its session of what is wanted then.
      if (run.session) await this.#makeSession(run);
      await asked;
      if (run.signal.aborted || this.state !== 'running') return;
      run.tellCamera();
      surfaces?.watch(true);
      this.#wanted.flush();
      this.#tellStatus();
    } catch (error) {
      if (!run.signal.aborted) this.#end(error);
    }
  }

  /**
   * What stands at a place reaches as far as this: the larger it is, the farther away the place has a pose.
   * @param {Anchor} anchor
   * @param {number} metres
   */
  reach(anchor, metres) {
    this.#wanted.reach(this.#run?.session ?? null, anchor, metres);
  }

  /**
   * Opens a world: its labels are laid out in each frame, beside whatever else is looked for.
   * @param {string | URL | object} world an address, or content in the form that a server gives
   * @param {Element} [element] in whose language its words are
   * @returns {Promise<import('./world-session.js').WorldSession>} its events say what becomes of it
   */
  async openWorld(world, element) {
    if (!this.#options.geo) throw new TypeError('world: this tracker was made without geo: give createTracker({ geo: true })');
    const { TrackerWorlds } = await import('./tracker-worlds.js');
    if (!this.#worlds) {
      this.#worlds = new TrackerWorlds();
      this.#worlds.join(this.#run?.session ?? null);
      if (this.state === 'running') this.#worlds.look(this.#run?.shared ?? null);
    }
    return this.#worlds.open(world, { ...this.#options, element });
  }

  /** @param {Anchor} anchor */
  #remove(anchor) {
    if (!this.#wanted.delete(anchor)) return;
    const wasVisible = anchor.isVisible;
    anchor.hide('lost');
    if (anchor.kind === 'surface') this.#surfaces?.release(anchor.description.hit);
    if (wasVisible) this.emit('lost', anchor);
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
    if (anchor.kind !== 'surface' || !this.#wanted.has(anchor)) throw new TypeError('move: give an anchor of this tracker that was set down');
    this.#surfaces?.move(anchor, hit);
    this.#wanted.change();
  }

  /** @param {number[]} [gone] hits; without it all */
  #forgetSurfaces(gone) {
    for (const anchor of this.#wanted.of('surface')) if (!gone || gone.includes(anchor.description.hit.number)) anchor.remove();
  }

  /** The session and the camera are told of all that is wanted. */
  #tellWanted() {
    const run = this.#running;
    const { session, reader } = run ?? {};
    if (!run || !session || !reader) return;
    try {
      this.#wanted.show(session, reader, this.#surfaces);
    } catch (error) {
      return this.#fail('engine', error);
    }
    if (this.#wanted.needsGeoid) run.needGeoid().catch((error) => this.#fail('engine', error));
    run.shared.watch(this.#user, this.#wanted.watch(reader));
    for (const anchor of this.#wanted.of('picture')) {
      run.addPicture(anchor).catch((error) => this.#wanted.has(anchor) && this.state !== 'idle' && this.#fail('picture', error, anchor));
    }
  }

  // From start to stop

  /**
   * Begins; must be called inside a tap where the page has not asked for camera and sensors before. Permissions come first, so that
   * the tap counts.
   * @returns {Promise<void>} settles when camera and engine run, or the `error` event has said why not
   */
  async start() {
    if (this.state === 'starting' || this.state === 'running') return;
    const run = this.#run ??= this.#begin();
    this.#set('starting');
    try {
      const own = () => Promise.all([run.sensors?.start() ?? this.#surfaces?.ask(), run.shared.camera.start()]);
      const asked = this.#options.askPlatform?.(run, this.#surfaces, this.#options, own) ?? own();
      void keepAwake();
      if (!run.session && !await this.#makeSession(run)) return;
      await asked;
      if (run.signal.aborted) return;
      this.#set('running');
      run.tellCamera();
      this.#wanted.flush();
      this.#surfaces?.watch(true);
      this.#worlds?.look(run.shared);
    } catch (error) {
      if (!run.signal.aborted) this.#end(error);
    }
  }

  #begin() {
    const run = new TrackerRun(this.#options, {
      user: this.#user, resized: () => this.resized(), change: () => this.#tellStatus(), frame: (now) => this.#frames.tick(now),
    });
    this.#surfaces?.join(run.shared);
    return run;
  }

  /** @param {TrackerRun} run */
  async #makeSession(run) {
    if (!await run.makeSession()) return false;
    this.#worlds?.join(run.session);
    return true;
  }

  /** @type {import('./shared-camera.js').User} */
  #user = {
    see: (sight) => this.#frames.see(sight, (reader, _, features) => reader.readAnchors(sight, features, this.anchors)),
    change: () => this.#tellStatus(),
    fail: (error) => this.#fail('vision', error),
  };

  /** The view has another size. */
  resized() {
    this.#run?.session?.tellDisplay();
    this.#run?.tellCamera();
  }

  /** Nothing is looked for meanwhile; the camera stays open, so that it goes on at once. */
  pause() {
    if (this.state !== 'running') return;
    this.#run?.shared.watch(this.#user, null);
    this.#surfaces?.watch(false);
    this.#worlds?.look(null);
    this.#set('paused');
    letSleep();
  }

  /** Ends everything: worker, camera, listeners. What is looked for is kept for the next `start`; what was set down is gone. */
  stop() {
    this.#worlds?.rest();
    this.#forgetSurfaces();
    this.#surfaces?.leave();
    this.#run?.end();
    this.#run = null;
    letSleep();
    for (const anchor of this.anchors) {
      const wasVisible = anchor.isVisible;
      anchor.hide('waiting');
      if (wasVisible) this.emit('lost', anchor);
    }
    this.#set('idle');
  }

  /** What there is while it runs. */
  get #running() {
    return this.state === 'running' ? this.#run : null;
  }

  // States

  /** @param {TrackerState} state */
  #set(state) {
    this.state = state;
    this.#tellStatus();
  }

  #tellStatus() {
    this.#told(this.status);
  }

  /** @param {unknown} error of an engine that is of no more use */
  #end(error) {
    this.#fail('engine', error);
    this.stop();
  }

  /**
   * @param {string} code
   * @param {unknown} cause
   * @param {Anchor | null} [anchor]
   */
  #fail(code, cause, anchor = null) {
    const fault = engineFault(code, cause);
    const error = new TrackerError(fault.code, fault.message, anchor);
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
  const { base } = readOptions(options);
  if (base) files.folder = base;
  return new Tracker({ ...options, ...await modulesFor(options) });
}
