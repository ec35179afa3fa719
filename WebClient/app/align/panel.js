// The tools for aligning by hand: drag the world, nudge it by keys and buttons, point at a place, the sun or the moon.

import { Places } from '../../engine/places.js';
import { find, h, icon } from '../core/dom.js';
import { degrees, distance } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';

/** @typedef {import('./align.js').Align} Align */

/** Degrees of a nudge, and with the shift key. */
const NUDGE = 1;
const LARGE_NUDGE = 10;
/** Places offered as landmarks. */
const MOST_LANDMARKS = 50;
const ACCURACY_MS = 500;

export class AlignPanel {
  #life = new AbortController();
  #shownAt = -Infinity;
  #returnFocus = document.activeElement;
  /** Whether what is dragged is only there for the panel. */
  #isSceneOwn = false;
  /** @type {{ id: number, x: number, y: number } | null} */
  #drag = null;

  /** @param {Align} align */
  constructor(align) {
    this.align = align;
    this.session = align.session;
    const { host } = align;
    this.scene = host?.scene ?? find('#scene', HTMLElement);
    this.stage = host?.stage ?? find('#stage', HTMLElement);
    this.accuracy = h('output', { class: 'align-accuracy', id: 'align-accuracy' });
    this.landmark = labelled(h('select', { class: 'select', id: 'align-landmark' }), 'align.landmark');
    const nudge = (/** @type {string} */ id, /** @type {string} */ symbol,
      /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {number} */ way) =>
      labelled(h('button', { type: 'button', class: 'round', id, onclick: () => this.#nudge(way * NUDGE) },
        icon(symbol)), key);
    const point = (/** @type {string} */ id, /** @type {import('../core/i18n.js').TextKey} */ key,
      /** @type {() => void} */ run) => localized(h('button', { type: 'button', class: 'button', id, onclick: run }), key);
    this.element = h(
      'section',
      { class: 'align-panel glass', id: 'align-panel', 'aria-labelledby': 'align-title' },
      h(
        'header',
        { class: 'align-head' },
        localized(h('h2', { id: 'align-title', tabIndex: -1 }), 'align.title'),
        point('align-done', 'align.done', () => align.close()),
      ),
      localized(h('p'), 'align.drag'),
      h(
        'div',
        { class: 'align-row' },
        nudge('align-left', 'left', 'align.left', -1),
        this.accuracy,
        nudge('align-right', 'right', 'align.right', 1),
      ),
      localized(h('p'), 'align.point'),
      h(
        'div',
        { class: 'align-row' },
        this.landmark,
        point('align-place', 'align.here', () => this.#pointAtPlace()),
      ),
      h(
        'div',
        { class: 'align-row' },
        point('align-sun', 'align.sun', () => this.session.tell({ type: 'pointAtBody', body: 'sun' })),
        point('align-moon', 'align.moon', () => this.session.tell({ type: 'pointAtBody', body: 'moon' })),
        point('align-level', 'align.level', () => void align.measureLevel()),
        point('align-forget', 'align.forget', () => align.forget()),
      ),
    );
    this.cross = h('div', { class: 'align-cross', 'aria-hidden': 'true' });
    const layer = host?.layer ?? find('#ar', HTMLElement);
    this.#isSceneOwn = !this.scene.isConnected;
    layer.append(...(this.#isSceneOwn ? [this.scene] : []), this.cross, this.element);
    this.stage.toggleAttribute('data-aligning', true);
    this.#fillLandmarks();
    this.#listen();
    find('#align-title', HTMLElement).focus();
  }

  #listen() {
    const { signal } = this.#life;
    const { scene } = this;
    scene.addEventListener('pointerdown', (event) => {
      if (this.#drag || (event.pointerType === 'mouse' && event.button !== 0)) return;
      this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY };
    }, { signal });
    scene.addEventListener('pointermove', (event) => {
      const drag = this.#drag;
      if (!drag || drag.id !== event.pointerId) return;
      this.#pull(drag.x, drag.y, event.clientX, event.clientY);
      this.#drag = { id: drag.id, x: event.clientX, y: event.clientY };
    }, { signal });
    const end = (/** @type {PointerEvent} */ event) => {
      if (this.#drag?.id === event.pointerId) this.#drag = null;
    };
    scene.addEventListener('pointerup', end, { signal });
    scene.addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', (event) => this.#key(event), { signal });
    const { session } = this;
    for (
      const off of [
        session.on('frame', () => this.#showAccuracy()),
        session.on('world', () => this.#fillLandmarks()),
      ]
    ) {
      signal.addEventListener('abort', off);
    }
    onLanguage(() => this.#fillLandmarks(), signal);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target instanceof Element && event.target.closest('select, input, textarea')) return;
    if (event.key === 'Escape') return this.align.close();
    const way = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (!way) return;
    event.preventDefault();
    this.#nudge(way * (event.shiftKey ? LARGE_NUDGE : NUDGE));
  }

  /**
   * Moves the world sideways as a drag from the middle of the display does.
   * @param {number} angle degrees, to the right
   */
  #nudge(angle) {
    const [x, y] = this.session.engine.part(Places).beside(angle);
    this.#pull(innerWidth / 2, innerHeight / 2, x, y);
  }

  /**
   * @param {number} fromX
   * @param {number} fromY
   * @param {number} toX
   * @param {number} toY
   */
  #pull(fromX, fromY, toX, toY) {
    this.session.tell({ type: 'dragWorld', fromX, fromY, toX, toY });
  }

  #pointAtPlace() {
    if (!this.landmark.value) return;
    const index = Number(this.landmark.value);
    const own = this.align.host?.landmarks()[index];
    if (own) this.session.tell({ type: 'pointAtPlace', latitude: own.latitude, longitude: own.longitude, altitude: null });
    else this.session.tell({ type: 'pointAtFeature', feature: index });
  }

  /**
   * What can be pointed at, with what it is told by.
   * @returns {{ index: number, name: string, distance: number }[]}
   */
  #landmarks() {
    const { session } = this;
    const { content } = session;
    const from = this.align.device.position();
    const own = this.align.host?.landmarks();
    if (own) {
      return own.map(({ name, latitude, longitude }, index) => ({
        index, name, distance: from ? session.engine.distance(from.latitude, from.longitude, latitude, longitude) : 0,
      }));
    }
    return (content?.places ?? []).flatMap((place, index) => {
      const range = session.isShown(index) ? session.range(index, from) : null;
      return range && content ? [{ index, name: content.placeTitle(place), distance: range.distance }] : [];
    });
  }

  /** The places as landmarks, the chosen one and then the nearest first. */
  #fillLandmarks() {
    const { session } = this;
    const before = this.landmark.value;
    const places = this.#landmarks();
    places.sort((a, b) => a.distance - b.distance);
    const chosen = places.filter(({ index }) => index === session.selected);
    const offered = [...chosen, ...places.filter(({ index }) => index !== session.selected)].slice(0, MOST_LANDMARKS);
    this.landmark.replaceChildren(...offered.map((entry) =>
      h('option', { value: String(entry.index) }, `${entry.name} · ${distance(entry.distance)}`)
    ));
    if (offered.some(({ index }) => String(index) === before)) this.landmark.value = before;
    const none = offered.length === 0;
    this.landmark.disabled = none;
    find('#align-place', HTMLButtonElement).disabled = none;
  }

  #showAccuracy() {
    const now = performance.now();
    if (now - this.#shownAt < ACCURACY_MS) return;
    this.#shownAt = now;
    const bound = this.session.status?.headingBound ?? 180;
    this.accuracy.textContent = bound < 90 ? t('status.headingWithin', { angle: degrees(bound) }) : t('align.noNorth');
  }

  close() {
    this.#life.abort();
    this.element.remove();
    this.cross.remove();
    if (this.#isSceneOwn) this.scene.remove();
    this.stage.toggleAttribute('data-aligning', false);
    if (this.#returnFocus instanceof HTMLElement && this.#returnFocus.isConnected) this.#returnFocus.focus();
  }
}
