// Labels and pictures of places: real buttons, moved by transforms only.

import { h, icon, setIcon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { picture, whenPicture } from '../net/assets.js';
import { categoryIcon } from '../session/category-icons.js';
import { categoryHue, placeKey } from '../session/content.js';
import { measureLabel, measurePicture, measurePill } from './measure.js';
import { Pool, differs, hundredths, putBox, putClass, putOpacity, turnOf } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').SceneItem} SceneItem
 * @typedef {HTMLButtonElement & import('./pool.js').Written & { name_: HTMLElement, meta: HTMLElement, picture: HTMLImageElement,
 *   symbol: SVGSVGElement, anchorX: number, anchorY: number, order: number }} LabelElement `anchorX`, `anchorY`: its place, CSS pixels;
 *   `order`: more is nearer
 */

/** Between the orders of two labels, with room for others. */
const ORDER = 64;
/** That of what is selected. */
const FIRST = 1_000_000;

export class Labels {
  /** Of places, and of what is short for them. @type {Map<number, string[]>} */
  #lines = new Map();
  #icons = /** @type {typeof import('./icons.js') | null} */ (null);

  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   */
  constructor(layer, session) {
    this.session = session;
    /** @type {Pool<LabelElement>} */
    this.pool = new Pool(layer, makeLabel);
    layer.addEventListener('click', (event) => this.#click(event));
    session.on('world', () => this.reset());
  }

  /**
   * Elements stay: a refresh must not take the focus or make pictures flash.
   * @param {typeof import('./icons.js') | null} [icons]
   */
  reset(icons = this.#icons) {
    this.#icons = icons;
    this.#lines.clear();
    this.pool.invalidate();
    this.#pictures();
    if (!icons && this.session.content?.places.some(({ icon }) => icon)) void import('./icons.js').then((all) => this.reset(all));
  }

  /**
   * A label's text in lines, as the engine was told.
   * @param {number} place
   * @param {import('../../engine/types').LabelLevel} [level]
   */
  lines(place, level = 'card') {
    const content = this.session.content;
    const isPill = level === 'pill';
    const key = isPill ? -1 - place : place;
    let lines = this.#lines.get(key);
    if (!lines && content?.places[place]) {
      const text = content.labelText(content.places[place]);
      lines = isPill ? [measurePill(text).text] : measureLabel(text).lines;
      this.#lines.set(key, lines);
    }
    return lines ?? [];
  }

  /** Tells the engine how large pictures are, when they are there. */
  #pictures() {
    const content = this.session.content;
    if (!content) return;
    const screen = Math.min(innerWidth, innerHeight);
    content.places.forEach((place, index) => {
      if (place.visual.kind !== 'image') return;
      whenPicture(content.assetURL(place.visual.assetID), (loaded) => {
        if (this.session.content !== content) return;
        const { width, height } = this.#icons?.drawn(loaded, place) ?? loaded;
        this.session.tell({ type: 'labelSize', feature: index, ...measurePicture(width, height, screen) });
      });
    });
  }

  /** @type {LabelElement[]} of the frame that is drawn, nearest first */
  #shown = [];

  /** @param {SceneFrame} frame */
  draw({ items, roll }) {
    const content = this.session.content;
    this.pool.begin();
    this.#shown.length = 0;
    const upright = { sin: Math.sin(roll), cos: Math.cos(roll), turn: turnOf(roll), range: Math.log(Math.max(this.session.radius, 200) / 100) };
    for (const item of content ? items : []) if (content?.places[item.feature]) this.#place(item, upright);
    this.pool.end();
    this.#stack();
  }

  /**
   * @param {SceneItem} item
   * @param {{ sin: number, cos: number, turn: string, range: number }} upright `range`: logarithm of the radius over 100 m
   */
  #place(item, { sin, cos, turn, range }) {
    const { element, isNew } = this.pool.take(item.feature);
    if (isNew) this.#fill(element, item.feature);
    this.#shown.push(element);
    const { isSelected } = item;
    // What is farther is smaller and paler: from 100 m to where nothing more is shown.
    const faded = Math.min(1, Math.max(0, Math.log(Math.max(item.distance, 1) / 100) / range));
    const scale = item.level === 'dot' || isSelected ? 1 : 1 - 0.14 * faded;
    // A smaller one keeps the edge that touches its place.
    const isAbove = (item.anchorY - item.centerY) * cos - (item.anchorX - item.centerX) * sin > 0;
    const drop = hundredths(((isAbove ? 1 : -1) * item.height * (1 - scale)) / 2);
    const size = hundredths(scale * item.scale);
    this.#showLevel(element, item);
    const own = { width: hundredths(item.width / item.scale), height: hundredths(item.height / item.scale) };
    putBox(element, item.centerX, item.centerY, own, `${turn} translateY(${drop}px) scale(${size})`);
    element.anchorX = item.anchorX;
    element.anchorY = item.anchorY;
    putOpacity(element, item.opacity * (isSelected ? 1 : 1 - 0.2 * faded));
    putClass(element, 'selected', isSelected);
    putClass(element, 'lifted', item.hasLeader);
    putClass(element, 'fanned', item.isFannedOut);
    if (differs(element, 'distance', item.distance)) {
      const far = distance(item.distance);
      setText(element.meta, far);
      if (differs(element, 'far', far)) element.setAttribute('aria-label', t('label.label', { name: element.title, distance: far }));
    }
    if (differs(element, 'pressed', isSelected)) element.setAttribute('aria-pressed', String(isSelected));
  }

  /** The nearest lies on top; one that comes is put between others, which keep their order. */
  #stack() {
    const shown = this.#shown;
    let below = 0;
    for (let k = shown.length - 1; k >= 0; k--) {
      const element = shown[k];
      if (element.order <= below) {
        const above = k > 0 ? shown[k - 1].order : 0;
        element.order = below + (above > below + 1 ? (above - below) >> 1 : ORDER);
      }
      below = element.order;
      const z = element.was.selected ? FIRST : below;
      if (differs(element, 'z', z)) element.style.zIndex = String(z);
    }
    if (below > FIRST / 2) for (const element of shown) element.order = 0;
  }

  /**
   * @param {LabelElement} element
   * @param {SceneItem} item
   */
  #showLevel(element, { level, feature }) {
    if (!differs(element, 'level', level)) return;
    element.dataset.level = level;
    if (this.session.content?.places[feature].visual.kind === 'image') return;
    setText(element.name_, level === 'dot' ? '' : this.lines(feature, level).join('\n'));
  }

  /**
   * @param {LabelElement} element
   * @param {number} index
   */
  #fill(element, index) {
    const content = this.session.content;
    if (!content) return;
    const place = content.places[index];
    element.dataset.feature = String(index);
    element.dataset.id = placeKey(place, index);
    element.dataset.pivot = place.pivot;
    element.title = content.placeTitle(place);
    // Another place, or another language.
    element.order = 0;
    element.was.level = element.was.distance = element.was.far = '';
    setIcon(element.symbol, categoryIcon(place.categories[0]));
    this.#icons?.showInLabel(element, place, content);
    const category = content.categoryNumber(place);
    element.classList.toggle('categorised', category > 0);
    element.style.setProperty('--hue', String(categoryHue(category)));
    const { picture: image } = element;
    const { visual } = place;
    image.hidden = visual.kind !== 'image';
    element.classList.toggle('pictured', !image.hidden);
    element.classList.remove('loading');
    if (visual.kind !== 'image') return;
    setText(element.name_, '');
    const url = content.assetURL(visual.assetID);
    element.classList.toggle('loading', picture(url).state === 'loading');
    whenPicture(url, (loaded) => {
      if (element.dataset.feature !== String(index) || this.session.content !== content) return;
      const { source } = this.#icons?.drawn(loaded, place) ?? loaded;
      if (image.src !== new URL(source, location.href).href) image.src = source;
      element.classList.remove('loading');
    });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const element = event.target instanceof Element ? event.target.closest('.label') : null;
    if (!(element instanceof HTMLElement)) return;
    // A finger means the nearest label, keys mean this one.
    if (event.detail > 0) this.session.tell({ type: 'touch', x: event.clientX, y: event.clientY });
    else this.session.tell({ type: 'press', feature: Number(element.dataset.feature) });
  }
}

/** @returns {LabelElement} */
function makeLabel() {
  const [image, name_, meta, symbol] = [h('img', { alt: '', hidden: true, draggable: false }), h('span', { class: 'label-name' }), h('span', { class: 'label-meta' }), icon('location')];
  const element = h('button', { class: 'label', type: 'button' }, image, h('span', { class: 'label-icon' }, symbol), name_, meta);
  return Object.assign(element, { picture: image, name_, meta, symbol, was: {}, anchorX: 0, anchorY: 0, order: 0 });
}
