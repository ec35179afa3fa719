// A sheet of markers that prints at true size: an SVG in millimetres, made from the engine's own codes.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { MARKER_DICTIONARY } from '../../engine/layout.js';
import { Markers } from '../../engine/markers.js';
import { preloadVision } from '../session/engine-link.js';
import { showDialog } from '../ui/dialog.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Paper, millimetres; what every printer leaves free is more than spared. */
const PAPER = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } };
const EDGE = 12;
const FOOT = 22;

/**
 * @typedef {{ dictionary: string, first: number, count: number, side: number, paper: keyof typeof PAPER }} Sheet
 */

/**
 * The ids that fit on a sheet, and where: left upper corners of the black borders in millimetres.
 * @param {Sheet} sheet
 * @param {number} cells inside the border
 */
export function arrange({ first, count, side, paper }, cells) {
  const { width, height } = PAPER[paper];
  const quiet = side / (cells + 2);
  // The white margin and room for the caption and cutting marks.
  const step = { x: side + 2 * quiet + 6, y: side + 2 * quiet + 12 };
  const columns = Math.max(0, Math.floor((width - 2 * EDGE) / step.x));
  const rows = Math.max(0, Math.floor((height - 2 * EDGE - FOOT) / step.y));
  const left = (width - columns * step.x) / 2;
  return Array.from({ length: Math.min(count, columns * rows) }, (_, k) => ({
    id: first + k,
    x: left + (k % columns) * step.x + (step.x - side) / 2,
    y: EDGE + Math.floor(k / columns) * step.y + quiet + 3,
    quiet,
  }));
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function svg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * The drawing of a sheet.
 * @param {Sheet} sheet
 * @param {Markers} markers
 */
export function drawSheet(sheet, markers) {
  const { dictionary, side, paper } = sheet;
  const { width, height } = PAPER[paper];
  const drawing = svg('svg', {
    xmlns: SVG, width: `${width}mm`, height: `${height}mm`, viewBox: `0 0 ${width} ${height}`, class: 'marker-sheet',
  });
  drawing.append(svg('rect', { width, height, fill: '#fff' }));
  const total = markers.count(dictionary);
  const n = markers.cells(dictionary, 0).length;
  const places = arrange({ ...sheet, count: Math.min(sheet.count, total - sheet.first) }, n);
  const cell = side / (n + 2);
  for (const { id, x, y, quiet } of places) {
    const group = svg('g', { 'data-marker': id, transform: `translate(${x.toFixed(3)} ${y.toFixed(3)})` });
    group.append(svg('rect', { width: side, height: side, fill: '#000', 'data-border': 1 }));
    // One path for all white cells: separate rectangles show hairlines between them.
    let white = '';
    markers.cells(dictionary, id).forEach((row, r) => row.forEach((isWhite, c) => {
      if (isWhite) white += `M${(c + 1) * cell} ${(r + 1) * cell}h${cell}v${cell}h${-cell}z`;
    }));
    group.append(svg('path', { d: white, fill: '#fff' }));
    for (const [cx, cy] of [[-quiet, -quiet], [side + quiet, -quiet], [-quiet, side + quiet], [side + quiet, side + quiet]]) {
      const dx = cx < 0 ? -2 : 2;
      const dy = cy < 0 ? -2 : 2;
      group.append(svg('path', { d: `M${cx} ${cy}h${dx}M${cx} ${cy}v${dy}`, stroke: '#999', 'stroke-width': 0.2, fill: 'none' }));
    }
    group.append(svg('text', {
      x: side / 2, y: side + quiet + 4.4, 'font-size': 3, 'text-anchor': 'middle', 'font-family': 'sans-serif', fill: '#444',
    }, `${dictionary} · ${id} · ${side} mm`));
    drawing.append(group);
  }
  drawing.append(...ruler(width / 2 - 50, height - EDGE - 8));
  return { drawing, ids: places.map(({ id }) => id) };
}

/**
 * Ten centimetres to hold a ruler against.
 * @param {number} x
 * @param {number} y
 */
function ruler(x, y) {
  let path = `M${x} ${y}h100`;
  for (let k = 0; k <= 100; k += 5) path += `M${x + k} ${y}v${k % 10 === 0 ? -3 : -1.6}`;
  return [
    svg('path', { d: path, stroke: '#000', 'stroke-width': 0.25, fill: 'none' }),
    svg('text', { x: x + 50, y: y + 4.6, 'font-size': 3.2, 'text-anchor': 'middle', 'font-family': 'sans-serif', fill: '#000' },
      t('sheet.ruler')),
  ];
}

/**
 * A dialog with a sheet to choose, see, print and save.
 * @param {Partial<Sheet>} [wanted]
 */
export async function showSheet(wanted = {}) {
  const markers = await Markers.make(await preloadVision());
  /** @type {Sheet} */
  const sheet = { dictionary: '6x6-250', first: 0, count: 99, side: 60, paper: 'a4', ...wanted };
  const preview = h('div', { class: 'sheet-preview', id: 'sheet-preview' });
  const note = h('p', { class: 'setting-hint', role: 'status' });
  const draw = () => {
    const { drawing, ids } = drawSheet(sheet, markers);
    preview.replaceChildren(drawing);
    note.textContent = ids.length
      ? t('sheet.ids', { first: ids[0], last: ids[ids.length - 1] })
      : t('sheet.tooLarge');
  };
  const choice = (/** @type {string[]} */ values, /** @type {string} */ value, /** @type {(next: string) => void} */ set, /** @type {string} */ id) => {
    const select = h('select', { class: 'select', id, onchange: () => (set(select.value), draw()) },
      ...values.map((each) => h('option', { value: each }, each)));
    select.value = value;
    return select;
  };
  const number = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high, /** @type {(next: number) => void} */ set, /** @type {string} */ id) => {
    const field = h('input', {
      type: 'number', class: 'field', id, min: String(low), max: String(high), value: String(value),
      oninput: () => {
        const next = Number(field.value);
        if (next >= low && next <= high) {
          set(next);
          draw();
        }
      },
    });
    return field;
  };
  const row = (/** @type {import('../core/i18n.js').TextKey} */ key, /** @type {HTMLElement} */ control) =>
    h('label', { class: 'setting' }, localized(h('span'), key), control);
  showDialog(
    { title: t('sheet.title'), id: 'sheet-dialog' },
    h('p', {}, t('sheet.text')),
    row('sheet.dictionary', choice(MARKER_DICTIONARY, sheet.dictionary, (value) => {
      sheet.dictionary = value;
      sheet.first = 0;
    }, 'sheet-dictionary')),
    row('sheet.first', number(sheet.first, 0, 2319, (value) => (sheet.first = Math.floor(value)), 'sheet-first')),
    row('sheet.side', number(sheet.side, 10, 180, (value) => (sheet.side = value), 'sheet-side')),
    row('sheet.paper', choice(Object.keys(PAPER), sheet.paper, (value) => (sheet.paper = value === 'letter' ? value : 'a4'), 'sheet-paper')),
    note,
    h('div', { class: 'sheet-buttons' },
      localized(h('button', { type: 'button', class: 'button primary', id: 'sheet-print', onclick: () => window.print() }), 'sheet.print'),
      localized(h('button', { type: 'button', class: 'button', id: 'sheet-save', onclick: () => save(preview, sheet) }), 'sheet.save')),
    preview,
  );
  draw();
}

/**
 * @param {HTMLElement} preview
 * @param {Sheet} sheet
 */
function save(preview, sheet) {
  const text = new XMLSerializer().serializeToString(/** @type {Node} */ (preview.firstChild));
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  h('a', { href: url, download: `markers-${sheet.dictionary}-${sheet.side}mm.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
