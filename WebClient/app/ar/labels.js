// Labels and pictures of places: real buttons, moved by transforms only.

import { h, icon, setAttribute, setIcon, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { picture, whenPicture } from '../net/assets.js';
import { categoryIcon } from '../session/category-icons.js';
import { categoryHue, placeKey } from '../session/content.js';
import { measureLabel, measurePicture, measurePill } from './measure.js';
import { Pool } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').SceneItem} SceneItem
 * @typedef {HTMLButtonElement & { name_?: HTMLElement, meta?: HTMLElement, picture?: HTMLImageElement,
 *   symbol?: SVGSVGElement, transform?: string, level?: string, far?: string }} LabelElement
 */

export class Labels {
  /** @type {Map<number, string[]>} */
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
    if (level === 'pill') return [this.#short(place)];
    let lines = this.#lines.get(place);
    if (!lines && content?.places[place]) {
      lines = measureLabel(content.labelText(content.places[place])).lines;
      this.#lines.set(place, lines);
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

  /** @param {SceneFrame} frame */
  draw(frame) {
    const content = this.session.content;
    this.pool.begin();
    if (content) {
      const count = frame.items.length;
      for (let i = 0; i < count; i++) {
        const item = frame.items[i];
        if (content.places[item.feature]) this.#place(item, frame, count - i);
      }
    }
    this.pool.end();
  }

  /**
   * @param {SceneItem} item
   * @param {SceneFrame} frame
   * @param {number} order nearest is highest
   */
  #place(item, frame, order) {
    const { element, isNew } = this.pool.take(item.feature);
    if (isNew) this.#fill(element, item.feature);
    const [w, h] = [item.width / item.scale, item.height / item.scale];
    const x = item.centerX - w / 2;
    const y = item.centerY - h / 2;
    const faded = this.#fading(item);
    const scale = item.level === 'dot' || item.isSelected ? 1 : 1 - 0.14 * faded;
    // A smaller one keeps the edge that touches its place.
    const [across, down] = [item.anchorX - item.centerX, item.anchorY - item.centerY];
    const isAbove = down * Math.cos(frame.roll) - across * Math.sin(frame.roll) > 0;
    const drop = ((isAbove ? 1 : -1) * item.height * (1 - scale)) / 2;
    const transform = `translate3d(${x.toFixed(2)}px,${y.toFixed(2)}px,0) rotate(${frame.roll.toFixed(4)}rad) translateY(${drop.toFixed(2)}px) scale(${(scale * item.scale).toFixed(2)})`;
    this.#showLevel(element, item);
    if (element.transform !== transform) {
      element.transform = transform;
      element.style.transform = transform;
    }
    setAttribute(element, 'data-anchor-x', item.anchorX.toFixed(2));
    setAttribute(element, 'data-anchor-y', item.anchorY.toFixed(2));
    const style = element.style;
    const width = `${w}px`;
    if (style.width !== width) style.width = width;
    const height = `${h}px`;
    if (style.height !== height) style.height = height;
    const z = String(item.isSelected ? 1_000_000 : order);
    if (style.zIndex !== z) style.zIndex = z;
    const alpha = item.opacity * (item.isSelected ? 1 : 1 - 0.2 * faded);
    const opacity = alpha >= 0.995 ? '' : alpha.toFixed(2);
    if (style.opacity !== opacity) style.opacity = opacity;
    element.classList.toggle('selected', item.isSelected);
    element.classList.toggle('lifted', item.hasLeader);
    element.classList.toggle('fanned', item.isFannedOut);
    const far = distance(item.distance);
    if (element.meta && element.far !== far) {
      element.far = far;
      setText(element.meta, far);
      setAttribute(element, 'aria-label', t('label.label', { name: element.title, distance: far }));
    }
    setAttribute(element, 'aria-pressed', String(item.isSelected));
  }

  /**
   * What is farther is smaller and paler: from 100 m to where nothing more is shown.
   * @param {SceneItem} item
   * @returns {number} 0 … 1
   */
  #fading({ distance: metres }) {
    const range = Math.log(Math.max(this.session.radius, 200) / 100);
    return Math.min(1, Math.max(0, Math.log(Math.max(metres, 1) / 100) / range));
  }

  /**
   * @param {LabelElement} element
   * @param {SceneItem} item
   */
  #showLevel(element, { level, feature }) {
    if (element.level === level) return;
    element.level = level;
    element.dataset.level = level;
    const place = this.session.content?.places[feature];
    if (!element.name_ || place?.visual.kind === 'image') return;
    setText(element.name_, level === 'dot' ? '' : this.lines(feature, level).join('\n'));
  }

  /** @param {number} place */
  #short(place) {
    const { content } = this.session;
    return content ? measurePill(content.labelText(content.places[place])).text : '';
  }

  /**
   * @param {LabelElement} element
   * @param {number} index
   */
  #fill(element, index) {
    const content = this.session.content;
    if (!content || !element.name_ || !element.picture || !element.meta || !element.symbol) return;
    const place = content.places[index];
    element.dataset.feature = String(index);
    element.dataset.id = placeKey(place, index);
    element.dataset.pivot = place.pivot;
    element.title = content.placeTitle(place);
    element.meta.textContent = element.far = '';
    element.transform = element.level = '';
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
  /** @type {LabelElement} */
  const element = h('button', { class: 'label', type: 'button' });
  element.picture = h('img', { alt: '', hidden: true, draggable: false });
  element.name_ = h('span', { class: 'label-name' });
  element.meta = h('span', { class: 'label-meta' });
  element.symbol = icon('location');
  element.append(element.picture, h('span', { class: 'label-icon' }, element.symbol), element.name_, element.meta);
  return element;
}
