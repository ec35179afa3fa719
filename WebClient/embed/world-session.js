// One world in a session of its own, beside the page's other anchors: fed with the same sensors, laid out by the engine. The page reads where
// its labels are, or has them drawn by world-view.js.

import { readFonts } from '../app/ar/measure.js';
import { Emitter } from '../app/core/emitter.js';
import { altitudeDatum } from '../app/device/location.js';
import { AddressTable } from '../app/net/addresses.js';
import { proxy } from '../app/net/assets.js';
import { SessionClock } from '../app/session/clock.js';
import { Content } from '../app/session/content.js';
import { newEngine } from '../app/session/engine-link.js';
import { geoid } from '../app/session/geoid.js';
import { farthestOf, reachFor } from '../app/session/reach.js';
import { describePlace, labelsOf, notesOf } from './world-places.js';
import { speakLike } from './world-words.js';
import { WorldError, fetchWorld, sourceOf, tooLarge, worldOf } from './world-source.js';

/**
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../engine/types').DimensionRequest} DimensionRequest
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {import('./world-places.js').WorldPlace} WorldPlace
 * @typedef {{ title: string, summary: string, attribution: string, places: number, shown: number, notes: string[] }} WorldReport `shown`: places that
 *   have a position; `notes`: what was not understood, and what is not shown here
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
/** Pictures as labels: no larger than this part of the view's shorter side, and never smaller than a finger, CSS pixels. */
const PICTURE_PART = 0.3;
const LEAST_PICTURE = 72;
const EVERY_CATEGORY = ~0n & 0xffff_ffff_ffff_ffffn;

/** @extends {Emitter<{ load: WorldReport, select: WorldPlace | null, error: WorldFault, frame: SceneFrame | null, world: Content }>} */
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
  /** Within which places are shown, metres. */
  radius;
  /** Where the view begins in the window, CSS pixels. */
  corner = () => ({ left: 0, top: 0 });
  #most;
  #size;
  /**
   * What the page made itself, in place of an address.
   * @type {unknown}
   */
  #given = null;
  /**
   * What was fetched before the engine asked for it.
   * @type {Promise<Content | void> | null}
   */
  #first = null;
  #addresses = new AddressTable();
  #life = new AbortController();
  #clock = new SessionClock();
  /** @type {Map<number, AbortController>} */
  #requests = new Map();
  /** @type {Content | null} */
  #arriving = null;
  #looked = -Infinity;
  #hasGeoid = false;

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
    const isAddress = typeof world === 'string' || world instanceof URL;
    this.#given = isAddress ? null : world;
    try {
      const url = isAddress ? sourceOf(world, document.baseURI) : document.baseURI;
      // The engine asks once it knows where the phone is; until then the file is here.
      this.#first = this.#fetch(url, this.closed).catch((error) => void (this.closed.aborted || this.#fail(error)));
      this.tell({ type: 'open', address: this.#addresses.number({ kind: 'url', url }) });
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * What the page made has changed: what is selected stays so.
   * @param {object} world
   */
  update(world) {
    if (this.#given === null) return this.open(world);
    this.#given = world;
    this.tell({ type: 'refreshByHand' });
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
    this.engine.handle(this.#inView(event), time);
    this.#drain();
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
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
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
      else if (effect.type === 'cancel') this.#cancel(effect.request);
      else if (effect.type === 'worldChanged') this.content = this.#arriving ?? this.content;
      else if (effect.type === 'selectionChanged') {
        this.selected = effect.feature;
        this.emit('select', this.selectedPlace);
      }
      // A web page is never opened by itself: the card has its link.
    }
  }

  /** @param {number} id */
  #cancel(id) {
    this.#requests.get(id)?.abort();
    this.#requests.delete(id);
  }

  /** @param {DimensionRequest} request */
  async #load(request) {
    const life = new AbortController();
    this.#requests.set(request.id, life);
    try {
      const url = this.#addressOf(request);
      const first = this.#first;
      this.#first = null;
      const content = (request.event === 'init' && await first) || await this.#fetch(url, life.signal);
      if (life.signal.aborted || this.closed.aborted) return;
      this.#install(request.id, content);
    } catch (error) {
      if (life.signal.aborted || this.closed.aborted) return;
      const fault = this.#fail(error);
      this.tell({ type: 'failed', request: request.id, reason: fault.reason });
    } finally {
      if (this.#requests.get(request.id) === life) this.#requests.delete(request.id);
    }
  }

  /**
   * @param {string} url
   * @param {AbortSignal} signal
   */
  async #fetch(url, signal) {
    const answer = this.#given === null ? await fetchWorld(url, signal) : worldOf(structuredClone(this.#given), 'what the page gave');
    const content = new Content(answer, { kind: 'url', url });
    if (signal.aborted) return content;
    const { dimension, places } = content;
    this.emit('load', {
      title: content.title, summary: dimension.summary ?? '', attribution: dimension.attribution ?? '', places: places.length,
      shown: places.filter(({ position }) => position).length, notes: notesOf(content),
    });
    return content;
  }

  /**
   * Where to fetch from: what the request names, and where the world is to be fetched again, what the world says or where it came from.
   * @param {DimensionRequest} request
   */
  #addressOf({ address }) {
    const { content } = this;
    if (address === null) {
      const again = content?.dimension.refreshURL;
      return sourceOf((again && content.absolute(again)) || (content?.address.kind === 'url' ? content.address.url : ''), document.baseURI);
    }
    const known = this.#addresses.get(address);
    if (known?.kind === 'url') return sourceOf(known.url, document.baseURI);
    return sourceOf(`/api/v1/${known?.kind === 'osm' ? 'osm' : 'worlds'}/${encodeURIComponent(known?.id ?? '')}`, location.href);
  }

  /**
   * @param {number} request
   * @param {Content} content
   */
  #install(request, content) {
    readFonts();
    const before = this.selectedPlace?.id ?? null;
    try {
      content.adopt(this.engine.compile(request, content.source(this.#addresses)));
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
    void this.#needGeoid(content);
    this.emit('world', content);
    if (before !== null && this.selected === null) this.select(before);
  }

  /** @param {Content} content */
  async #needGeoid({ places }) {
    const isNeeded = altitudeDatum() === 'ellipsoid' || places.some(({ altitudeMode }) => altitudeMode === 'ellipsoid');
    if (!isNeeded || this.#hasGeoid) return;
    this.#hasGeoid = true;
    try {
      const bytes = await geoid();
      this.tell({ type: 'geoid', bytes });
    } catch (error) {
      this.#hasGeoid = false;
      this.#fail(error);
    }
  }

  /**
   * What the page's own modules say of the window, said of the view: where a finger is, and how large pictures are.
   * @param {EngineEvent} event
   * @returns {EngineEvent}
   */
  #inView(event) {
    if (event.type === 'touch') {
      const { left, top } = this.corner();
      return { ...event, x: event.x - left, y: event.y - top };
    }
    if (event.type !== 'labelSize') return event;
    const { width, height } = this.#size();
    const scale = Math.min(1, Math.max(LEAST_PICTURE, Math.min(width, height) * PICTURE_PART) / Math.max(event.width, event.height));
    return { ...event, width: event.width * scale, height: event.height * scale };
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
