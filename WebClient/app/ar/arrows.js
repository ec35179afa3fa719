// The arrows on the rim: what lies outside of the view, named by the nearest of it.

import { h, icon, setAttribute, setText } from '../core/dom.js';
import { distance, integer } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { measureArrow } from './measure.js';
import { Pool, differs, putBox } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').EdgeArrow} EdgeArrow
 * @typedef {{ width: number, height: number }} Size CSS pixels
 * @typedef {HTMLButtonElement & import('./pool.js').Written & { main: HTMLElement, minor: HTMLElement, pointer: SVGElement,
 *   place: number, far: string }} ArrowElement
 */

const SLOTS = /** @type {const} */ (['left', 'right', 'above', 'below', 'selection']);

export class EdgeArrows {
  /**
   * How large each arrow is drawn, in the order the engine wants to know it.
   * @type {Size[]}
   */
  sizes = SLOTS.map(() => ({ width: 96, height: 44 }));
  /** Told when one of the sizes has changed. */
  resized = () => {};

  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   * @param {(place: number) => void} follow
   */
  constructor(layer, session, follow) {
    this.session = session;
    /** @type {Pool<ArrowElement>} */
    this.pool = new Pool(layer, () => {
      const pointer = icon('pointer');
      pointer.classList.add('edge-pointer');
      const main = h('span', { class: 'edge-count' });
      const minor = h('span', { class: 'edge-far' });
      const button = h('button', { class: 'edge-arrow', type: 'button' },
        pointer, h('span', { class: 'edge-text' }, main, minor));
      /** @type {ArrowElement} */
      const element = Object.assign(button, { main, minor, pointer, place: 0, far: '', was: {} });
      element.addEventListener('click', () => follow(element.place));
      return element;
    });
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    this.pool.begin();
    let hasChanged = false;
    for (const arrow of frame.arrows) {
      const slot = arrow.isForSelection ? 'selection' : arrow.side;
      const { element, isNew } = this.pool.take(slot);
      const size = this.sizes[SLOTS.indexOf(slot)];
      const wanted = this.#fill(element, arrow, isNew);
      putBox(element, arrow.x, arrow.y, size);
      if (differs(element, 'direction', arrow.direction)) element.pointer.style.transform = `rotate(${arrow.direction.toFixed(3)}rad)`;
      if (!wanted || (wanted.width === size.width && wanted.height === size.height)) continue;
      this.sizes[SLOTS.indexOf(slot)] = wanted;
      hasChanged = true;
    }
    this.pool.end();
    // From the next frame on: until then it is as large as the engine believes.
    if (hasChanged) this.resized();
  }

  /** After a change of language or text size. */
  reset() {
    this.pool.invalidate();
  }

  /**
   * @param {ArrowElement} element
   * @param {EdgeArrow} arrow
   * @param {boolean} isNew
   * @returns {Size | null} how large it has become, when its text is another
   */
  #fill(element, arrow, isNew) {
    if (differs(element, 'distance', arrow.nearestDistance) || isNew) element.far = distance(arrow.nearestDistance);
    const { far } = element;
    if (!differs(element, 'said', `${arrow.nearest}/${arrow.count}/${far}/${arrow.isForSelection}`) && !isNew) return null;
    element.place = arrow.nearest;
    element.dataset.side = arrow.side;
    element.classList.toggle('for-selection', arrow.isForSelection);
    const { content } = this.session;
    const place = content?.places[arrow.nearest];
    const name = place && content ? content.placeTitle(place) : '';
    const others = arrow.isForSelection ? 0 : arrow.count - 1;
    const { text, width, height } = measureArrow(name, others > 0 ? ` +${integer(others)}` : '', far);
    setText(element.main, text);
    setText(element.minor, far);
    const label = arrow.isForSelection
      ? t('arrow.selection', { name, distance: far })
      : `${t(`arrow.${arrow.side}`, { places: tn('places', arrow.count), distance: far })}: ${name}`;
    setAttribute(element, 'aria-label', label);
    element.title = arrow.isForSelection ? '' : name;
    return { width, height };
  }
}
