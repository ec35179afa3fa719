// A world in a view: labels, groups, lines and arrows as the page itself draws them, and a card for what is selected. All of it lies in the
// view's shadow; pages style it by parts and custom properties.

import { EdgeArrows } from '../app/ar/arrows.js';
import { Labels } from '../app/ar/labels.js';
import { Leaders } from '../app/ar/leaders.js';
import { Clusters } from '../app/ar/marks.js';
import { Radar } from '../app/ar/radar.js';
import { h, icons, setText } from '../app/core/dom.js';
import { sheetOf } from './style-sheet.js';
import { textsFor } from './texts.js';
import { WorldCard } from './world-card.js';
import { WorldParts } from './world-parts.js';
import { STYLE } from './world-style.js';

/**
 * @typedef {import('./world-session.js').WorldSession} WorldSession
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../app/session/session.js').Session} Session
 */

/** CSS pixels: no room for a radar below it. */
const LEAST_FOR_RADAR = 260;
/** How long something is said that passes, milliseconds. */
const SAID_MS = 6000;
/** The page's own sheet of labels, whose sizes agree with what the engine is told. */
const LABELS = new URL('../styles/labels.css', import.meta.url);
const SYMBOLS = new URL('../icons.svg', import.meta.url);

export class WorldView {
  #life = new AbortController();
  #size = '';
  #named = 0;
  #occupied = '';
  /** @type {WorldParts} */
  parts;
  /** @type {Element | null} */
  #cameFrom = null;

  /**
   * @param {HTMLElement} view
   * @param {ShadowRoot} root
   * @param {WorldSession} world
   */
  constructor(view, root, world) {
    this.view = view;
    this.root = root;
    this.world = world;
    // The drawing modules need no more of a session than a world has: content, radius, `tell` and `on`.
    const session = this.session = /** @type {Session} */ (/** @type {unknown} */ (world));
    const [leaders, clusters, labels, arrows, overlays, prints] = [h('canvas'), h('div'), h('div'), h('div'), h('div'), h('div')];
    this.lines = h('canvas', { class: 'world-lines' });
    this.labelLayer = labels;
    this.clusterLayer = clusters;
    this.arrowLayer = arrows;
    this.leaders = new Leaders(leaders);
    this.labels = new Labels(labels, session);
    this.clusters = new Clusters(clusters, session);
    this.arrows = new EdgeArrows(arrows, session, (place) => world.select(place));
    this.radarBox = h('canvas', { class: 'world-radar', hidden: true, 'aria-hidden': 'true' });
    this.radar = new Radar(this.radarBox);
    this.credit = h('p', { class: 'world-credit', hidden: true });
    this.notice = h('p', { class: 'world-notice', role: 'status', hidden: true });
    this.card = new WorldCard(() => world.select(null), (index) => this.parts.soundButton(index));
    this.scene = h('div', { class: 'world-scene', hidden: true }, this.lines, leaders, clusters, prints, labels, arrows, overlays, this.radarBox, this.card.element);
    this.parts = new WorldParts(world, { root, lines: this.lines, scene: this.scene, overlays, labels: prints }, {
      fail: (message) => void this.#fail({ code: 'world-file', message }, false), say: (text) => this.#say(text), resized: () => this.#tellOccupied(),
    });
    this.layer = h('div', { class: 'world' }, this.credit, this.scene, this.notice);
    for (const { element, part } of [
      { element: this.layer, part: 'world' }, { element: this.radarBox, part: 'radar' }, { element: this.credit, part: 'attribution' },
      { element: this.notice, part: 'world-error' },
    ]) element.setAttribute('part', part);
    root.insertBefore(this.layer, root.querySelector('.cover'));
    this.#listen();
    void this.#dress();
  }

  #listen() {
    const { world, view } = this;
    const { signal } = this.#life;
    world.corner = () => view.getBoundingClientRect();
    this.arrows.resized = () => this.#tellOccupied(true);
    const offs = [
      world.on('frame', (frame) => this.#draw(frame)),
      world.on('select', (place) => this.#select(place)),
      world.on('world', (content) => {
        this.card.show(world.selectedPlace);
        this.parts.use(content);
      }),
      world.on('load', (report) => {
        this.notice.hidden = true;
        setText(this.credit, report.attribution);
        this.credit.hidden = !report.attribution;
        this.#tell('worldload', report);
      }),
      world.on('error', (fault) => void this.#fail(fault)),
    ];
    signal.addEventListener('abort', () => offs.forEach((off) => off()));
    // Labels hear their own taps; one beside them means what the engine finds there, or nothing.
    view.addEventListener('click', (event) => {
      const [first] = event.composedPath();
      const isBeside = first === view || (first instanceof Element && ['video', 'canvas', 'div.anchors'].some((name) => first.matches(name)));
      if (isBeside && !this.scene.hidden) world.tell({ type: 'touch', x: event.clientX, y: event.clientY });
    }, { signal });
    const observer = new ResizeObserver(() => this.#tellOccupied());
    for (const element of [this.card.element, this.credit, this.radarBox]) observer.observe(element);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  /** The page's own sheet and symbols: fetched, for a foreign address is no place for either. */
  async #dress() {
    this.root.adoptedStyleSheets = [...this.root.adoptedStyleSheets, sheetOf(STYLE)];
    icons.file = '';
    const [labels, symbols] = await Promise.all([LABELS, SYMBOLS].map((url) => textAt(url)));
    if (this.#life.signal.aborted) return;
    // Under what is said here.
    const own = this.root.adoptedStyleSheets;
    if (!own.includes(sheetOf(labels))) this.root.adoptedStyleSheets = [own[0], sheetOf(labels), ...own.slice(1)];
    const sprite = symbols ? new DOMParser().parseFromString(symbols, 'image/svg+xml').documentElement : null;
    if (!sprite) return;
    sprite.setAttribute('hidden', '');
    this.layer.append(sprite);
  }

  /** @param {object} answer what the page made, anew */
  update(answer) {
    this.world.update(answer);
  }

  close() {
    this.#life.abort();
    this.parts.close();
    this.world.close();
    this.layer.remove();
  }

  // Drawing

  /** @param {SceneFrame | null} frame */
  #draw(frame) {
    this.scene.hidden = frame === null;
    if (!frame) return;
    const ratio = devicePixelRatio || 1;
    const size = `${frame.width} ${frame.height} ${ratio}`;
    if (size !== this.#size) {
      this.#size = size;
      this.leaders.resize(frame.width, frame.height, ratio);
      this.parts.resize(frame.width, frame.height, ratio);
      this.radar.resize(ratio);
    }
    this.parts.draw(frame);
    this.labels.draw(frame);
    this.leaders.draw(frame);
    this.clusters.draw(frame);
    this.arrows.draw(frame);
    const hasRadar = frame.isValid && frame.radar.isAvailable && Math.min(frame.width, frame.height) >= LEAST_FOR_RADAR;
    this.radarBox.hidden = !hasRadar;
    if (hasRadar) this.radar.draw(frame.radar, (place) => this.world.content?.hueOf(place) ?? null);
    if (this.card.place) this.card.tell(this.world.distance(this.card.place.index));
    this.#nameParts();
  }

  /** What the drawing modules made since the last frame can be styled by the page. */
  #nameParts() {
    const layers = [{ layer: this.labelLayer, part: 'label' }, { layer: this.clusterLayer, part: 'cluster' }, { layer: this.arrowLayer, part: 'arrow' }];
    const count = layers.reduce((sum, { layer }) => sum + layer.childElementCount, 0);
    if (count === this.#named) return;
    this.#named = count;
    for (const { layer, part } of layers) for (const child of layer.children) child.setAttribute('part', part);
  }

  /** Nothing is laid out under the card and the rest that covers the view. */
  #tellOccupied(areArrows = false) {
    const { left, top } = this.view.getBoundingClientRect();
    const rectangles = [this.card.element, this.credit, this.radarBox, ...this.parts.covering].flatMap((element) => {
      const box = element.getBoundingClientRect();
      return box.width ? [{ x: box.left - left, y: box.top - top, width: box.width, height: box.height }] : [];
    });
    const key = JSON.stringify(rectangles);
    if (!areArrows && key === this.#occupied) return;
    this.#occupied = key;
    this.world.tell({ type: 'occupied', rectangles, arrows: [...this.arrows.sizes] });
  }

  // What happens

  /** @param {import('./world-places.js').WorldPlace | null} place */
  #select(place) {
    const { activeElement } = this.root;
    if (place && activeElement?.matches('.label:focus-visible')) this.#cameFrom = activeElement;
    const isInside = this.card.element.contains(activeElement);
    this.card.show(place);
    if (place && this.#cameFrom) this.card.element.focus({ preventScroll: true });
    if (!place && isInside && this.#cameFrom instanceof HTMLElement) this.#cameFrom.focus({ preventScroll: true });
    if (!place) this.#cameFrom = null;
    this.#tell('select', { place, world: this.world });
  }

  /**
   * Says something for a while.
   * @param {string} text
   */
  #say(text) {
    setText(this.notice, text);
    this.notice.hidden = false;
    setTimeout(() => {
      if (this.notice.textContent === text) this.notice.hidden = true;
    }, SAID_MS);
  }

  /**
   * @param {import('./world-session.js').WorldFault} fault
   * @param {boolean} [isWhole] the world itself, and not one of its files
   */
  async #fail(fault, isWhole = true) {
    this.#tell('error', fault);
    if (!isWhole) return console.warn(`Sightline: ${fault.message}`);
    const texts = await textsFor(this.view);
    if (this.#life.signal.aborted) return;
    setText(this.notice, texts[`embed.${fault.code}`] ?? texts['embed.world-failed'] ?? fault.message);
    // What is shown already is worth more than a refresh that failed.
    this.notice.hidden = this.world.content !== null;
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #tell(type, detail) {
    this.view.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/**
 * @param {URL} url
 * @returns {Promise<string>} '' where it cannot be had: then the world is only plainer
 */
async function textAt(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status}`);
    return await response.text();
  } catch (error) {
    console.warn(`Sightline: ${url.pathname}: ${error}`);
    return '';
  }
}
