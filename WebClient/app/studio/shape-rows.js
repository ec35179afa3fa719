// Lines and areas of a place: drawn on the map, with their colour and width.

import { h } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { changePlace } from './content.js';
import { button, numberRow, row } from './form.js';
import { drawShape } from './shape-drawer.js';

/**
 * @typedef {import('../types').Place} Place
 * @typedef {import('./editor.js').Editor} Editor
 * @typedef {number[][]} Corners longitude and latitude of each
 */

const USUAL_COLOR = '#2060ff';
const USUAL_WIDTH = 4;

/**
 * A shape's corners without the one that closes its ring.
 * @param {NonNullable<Place['shapes']>[number]} shape
 * @returns {Corners}
 */
export function openCorners({ kind, parts: [part] }) {
  const corners = /** @type {Corners} */ (part ?? []);
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = kind === 'area' && corners.length > 1 && first[0] === last?.[0] && first[1] === last?.[1];
  return isClosed ? corners.slice(0, -1) : corners;
}

/**
 * @param {'line' | 'area'} kind
 * @param {Corners} corners
 * @returns {NonNullable<Place['shapes']>[number]}
 */
export const shapeOf = (kind, corners) => ({ kind, parts: [kind === 'area' ? [...corners, corners[0]] : corners] });

/**
 * @param {Editor} editor
 * @param {Place} place
 * @param {(values: Partial<Place>, key?: string) => void} change
 * @param {(values: Partial<Place>) => void} rebuild
 * @returns {(Node | false)[]}
 */
export function shapeRows(editor, place, change, rebuild) {
  const { shapes = [], shapeStyle } = place;
  const id = place.id ?? '';
  const draw = (/** @type {'line' | 'area'} */ kind, /** @type {Corners} */ corners) => drawShape(editor, kind, corners, (drawn) => {
    editor.draft.edit((dimension) => changePlace(dimension, id, { shapes: drawn.length ? [shapeOf(kind, drawn)] : undefined }));
    editor.showPanel();
  });
  const now = () => editor.draft.dimension.places.find((other) => other.id === id)?.shapeStyle ?? {};
  if (shapes.length === 0) {
    return [h('div', { class: 'actions' }, button('studio.drawLine', () => draw('line', []), { id: 'draw-line' }), button('studio.drawArea', () => draw('area', []), { id: 'draw-area' }))];
  }
  const isSimple = shapes.length === 1 && shapes[0].parts.length === 1;
  const color = h('input', {
    type: 'color', class: 'field', value: /^#[0-9a-f]{6}$/i.test(shapeStyle?.stroke ?? '') ? shapeStyle?.stroke : USUAL_COLOR,
    oninput: () => change({ shapeStyle: { ...now(), stroke: color.value, ...(shapes[0].kind === 'area' ? { fill: color.value } : {}) } }, 'stroke'),
  });
  return [
    h('div', { class: 'form-columns' }, row('studio.lineColor', color),
      numberRow('studio.lineWidth', shapeStyle?.width ?? USUAL_WIDTH, (width) => change({ shapeStyle: { ...now(), width: width ?? USUAL_WIDTH } }, 'width'), { min: 0, max: 100, id: 'shape-width' })),
    !isSimple && localized(h('p', { class: 'form-note' }), 'studio.shapesMany'),
    h('div', { class: 'actions' },
      isSimple && button('studio.changeShape', () => draw(shapes[0].kind, openCorners(shapes[0])), { id: 'change-shape' }),
      button('studio.removeShape', () => rebuild({ shapes: undefined, shapeStyle: undefined }), { id: 'remove-shape' })),
  ];
}
