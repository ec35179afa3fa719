// Heights that agree: fetches the geoid where heights over the sea and over the ellipsoid meet, and asks the server, where it has
// terrain, how high the ground is where the user and the world's places stand, and below lines and areas.
//
// What a browser's `altitude` is measured from: WebClient/README.md.

import { altitudeDatum } from '../device/location.js';
import { getJSON } from '../net/request.js';
import { fetchSettings } from '../net/settings.js';
import { geoid } from './geoid.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./content.js').Content} Content
 * @typedef {import('../types').Place} Place
 * @typedef {{ latitude: number, longitude: number }} Point
 */

/** Most places that the server is asked about at a time. */
const MOST = 500;
/** Metres after which the ground below the user is asked for anew: the engine believes it to 100. */
const STRIDE = 40;
/** Milliseconds between two questions about the same; twice as many each time that nobody answers, up to the longest. */
const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60_000;
/** Milliseconds after which the geoid's file is fetched again when it could not be. */
const GEOID_PAUSE_MS = 10_000;

/** A question that is asked again as the user walks on, and after a while when nobody answered. */
class Question {
  #isOpen = false;
  #pause = PAUSE_MS;
  #next = 0;
  /**
   * Where it was answered last.
   * @type {Point | null}
   */
  #answered = null;

  /**
   * @param {Point} here
   * @param {(one: Point, other: Point) => number} measure metres between two points
   */
  isDue(here, measure) {
    if (this.#isOpen || performance.now() < this.#next) return false;
    return !this.#answered || measure(this.#answered, here) >= STRIDE;
  }

  /**
   * @param {Point} here
   * @param {() => Promise<boolean>} ask answers whether somebody answered
   */
  async ask(here, ask) {
    this.#isOpen = true;
    const isAnswered = await ask().catch((error) => console.warn(error));
    this.#isOpen = false;
    if (isAnswered) this.#answered = here;
    this.#next = performance.now() + this.#pause;
    this.#pause = isAnswered ? PAUSE_MS : Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }
}

export class Heights {
  #wantsGeoid = false;
  #isAsked = false;
  #nextGeoid = 0;
  /** @type {Point | null} */
  #here = null;
  /** How high the ground is below the user. */
  #below = new Question();
  /**
   * The content whose places and corners are asked about.
   * @type {Content | null}
   */
  #known = null;
  /**
   * Places of it that were answered, and the question about the others.
   * @type {Set<number>}
   */
  #places = new Set();
  #ofPlaces = new Question();
  /**
   * The same of the corners of its lines and areas.
   * @type {Set<number>}
   */
  #corners = new Set();
  #ofCorners = new Question();

  /**
   * @param {Session} session
   * @param {import('../../engine/types').EngineEvent} [last] the last position, if there was one
   */
  constructor(session, last) {
    this.session = session;
    // Best before the first position: nothing has to move then.
    if (altitudeDatum() === 'ellipsoid') this.#needGeoid();
    session.on('world', (content) => this.#takeContent(content));
    session.on('told', (event) => this.#takeEvent(event));
    session.on('restarted', () => {
      this.#forget();
      this.#below = new Question();
    });
    if (last) this.#takeEvent(last);
    if (session.content) this.#takeContent(session.content);
  }

  /** Where the user is, as far as is known. */
  get here() {
    return this.#here ?? undefined;
  }

  /** The engine knows nothing of the ground below the world: it has another, or is another. */
  #forget() {
    this.#known = null;
    this.#places.clear();
    this.#corners.clear();
    // What is still being answered is of the world before.
    this.#ofPlaces = new Question();
    this.#ofCorners = new Question();
  }

  /** @param {Content} content */
  #takeContent(content) {
    if (content.places.some(isOverEllipsoid)) this.#needGeoid();
    this.#askWorld();
  }

  /** @param {import('../../engine/types').EngineEvent} event */
  #takeEvent(event) {
    if (event.type !== 'fix') return;
    // Where the fetch failed it is asked for again; on iOS nothing else would.
    if (this.#wantsGeoid || (event.altitudeDatum === 'ellipsoid' && event.altitude != null)) this.#needGeoid();
    this.#here = { latitude: event.latitude, longitude: event.longitude };
    void this.#askBelow();
    this.#askWorld();
  }

  #needGeoid() {
    if (this.#isAsked || performance.now() < this.#nextGeoid) {
      this.#wantsGeoid ||= !this.#isAsked;
      return;
    }
    this.#isAsked = true;
    geoid().then(
      (bytes) => {
        this.#wantsGeoid = false;
        if (!this.session.closed.aborted) this.session.tell({ type: 'geoid', bytes });
      },
      (error) => {
        // What has a height over the sea stands at eye level without it; a later position asks again.
        console.warn(error);
        this.#wantsGeoid = true;
        this.#nextGeoid = performance.now() + GEOID_PAUSE_MS;
        this.#isAsked = false;
      },
    );
  }

  #askWorld() {
    const { content } = this.session;
    if (content !== this.#known) {
      this.#forget();
      this.#known = content;
    }
    void this.#askPlaces();
    void this.#askCorners();
  }

  /** The nearest that were not answered yet, as soon as it is known where the user is; others as he walks. */
  async #askPlaces() {
    const { session } = this;
    const { content } = session;
    const here = this.#here;
    const question = this.#ofPlaces;
    if (!content || !here || !question.isDue(here, this.#measure)) return;
    await question.ask(here, async () => {
      const hasTerrain = await this.#hasTerrain();
      // Another world may have come meanwhile.
      if (!hasTerrain || session.closed.aborted || question !== this.#ofPlaces) return hasTerrain === false;
      /** @type {{ index: number, position: Point, distance: number }[]} */
      const wanted = [];
      content.places.forEach((place, index) => {
        const { position } = place;
        if (position && isOverGround(place) && !this.#places.has(index)) wanted.push({ index, position, distance: this.#measure(here, position) });
      });
      if (!wanted.length) return true;
      wanted.sort((a, b) => a.distance - b.distance);
      const asked = wanted.slice(0, MOST);
      const heights = await this.#ask(asked.map(({ position }) => position));
      if (!heights || session.closed.aborted || question !== this.#ofPlaces) return false;
      asked.forEach(({ index }, k) => {
        this.#places.add(index);
        if (heights[k] !== null) session.tell({ type: 'featureGround', feature: index, height: heights[k] });
      });
      return true;
    });
  }

  /** Of lines and areas: the nearest first, and others as the user walks. */
  async #askCorners() {
    const { session } = this;
    const { content } = session;
    const here = this.#here;
    const question = this.#ofCorners;
    if (!content?.hasShapes || !here || !question.isDue(here, this.#measure)) return;
    await question.ask(here, async () => {
      const hasTerrain = await this.#hasTerrain();
      if (!hasTerrain) return hasTerrain === false;
      // Most worlds have neither.
      const { cornersAround } = await import('./corners.js');
      if (session.closed.aborted || question !== this.#ofCorners) return false;
      const { engine } = session;
      const asked = cornersAround(content.places, here, this.#corners, MOST, (...points) => engine.distance(...points));
      if (!asked.length) return true;
      const heights = await this.#ask(asked.map(({ position }) => position));
      if (!heights || session.closed.aborted || question !== this.#ofCorners) return false;
      asked.forEach(({ corner }, k) => {
        this.#corners.add(corner);
        if (heights[k] !== null) session.tell({ type: 'cornerGround', corner, height: heights[k] });
      });
      return true;
    });
  }

  async #askBelow() {
    const { session } = this;
    const here = this.#here;
    if (!here || !this.#below.isDue(here, this.#measure)) return;
    await this.#below.ask(here, async () => {
      const hasTerrain = await this.#hasTerrain();
      if (!hasTerrain) return hasTerrain === false;
      const heights = await this.#ask([here]);
      if (!heights || session.closed.aborted) return false;
      session.tell({ type: 'ground', ...here, altitude: heights[0] });
      return true;
    });
  }

  #measure = (/** @type {Point} */ one, /** @type {Point} */ other) => this.session.engine.distance(one.latitude, one.longitude, other.latitude, other.longitude);

  /** Whether the server has terrain; nothing while it does not answer. */
  async #hasTerrain() {
    return (await fetchSettings()).hasTerrain;
  }

  /**
   * @param {Point[]} places
   * @returns {Promise<(number | null)[] | null>} metres over the sea; nothing when the server does not answer
   */
  async #ask(places) {
    try {
      const body = JSON.stringify({ places: places.map(({ latitude, longitude }) => ({ latitude, longitude })) });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const { heights } = await getJSON('/api/v1/ground', init);
      return heights.length === places.length ? heights : null;
    } catch (error) {
      console.warn(error);
      return null;
    }
  }
}

/** @param {Place} place */
function isOverEllipsoid({ altitudeMode, position }) {
  return altitudeMode === 'ellipsoid' && position?.altitude !== undefined;
}

/**
 * What its document measures from the ground, or gives no height.
 * @param {Place} place
 */
function isOverGround({ altitudeMode, position }) {
  return altitudeMode === 'ground' || position?.altitude === undefined;
}
