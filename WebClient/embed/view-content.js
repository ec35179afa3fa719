// What stands in a view: the elements in it, the anchors that a tracker gave them, and where they are drawn.

import { AnchorElement, MarkerElement, PlaceElement } from './anchor-elements.js';
import { anchorTransform } from './display-matrix.js';
import { SurfaceElement } from './surface-element.js';

/**
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./tracker.js').Tracker} Tracker
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 * @typedef {'geo' | 'markers' | 'pictures' | 'surfaces'} AnchorPart what a tracker has to look for
 * @typedef {{ size: () => { width: number, height: number }, extend: (part: AnchorPart) => void }} View `size` in CSS pixels;
 *   `extend`: an element has come that the tracker does not look for yet
 */

export class ViewContent {
  #host;
  #view;
  /** @type {Tracker | null} */
  #tracker = null;
  /** @type {Set<AnchorElement>} */
  #children = new Set();
  /** @type {Map<Anchor, AnchorElement>} */
  #elements = new Map();
  /** @type {import('./placing.js').Placing | null} while there is something to be set down */
  #placing = null;
  /** @type {Record<string, string>} */
  #texts = {};

  /**
   * @param {HTMLElement} host the view
   * @param {View} view
   */
  constructor(host, view) {
    this.#host = host;
    this.#view = view;
  }

  /**
   * What has to be looked for.
   * @returns {Set<AnchorPart>}
   */
  get parts() {
    return new Set([...this.#children].map(partOf));
  }

  // Elements

  /** @param {AnchorElement} child */
  enter(child) {
    this.#children.add(child);
    this.#add(child);
  }

  /** @param {AnchorElement} child */
  leave(child) {
    this.#children.delete(child);
    this.#drop(child);
  }

  /** @param {AnchorElement} child */
  change(child) {
    this.#drop(child);
    this.#add(child);
  }

  /**
   * @param {Anchor | null | undefined} anchor
   * @returns {AnchorElement | null} what it was made for
   */
  elementOf(anchor) {
    return (anchor && this.#elements.get(anchor)) ?? null;
  }

  /** @param {AnchorElement} child */
  #drop(child) {
    const { anchor } = child;
    if (!anchor) return;
    anchor.remove();
    this.#elements.delete(anchor);
    child.anchor = null;
    child.place(null);
  }

  /** @param {AnchorElement} child */
  #add(child) {
    const tracker = this.#tracker;
    if (!tracker || child.anchor) return;
    const part = partOf(child);
    if (!tracker.has(part)) return this.#view.extend(part);
    if (child instanceof SurfaceElement) return this.#placing?.enter(child);
    try {
      child.anchor = tracker.add(child.describe());
      this.#elements.set(child.anchor, child);
    } catch (error) {
      child.complain(`<${child.localName}>: ${error instanceof Error ? error.message : error}`);
    }
  }

  // A tracker

  /**
   * Gives every element that the tracker looks for its anchor.
   * @param {Tracker} tracker
   * @param {typeof import('./placing.js') | null} placing once there are surfaces
   */
  attach(tracker, placing) {
    this.#tracker = tracker;
    if (placing && !this.#placing) {
      this.#placing = new placing.Placing(this.#host, tracker, {
        size: this.#view.size, has: (child) => this.#children.has(child),
        set: (child, anchor) => this.#elements.set(child.anchor = anchor, child), drop: (child) => this.#drop(child),
      });
      this.#placing.say(this.#texts);
    }
    for (const child of this.#children) if (tracker.has(partOf(child))) this.#add(child);
  }

  detach() {
    this.#tracker = null;
    this.#placing?.close();
    this.#placing = null;
    this.#elements.clear();
    for (const child of this.#children) {
      child.anchor = null;
      child.place(null);
    }
  }

  // Drawing and taps

  /** @param {Record<string, string>} texts */
  say(texts) {
    this.#texts = texts;
    this.#placing?.say(texts);
  }

  /**
   * @param {TrackerFrame} frame
   * @returns {boolean} whether something found in the frame's picture is near: then that picture has to be the one behind it
   */
  draw(frame) {
    this.#placing?.draw(frame);
    for (const anchor of frame.anchors) {
      const child = this.#elements.get(anchor);
      if (child) child.place(anchor.isVisible ? this.#transform(frame, anchor, child) : null, anchor.opacity);
    }
    return this.#placing?.isHolding || [...this.#elements.keys()].some(({ kind, isVisible }) => kind !== 'place' && isVisible);
  }

  /**
   * @param {TrackerFrame} frame
   * @param {Anchor} anchor
   * @param {AnchorElement} child
   */
  #transform(frame, anchor, child) {
    const size = { width: child.offsetWidth, height: child.offsetHeight };
    if (anchor.kind === 'surface') return this.#placing?.transform(frame, anchor, size) ?? null;
    return anchorTransform(frame, anchor, size);
  }

  /** @param {MouseEvent} event */
  select(event) {
    const child = event.composedPath().find((node) => node instanceof AnchorElement && this.#children.has(node));
    if (child instanceof SurfaceElement) this.#placing?.touch(child);
    // What a page has put over the view is not the view.
    if (event.target === this.#host) this.#placing?.tap(event, this.#host.getBoundingClientRect());
    if (!(child instanceof AnchorElement) || !child.anchor) return;
    child.dispatchEvent(new CustomEvent('select', { detail: { anchor: child.anchor }, bubbles: true, composed: true }));
  }
}

/**
 * @param {AnchorElement} child
 * @returns {AnchorPart}
 */
function partOf(child) {
  if (child instanceof PlaceElement) return 'geo';
  if (child instanceof SurfaceElement) return 'surfaces';
  return child instanceof MarkerElement ? 'markers' : 'pictures';
}
