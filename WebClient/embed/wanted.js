// All that a tracker looks for, and how its session and the camera are told of it.

import { Anchor } from './anchor.js';
import { contentOf, needsGeoid } from './anchors.js';

/**
 * @typedef {import('./anchors.js').AnchorKind} AnchorKind
 * @typedef {import('./frame-reader.js').FrameReader} FrameReader
 * @typedef {import('./frame-reader.js').TrackerSession} TrackerSession
 * @typedef {import('./surfaces.js').Surfaces} Surfaces
 */

export class Wanted {
  /**
   * Anchors in the order of their features.
   * @type {Anchor[]}
   */
  features = [];
  /** @type {Map<number, Anchor>} */
  #anchors = new Map();
  #nextID = 0;
  #isStale = false;
  #tell;

  /** @param {() => void} tell called once for all changes of one task */
  constructor(tell) {
    this.#tell = tell;
  }

  get all() {
    return [...this.#anchors.values()];
  }

  /** @param {AnchorKind} kind */
  of(kind) {
    return this.all.filter((anchor) => anchor.kind === kind);
  }

  /** @param {Anchor} anchor */
  has(anchor) {
    return this.#anchors.get(anchor.id) === anchor;
  }

  /**
   * @param {{ kind: AnchorKind } & Record<string, any>} checked
   * @param {(anchor: Anchor) => void} remove called when it is to be removed
   */
  add(checked, remove) {
    const anchor = new Anchor(this.#nextID++, checked, remove);
    this.#anchors.set(anchor.id, anchor);
    this.change();
    return anchor;
  }

  /**
   * @param {Anchor} anchor
   * @returns {boolean} whether it was there
   */
  delete(anchor) {
    if (!this.#anchors.delete(anchor.id)) return false;
    this.change();
    return true;
  }

  change() {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => this.#isStale && this.flush());
  }

  /** All is told, whether or not something has changed. */
  flush() {
    this.#isStale = false;
    this.#tell();
  }

  /**
   * @param {TrackerSession} session
   * @param {FrameReader} reader
   * @param {Surfaces | null} surfaces
   */
  show(session, reader, surfaces) {
    const contents = this.all.flatMap((anchor) => contentOf(anchor.id, anchor.description, reader.pictureKey(anchor)) ?? []);
    contents.push(...surfaces?.contents() ?? []);
    this.features = this.all.filter(({ kind }) => kind !== 'code' && kind !== 'surface');
    session.show(contents);
    this.features.forEach((anchor, feature) => tellReach(session, feature, anchor));
  }

  /**
   * @param {FrameReader} reader
   * @returns {import('./shared-camera.js').Watch | null} what is looked for in pictures
   */
  watch(reader) {
    const markers = /** @type {any[]} */ (this.of('marker').map(({ description }) => description));
    const pictures = this.of('picture').map((anchor) => reader.pictureKey(anchor));
    const codes = this.of('code').length > 0;
    return markers.length || pictures.length || codes ? { markers, pictures, codes } : null;
  }

  /** Whether heights over the sea and over the ellipsoid have to agree. */
  get needsGeoid() {
    return this.all.some(({ description }) => needsGeoid(description));
  }

  /**
   * @param {TrackerSession | null} session
   * @param {Anchor} anchor a place
   * @param {number} metres around it
   */
  reach(session, anchor, metres) {
    if (anchor.kind !== 'place' || !(metres > anchor.reach)) return;
    anchor.reach = metres;
    const feature = this.features.indexOf(anchor);
    if (feature >= 0 && session) tellReach(session, feature, anchor);
  }
}

/**
 * Sessions that have a pose of every place need not know.
 * @param {TrackerSession} session
 * @param {number} feature
 * @param {Anchor} anchor
 */
function tellReach(session, feature, { kind, reach }) {
  if (kind === 'place' && 'reach' in session) session.reach(feature, reach);
}
