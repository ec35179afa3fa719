// One world in a session of its own, beside the page's other anchors: fed with the same sensors, laid out by the engine. The page reads where
// its labels are, or has them drawn by world-view.js.

import { readFonts } from '../app/ar/measure.js';
import { Emitter } from '../app/core/emitter.js';
import { proxy } from '../app/net/assets.js';
import { standsOnPrints } from '../app/show/prints.js';
import { SessionClock } from '../app/session/clock.js';
import { newEngine } from '../app/session/engine-link.js';
import { farthestOf, reachFor } from '../app/session/reach.js';
import { NeededGeoid, needsGeoid } from './needed-geoid.js';
import { inView } from './world-measures.js';
import { describePlace, labelsOf, reportOf } from './world-places.js';
import { speakLike } from './world-words.js';
import { WorldRequests } from './world-requests.js';
import { WorldError, tooLarge } from './world-source.js';

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../app/session/content.js').Content} Content
 * @typedef {import('../engine/types').DimensionRequest} DimensionRequest
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {import('./world-places.js').WorldPlace} WorldPlace
 * @typedef {import('./world-places.js').WorldReport} WorldReport
 * @typedef {{ code: string, message: string }} WorldFault
 */

const now = () => performance.now() / 1000;
/** Milliseconds between two looks at how far the world goes. */
const LOOK_MS = 1000;
/** What a world hears of the tracker's session: sensors, camera, view. */
const HEARD = new Set([
  'motion', 'orientation', 'orientationQuaternion', 'orientationWithCompass', 'orientationUnavailable', 'fix', 'locationUnavailable', 'display',
  'camera', 'pictureAge', 'calendar', 'ground', 'setLevel',
]);
const EVERY_CATEGORY = ~0n & 0xffff_ffff_ffff_ffffn;

/** @extends {Emitter<{ load: WorldReport, select: WorldPlace | null, error: WorldFault, frame: SceneFrame | null, world: Content, camera: SharedCamera | null }>} */
export class WorldSession extends Emitter {
  /** @type {Content | null} */
  content = null;
  /**
   * The newest one; `null` while nothing runs.
   * @type {SceneFrame | null}
   */
  frame = null;
  /** @type {number | null} */
  selected = null;
  /** Whether all of it stands on markers and pictures: then it does not matter where the phone is. */
  standsOnPrints = false;
  /** Within which places are shown, metres. */
  radius;
  /** Where the view begins in the window, CSS pixels. */
  corner = () => ({ left: 0, top: 0 });
  #most;
  #size;
  /**
   * Whose pictures are looked at; `null` while none are.
   * @type {SharedCamera | null}
   */
  camera = null;
  #life = new AbortController();
  #clock = new SessionClock();
  #requests = new WorldRequests(this.closed, (content) => this.#report(content));
  /** @type {Content | null} */
  #arriving = null;
  #looked = -Infinity;
  #geoid = new NeededGeoid((bytes) => this.tell({ type: 'geoid', bytes }), (error) => void this.#fail(error));

  /**
   * @param {import('../engine/engine.js').Engine} engine
   * @param {{ radius: number, size: () => { width: number, height: number } }} options metres; CSS pixels
   */
  constructor(engine, { radius, size }) {
    super();
    this.engine = engine;
    this.#size = size;
    this.radius = this.#most = radius;
    this.tell({ type: 'calendar', decimalYear: this.#clock.decimalYear() });
    this.tell({ type: 'setRadius', radius });
    this.tell({ type: 'display', ...size(), screenAngle: screen.orientation?.angle ?? 0 });
  }

  /**
   * Opens another world in place of this one.
   * @param {string | URL | object} world an address, or content in the form that a server gives: `{ dimension: { name, places } }`
   */
  open(world) {
    try {
      // The engine asks once it knows where the phone is; until then the file is here.
      this.tell({ type: 'open', address: this.#requests.begin(world, (error) => this.#fail(error)) });
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * What the page made has changed: what is selected stays so.
   * @param {object} world
   */
  update(world) {
    if (this.#requests.update(world)) this.tell({ type: 'refreshByHand' });
    else this.open(world);
  }

  /** Places of the world, in its order. */
  get places() {
    const { content } = this;
    return content ? content.places.map((_, index) => describePlace(content, index)) : [];
  }

  /** Labels as they are laid out in the newest frame, the nearest first; CSS pixels of the view. */
  get labels() {
    return this.content && this.frame ? labelsOf(this.content, this.frame) : [];
  }

  get selectedPlace() {
    const { content, selected } = this;
    return content && selected !== null && content.places[selected] ? describePlace(content, selected) : null;
  }

  /** @param {number | string | null} place its index or its id */
  select(place) {
    const index = typeof place === 'string' ? this.content?.placeByID(place) ?? -1 : place;
    if (index === null || this.content?.places[index]) this.tell({ type: 'select', feature: index });
  }

  /**
   * What was said to the tracker's session.
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  hear = (event, time) => {
    if (HEARD.has(event.type)) this.tell(event, time);
  };

  /**
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time = now()) {
    if (this.closed.aborted) return;
    if (event.type === 'display') readFonts();
    this.engine.handle(inView(event, this.corner, this.#size), time);
    this.#drain();
  }

  /**
   * How large the label of what stands on a print is, as it was measured: told as it is.
   * @param {number} feature
   * @param {number} width CSS pixels
   * @param {number} height
   */
  measured(feature, width, height) {
    if (this.closed.aborted) return;
    this.engine.handle({ type: 'labelSize', feature, width, height }, now());
    this.#drain();
  }

  /**
   * From now on the pictures of a camera may be looked at.
   * @param {SharedCamera | null} camera `null`: no more
   */
  look(camera) {
    if (camera === this.camera) return;
    this.camera = camera;
    this.emit('camera', camera);
  }

  /**
   * One frame.
   * @param {number} time seconds
   */
  tick(time) {
    this.frame = this.engine.makeFrame(time);
    this.#drain();
    if (performance.now() - this.#looked > LOOK_MS) this.#follow();
    this.emit('frame', this.frame);
  }

  /** Nothing runs any more. */
  rest() {
    this.look(null);
    this.frame = null;
    this.emit('frame', null);
  }

  /** What is before the eye of the world's lines and areas, in the last frame. */
  paths() {
    return this.engine.paths();
  }

  /**
   * Models and pictures in true size, in the last frame.
   * @param {typeof import('../engine/things.js').Things} Part
   */
  things(Part) {
    return this.engine.part(Part).read(this.#clock.decimalYear());
  }

  /**
   * How far a place is from the user, metres; `null` while that is not known.
   * @param {number} index
   */
  distance(index) {
    const [to, from] = [this.content?.places[index]?.position, this.engine.status().standpoint];
    return to && from ? this.engine.distance(from.latitude, from.longitude, to.latitude, to.longitude) : null;
  }

  /** Where the user is, degrees and metres at 95 %; `null` while that is not known. */
  get position() {
    return this.engine.status().standpoint;
  }

  /** Aborted when the world is closed. */
  get closed() {
    return this.#life.signal;
  }

  close() {
    this.rest();
    this.#life.abort();
  }

  /** As far as the farthest place, and no farther than the page wants. */
  #follow() {
    this.#looked = performance.now();
    const { standpoint } = this.engine.status();
    if (!this.content || !standpoint) return;
    const radius = Math.min(this.#most, reachFor(farthestOf(this.content, standpoint, (...way) => this.engine.distance(...way))));
    if (radius === this.radius) return;
    this.radius = radius;
    this.tell({ type: 'setRadius', radius });
  }

  #drain() {
    for (let effect = this.engine.nextEffect(); effect; effect = this.engine.nextEffect()) {
      if (effect.type === 'request') void this.#load(effect.request);
      else if (effect.type === 'cancel') this.#requests.cancel(effect.request);
      else if (effect.type === 'worldChanged') this.content = this.#arriving ?? this.content;
      else if (effect.type === 'selectionChanged') {
        this.selected = effect.feature;
        this.emit('select', this.selectedPlace);
      }
      // A web page is never opened by itself: the card has its link.
    }
  }

  /** @param {DimensionRequest} request */
  async #load(request) {
    try {
      const content = await this.#requests.answer(request, this.content);
      if (content) this.#install(request.id, content);
    } catch (error) {
      if (this.closed.aborted) return;
      this.tell({ type: 'failed', request: request.id, reason: this.#fail(error).reason });
    }
  }

  /** @param {Content} content that came */
  #report(content) {
    this.standsOnPrints = standsOnPrints(content);
    this.emit('load', reportOf(content));
  }

  /**
   * @param {number} request
   * @param {Content} content
   */
  #install(request, content) {
    readFonts();
    const before = this.selectedPlace?.id ?? null;
    try {
      const compiled = this.engine.compile(request, content.source(this.#requests.addresses));
      content.answer.rules?.(this.engine);
      content.adopt(compiled);
    } catch (error) {
      throw error instanceof RangeError ? tooLarge(content.base) : error;
    }
    this.tell({ type: 'setCategories', mask: EVERY_CATEGORY });
    this.#arriving = content;
    this.engine.loaded(request, now());
    this.#drain();
    this.#arriving = null;
    if (this.content !== content) return;
    this.#looked = -Infinity;
    if (needsGeoid(content)) this.#geoid.need();
    this.emit('world', content);
    if (before !== null && this.selected === null) this.select(before);
  }

  /** @param {unknown} error */
  #fail(error) {
    const fault = error instanceof WorldError ? error : new WorldError('engine', String(error), { kind: 'malformed' });
    console.warn(`Sightline: ${fault.message}`);
    this.emit('error', { code: fault.code, message: fault.message });
    return fault;
  }
}

/**
 * @param {string | URL | object} world
 * @param {{ radius: number, size: () => { width: number, height: number }, element?: Element }} options `element`: in whose language its words are
 * @returns {Promise<WorldSession>}
 */
export async function openWorld(world, options) {
  // Other people's pages have no proxy: pictures come from where the world says.
  proxy.isUsed = false;
  const [engine] = await Promise.all([newEngine(), speakLike(options.element ?? document.documentElement)]);
  const session = new WorldSession(engine, options);
  // Whoever asked has to be able to listen first.
  setTimeout(() => session.open(world));
  return session;
}
