// Clusters: what stands too close together for labels of its own.

import { h, setAttribute, setText } from '../core/dom.js';
import { distance, integer } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { Pool } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {HTMLButtonElement & { main?: HTMLElement, minor?: HTMLElement, transform?: string }} MarkElement
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
      if (element.dataset.cluster !== String(cluster.id)) element.dataset.cluster = String(cluster.id);
      const x = cluster.centerX - cluster.width / 2;
      const y = cluster.centerY - cluster.height / 2;
      const transform = `translate3d(${x.toFixed(2)}px,${y.toFixed(2)}px,0) rotate(${frame.roll.toFixed(4)}rad)`;
      if (element.transform !== transform) element.style.transform = element.transform = transform;
      for (const side of /** @type {const} */ (['width', 'height'])) {
        const length = `${cluster[side]}px`;
        if (element.style[side] !== length) element.style[side] = length;
      }
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
