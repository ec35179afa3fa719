// A team's phone on a tour: what it sees of the stations, what it has answered, and how both get to the server and back,
// with and without a network. The views are the same as those of any world.

import { Emitter } from '../core/emitter.js';
import { asTeam, pictureURL, TourError } from './api.js';
import { canSave, saveHere } from '../offline/offline.js';
import { TourGround } from './ground.js';
import { change, enqueue, joinedTour, queued, sent } from './keeper.js';
import { TourWay } from './way.js';

/**
 * @typedef {import('./api.js').Point} Point
 * @typedef {import('./keeper.js').Joined} Joined
 * @typedef {import('./keeper.js').PlayStation} PlayStation
 * @typedef {import('./keeper.js').PlayState} PlayState
 * @typedef {import('./keeper.js').Queued} Queued
 * @typedef {import('../device/location.js').Fix} Fix
 * @typedef {{ id: string, new: boolean, verdict: string, refusal?: string, points?: number, place: string, late: boolean }} Result
 * @typedef {{ state: 'open' | 'right' | 'wrong' | 'pending' | 'answered' | 'saved', triesLeft: number | null,
 *   points?: number, hints: Set<number>, hintTexts: Record<string, string> }} Standing `saved` is answered on this phone and not yet sent
 */

const SYNC_MS = 5000;
const BATCH = 20;
/** After so many failures in a row this browser cannot keep the tour. */
const MOST_SAVES = 3;

/** @extends {Emitter<{ change: void, results: { event: Queued, result: Result }[], message: { text: string } }>} */
export class Play extends Emitter {
  /** @type {Queued[]} what the server does not know yet */
  waiting = [];
  /** Whether the server answered the last time. */
  online = true;
  /** @type {'' | 'gone' | 'out'} why it is over for this phone: the tour is deleted, or its code was changed */
  lost = '';
  /** @type {Fix | null} */
  fix = null;
  /** Whether somebody chose that position, on a virtual phone. */
  isVirtual = false;
  left = false;
  #stateAt = performance.now();
  #busy = false;
  #again = false;
  #life = new AbortController();
  #timer = 0;

  ground = new TourGround();

  /** @param {Joined} joined */
  constructor(joined) {
    super();
    this.joined = joined;
  }

  /**
   * @param {string} key
   * @returns {Promise<Play | null>} null when this phone has not joined
   */
  static async open(key) {
    const joined = await joinedTour(key);
    if (!joined) return null;
    const play = new Play(joined);
    play.waiting = await queued(key);
    return play;
  }

  get key() {
    return this.joined.key;
  }
  get content() {
    return this.joined.content;
  }
  get state() {
    return this.joined.state;
  }

  /** @type {'saving' | 'saved' | 'failed'} whether the tour opens on this phone without a network */
  saved = 'saving';
  /** Revision of the content that was saved, or is being saved. */
  #savedRevision = 0;
  #saveTries = 0;

  /** Keeps page, pictures and map on the phone, once for each form of the tour. */
  async #save() {
    const { revision, stations, border, route = [] } = this.content;
    if (this.#savedRevision === revision || this.#saveTries >= MOST_SAVES) return;
    this.#saveTries += 1;
    this.#savedRevision = revision;
    try {
      if (!canSave()) throw new Error('this page may not save');
      const assets = stations.flatMap(({ picture }) => (picture ? [pictureURL(picture)] : []));
      await saveHere({ assets, points: [...stations.map(({ position }) => position), ...border, ...route] });
      // Browsers clear what they think nobody needs; a tour is needed.
      await navigator.storage?.persist?.();
      this.saved = 'saved';
      this.#saveTries = 0;
    } catch {
      this.saved = 'failed';
      this.#savedRevision = 0;
    }
  }

  /** Begins to talk with the server. */
  start() {
    const { signal } = this.#life;
    this.#timer = window.setInterval(() => void this.sync(), SYNC_MS);
    addEventListener('online', () => void this.sync(), { signal });
    document.addEventListener('visibilitychange', () => !document.hidden && void this.sync(), { signal });
    void this.sync();
  }

  close() {
    this.#life.abort();
    clearInterval(this.#timer);
  }

  // ---- What is seen ----

  /** Seconds to the end; null for no limit. */
  secondsLeft() {
    const { secondsLeft, phase } = this.state;
    if (secondsLeft === null) return null;
    const passed = phase === 'running' ? (performance.now() - this.#stateAt) / 1000 : 0;
    return Math.max(0, Math.round(secondsLeft - passed));
  }

  /** @type {import('./api.js').Phase} */
  get phase() {
    return this.state.phase === 'running' && this.secondsLeft() === 0 ? 'ended' : this.state.phase;
  }

  /** @param {PlayStation} station @returns {Standing} */
  standing(station) {
    const known = this.state.stations[station.id];
    const own = this.waiting.filter((event) => event.station === station.id);
    const hints = new Set(known?.hints ?? []);
    for (const event of own) if (event.hint !== undefined) hints.add(event.hint);
    const state = known?.state ?? 'open';
    const saved = state === 'open' && own.some((event) => event.kind !== 'hint');
    return {
      state: saved ? 'saved' : state,
      triesLeft: known?.triesLeft ?? (station.tries || null),
      points: known?.points,
      hints,
      hintTexts: known?.hintTexts ?? {},
    };
  }

  /** Stations that are the team's turn: all of the round, or those tried and the next one. */
  open() {
    const all = this.content.stations.filter((station) => station.round === this.state.round);
    if (!this.content.sequential) return all;
    const next = all.findIndex((station) => {
      const known = this.state.stations[station.id];
      const tried = known && (known.state !== 'open' || (known.triesLeft !== null && known.triesLeft < station.tries));
      return !tried && this.standing(station).state === 'open';
    });
    return next < 0 ? all : all.slice(0, next + 1);
  }

  /** Stations in sight from here. */
  visible() {
    const { fix } = this;
    return this.open().filter((station) =>
      station.visibleRadius === null || (fix && this.ground.distance(fix, station.position) <= station.visibleRadius) ||
      this.isHere(station)
    );
  }

  /** @param {PlayStation} station */
  isHere(station) {
    return Boolean(this.fix) && this.ground.isAt(/** @type {Fix} */ (this.fix), station);
  }

  /** The way that leads by what the team sees; null when there is none. */
  way() {
    const { way, route = [] } = this.content;
    // Before there is a session nothing is measured.
    if (!way || way === 'none' || !this.ground.engine()) return null;
    const corners = way === 'stations' ? this.visible().map(({ position }) => position) : route;
    return TourWay.of(corners, (a, b) => this.ground.distance(a, b));
  }

  /**
   * What of the way comes next: from where the team comes upon it to the next station.
   * @returns {{ station: PlayStation, way: TourWay, from: number, to: number, metres: number } | null} `from` and `to` in metres from its
   *   begin; `metres` with the way to it
   */
  ahead() {
    const { fix } = this;
    const way = this.phase === 'running' ? this.way() : null;
    const station = way && fix ? this.next() : null;
    if (!way || !fix || !station) return null;
    const here = way.nearest(fix);
    const { along } = way.arrival(station.position, here.along);
    return { station, way, from: here.along, to: along, metres: here.distance + Math.abs(along - here.along) };
  }

  /** The station that waits for the team next: along the way where there is one, else the nearest, if any is in sight. */
  next() {
    const { fix } = this;
    const waiting = this.visible().filter((station) => this.standing(station).state === 'open');
    if (!fix) return waiting[0] ?? null;
    const way = this.way();
    if (way) return waiting.find((station) => this.isHere(station)) ?? way.next(waiting, fix);
    return waiting.sort((a, b) => this.ground.distance(fix, a.position) - this.ground.distance(fix, b.position))[0] ?? null;
  }

  /** @param {string} id */
  station(id) {
    return this.content.stations.find((station) => station.id === id) ?? null;
  }

  /**
   * The stations as a world, for the views.
   * @returns {import('../types').WorldAnswer}
   */
  world() {
    const assets = [];
    const places = [];
    for (const station of this.visible()) {
      const standing = this.standing(station).state;
      const shown = station.kind === 'picture' && station.picture && this.isHere(station);
      if (shown) assets.push({ id: `picture.${station.id}`, url: pictureURL(/** @type {string} */ (station.picture)) });
      places.push({
        id: station.id,
        title: numbered(station),
        position: { ...station.position },
        altitudeMode: /** @type {const} */ ('eye'),
        offset: { east: 0, north: 0, up: 0 },
        visual: shown
          ? { kind: /** @type {const} */ ('image'), assetID: `picture.${station.id}` }
          : { kind: /** @type {const} */ ('text'), text: `${MARKS[standing]}${numbered(station)}` },
        pivot: /** @type {const} */ ('BC'),
        showInRadar: true,
        showOnFocus: [],
        categories: [],
        metadata: {},
      });
    }
    this.#lead(places);
    return {
      world: { id: this.key, title: this.content.title },
      dimension: {
        name: this.content.title, radarRange: 500, radarAvailable: true, relativeAltitude: true,
        refreshIntervalSeconds: 0, refreshDistance: 0, assets, places, overlays: [],
      },
    };
  }

  /**
   * Lays the way on the ground: what comes next belongs to the station it leads to, the rest, thinner, to another one where there is one.
   * @param {import('../types').Place[]} places
   */
  #lead(places) {
    const ahead = this.ahead();
    const next = ahead && places.find(({ id }) => id === ahead.station.id);
    if (!ahead || !next) return;
    const line = (/** @type {Point[]} */ points) => ({
      kind: /** @type {const} */ ('line'), parts: [points.map(({ latitude, longitude }) => [longitude, latitude])],
    });
    const { way, to } = ahead;
    const from = stepped(ahead.from);
    next.shapes = [line(way.part(from, to))];
    next.shapeStyle = { stroke: WAY_COLOR, width: 9 };
    const [low, high] = from < to ? [from, to] : [to, from];
    const rest = [...(low > 0 ? [line(way.part(0, low))] : []), ...(high < way.length ? [line(way.part(high, way.length))] : [])];
    const other = places.filter((place) => place !== next).at(-1);
    if (other) Object.assign(other, { shapes: rest, shapeStyle: { stroke: WAY_COLOR, width: 3, strokeOpacity: 0.7 } });
    else next.shapes.push(...rest);
  }

  /** What the world above depends on, in one text. */
  worldKey() {
    const ahead = this.ahead();
    return (ahead ? `${ahead.station.id} ${stepped(ahead.from)} ${ahead.to.toFixed(0)} ` : '') + this.visible().map((station) => {
      const picture = station.kind === 'picture' && this.isHere(station);
      return `${station.id}${this.standing(station).state}${picture}`;
    }).join(' ') + this.joined.content.revision;
  }

  // ---- What is done ----

  /** Whether a virtual phone may play; old copies of tours do not say. */
  get allowsVirtual() {
    return this.content.allowsVirtualPhones ?? this.content.trial;
  }

  /**
   * @param {Fix | null} fix
   * @param {boolean} [isVirtual] whether somebody chose it
   */
  move(fix, isVirtual = false) {
    this.fix = fix;
    this.isVirtual = isVirtual;
    this.left = Boolean(fix) && this.ground.hasLeft(/** @type {Fix} */ (fix), this.content.border);
    if (this.phase === 'running') {
      for (const station of this.visible()) {
        const isPlace = station.kind === 'info' || station.kind === 'picture';
        if (isPlace && this.isHere(station) && this.standing(station).state === 'open') void this.tell(station, { kind: 'visit' });
      }
    }
    this.emit('change', undefined);
  }

  /** @type {Set<string>} events that are being written to the queue */
  #writing = new Set();

  /**
   * Something done at a station: kept on the phone first, then sent.
   * @param {PlayStation} station
   * @param {Pick<Queued, 'kind'> & Partial<Queued>} event
   */
  async tell(station, event) {
    const once = `${station.id} ${event.kind} ${event.hint ?? ''}`;
    if (this.#writing.has(once)) return;
    this.#writing.add(once);
    try {
      this.waiting.push(await enqueue(this.key, { ...event, station: station.id, position: this.#position() }));
    } finally {
      this.#writing.delete(once);
    }
    this.emit('change', undefined);
    await this.sync();
  }

  /** Where the team is, as the server is told. */
  #position() {
    const { fix, isVirtual } = this;
    return fix && {
      latitude: fix.latitude, longitude: fix.longitude, accuracy: fix.horizontalAccuracy, ...(isVirtual ? { isVirtual } : {}),
    };
  }

  /** Asks the teacher to come. */
  async help() {
    await asTeam(this.joined.secret, '/help', {});
  }

  // ---- To the server and back ----

  async sync() {
    if (this.lost || this.#life.signal.aborted) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      do {
        this.#again = false;
        // Two tabs of one phone must not send the same events at the same time.
        await (navigator.locks ? navigator.locks.request(`tour ${this.key}`, () => this.#exchange()) : this.#exchange());
      } while (this.#again);
      this.online = true;
      void this.#save();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#busy = false;
      if (!this.#life.signal.aborted) this.emit('change', undefined);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof TourError)) throw error;
    if (error.status === 410) this.lost = 'gone';
    else if (error.status === 401) this.lost = 'out';
    else this.online = false;
  }

  async #exchange() {
    this.waiting = await queued(this.key);
    if (!this.waiting.length) return this.#ask();
    while (this.waiting.length) {
      const batch = this.waiting.slice(0, BATCH);
      const now = Date.now();
      const answer = await asTeam(this.joined.secret, '/events', {
        after: this.#after,
        events: batch.map(({ made, key: _, ...event }) => ({ ...event, position: event.position ?? undefined, age: Math.max(0, now - made) })),
      });
      /** @type {Map<string, Result>} */
      const results = new Map(answer.events.map((/** @type {Result} */ result) => [result.id, result]));
      // Out of order: the server has later ones of this phone already; these can never count.
      const confirmed = answer.inOrder ? batch.filter(({ id }) => results.has(id)) : batch;
      await sent(confirmed.map(({ id }) => id));
      await this.#take(answer.state);
      this.waiting = await queued(this.key);
      this.emit('results', batch.flatMap((event) => {
        const result = results.get(event.id);
        return result ? [{ event, result }] : [];
      }));
      if (!confirmed.length) break;
    }
  }

  get #after() {
    return this.joined.messages.at(-1)?.number ?? 0;
  }

  async #ask() {
    const position = (this.phase === 'running' && this.#position()) || undefined;
    await this.#take(await asTeam(this.joined.secret, '/state', { position, after: this.#after }));
  }

  /** @param {PlayState} state */
  async #take(state) {
    const fresh = state.messages.filter(({ number }) => number > this.#after);
    const { revision } = this.joined.content;
    Object.assign(this.joined, { state, messages: [...this.joined.messages, ...fresh] });
    this.#stateAt = performance.now();
    await change(this.key, { state, messages: this.joined.messages });
    for (const message of fresh) this.emit('message', message);
    if (state.revision === revision) return;
    // What a new round brings comes later than the news of it; without a network the phone goes on with what it has, and
    // asks again the next time.
    const { content } = await asTeam(this.joined.secret, '');
    this.joined.content = content;
    await change(this.key, { content });
  }

  /** Notes that the team has seen the end. */
  async noteEnd() {
    this.joined.ended = true;
    await change(this.key, { ended: true });
  }

  /** Notes that the messages were read. */
  async read() {
    this.joined.read = this.#after;
    await change(this.key, { read: this.joined.read });
  }

  get unread() {
    return this.joined.messages.filter(({ number }) => number > this.joined.read).length;
  }
}

/** Of the way: seen on grass, stone and snow with its dark edge, and unlike the pins. */
const WAY_COLOR = '#ff7a1a';

/**
 * The part that comes next is drawn anew every so many metres, not with each fix.
 * @param {number} along
 */
const stepped = (along) => Math.floor(along / 25) * 25;

/** Before the title of a station on its label. */
const MARKS = { open: '', right: '✓ ', answered: '✓ ', pending: '… ', saved: '… ', wrong: '✗ ' };

/**
 * A station as it is called on map, list and labels; phones that joined an older server know no numbers.
 * @param {PlayStation} station
 */
function numbered(station) {
  return station.number ? `${station.number}. ${station.title}` : station.title;
}
