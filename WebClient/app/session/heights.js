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
/** Milliseconds between two questions about it. */
const PAUSE_MS = 3000;

export class Heights {
  #isAsked = false;
  /** @type {Point | null} */
  #here = null;
  /**
   * Where the ground was asked for last.
   * @type {Point | null}
   */
  #told = null;
  #next = 0;
  /**
   * The content whose places were asked about.
   * @type {Content | null}
   */
  #known = null;
  /** Corners of its lines and areas that were asked about. */
  #corners = new Set();

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
      this.#known = null;
      this.#corners.clear();
    });
    if (last) this.#takeEvent(last);
    if (session.content) this.#takeContent(session.content);
  }

  /** Where the user is, as far as is known. */
  get here() {
    return this.#here ?? undefined;
  }

  /** @param {Content} content */
  #takeContent(content) {
    if (content.places.some(isOverEllipsoid)) this.#needGeoid();
    void this.#askPlaces();
  }

  /** @param {import('../../engine/types').EngineEvent} event */
  #takeEvent(event) {
    if (event.type !== 'fix') return;
    if (event.altitudeDatum === 'ellipsoid' && event.altitude != null) this.#needGeoid();
    this.#here = { latitude: event.latitude, longitude: event.longitude };
    void this.#askHere();
    void this.#askPlaces();
  }

  #needGeoid() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    geoid().then(
      (bytes) => this.session.closed.aborted || this.session.tell({ type: 'geoid', bytes }),
      (error) => {
        // What has a height over the sea stands at eye level without it; the next position asks again.
        console.warn(error);
        this.#isAsked = false;
      },
    );
  }

  /** Once for each content, as soon as it is known where the user is: of many places those around him. */
  async #askPlaces() {
    const { session } = this;
    const { content } = session;
    const here = this.#here;
    if (!content || content === this.#known || !here) return;
    this.#known = content;
    this.#corners.clear();
    void this.#askCorners();
    /** @type {{ index: number, position: Point, distance: number }[]} */
    const wanted = [];
    content.places.forEach((place, index) => {
      const { position } = place;
      if (position && isOverGround(place)) {
        const distance = session.engine.distance(here.latitude, here.longitude, position.latitude, position.longitude);
        wanted.push({ index, position, distance });
      }
    });
    if (!wanted.length) return;
    wanted.sort((a, b) => a.distance - b.distance);
    const asked = wanted.slice(0, MOST);
    const heights = await this.#ask(asked.map(({ position }) => position));
    // Another world may have come meanwhile.
    if (session.closed.aborted || session.content !== content) return;
    heights.forEach((height, k) => {
      if (height !== null) session.tell({ type: 'featureGround', feature: asked[k].index, height });
    });
  }

  /** Of lines and areas: the nearest first, and others as the user walks. */
  async #askCorners() {
    const { session } = this;
    const { content } = session;
    const here = this.#here;
    if (!content?.hasShapes || !here || content !== this.#known) return;
    // Most worlds have neither.
    const { cornersAround } = await import('./corners.js');
    if (session.closed.aborted || session.content !== content) return;
    const { engine } = session;
    const asked = cornersAround(content.places, here, this.#corners, MOST, (...points) => engine.distance(...points));
    if (!asked.length) return;
    for (const { corner } of asked) this.#corners.add(corner);
    const heights = await this.#ask(asked.map(({ position }) => position));
    if (session.closed.aborted || session.content !== content) return;
    heights.forEach((height, k) => {
      if (height !== null) session.tell({ type: 'cornerGround', corner: asked[k].corner, height });
    });
  }

  async #askHere() {
    const { session } = this;
    const here = this.#here;
    const now = performance.now();
    if (!here || now < this.#next) return;
    const told = this.#told;
    if (told && session.engine.distance(told.latitude, told.longitude, here.latitude, here.longitude) < STRIDE) return;
    this.#next = now + PAUSE_MS;
    this.#told = here;
    void this.#askCorners();
    const [altitude] = await this.#ask([here]);
    if (altitude !== undefined && !session.closed.aborted) session.tell({ type: 'ground', ...here, altitude });
  }

  /**
   * @param {Point[]} places
   * @returns {Promise<(number | null)[]>} metres over the sea; nothing when the server has no terrain or does not answer
   */
  async #ask(places) {
    if (!(await fetchSettings()).hasTerrain) return [];
    try {
      const body = JSON.stringify({ places: places.map(({ latitude, longitude }) => ({ latitude, longitude })) });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return (await getJSON('/api/v1/ground', init)).heights;
    } catch (error) {
      console.warn(error);
      return [];
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
