// What is known of public transport round the user: asked for when it is needed, and again when the user has moved on.

import { Emitter } from '../core/emitter.js';
import { t } from '../core/i18n.js';
import { RequestError } from '../net/request.js';
import { fetchBoards, fetchProviders, fetchShapes, fetchStops, fetchStreets, fetchVehicles, followBoards } from './api.js';
import { ServerClock } from './clock.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./api.js').Position} Position
 * @typedef {{ stop: Stop, answer: Answer, since: number }} Board `since`: when it came, ms of the page
 */

/** Metres the user goes before stops are asked for again; lines reach farther. */
const STOPS_STEP = 60;
const LINES_STEP = 500;
const LINES_RADIUS = 2000;
const STREETS_RADIUS = 1500;
const VEHICLES_RADIUS = 2500;
const VEHICLES_MS = 5000;
const STOPS = 40;
/** Milliseconds to wait after an answer before asking again on account of the user's walking. */
const PAUSE_MS = 4000;

/**
 * @extends {Emitter<{ stops: Stop[], lines: void, streets: void, vehicles: void, board: void, state: void, providers: void }>}
 */
export class TransitData extends Emitter {
  clock = new ServerClock();
  /** @type {Stop[]} */
  stops = [];
  /** @type {import('./types').ShapeLine[]} */
  lines = [];
  /**
   * Streets as latitudes and longitudes by turns; where there are pictures of a map they are not asked for.
   * @type {number[][]}
   */
  streets = [];
  /** Whether streets are drawn. */
  wantsStreets = false;
  /** @type {(position: Position) => boolean} */
  #needsStreets = () => true;
  /** @type {import('./types').Vehicle[]} */
  vehicles = [];
  /** @type {Map<string, import('./types').Alert>} */
  alerts = new Map();
  /** @type {import('./types').Attribution[]} */
  attributions = [];
  /** @type {import('./types').Providers | null} */
  providers = null;
  /** @type {'idle' | 'loading' | 'ready' | 'failed'} */
  state = 'idle';
  /** What went wrong, in the user's language. */
  failure = '';
  isPartial = false;
  /** @type {Board | null} */
  board = null;
  /**
   * Whether the open board is kept up to date by itself.
   * @type {'off' | 'live' | 'lost'}
   */
  stream = 'off';
  /** @type {Position | null} */
  position = null;
  /**
   * How far the answer to the last question is valid.
   * @type {Position | null}
   */
  #asked = null;
  #askedAt = -Infinity;
  /** @type {Position | null} */
  #linesAsked = null;
  /** @type {Position | null} */
  #streetsAsked = null;
  #life = new AbortController();
  /** @type {AbortController | null} */
  #running = null;
  #endBoard = () => {};
  /** Whether vehicles are wanted: not behind the list. */
  wantsVehicles = true;

  /** @param {(from: Position, to: Position) => number} distance metres */
  constructor(distance) {
    super();
    this.distance = distance;
    const timer = setInterval(() => void this.#askVehicles(), VEHICLES_MS);
    this.#life.signal.addEventListener('abort', () => clearInterval(timer));
    fetchProviders().then((answer) => {
      this.providers = answer;
      this.clock.set(answer.now);
      this.emit('providers', undefined);
      if (this.position) void this.#askStreets(this.position);
    }).catch(() => undefined);
  }

  /**
   * Where the user is now; called often.
   * @param {Position} position
   */
  moveTo(position) {
    this.position = position;
    if (this.#running || performance.now() - this.#askedAt < PAUSE_MS) return;
    if (!this.#asked || this.distance(this.#asked, position) > STOPS_STEP) void this.refresh();
  }

  /**
   * Asks for everything again.
   * @returns {Promise<boolean>} whether it came
   */
  async refresh() {
    const { position } = this;
    if (!position) return false;
    this.#running?.abort();
    const running = this.#running = new AbortController();
    this.#asked = position;
    this.#set('loading');
    void this.#askLines(position);
    void this.#askStreets(position);
    void this.#askVehicles();
    if (this.board) void this.#askBoard(this.board.stop);
    try {
      const answer = await fetchStops(position, { limit: STOPS }, running.signal);
      if (running.signal.aborted) return false;
      this.take(answer);
      this.isPartial = answer.partial;
      this.stops = answer.stops;
      this.#set('ready');
      this.emit('stops', this.stops);
      return true;
    } catch (error) {
      if (running.signal.aborted) return false;
      this.failure = reasonOf(error);
      this.#set('failed');
      return false;
    } finally {
      this.#askedAt = performance.now();
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * What every answer brings beside what was asked for.
   * @param {Answer} answer
   */
  take(answer) {
    this.clock.set(answer.now);
    for (const alert of answer.alerts ?? []) this.alerts.set(alert.id, alert);
    for (const one of answer.attributions ?? []) {
      if (!this.attributions.some((other) => other.text === one.text)) this.attributions.push(one);
    }
  }

  /** @param {Position} position */
  async #askLines(position) {
    if (this.#linesAsked && this.distance(this.#linesAsked, position) < LINES_STEP) return;
    this.#linesAsked = position;
    try {
      const answer = await fetchShapes(position, LINES_RADIUS, this.#life.signal);
      this.lines = answer.lines ?? [];
      this.emit('lines', undefined);
    } catch {
      // Pins stand on a plain ground until the next time.
      this.#linesAsked = null;
    }
  }

  /**
   * Says that streets are to be drawn, since no pictures of a map are.
   * @param {(position: Position) => boolean} [isNeeded] whether that is so around a position
   */
  useStreets(isNeeded = () => true) {
    this.wantsStreets = true;
    this.#needsStreets = isNeeded;
    if (this.position) void this.#askStreets(this.position);
  }

  /** Whom to credit for the streets that are drawn. */
  get streetsCredit() {
    return (this.streets.length && this.providers?.streets?.text) || '';
  }

  /** @param {Position} position */
  async #askStreets(position) {
    if (!this.wantsStreets || !this.providers?.streets || !this.#needsStreets(position)) return;
    if (this.#streetsAsked && this.distance(this.#streetsAsked, position) < LINES_STEP) return;
    this.#streetsAsked = position;
    try {
      this.streets = (await fetchStreets(position, STREETS_RADIUS, this.#life.signal)).paths;
      this.emit('streets', undefined);
    } catch {
      this.#streetsAsked = null;
    }
  }

  async #askVehicles() {
    const { position } = this;
    if (!position || !this.wantsVehicles || document.hidden) return;
    if (this.providers && !this.providers.providers.some(({ vehicles }) => vehicles)) return;
    try {
      const answer = await fetchVehicles(position, VEHICLES_RADIUS, this.#life.signal);
      this.vehicles = answer.vehicles ?? [];
      this.emit('vehicles', undefined);
    } catch {
      // They fade out of date by themselves; the next answer comes in a few seconds.
    }
  }

  /**
   * Opens the board of a stop and keeps it up to date.
   * @param {Stop} stop
   */
  openBoard(stop) {
    if (this.board?.stop.id === stop.id && this.stream !== 'off') return;
    this.closeBoard();
    this.board = { stop, answer: { now: '', partial: false, attributions: [], alerts: [], stops: [] }, since: 0 };
    const showFor = stop.id;
    this.#endBoard = followBoards([stop.id], {
      board: (answer) => this.board?.stop.id === showFor && this.#takeBoard(answer),
      state: (state) => {
        if (this.board?.stop.id !== showFor || this.stream === state) return;
        this.stream = state;
        this.emit('board', undefined);
      },
    });
    void this.#askBoard(stop);
  }

  /** @param {Stop} stop */
  async #askBoard(stop) {
    try {
      const answer = await fetchBoards([stop.id], this.#life.signal);
      if (this.board?.stop.id === stop.id) this.#takeBoard(answer);
    } catch (error) {
      if (this.#life.signal.aborted || this.board?.stop.id !== stop.id || this.board.answer.now) return;
      this.failure = reasonOf(error);
      this.emit('board', undefined);
    }
  }

  /** @param {Answer} answer */
  #takeBoard(answer) {
    if (!this.board) return;
    this.take(answer);
    this.board.answer = answer;
    this.board.since = performance.now();
    this.failure = '';
    this.emit('board', undefined);
  }

  closeBoard() {
    this.#endBoard();
    this.#endBoard = () => {};
    this.stream = 'off';
    this.board = null;
  }

  /** @param {TransitData['state']} state */
  #set(state) {
    this.state = state;
    this.emit('state', undefined);
  }

  close() {
    this.closeBoard();
    this.#running?.abort();
    this.#life.abort();
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof RequestError)) return t('fail.malformed');
  const { reason, detail } = error;
  if (reason.kind === 'status') return detail ?? t('fail.status', { status: reason.status });
  return t(`fail.${reason.kind}`);
}
