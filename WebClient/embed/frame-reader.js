// What the engine says of the newest frame, put into the page's anchors, and which of them came and went.

import { pictureNumber } from '../app/vision/picture-numbers.js';
import { cover, coveringProjection } from './display-matrix.js';

/**
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./anchor.js').AnchorState} AnchorState
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 * @typedef {{ time: number, width: number, height: number, image: CanvasImageSource | null, picture: { width: number, height: number } | null,
 *   projection: Float32Array | null, clipFromWorld: Float32Array | null,
 *   direction: { heading: number, pitch: number, roll: number } | null, reticle: import('./surfaces.js').Reticle | null,
 *   anchors: Anchor[] }} TrackerFrame `time` in seconds; `width`, `height` of
 *   the view; `image`: the picture that anchors were found in, valid during the event; `projection`: from the camera's frame (x right, y
 *   down, z forward, metres) to clip space of the view; `clipFromWorld`: the same from east, north, up at the user; degrees
 * @typedef {{ frame: TrackerFrame, found: Anchor[], lost: Anchor[] }} Reading
 * @typedef {{ x: number, y: number, distance: number, opacity: number, cameraFromPlace: Float32Array | null }} SeenPlace CSS pixels, metres
 * @typedef {{ places: Map<number, SeenPlace>, projection: Float32Array | null, clipFromWorld: Float32Array,
 *   direction: { heading: number, pitch: number, roll: number } }} SeenPlaces by their features; degrees
 * @typedef {import('./places-session.js').PlacesSession | import('./geo-session.js').GeoSession} TrackerSession
 */

export class FrameReader {
  #session;
  #options;
  /** @type {Float32Array | null} */
  #projection = null;
  /** @type {TrackerFrame['direction']} */
  #direction = null;
  /** @type {Float32Array | null} */
  #clipFromWorld = null;
  /**
   * Texts of the codes in sight, by their hashes.
   * @type {Map<string, string>}
   */
  #texts = new Map();
  /** @type {TrackerFrame['reticle']} */
  #reticle = null;

  /**
   * @param {TrackerSession} session
   * @param {import('./options.js').CheckedOptions} options
   */
  constructor(session, options) {
    this.#session = session;
    this.#options = options;
  }

  get #engine() {
    if ('engine' in this.#session) return this.#session.engine;
    throw new TypeError('a session for places alone sees no prints');
  }

  /** @param {string} key */
  pictureNumber(key) {
    return pictureNumber(key);
  }

  /**
   * By which a picture is known on this page: the same print in the same size is one.
   * @param {Anchor} anchor
   */
  pictureKey({ id, kind, description: { src, width } }) {
    return kind === 'picture' ? `${src ?? `target ${id}`} ${width}` : '';
  }

  /**
   * Places in a frame for now.
   * @param {number} now seconds
   * @param {Anchor[]} features
   * @returns {Reading}
   */
  readPlaces(now, features) {
    const seen = this.#session.seenPlaces(now);
    this.#projection = seen?.projection ?? this.#projection;
    this.#clipFromWorld = seen?.clipFromWorld ?? null;
    this.#direction = seen?.direction ?? null;
    return this.#reading(features, null, now, (anchor, feature) => {
      if (anchor.kind !== 'place') return;
      const item = seen?.places.get(feature);
      if (!item || item.opacity === 0) return anchor.hide(anchor.state === 'waiting' ? 'waiting' : 'lost');
      anchor.screen = { x: item.x, y: item.y };
      anchor.distance = item.distance;
      anchor.opacity = item.opacity;
      anchor.cameraFromAnchor = item.cameraFromPlace;
      anchor.state = anchor.state === 'found' || anchor.state === 'tracked' ? 'tracked' : 'found';
    });
  }

  /**
   * Prints and codes in a picture.
   * @param {Sight} sight
   * @param {Anchor[]} features
   * @param {Anchor[]} all
   * @returns {Reading}
   */
  readAnchors(sight, features, all) {
    const frame = this.#engine.anchors();
    const view = this.#options.size();
    this.#projection = coveringProjection(frame.clipFromCamera, view, sight);
    const items = new Map(frame.items.map((item) => [item.feature, item]));
    const anchors = new Map(frame.anchors.map((anchor) => [anchor.anchor, anchor]));
    const codes = this.#codes(sight, view);
    return this.#reading(all, sight, sight.time, (anchor) => {
      if (anchor.kind === 'place' || anchor.kind === 'surface') return;
      if (anchor.kind === 'code') return this.#readCode(anchor, codes);
      const item = items.get(features.indexOf(anchor));
      const known = item && anchors.get(item.anchor);
      if (!item || !known || item.opacity === 0) return anchor.hide(anchor.state === 'waiting' ? 'waiting' : 'lost');
      anchor.state = known.state;
      anchor.opacity = item.opacity;
      anchor.corners = known.corners;
      anchor.screen = { x: item.x, y: item.y };
      anchor.cameraFromAnchor = item.cameraFromFeature;
    });
  }

  /**
   * What was set down, in a picture of world tracking.
   * @param {import('./shared-odometry.js').TrackedSight} sight
   * @param {Anchor[]} features
   * @param {Anchor[]} all
   * @param {import('./surfaces.js').Surfaces} surfaces
   * @returns {Reading}
   */
  readSurfaces(sight, features, all, surfaces) {
    const frame = this.#engine.anchors();
    this.#projection = coveringProjection(frame.clipFromCamera, this.#options.size(), sight);
    const read = surfaces.read(sight, frame, features.length, this.#projection);
    this.#reticle = surfaces.reticle;
    return this.#reading(all, sight, sight.time, read);
  }

  /**
   * @param {Sight} sight
   * @param {{ width: number, height: number }} view
   */
  #codes({ codes, observations, width, height }, view) {
    const seen = observations.filter(({ kind, state }) => kind === 'code' && state !== 'lost');
    codes?.forEach(({ text }, k) => seen[k] && this.#texts.set(seen[k].hash, text));
    const { scale, left, top } = cover(view, { width, height });
    return seen.flatMap(({ hash, corners, state }) => {
      const text = this.#texts.get(hash);
      if (text === undefined) return [];
      // The centre of the first pixel is (0, 0).
      const onView = corners.map(([x, y]) => /** @type {[number, number]} */ ([(x + 0.5) * scale - left, (y + 0.5) * scale - top]));
      return [{ text, state, corners: onView }];
    });
  }

  /**
   * @param {Anchor} anchor
   * @param {{ text: string, state: AnchorState, corners: [number, number][] }[]} codes
   */
  #readCode(anchor, codes) {
    const wanted = anchor.description.text;
    const code = codes.find(({ text }) => wanted === undefined || text === wanted);
    if (!code) return anchor.hide(anchor.state === 'waiting' ? 'waiting' : 'lost');
    const middle = (/** @type {0 | 1} */ axis) => code.corners.reduce((sum, corner) => sum + corner[axis], 0) / 4;
    Object.assign(anchor, { state: code.state, opacity: 1, text: code.text, corners: code.corners, screen: { x: middle(0), y: middle(1) } });
  }

  /**
   * @param {Anchor[]} anchors
   * @param {Pick<Sight, 'width' | 'height'> & { image: CanvasImageSource | null } | null} sight
   * @param {number} time seconds
   * @param {(anchor: Anchor, index: number) => void} read
   * @returns {Reading}
   */
  #reading(anchors, sight, time, read) {
    const [found, lost] = [/** @type {Anchor[]} */ ([]), /** @type {Anchor[]} */ ([])];
    anchors.forEach((anchor, index) => {
      const wasVisible = anchor.isVisible;
      read(anchor, index);
      if (anchor.isVisible && !wasVisible) found.push(anchor);
      if (!anchor.isVisible && wasVisible) lost.push(anchor);
    });
    return {
      found, lost,
      frame: {
        time, ...this.#options.size(), image: sight?.image ?? null, picture: sight ? { width: sight.width, height: sight.height } : null,
        projection: this.#projection, clipFromWorld: this.#clipFromWorld, direction: this.#direction, reticle: this.#reticle, anchors,
      },
    };
  }
}
