// One open world: feeds the engine, carries out its effects, and tells the views what changed. All decisions about
// what is seen, where, and when to fetch are the engine's.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';
import { AddressTable } from '../net/addresses.js';
import { forgetFailed } from '../net/assets.js';
import { placeKey } from './content.js';
import { describe } from './describe.js';
import { newEngine } from './engine-link.js';
import { Loader } from './loader.js';

/**
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').SessionStatus} SessionStatus
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').EngineEffect} EngineEffect
 * @typedef {import('../../engine/types').FailureReason} FailureReason
 * @typedef {import('../../engine/engine.js').Engine} Engine
 * @typedef {import('./content.js').Content} Content
 * @typedef {import('../../engine/types').WorldRecord} WorldRecord
 * @typedef {import('../recording/recorder.js').Recorder} Recorder
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{ frame: SceneFrame, status: SessionStatus, world: Content, selection: number | null, failure: Failure,
 *   webPage: { url: string, place: number | null }, opened: WorldAddress, filter: void, frozen: boolean,
 *   restarted: void, aligned: { outcome: import('../../engine/types').AlignmentOutcome, by: number } }} SessionEvents
 * @typedef {{ reason: FailureReason, detail?: string, refresh: boolean, stopped: boolean }} Failure
 */

export const RADIUS = { low: 1000, high: 20_000, default: 5000 };

/** @extends {Emitter<SessionEvents>} */
export class Session extends Emitter {
  /** @type {Content | null} */
  content = null;
  /** @type {SceneFrame | null} */
  frame = null;
  /** @type {SessionStatus | null} */
  status = null;
  /** @type {number | null} */
  selected = null;
  /** @type {Failure | null} */
  failure = null;
  radius = load('radius', RADIUS.default);
  /** Which categories are shown: bit n is category n. */
  categoryMask = ~0n & 0xffff_ffff_ffff_ffffn;
  frozen = false;
  /** @type {WorldAddress | null} */
  address = null;
  addresses = new AddressTable();
  #life = new AbortController();
  /** @type {Recorder | null} */
  #recorder = null;
  /**
   * The world the engine has, as it was told.
   * @type {WorldRecord | null}
   */
  #world = null;
  #suspensions = new Set();
  #statusKey = '';
  #loader = new Loader(this, (request, content) => this.#install(request, content));
  /**
   * The last of each kind of reading, for an engine that has to be started again.
   * @type {Map<string, EngineEvent>}
   */
  #readings = new Map();

  /** @param {Engine} engine */
  constructor(engine) {
    super();
    this.engine = engine;
    this.setTime(null);
    this.tell({ type: 'setRadius', radius: this.radius });
  }

  /** The time as a year with fractions, for the field of the Earth. */
  decimalYear = 0;
  /** How far the session's time is from the clock's, milliseconds. */
  #shift = 0;

  /** The time it is for the session, milliseconds since 1970. */
  get time() {
    return Date.now() + this.#shift;
  }

  /**
   * Makes it another time, which goes on from there.
   * @param {string | null} time ISO 8601; `null` for the clock's
   */
  setTime(time) {
    this.#shift = time ? new Date(time).getTime() - Date.now() : 0;
    const now = new Date(this.time);
    const start = Date.UTC(now.getUTCFullYear(), 0, 1);
    const end = Date.UTC(now.getUTCFullYear() + 1, 0, 1);
    this.decimalYear = now.getUTCFullYear() + (now.getTime() - start) / (end - start);
    this.tell({ type: 'calendar', decimalYear: this.decimalYear });
  }

  /** @returns {Promise<Session>} */
  static async start() {
    return new Session(await newEngine());
  }

  /**
   * Hands an event to the engine, with the time it happened.
   * @param {EngineEvent} event
   * @param {number} [time] seconds
   */
  tell(event, time = performance.now() / 1000) {
    if (STEADY.has(event.type)) this.#readings.set(event.type, event);
    this.#recorder?.event(event, time);
    this.#guard(() => this.engine.handle(event, time));
    this.#drain();
  }

  /** @param {WorldAddress} address */
  open(address) {
    this.address = address;
    this.failure = null;
    this.tell({ type: 'open', address: this.addresses.number(address) });
    this.emit('opened', address);
  }

  /** @param {number} metres */
  setRadius(metres) {
    this.radius = metres;
    save('radius', metres);
    this.tell({ type: 'setRadius', radius: metres });
    this.emit('filter', undefined);
  }

  /** @param {bigint} mask */
  setCategories(mask) {
    this.categoryMask = mask;
    this.tell({ type: 'setCategories', mask });
    this.emit('filter', undefined);
  }

  /** @param {boolean} frozen */
  setFrozen(frozen) {
    this.frozen = frozen;
    this.tell({ type: 'setFrozen', frozen });
    this.emit('frozen', frozen);
  }

  /** @param {number | null} place */
  select(place) {
    if (place !== this.selected) this.tell({ type: 'select', feature: place });
  }

  refresh() {
    forgetFailed();
    this.failure = null;
    this.tell({ type: 'refreshByHand' });
  }

  /**
   * Something covers the view or hides the page: no automatic refreshing meanwhile.
   * @param {string} cause
   * @param {boolean} on
   */
  suspend(cause, on) {
    const before = this.#suspensions.size;
    if (on) this.#suspensions.add(cause);
    else this.#suspensions.delete(cause);
    const after = this.#suspensions.size;
    if (before === 0 && after > 0) this.tell({ type: 'suspend' });
    if (before > 0 && after === 0) this.tell({ type: 'resume' });
  }

  get suspended() {
    return this.#suspensions.size > 0;
  }

  /**
   * One step of the clock: effects out, a new picture in.
   * @param {number} now seconds
   */
  tick(now) {
    this.#recorder?.tick(now);
    const frame = this.#guard(() => this.engine.makeFrame(now));
    this.#drain();
    if (!frame) return;
    this.frame = frame;
    this.#checkStatus();
    this.emit('frame', frame);
  }

  /** What is before the eye of the world's lines and areas, in the last frame. */
  paths() {
    return this.#guard(() => this.engine.paths()) ?? [];
  }

  /**
   * Whether a place passes the category filter.
   * @param {number} place
   */
  isShown(place) {
    if (!this.content) return false;
    const number = this.content.categoryNumber(this.content.places[place]);
    return ((this.categoryMask >> BigInt(number)) & 1n) === 1n;
  }

  /**
   * How far and which way a place is from a position.
   * @param {number} place
   * @param {{ latitude: number, longitude: number } | null} from
   * @returns {{ distance: number, bearing: number | null } | null} metres, radians
   */
  range(place, from) {
    const to = this.content?.places[place]?.position;
    if (!to || !from) return null;
    const way = this.engine.bearing(from.latitude, from.longitude, to.latitude, to.longitude);
    return {
      distance: this.engine.distance(from.latitude, from.longitude, to.latitude, to.longitude),
      bearing: Number.isNaN(way) ? null : (way * Math.PI) / 180,
    };
  }

  /** What the user found out about north. */
  headingCorrections() {
    return this.#guard(() => this.engine.headingCorrections()) ?? [];
  }

  /** Lets time pass while nothing is drawn. */
  advance() {
    const now = performance.now() / 1000;
    this.#recorder?.advance(now);
    this.#guard(() => this.engine.advance(now));
    this.#drain();
  }

  /**
   * From now on a recorder hears what the engine is told; first what it already knows.
   * @param {Recorder | null} recorder `null` ends it
   */
  record(recorder) {
    this.#recorder = recorder;
    if (!recorder) return;
    const now = performance.now() / 1000;
    for (const event of this.#readings.values()) recorder.event(event, now);
    if (!this.address) return;
    recorder.event({ type: 'open', address: this.addresses.number(this.address) }, now);
    // A replayed session asks for its world as its first request.
    if (this.#world) recorder.world(1, this.#world, this.#names(), now);
  }

  /** What people see of the world, for a recording. */
  #names() {
    const { content } = this;
    return {
      title: content?.title ?? '',
      texts: content?.places.map((place) => content.labelText(place)) ?? [],
      addresses: this.addresses.list(),
    };
  }

  /** Aborted when the session is closed: for everything that listens beyond it. */
  get closed() {
    return this.#life.signal;
  }

  close() {
    this.#life.abort();
    this.#loader.close();
  }

  #checkStatus() {
    const status = this.#guard(() => this.engine.status());
    if (!status) return;
    // What is said of the heading has its number in it.
    const bound = Math.round(Math.min(status.headingBound, 90));
    const key = `${status.content.reason}/${status.location.reason}/${status.heading.reason}/${bound}`;
    this.status = status;
    if (key === this.#statusKey) return;
    this.#statusKey = key;
    this.emit('status', status);
  }

  #drain() {
    for (;;) {
      const effect = this.#guard(() => this.engine.nextEffect());
      if (!effect) break;
      this.#carryOut(effect);
    }
    this.#checkStatus();
  }

  /** @param {EngineEffect} effect */
  #carryOut(effect) {
    switch (effect.type) {
      case 'request':
        void this.#loader.request(effect.request);
        break;
      case 'cancel':
        this.#loader.cancel(effect.request);
        break;
      case 'openWebPage': {
        const address = this.addresses.get(effect.address);
        if (address?.kind === 'url') this.emit('webPage', { url: address.url, place: this.selected });
        break;
      }
      case 'remember': {
        const address = this.#loader.address(effect.address);
        // A draft is nobody's last world: it is for those who make it.
        if (address && address.kind !== 'draft' && this.content) save('last', { address, title: this.content.title });
        break;
      }
      case 'selectionChanged':
        this.selected = effect.feature;
        this.emit('selection', effect.feature);
        break;
      case 'loadFailed':
        this.failure = {
          reason: effect.reason,
          detail: this.#loader.detail,
          refresh: effect.event !== 'init',
          stopped: effect.automaticRefreshStopped,
        };
        this.emit('failure', this.failure);
        break;
      case 'worldChanged':
        break;
      case 'aligned':
        this.emit('aligned', { outcome: effect.outcome, by: effect.by });
        break;
    }
  }

  /**
   * @param {number} request
   * @param {Content} content
   */
  #install(request, content) {
    const before = this.content;
    const selectedKey = before && this.selected !== null ? placeKey(before.places[this.selected], this.selected) : null;
    // The new content has to be in place before the engine speaks of its features.
    this.content = content;
    this.failure = null;
    if (
      !before || before.categories.map((c) => c.name).join('\n') !== content.categories.map((c) => c.name).join('\n')
    ) {
      this.setCategories(~0n & 0xffff_ffff_ffff_ffffn);
    }
    const now = performance.now() / 1000;
    const world = describe(content, this.addresses);
    this.#world = world;
    this.#recorder?.world(request, world, this.#names(), now);
    this.#guard(() => this.engine.loaded(request, world, now));
    this.#drain();
    this.emit('world', content);
    if (selectedKey !== null && this.selected === null) {
      const again = content.placeByID(selectedKey);
      if (again >= 0) this.select(again);
    }
  }

  /**
   * After a trap the WebAssembly instance is dead: a new one is made and told what the old one knew.
   * @template T
   * @param {() => T} work
   * @returns {T | undefined}
   */
  #guard(work) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      console.error(error);
      void this.#restart();
      return undefined;
    }
  }

  /** @type {Promise<void> | null} */
  #restarting = null;

  #restart() {
    this.#restarting ??= newEngine().then((engine) => {
      this.engine = engine;
      this.#restarting = null;
      this.selected = null;
      for (const event of this.#readings.values()) engine.handle(event, performance.now() / 1000);
      if (this.address) this.open(this.address);
      this.emit('restarted', undefined);
    });
    return this.#restarting;
  }
}

/** Events whose last value an engine has to know from the start. */
const STEADY = new Set([
  'orientation',
  'orientationWithCompass',
  'fix',
  'display',
  'camera',
  'pictureAge',
  'calendar',
  'setRadius',
  'setCategories',
  'setFrozen',
]);
