// <sightline-view>: the camera's picture with what stands on places, markers and pictures, for any page. Start button, questions and
// errors are built in and can be replaced by slots.

import { AnchorElement, MarkerElement, PictureElement, PlaceElement } from './anchor-elements.js';
import { anchorTransform } from './display-matrix.js';
import { ModelElement } from './model-element.js';
import { sheetOf } from './style-sheet.js';
import { SurfaceElement } from './surface-element.js';
import { textsFor } from './texts.js';
import { Tracker, createTracker } from './tracker.js';
import { engineFault } from './tracker-error.js';
import { ViewCover, make } from './view-cover.js';
import { ViewPicture } from './view-picture.js';
import { WorldLoader } from './world-loader.js';

/**
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 */

const STYLE = `
:host { display: block; position: relative; overflow: hidden; contain: content; min-height: 12rem;
  background: var(--sightline-background, #111); color: var(--sightline-color, #fff); }
:host([hidden]) { display: none; }
video, canvas { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
[hidden] { display: none !important; }
.anchors { position: absolute; inset: 0; overflow: hidden; }
.cover { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 0.75rem; padding: 1rem;
  text-align: center; background: var(--sightline-cover, rgb(0 0 0 / 0.45)); }
.cover p { margin: 0; max-width: 32rem; }
button { font: inherit; padding: 0.7em 1.4em; min-height: 44px; border: 0; border-radius: var(--sightline-radius, 0.6em); cursor: pointer;
  color: var(--sightline-button-color, #fff); background: var(--sightline-button, #0a66c2); }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/**
 * The camera's picture with what stands on places, markers, pictures and surfaces, and a world.
 * @fires statechange the tracker's state or that of a sensor is another: `detail` is its status
 * @fires frame a frame was drawn: `detail` has its matrices and anchors
 * @fires found something inside is in the picture: `detail.anchor`
 * @fires lost it no longer is: `detail.anchor`
 * @fires select something inside, or a place of the world, was tapped: `detail.anchor`, `detail.place`
 * @fires worldload a world has come: `detail` has its title, counts, and what is not shown
 * @fires error something is not there or does not work: `detail.code`, and `detail.message` with what to do
 */
export class ViewElement extends HTMLElement {
  static observedAttributes = ['world'];
  /**
   * What the page made itself.
   * @type {object | null}
   */
  #ownWorld = null;
  #worlds;
  /** @type {Set<AnchorElement>} */
  #children = new Set();
  /** @type {Map<Anchor, AnchorElement>} */
  #elements = new Map();
  /** @type {Tracker | null} */
  #tracker = null;
  /** @type {import('./placing.js').Placing | null} while there is something to be set down */
  #placing = null;
  /** @type {typeof import('./placing.js').surfaceTransform | null} */
  #surfaceTransform = null;
  /** Counts the starts, so that one that was overtaken ends nothing. */
  #turn = 0;
  /** Whether it ran when it was taken out of the page: it goes on when it comes back. */
  #wasRunning = false;
  #size = { width: 1, height: 1 };
  #observer = new ResizeObserver(() => this.#measure());
  #picture;
  #cover;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    this.#worlds = new WorldLoader(this, root);
    root.adoptedStyleSheets = [sheetOf(STYLE)];
    this.#picture = new ViewPicture(root);
    root.append(make('div', { class: 'anchors', part: 'anchors' }, make('slot', {})));
    this.#cover = new ViewCover(root, () => void this.start());
    this.addEventListener('click', (event) => this.#select(event));
  }

  connectedCallback() {
    this.#observer.observe(this);
    this.#measure();
    this.#cover.speak();
    void textsFor(this).then((texts) => this.#say(texts));
    if (this.#wasRunning) void this.start();
    else void this.#prepare();
  }

  attributeChangedCallback() {
    this.#ownWorld = null;
    this.#changeWorld();
  }

  /** Content of the page's own, in the form that a server gives, in place of the attribute's address; anew whenever it changed. */
  set world(/** @type {object | null} */ content) {
    this.#ownWorld = content;
    this.#changeWorld();
  }

  /**
   * The open world: its places, its labels, what is selected; `null` without one.
   * @returns {any}
   */
  get world() {
    return this.#worlds.world;
  }

  #changeWorld() {
    if (!this.isConnected) return;
    const tracker = this.#tracker;
    if (tracker && this.#wantsWorld && !tracker.has('geo')) void this.#extend('geo');
    else if (tracker) this.#showWorld();
    else void this.#prepare();
  }

  get #wantsWorld() {
    return this.#ownWorld !== null || this.hasAttribute('world');
  }

  #showWorld() {
    void this.#worlds.show(this.#tracker, this.#ownWorld ?? this.getAttribute('world'));
  }

  disconnectedCallback() {
    const wasRunning = this.#tracker !== null && this.#tracker.state !== 'idle';
    this.stop();
    this.#wasRunning = wasRunning;
    this.#observer.disconnect();
  }

  /** The tracker behind it, for drawing of one's own; `null` before there is something to be found. */
  get tracker() {
    return this.#tracker;
  }

  /** @returns {import('./tracker.js').TrackerState} */
  get state() {
    return this.#tracker?.state ?? 'idle';
  }

  /**
   * Asks for camera and sensors, and begins: call it inside a tap. The start button does.
   * @returns {Promise<void>}
   */
  async start() {
    const turn = ++this.#turn;
    // Trying again asks again for what was refused.
    if (this.#cover.fault !== null) this.#tracker?.stop();
    this.#cover.fault = null;
    this.#wasRunning = false;
    const tracker = this.#tracker ?? await this.#prepare();
    if (!tracker || turn !== this.#turn || !this.isConnected) return;
    await tracker.start();
    this.#show();
  }

  pause() {
    this.#tracker?.pause();
  }

  stop() {
    this.#turn += 1;
    this.#tracker?.stop();
    this.#tracker = null;
    this.#placing?.close();
    this.#placing = null;
    this.#showWorld();
    this.#elements.clear();
    for (const child of this.#children) {
      child.anchor = null;
      child.place(null);
    }
    this.#picture.stop();
    this.#show();
  }

  // What is in it

  /** @param {AnchorElement} child */
  enter(child) {
    this.#children.add(child);
    this.#observer.observe(child);
    if (this.#tracker) this.#add(child);
    else void this.#prepare();
  }

  /** @param {AnchorElement} child */
  leave(child) {
    this.#children.delete(child);
    this.#observer.unobserve(child);
    this.#drop(child);
  }

  /** @param {AnchorElement} child */
  change(child) {
    this.#drop(child);
    if (this.#tracker) this.#add(child);
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
    if (!tracker.has(part)) return void this.#extend(part);
    if (child instanceof SurfaceElement) return this.#placing?.enter(child);
    try {
      child.anchor = tracker.add(child.describe());
      this.#elements.set(child.anchor, child);
    } catch (error) {
      child.complain(`<${child.localName}>: ${error instanceof Error ? error.message : error}`);
    }
  }

  /**
   * Another kind of anchor has come: what was found and set down stays.
   * @param {import('./options.js').Part} part
   */
  async #extend(part) {
    const tracker = this.#tracker;
    try {
      const [placing] = await Promise.all([part === 'surfaces' ? import('./placing.js') : null, tracker?.extend({ [part]: true })]);
      if (!tracker || tracker !== this.#tracker) return;
      if (placing && !this.#placing) this.#beginPlacing(tracker, placing);
      for (const child of this.#children) if (partOf(child) === part) this.#add(child);
      if (part === 'geo') this.#showWorld();
    } catch (error) {
      if (tracker === this.#tracker) this.#failToLoad(error);
    }
  }

  /** @type {Promise<Tracker | null> | null} */
  #preparing = null;

  /** Modules and the engine's files come before the tap. */
  #prepare() {
    this.#preparing ??= this.#make().finally(() => (this.#preparing = null));
    return this.#preparing;
  }

  async #make() {
    // The parser may still be adding children.
    await new Promise((resolve) => setTimeout(resolve));
    if (!this.isConnected || this.#tracker || (this.#children.size === 0 && !this.#wantsWorld)) return this.#tracker;
    const parts = new Set([...this.#children].map(partOf));
    const base = this.getAttribute('base');
    try {
      const tracker = await createTracker({
        geo: parts.has('geo') || this.#wantsWorld, markers: parts.has('markers'), pictures: parts.has('pictures'),
        surfaces: parts.has('surfaces'), size: () => this.#size,
        ...(base === null ? {} : { base }),
      });
      const placing = parts.has('surfaces') ? await import('./placing.js') : null;
      if (!this.isConnected || this.#tracker) return this.#tracker;
      this.#tracker = tracker;
      if (placing) this.#beginPlacing(tracker, placing);
      this.#listen(tracker);
      for (const child of this.#children) this.#add(child);
      this.#changeWorld();
    } catch (error) {
      this.#failToLoad(error);
    }
    return this.#tracker;
  }

  /**
   * @param {Tracker} tracker
   * @param {typeof import('./placing.js')} module
   */
  #beginPlacing(tracker, { Placing, surfaceTransform }) {
    this.#surfaceTransform = surfaceTransform;
    this.#placing = new Placing({
      // In the order of the document, which is that of the taps.
      children: () => [...this.querySelectorAll('sightline-surface')].flatMap((child) => (child instanceof SurfaceElement && this.#children.has(child) ? child : [])),
      size: () => this.#size,
      set: (child, anchor) => this.#elements.set(child.anchor = anchor, child), drop: (child) => this.#drop(child),
    }, /** @type {ShadowRoot} */ (this.shadowRoot), tracker);
    this.#placing.say(this.#cover.texts);
  }

  /** @param {Tracker} tracker */
  #listen(tracker) {
    tracker.on('statechange', (status) => {
      if (tracker !== this.#tracker) return;
      this.#picture.use(tracker.video);
      // A sensor that came late is no fault any more.
      const [part] = this.#cover.fault?.split('-') ?? [];
      if ((part === 'location' || part === 'orientation') && status[part] === 'running') this.#cover.fault = null;
      this.#show();
      this.dispatchEvent(new CustomEvent('statechange', { detail: status }));
    });
    for (const type of /** @type {const} */ (['found', 'lost'])) {
      tracker.on(type, (anchor) => {
        const target = this.#elements.get(anchor) ?? this;
        target.dispatchEvent(new CustomEvent(type, { detail: { anchor }, bubbles: true, composed: true }));
      });
    }
    tracker.on('frame', (frame) => tracker === this.#tracker && this.#draw(frame));
    tracker.on('error', ({ code, message, anchor }) => this.#fail(code, message, anchor && this.#elements.get(anchor)));
  }

  // Drawing

  #measure() {
    const { clientWidth, clientHeight } = this;
    if (!clientWidth || !clientHeight || (clientWidth === this.#size.width && clientHeight === this.#size.height)) return;
    this.#size = { width: clientWidth, height: clientHeight };
    this.#tracker?.resized();
  }

  /** @param {TrackerFrame} frame */
  #draw(frame) {
    // While a print is near, the picture is the one it was found in; otherwise the live one is earlier.
    this.#placing?.draw(frame);
    if (frame.image && frame.picture) {
      const isNear = this.#placing?.isHolding || [...this.#elements.keys()].some(({ kind, isVisible }) => kind !== 'place' && isVisible);
      this.#picture.hold(frame.image, frame.picture, isNear);
    }
    for (const anchor of frame.anchors) {
      const child = this.#elements.get(anchor);
      if (child) child.place(anchor.isVisible ? this.#transform(frame, anchor, child) : null, anchor.opacity);
    }
    this.dispatchEvent(new CustomEvent('frame', { detail: frame }));
  }

  /**
   * @param {TrackerFrame} frame
   * @param {Anchor} anchor
   * @param {AnchorElement} child
   */
  #transform(frame, anchor, child) {
    const size = { width: child.offsetWidth, height: child.offsetHeight };
    if (anchor.kind === 'surface') return this.#surfaceTransform?.(frame, anchor, size) ?? null;
    return anchorTransform(frame, anchor, size);
  }

  // Words

  /** @param {Record<string, string>} texts */
  #say(texts) {
    this.#cover.say(texts);
    this.#placing?.say(texts);
    this.#show();
  }

  #show() {
    this.#cover.show(this.state);
    this.dataset.state = this.state;
  }

  /**
   * @param {string} code
   * @param {string} message
   * @param {AnchorElement | null} [child]
   */
  #fail(code, message, child) {
    // One picture that cannot be used leaves the rest as it is.
    if (!child && !this.#isNeedless(code)) this.#cover.fault = code;
    (child ?? this).dispatchEvent(new CustomEvent('error', { detail: { code, message }, bubbles: true, composed: true }));
    this.#show();
  }

  /** @param {unknown} error of modules or of the engine's files */
  #failToLoad(error) {
    const { code, message } = engineFault('engine', error);
    console.warn(`Sightline: ${message}`);
    this.#fail(code, message);
  }

  /**
   * Whether what is missing is missed: a world whose places all stand on prints asks neither where the phone is nor where it looks.
   * @param {string} code
   */
  #isNeedless(code) {
    const hasPlaces = [...this.#children].some((child) => partOf(child) === 'geo');
    return /^(location|orientation)-/.test(code) && !hasPlaces && this.#worlds.standsOnPrints;
  }

  /** @param {MouseEvent} event */
  #select(event) {
    const child = event.composedPath().find((node) => node instanceof AnchorElement && this.#children.has(node));
    if (child instanceof SurfaceElement) this.#placing?.touch(child);
    // What a page has put over the view is not the view.
    if (event.target === this) this.#placing?.tap(event, this.getBoundingClientRect());
    if (!(child instanceof AnchorElement) || !child.anchor) return;
    child.dispatchEvent(new CustomEvent('select', { detail: { anchor: child.anchor }, bubbles: true, composed: true }));
  }
}

/**
 * @param {AnchorElement} child
 * @returns {'geo' | 'markers' | 'pictures' | 'surfaces'}
 */
function partOf(child) {
  if (child instanceof PlaceElement) return 'geo';
  if (child instanceof SurfaceElement) return 'surfaces';
  return child instanceof MarkerElement ? 'markers' : 'pictures';
}

/** A page may load the module twice, from two addresses. */
function define(/** @type {string} */ name, /** @type {CustomElementConstructor} */ type) {
  if (!customElements.get(name)) customElements.define(name, type);
}
define('sightline-view', ViewElement);
define('sightline-place', PlaceElement);
define('sightline-marker', MarkerElement);
define('sightline-picture', PictureElement);
define('sightline-surface', SurfaceElement);
// Last, so that the anchors around them are what they are.
define('sightline-model', ModelElement);
