// Clusters: what stands too close together for labels of its own.

import { h, setText } from '../core/dom.js';
import { distance, integer } from '../core/format.js';
import { t, tn } from '../core/i18n.js';
import { Pool, differs, putBox, putClass, putOpacity, turnOf } from './pool.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {HTMLButtonElement & import('./pool.js').Written & { main: HTMLElement, minor: HTMLElement, far: string }} MarkElement
 */

export class Clusters {
  /**
   * @param {HTMLElement} layer
   * @param {Session} session
   */
  constructor(layer, session) {
    /** @type {Pool<MarkElement>} */
    this.pool = new Pool(layer, () => {
      const [main, minor] = [h('span', { class: 'cluster-count' }), h('span', { class: 'cluster-far' })];
      const element = Object.assign(h('button', { class: 'cluster', type: 'button' }, main, minor), { main, minor, far: '', was: {} });
      element.addEventListener('click', () => session.tell({ type: 'toggleCluster', cluster: Number(element.dataset.cluster) }));
      return element;
    });
  }

  /** After a change of language. */
  reset() {
    this.pool.invalidate();
  }

  /** @param {SceneFrame} frame */
  draw({ clusters, roll }) {
    this.pool.begin();
    const turn = turnOf(roll);
    for (const cluster of clusters) {
      const { element, isNew } = this.pool.take(cluster.id);
      putBox(element, cluster.centerX, cluster.centerY, cluster, turn);
      putOpacity(element, cluster.opacity);
      this.#say(element, cluster, isNew);
    }
    this.pool.end();
  }

  /**
   * @param {MarkElement} element
   * @param {import('../../engine/types').SceneCluster} cluster
   * @param {boolean} isNew
   */
  #say(element, { id, isOpen, members: { length }, nearestDistance }, isNew) {
    if (differs(element, 'distance', nearestDistance) || isNew) element.far = distance(nearestDistance);
    const { far } = element;
    if (!differs(element, 'said', `${id}/${isOpen}/${length}/${far}`) && !isNew) return;
    if (differs(element, 'id', id)) element.dataset.cluster = String(id);
    putClass(element, 'open', isOpen);
    element.setAttribute('aria-expanded', String(isOpen));
    setText(element.main, isOpen ? '×' : integer(length));
    setText(element.minor, far);
    const places = tn('places', length);
    element.setAttribute('aria-label', isOpen ? t('cluster.close', { places }) : t('cluster.label', { places, distance: far }));
  }
}
