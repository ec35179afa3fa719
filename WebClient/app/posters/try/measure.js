// True size from one edge: two points are put on something on the wall, and its length is typed in.

import { h, icon } from '../../core/dom.js';
import { localized, t } from '../../core/i18n.js';
import { Handles } from './handles.js';

/**
 * @typedef {[number, number]} Point
 * @typedef {import('../../../engine/plane.js').View} View
 * @typedef {import('../../../engine/plane.js').Plane} Plane
 */

/**
 * Asks for the two points and the length. The picture and the wall's pose in it stand still meanwhile.
 * @param {HTMLElement} host over the camera
 * @param {HTMLElement} panel
 * @param {View} view
 * @param {Plane} wall
 * @returns {Promise<number | null>} by what every length has to be multiplied; `null` when it was given up
 */
export function measureEdge(host, panel, view, wall) {
  const middle = view.height / 2;
  const handles = new Handles(view, [[view.width * 0.35, middle], [view.width * 0.65, middle]], { isClosed: false });
  host.append(handles.element);
  const length = h('input', { type: 'number', class: 'field', id: 'wall-length', min: '1', max: '1000', step: '0.1', inputMode: 'decimal' });
  const note = h('p', { class: 'wall-note', role: 'status' });
  return new Promise((resolve) => {
    const end = (/** @type {number | null} */ factor) => {
      handles.close();
      resolve(factor);
    };
    const apply = () => {
      const entered = Number(length.value) / 100;
      const [a, b] = handles.points.map((point) => wall.point(point));
      const measured = a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
      if (!(entered >= 0.01 && entered <= 10) || measured < 1e-3) {
        note.textContent = t('posters.lengthNeeded');
        length.focus();
        return;
      }
      end(entered / measured);
    };
    panel.replaceChildren(
      localized(h('p', { class: 'wall-note' }), 'posters.measureText'),
      h('label', { class: 'setting' }, localized(h('span'), 'posters.length'), length), note,
      h('div', { class: 'wall-buttons' },
        localized(h('button', { type: 'button', class: 'button', onclick: () => end(null) }), 'posters.back'),
        h('button', { type: 'button', class: 'button primary', id: 'wall-measured', onclick: apply }, icon('ok'), localized(h('span'), 'posters.apply'))));
  });
}
