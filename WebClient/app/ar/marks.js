// Clusters and the arrows at the screen's edges.

import { h, icon, setAttribute, setText } from '../core/dom.js';
import { distance, integer } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { Pool } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/types').EdgeArrow} EdgeArrow
 * @typedef {HTMLButtonElement & { main?: HTMLElement, minor?: HTMLElement, pointer?: Element, place_?: number }} MarkElement
 */

export class Clusters {
  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   */
  constructor(layer, session) {
    /** @type {Pool<MarkElement>} */
    this.pool = new Pool(layer, () => {
      /** @type {MarkElement} */
      const element = h('button', { class: 'cluster', type: 'button' });
      element.main = h('span', { class: 'cluster-count' });
      element.minor = h('span', { class: 'cluster-far' });
      element.append(element.main, element.minor);
      element.addEventListener(
        'click',
        () => session.tell({ type: 'toggleCluster', cluster: Number(element.dataset.cluster) }),
      );
      return element;
    });
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    this.pool.begin();
    for (const cluster of frame.clusters) {
      const { element } = this.pool.take(cluster.id);
      element.dataset.cluster = String(cluster.id);
      const x = cluster.centerX - cluster.width / 2;
      const y = cluster.centerY - cluster.height / 2;
      element.style.transform = `translate3d(${x.toFixed(2)}px,${y.toFixed(2)}px,0) rotate(${
        frame.roll.toFixed(4)
      }rad)`;
      element.style.width = `${cluster.width}px`;
      element.style.height = `${cluster.height}px`;
      const opacity = cluster.opacity >= 0.995 ? '' : cluster.opacity.toFixed(2);
      if (element.style.opacity !== opacity) element.style.opacity = opacity;
      element.classList.toggle('open', cluster.isOpen);
      setAttribute(element, 'aria-expanded', String(cluster.isOpen));
      const count = cluster.members.length;
      const far = distance(cluster.nearestDistance);
      if (element.main) setText(element.main, cluster.isOpen ? '×' : integer(count));
      if (element.minor) setText(element.minor, far);
      const places = tn('places', count);
      setAttribute(
        element,
        'aria-label',
        cluster.isOpen ? t('cluster.close', { places }) : t('cluster.label', { places, distance: far }),
      );
    }
    this.pool.end();
  }
}

/** Room the arrows keep to bars and screen edges, CSS pixels. */
const MARGIN = 10;
const HALF = 24;

export class EdgeArrows {
  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   * @param {(place: number) => void} follow
   */
  constructor(layer, session, follow) {
    this.session = session;
    /** Free part of the screen, CSS pixels. */
    this.bounds = { top: 64, bottom: 120, bottomLeft: 120 };
    /** @type {Pool<MarkElement>} */
    this.pool = new Pool(layer, () => {
      /** @type {MarkElement} */
      const element = h('button', { class: 'edge-arrow', type: 'button' });
      const pointer = icon('pointer');
      pointer.classList.add('edge-pointer');
      element.pointer = pointer;
      element.main = h('span', { class: 'edge-count' });
      element.minor = h('span', { class: 'edge-far' });
      element.append(pointer, h('span', { class: 'edge-text' }, element.main, element.minor));
      element.addEventListener('click', () => follow(element.place_ ?? 0));
      return element;
    });
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    this.pool.begin();
    for (const arrow of frame.arrows) {
      const { element } = this.pool.take(arrow.isForSelection ? 'selection' : arrow.side);
      this.#show(element, arrow, frame);
    }
    this.pool.end();
  }

  /**
   * @param {MarkElement} element
   * @param {EdgeArrow} arrow
   * @param {SceneFrame} frame
   */
  #show(element, arrow, frame) {
    const { bounds } = this;
    element.dataset.side = arrow.side;
    element.place_ = arrow.nearest;
    // At the sides the arrow ends at the screen's edge, however wide its text is.
    const atLeft = arrow.x < frame.width * 0.2;
    const atRight = arrow.x > frame.width * 0.8;
    const below = atLeft ? bounds.bottomLeft : bounds.bottom;
    const y = clamp(arrow.y, bounds.top + HALF + MARGIN, frame.height - below - HALF - MARGIN);
    const x = atLeft ? MARGIN : atRight ? frame.width - MARGIN : arrow.x;
    const shift = atLeft ? '0' : atRight ? '-100%' : '-50%';
    element.style.transform = `translate3d(${x.toFixed(1)}px,${y.toFixed(1)}px,0) translate(${shift},-50%)`;
    if (element.pointer instanceof SVGElement) {
      element.pointer.style.transform = `rotate(${arrow.direction.toFixed(3)}rad)`;
    }
    element.classList.toggle('for-selection', arrow.isForSelection);
    const far = distance(arrow.nearestDistance);
    const place = this.session.content?.places[arrow.nearest];
    const name = place && this.session.content ? this.session.content.placeTitle(place) : '';
    if (element.main) setText(element.main, arrow.isForSelection ? name : integer(arrow.count));
    if (element.minor) setText(element.minor, far);
    const places = tn('places', arrow.count);
    setAttribute(
      element,
      'aria-label',
      arrow.isForSelection
        ? t('arrow.selection', { name, distance: far })
        : t(`arrow.${arrow.side}`, { places, distance: far }),
    );
    if (!arrow.isForSelection) element.title = name;
  }
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return high < low ? (low + high) / 2 : Math.min(high, Math.max(low, value));
}
