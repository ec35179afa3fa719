// One open world, or several together: feeds the engine, carries out its effects, and tells the views what changed. All
// decisions about what is seen, where, and when to fetch are the engine's.

import { toRadians } from '../core/angles.js';
import { Emitter } from '../core/emitter.js';
import { AddressTable } from '../net/addresses.js';
import { forgetFailed } from '../net/assets.js';
import { SessionClock } from './clock.js';
import { newEngine } from './engine-link.js';
import { Loader } from './loader.js';
import { PlaceMarks } from './place-marks.js';
import { Radius } from './reach.js';
import { OpenWorlds } from './worlds.js';

/**
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').SessionStatus} SessionStatus
 * @typedef {import('../../engine/types').EngineEvent} EngineEvent
 * @typedef {import('../../engine/types').EngineEffect} EngineEffect
 * @typedef {import('../../engine/types').FailureReason} FailureReason
 * @typedef {import('../../engine/engine.js').Engine} Engine
 * @typedef {import('./content.js').Content} Content
 * @typedef {import('../recording/recorder.js').Recorder} Recorder
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {{ frame: SceneFrame, status: SessionStatus, world: Content, selection: number | null, failure: Failure,
 *   webPage: { url: string, place: number | null }, opened: WorldAddress, positionWanted: string, worlds: void, filter: void, marks: void, frozen: boolean,
 *   restarted: void, town: void, recorded: Recorder | null, told: EngineEvent, suspended: boolean, aligned: { outcome: import('../../engine/types').AlignmentOutcome, by: number } }} SessionEvents
 * @typedef {{ reason: FailureReason, detail?: string, code?: string, refresh: boolean, stopped: boolean,
 *   name?: string, withheldFrom?: string }} Failure `name`: of one world of several; `withheldFrom`: the host that was asked without being told where the phone is
 */

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
  #radius = new Radius(this);
  /** Which categories are shown: bit n is category n. */
  categoryMask = ~0n & 0xffff_ffff_ffff_ffffn;
  frozen = false;
  /** What is open, with its texts; `content` is what is shown of it. */
  worlds = new OpenWorlds(this);
  addresses = new AddressTable();
  loader = new Loader(this);
  #life = new AbortController();
  marks = new PlaceMarks(this);
  /** @type {import('../town/town.js').Town | null} */
  town = null;
  /** @type {Promise<void> | null} */
  #surroundings = null;
  /** @type {EngineEvent[]} what is known of the ground below places, for a recording */
  #grounds = [];
  /** @type {Recorder | null} */
  #recorder = null;
  #suspensions = new Set();
  #statusKey = '';
  /** @type {Map<string, EngineEvent>} the last of each kind of reading, for another engine */
  #readings = new Map();

  /** @param {Engine} engine */
  constructor(engine) {
    super();
    this.engine = engine;
    this.setTime(null);
    this.tell({ type: 'setRadius', radius: this.radius });
  }

  #clock = new SessionClock();

  /** The time it is for the session, milliseconds since 1970. */
  get time() {
    return this.#clock.time;
  }

  /**
   * Sun and moon as they stand at the session's time, where it was given one; radians.
   * @param {{ latitude: number, longitude: number } | null} from
   * @returns {import('../ar/sky.js').Bodies | null}
   */
  sky(from) {
    if (!from || !this.#clock.isShifted) return null;
    const year = this.#clock.decimalYear();
    const seen = (/** @type {'sun' | 'moon'} */ body) => {
      const { azimuth, elevation } = this.engine.body(body, from.latitude, from.longitude, year);
      return { azimuth: toRadians(azimuth), elevation: toRadians(elevation) };
    };
    return this.guarded(() => ({ sun: seen('sun'), moon: seen('moon') })) ?? null;
  }

  /** The time as a year with fractions, for the field of the Earth. */
  decimalYear = 0;

  /**
   * Makes it another time, which goes on from there.
   * @param {string | null} time ISO 8601; `null` for the clock's
   */
  setTime(time) {
    this.#clock.set(time);
    this.decimalYear = this.#clock.decimalYear();
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
    if (event.type === 'fix') this.wantSurroundings();
    if (event.type === 'featureGround' || event.type === 'cornerGround') this.#grounds.push(event);
    this.#recorder?.event(event, time);
    this.guarded(() => this.engine.handle(event, time));
    this.emit('told', event);
    this.#drain();
  }

  /** A position will come, or has: heights have to agree, and buildings to hide. What sees to it is fetched now. */
  wantSurroundings() {
    if (this.#surroundings) return;
    this.#surroundings = import('./surroundings.js').then(
      ({ Surroundings }) => void (this.closed.aborted || new Surroundings(this, this.#readings.get('fix'))),
      (error) => {
        console.warn(error);
        this.#surroundings = null;
      },
    );
  }

  /** Inside which places are shown, metres. */
  get radius() {
    return this.#radius.value;
  }

  /** How far the radius of what is shown goes, metres. */
  get reach() {
    return this.#radius.reach;
  }

  /** The first of the open worlds. */
  get address() {
    return this.worlds.list[0]?.address ?? null;
  }

  /** @param {WorldAddress} address */
  open(address) {
    this.worlds.open(address);
  }

  /** @param {number} metres */
  setRadius(metres) {
    this.#radius.choose(metres);
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
    if (before === 0 !== (after === 0)) this.emit('suspended', after > 0);
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
    const frame = this.guarded(() => this.engine.makeFrame(now));
    this.#drain();
    if (!frame) return;
    this.frame = frame;
    this.guarded(() => this.#radius.follow());
    this.emit('frame', frame);
  }

  /**
   * Models and pictures in true size, in the last frame and the light of the hour.
   * @param {typeof import('../../engine/things.js').Things} Part
   */
  things(Part) {
    return this.guarded(() => this.engine.part(Part).read(this.#clock.decimalYear())) ?? null;
  }

  /** What is before the eye of the world's lines and areas, in the last frame. */
  paths() {
    return this.guarded(() => this.engine.paths()) ?? [];
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
      bearing: Number.isNaN(way) ? null : toRadians(way),
    };
  }

  /** What stands on anchors in the newest picture of the camera; `null` when the engine has stopped. */
  anchors() {
    return this.guarded(() => this.engine.anchors()) ?? null;
  }

  /** How often a surveyed anchor has set the position. */
  get surveyCount() {
    return this.guarded(() => this.engine.surveyCount) ?? 0;
  }

  /** Where the world is drawn from. */
  standpoint() {
    return this.guarded(() => this.engine.status())?.standpoint ?? null;
  }

  /** What the user found out about north. */
  headingCorrections() {
    return this.guarded(() => this.engine.headingCorrections()) ?? [];
  }

  /** Lets time pass while nothing is drawn. */
  advance() {
    const now = performance.now() / 1000;
    this.#recorder?.advance(now);
    this.guarded(() => this.engine.advance(now));
    this.#drain();
  }

  /**
   * From now on a recorder hears what the engine is told; first what it already knows.
   * @param {Recorder | null} recorder `null` ends it
   */
  record(recorder) {
    this.#recorder = recorder;
    this.emit('recorded', recorder);
    if (!recorder) return;
    const now = performance.now() / 1000;
    for (const event of this.#readings.values()) recorder.event(event, now);
    this.worlds.record(recorder, now);
    for (const event of this.#grounds) recorder.event(event, now);
  }

  /** Aborted when the session is closed: for everything that listens beyond it. */
  get closed() {
    return this.#life.signal;
  }

  close() {
    this.#life.abort();
    this.loader.close();
  }

  #checkStatus() {
    const status = this.guarded(() => this.engine.status());
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
      const effect = this.guarded(() => this.engine.nextEffect());
      if (!effect) break;
      this.#carryOut(effect);
    }
    this.#checkStatus();
  }

  /** @param {EngineEffect} effect */
  #carryOut(effect) {
    switch (effect.type) {
      case 'request':
        void this.loader.request(effect.request);
        break;
      case 'cancel':
        this.loader.cancel(effect.request);
        break;
      case 'openWebPage': {
        const address = this.addresses.get(effect.address);
        if (address?.kind === 'url') this.emit('webPage', { url: address.url, place: this.selected });
        break;
      }
      case 'remember':
        this.worlds.remember(effect.world, this.loader.address(effect.address, effect.world));
        break;
      case 'selectionChanged':
        this.selected = effect.feature;
        this.emit('selection', effect.feature);
        break;
      case 'loadFailed':
        this.failure = {
          reason: effect.reason,
          detail: this.loader.detail,
          code: this.loader.code,
          refresh: effect.event !== 'init',
          stopped: effect.automaticRefreshStopped,
          ...(this.loader.withheldFrom ? { withheldFrom: this.loader.withheldFrom } : {}),
          ...(this.worlds.list.length > 1 ? { name: this.worlds.get(effect.world)?.content?.title } : {}),
        };
        this.emit('failure', this.failure);
        break;
      case 'worldChanged':
        this.#grounds = [];
        this.worlds.changed(effect.world);
        break;
      case 'aligned':
        this.emit('aligned', { outcome: effect.outcome, by: effect.by });
        break;
    }
  }

  /**
   * The answer to a request is what the engine compiled last.
   * @param {number} request
   * @param {Content} content that it was compiled of
   */
  loaded(request, content) {
    const now = performance.now() / 1000;
    this.guarded(() => this.#recorder?.worldOf(request, this.engine, null, () => this.worlds.names(content), now));
    this.guarded(() => this.engine.loaded(request, now));
    this.#drain();
  }

  /**
   * How one of the open worlds is.
   * @param {number} world its number
   */
  worldStatus(world) {
    return this.guarded(() => this.engine.worldStatus(world)) ?? null;
  }

  /**
   * After a trap the instance is dead: a new one is told what the old one knew.
   * @template T
   * @param {() => T} work
   * @returns {T | undefined}
   */
  guarded(work) {
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
      this.worlds.tellAll((event) => this.tell(event));
      this.emit('restarted', undefined);
    });
    return this.#restarting;
  }
}

/** Events whose last value an engine has to know from the start. */
const STEADY = new Set([
  'orientation', 'orientationWithCompass', 'fix', 'display', 'camera', 'pictureAge', 'calendar', 'setRadius',
  'setCategories', 'setFrozen', 'setLevel', 'occupied', 'geoid', 'ground',
]);
