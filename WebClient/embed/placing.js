// "Place it here" in a view: the reticle on what lies under its middle, taps that set things down and move them, and words about what
// would help. Loaded by views that have a <sightline-surface>.

import { product } from '../app/models/matrices.js';
import { coachingFor } from './coaching.js';
import { cssMatrix } from './display-matrix.js';
import { sheetOf } from './style-sheet.js';
import { SurfaceElement } from './surface-element.js';

/**
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 * @typedef {{ width: number, height: number }} Size CSS pixels
 * @typedef {{ size: () => Size, has: (child: SurfaceElement) => boolean, set: (child: SurfaceElement, anchor: Anchor) => void,
 *   drop: (child: SurfaceElement) => void }} View `has`: a child is in it; `set`: it has an anchor from now on; `drop`: it has none any more
 */

const STYLE = `
.reticle { position: absolute; left: 0; top: 0; transform-origin: 0 0; pointer-events: none; }
.ring { width: 120px; height: 120px; box-sizing: border-box; border-radius: 50%; border: 7px solid var(--sightline-reticle, #fff);
  box-shadow: 0 0 0 4px rgb(0 0 0 / 0.4), inset 0 0 0 4px rgb(0 0 0 / 0.4); }
.coaching { position: absolute; inset: auto 0 0; padding: 0.75rem max(0.75rem, env(safe-area-inset-right)) max(0.75rem, env(safe-area-inset-bottom))
  max(0.75rem, env(safe-area-inset-left)); display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0.5rem 0.75rem;
  pointer-events: none; }
.coaching p { margin: 0; padding: 0.5em 1em; max-width: 28rem; border-radius: var(--sightline-radius, 0.6em); text-align: center;
  background: var(--sightline-coaching, rgb(0 0 0 / 0.65)); color: var(--sightline-color, #fff); }
.coaching p:empty { padding: 0; }
.coaching button, ::slotted([slot=coaching]) { pointer-events: auto; }
`;

/** Width of the reticle on its surface, metres. */
const RETICLE = 0.24;
/** How long it is said that a tap hit nothing, milliseconds. */
const MISSED = 3000;

export class Placing {
  #host;
  #view;
  #tracker;
  /** @type {Record<string, string>} */
  #texts = {};
  #isAsking = false;
  #isClosed = false;
  #isMissed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {SurfaceElement | null} what was set down or touched last */
  #last = null;
  #reticle = make('div', { class: 'reticle', part: 'reticle', 'aria-hidden': 'true', hidden: '' });
  #words = make('p', { role: 'status', 'aria-live': 'polite' });
  #button = make('button', { type: 'button', part: 'place', hidden: '' });
  #coaching = make('div', { class: 'coaching', part: 'coaching' });
  #sheet = sheetOf(STYLE);

  /**
   * @param {HTMLElement} host the view, with an open shadow root
   * @param {import('./tracker.js').Tracker} tracker
   * @param {View} view
   */
  constructor(host, tracker, view) {
    this.#host = host;
    this.#view = view;
    this.#tracker = tracker;
    const root = /** @type {ShadowRoot} */ (host.shadowRoot);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#sheet];
    this.#reticle.append(slot('reticle', make('div', { class: 'ring' })));
    this.#coaching.append(slot('coaching', this.#words), this.#button);
    root.querySelector('[part=anchors]')?.append(this.#reticle);
    root.querySelector('[part=cover]')?.before(this.#coaching);
    this.#button.addEventListener('click', () => void this.#placeNext());
    this.#offStatus = tracker.on('statechange', () => this.#show());
  }

  #offStatus;

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#offStatus();
    const root = /** @type {ShadowRoot} */ (this.#coaching.getRootNode());
    if (root instanceof ShadowRoot) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    this.#reticle.remove();
    this.#coaching.remove();
    for (const child of this.#children) child.placer = null;
  }

  /** @param {Record<string, string>} texts */
  say(texts) {
    this.#texts = texts;
    this.#button.textContent = texts['embed.place'] ?? 'Place here';
    this.#show();
  }

  /** @param {SurfaceElement} child */
  enter(child) {
    child.placer = this;
    this.#show();
  }

  // Setting down

  /** Those of the view in the order of the document, which is that of the taps. */
  get #children() {
    return [...this.#host.querySelectorAll('sightline-surface')].flatMap((child) => (child instanceof SurfaceElement && this.#view.has(child) ? child : []));
  }

  /** The child that the next tap is for: one that is not set down yet, else the one that was touched last. */
  get #next() {
    const children = this.#children;
    return children.find(({ anchor }) => !anchor) ?? [this.#last, ...children].find((child) => child && children.includes(child) && !child.isFixed) ?? null;
  }

  /**
   * A tap on the view itself.
   * @param {MouseEvent} event
   * @param {DOMRect} box of the view
   */
  tap(event, box) {
    const { clientX, clientY } = event;
    if (event.composedPath().includes(this.#coaching)) return;
    void this.#placeNext({ x: clientX - box.left, y: clientY - box.top });
  }

  /** @param {{ x: number, y: number }} [point] */
  async #placeNext(point) {
    const child = this.#next;
    if (!child || this.#isAsking || this.#tracker.state !== 'running') return;
    const { hit } = await this.placeChild(child, point);
    if (this.#isClosed) return;
    this.#isMissed = !hit;
    clearTimeout(this.#timer);
    if (!hit) this.#timer = setTimeout(() => this.#say(false), MISSED);
    this.#show();
  }

  /** @param {boolean} isMissed */
  #say(isMissed) {
    this.#isMissed = isMissed;
    this.#show();
  }

  /**
   * @param {SurfaceElement} child
   * @param {{ x: number, y: number }} [point] of the view; without it the middle
   * @returns {Promise<import('./surfaces.js').HitTest>}
   */
  async placeChild(child, point) {
    const { width, height } = this.#view.size();
    const { x, y } = point ?? { x: width / 2, y: height / 2 };
    this.#isAsking = true;
    try {
      const { look: { size, facing } } = child;
      const test = await this.#tracker.hitTest(x, y, { facing });
      if (!test.hit) return test;
      if (this.#isClosed || !this.#children.includes(child)) {
        test.hit.release();
        return { hit: null, reason: 'not-running' };
      }
      if (child.anchor) this.#tracker.move(child.anchor, test.hit);
      else this.#view.set(child, this.#tracker.add({ surface: test.hit, size }));
      this.#last = child;
      this.#show();
      child.dispatchEvent(new CustomEvent('place', { detail: { anchor: child.anchor, hit: test.hit }, bubbles: true, composed: true }));
      return test;
    } finally {
      this.#isAsking = false;
    }
  }

  /** @param {SurfaceElement} child */
  pickUpChild(child) {
    this.#view.drop(child);
    this.#show();
  }

  /** @param {SurfaceElement} child */
  touch(child) {
    this.#last = child;
  }

  // Showing

  #hasReticle = false;
  #isLost = false;

  get #isWaiting() {
    return this.#children.some(({ anchor }) => !anchor);
  }

  /** @param {TrackerFrame} frame */
  draw(frame) {
    const known = new Set(frame.anchors);
    // What was lost for good can be set down again.
    for (const child of this.#children) if (child.anchor && !known.has(child.anchor)) this.#view.drop(child);
    const before = `${this.#hasReticle} ${this.#isLost}`;
    this.#hasReticle = frame.reticle !== null && this.#isWaiting;
    this.#isLost = this.#children.some(({ anchor }) => anchor?.state === 'lost');
    this.#reticle.hidden = !this.#hasReticle;
    if (frame.reticle && this.#hasReticle && frame.projection) {
      const { offsetWidth: width, offsetHeight: height } = this.#reticle;
      this.#reticle.style.transform = cssMatrix(frame.projection, frame.reticle.cameraFromReticle, frame, { width, height }, RETICLE) ?? '';
    }
    if (before !== `${this.#hasReticle} ${this.#isLost}`) this.#show();
  }

  /**
   * The transform of what was set down: what stands has its lower edge on the surface, what hangs or lies its middle.
   * @param {TrackerFrame} frame
   * @param {Anchor} anchor
   * @param {Size} size of the element
   */
  transform({ projection, width, height }, { cameraFromAnchor, description: { hit, size: metres } }, size) {
    if (!projection || !cameraFromAnchor || !metres || !size.width) return null;
    const isStanding = hit.facing === 'viewer' && hit.surface !== 'upright';
    const up = isStanding ? size.height / size.width * metres / 2 : 0;
    const raised = product(cameraFromAnchor, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, up, 0, 1]);
    return cssMatrix(projection, raised, { width, height }, size, metres);
  }

  /** Whether the picture shown has to be the one that things were found in. */
  get isHolding() {
    return this.#hasReticle;
  }

  #show() {
    const isRunning = this.#tracker.state === 'running';
    const scene = { isWaiting: this.#isWaiting, isLost: this.#isLost, hasReticle: this.#hasReticle, isMissed: this.#isMissed };
    const key = isRunning ? coachingFor(this.#tracker.status, scene) : '';
    const text = key && (this.#texts[`embed.${key}`] ?? '');
    if (this.#words.textContent !== text) this.#words.textContent = text;
    this.#coaching.dataset.coaching = key;
    this.#button.hidden = !(isRunning && scene.isWaiting && scene.hasReticle);
    if (!isRunning) this.#reticle.hidden = true;
  }
}

/**
 * @param {string} name
 * @param {Node} content where the page gives none
 */
function slot(name, content) {
  const element = make('slot', { name });
  element.append(content);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 */
function make(tag, attributes) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
