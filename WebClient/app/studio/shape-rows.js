// Lines and areas of a place: drawn on the map, with their colour and width.

import { h } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { changePlace } from './content.js';
import { button, numberRow, row } from './form.js';
import { percent } from './sign-rows.js';
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
  const isArea = shapes.some(({ kind }) => kind === 'area');
  const known = (/** @type {string | undefined} */ value) => (/^#[0-9a-f]{6}$/i.test(value ?? '') ? value : USUAL_COLOR);
  const fill = h('input', { type: 'color', class: 'field', id: 'shape-fill', value: known(shapeStyle?.fill ?? shapeStyle?.stroke), oninput: () => put({ fill: fill.value }, 'fill') });
  const color = h('input', {
    type: 'color', class: 'field', id: 'shape-color', value: known(shapeStyle?.stroke),
    oninput: () => {
      // An area is of one colour until its author wants two.
      const { stroke, fill: inside = stroke } = now();
      const isOne = isArea && inside === stroke;
      put({ stroke: color.value, ...(isOne ? { fill: color.value } : {}) }, 'stroke');
      if (isOne) fill.value = color.value;
    },
  });
  const put = (/** @type {NonNullable<Place['shapeStyle']>} */ values, /** @type {string} */ key) => change({ shapeStyle: { ...now(), ...values } }, key);
  const opacity = (/** @type {'strokeOpacity' | 'fillOpacity'} */ name, /** @type {import('../core/i18n.js').TextKey} */ key, /** @type {string} */ id) =>
    numberRow(key, percent(shapeStyle?.[name]), (share) => {
      const style = { ...now(), [name]: share === undefined ? undefined : share / 100 };
      if (share === undefined) delete style[name];
      change({ shapeStyle: style }, name);
    }, { min: 0, max: 100, optional: true, id });
  return [
    h('div', { class: 'form-columns' }, row('studio.lineColor', color),
      numberRow('studio.lineWidth', shapeStyle?.width ?? USUAL_WIDTH, (width) => change({ shapeStyle: { ...now(), width: width ?? USUAL_WIDTH } }, 'width'), { min: 0, max: 100, id: 'shape-width' }),
      opacity('strokeOpacity', 'studio.opacity', 'shape-opacity'),
      isArea && row('studio.fillColor', fill), isArea && opacity('fillOpacity', 'studio.fillOpacity', 'shape-fill-opacity')),
    !isSimple && localized(h('p', { class: 'form-note' }), 'studio.shapesMany'),
    h('div', { class: 'actions' },
      isSimple && button('studio.changeShape', () => draw(shapes[0].kind, openCorners(shapes[0])), { id: 'change-shape' }),
      button('studio.removeShape', () => rebuild({ shapes: undefined, shapeStyle: undefined }), { id: 'remove-shape' })),
  ];
}
