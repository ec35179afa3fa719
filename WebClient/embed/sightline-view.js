// <sightline-view>: the camera's picture with what stands on places, markers and pictures, for any page. Start button, questions and
// errors are built in and can be replaced by slots.

import { MarkerElement, PictureElement, PlaceElement } from './anchor-elements.js';
import { ModelElement } from './model-element.js';
import { sheetOf } from './style-sheet.js';
import { SurfaceElement } from './surface-element.js';
import { textsFor } from './texts.js';
import { Tracker, createTracker } from './tracker.js';
import { engineFault } from './tracker-error.js';
import { ViewContent } from './view-content.js';
import { ViewCover, make } from './view-cover.js';
import { ViewPicture } from './view-picture.js';
import { WorldLoader } from './world-loader.js';

/**
 * @typedef {import('./anchor-elements.js').AnchorElement} AnchorElement
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 */

const STYLE = `
:host { display: block; position: relative; overflow: hidden; contain: content; min-height: 12rem;
  background: var(--sightline-background, #111); color: var(--sightline-color, #fff); }
:host([hidden]) { display: none; }
video, canvas { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
:host([data-platform]) { background: none; }
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
  #content = new ViewContent(this, { size: () => this.#size, extend: (part) => void this.#extend(part) });
  /** @type {Tracker | null} */
  #tracker = null;
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
    this.addEventListener('click', (event) => this.#content.select(event));
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
    this.#content.detach();
    this.#showWorld();
    this.#picture.stop();
    this.#show();
  }

  // What is in it

  /** @param {AnchorElement} child */
  enter(child) {
    this.#content.enter(child);
    this.#observer.observe(child);
    if (!this.#tracker) void this.#prepare();
  }

  /** @param {AnchorElement} child */
  leave(child) {
    this.#observer.unobserve(child);
    this.#content.leave(child);
  }

  /** @param {AnchorElement} child */
  change(child) {
    this.#content.change(child);
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
      this.#content.attach(tracker, placing);
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
    const { parts } = this.#content;
    if (!this.isConnected || this.#tracker || (parts.size === 0 && !this.#wantsWorld)) return this.#tracker;
    const base = this.getAttribute('base');
    try {
      const tracker = await createTracker({
        geo: parts.has('geo') || this.#wantsWorld, markers: parts.has('markers'), pictures: parts.has('pictures'),
        surfaces: parts.has('surfaces'), platform: this.hasAttribute('platform') && this, size: () => this.#size,
        ...(base === null ? {} : { base }),
      });
      const placing = parts.has('surfaces') ? await import('./placing.js') : null;
      if (!this.isConnected || this.#tracker) return this.#tracker;
      this.#tracker = tracker;
      this.#listen(tracker);
      this.#content.attach(tracker, placing);
      // What came meanwhile.
      for (const part of this.#content.parts) if (!tracker.has(part)) void this.#extend(part);
      this.#changeWorld();
    } catch (error) {
      this.#failToLoad(error);
    }
    return this.#tracker;
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
      const wasPlatform = this.hasAttribute('data-platform');
      this.toggleAttribute('data-platform', status.platform);
      this.dispatchEvent(new CustomEvent('statechange', { detail: status }));
      // The back button leads to the start button.
      if (wasPlatform && !status.platform) this.stop();
    });
    for (const type of /** @type {const} */ (['found', 'lost'])) {
      tracker.on(type, (anchor) => {
        const target = this.#content.elementOf(anchor) ?? this;
        target.dispatchEvent(new CustomEvent(type, { detail: { anchor }, bubbles: true, composed: true }));
      });
    }
    tracker.on('frame', (frame) => tracker === this.#tracker && this.#draw(frame));
    tracker.on('error', ({ code, message, anchor }) => this.#fail(code, message, this.#content.elementOf(anchor)));
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
    const isNear = this.#content.draw(frame);
    // While a print is near, the picture is the one it was found in; otherwise the live one is earlier.
    if (frame.image && frame.picture) this.#picture.hold(frame.image, frame.picture, isNear);
    this.dispatchEvent(new CustomEvent('frame', { detail: frame }));
  }

  // Words

  /** @param {Record<string, string>} texts */
  #say(texts) {
    this.#cover.say(texts);
    this.#content.say(texts);
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
    return /^(location|orientation)-/.test(code) && !this.#content.parts.has('geo') && this.#worlds.standsOnPrints;
  }
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
