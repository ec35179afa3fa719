// Overlays: what is fixed to the screen, moved about on a canvas of a phone's shape.

import { fileField } from '../controls/file-field.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { actionRows } from './action-rows.js';
import { addOverlay, changeOverlay, fromTopLeft, newOverlay, removeOverlay, toAnchor, withAsset } from './content.js';
import { areaRow, button, checkRow, numberRow, PICTURES, pivotRow, selectRow, textRow } from './form.js';
import { overlayName } from './place-panel.js';
import { translationRows } from './translation-rows.js';

/**
 * @typedef {import('../types').Overlay} Overlay
 * @typedef {import('./editor.js').Editor} Editor
 */

/** Points of the canvas: an ordinary phone, held upright. */
const SCREEN = { width: 390, height: 844 };
/** What the page's own bars take of it. */
const BARS = { top: 66, bottom: 80 };
/** @param {Overlay} overlay */
const onScreen = (overlay) => fromTopLeft(overlay, SCREEN, BARS);
/**
 * A point of the screen as an overlay counts.
 * @param {{ x: number, y: number }} point
 * @param {Overlay} overlay
 */
const anchored = (point, { anchor }) => toAnchor(point, anchor, SCREEN, BARS);
const PIVOTS = /** @type {const} */ (['TL', 'TC', 'TR', 'CL', 'CC', 'CR', 'BL', 'BC', 'BR']);
const FRACTION = /** @type {Record<string, number>} */ ({ T: 0, L: 0, C: 0.5, B: 1, R: 1 });

/** @param {Editor} editor */
export function overlayPanel(editor) {
  const { draft } = editor;
  const { overlays } = draft.dimension;
  const chosen = overlays.find(({ id }) => id === editor.overlay) ?? null;
  const stage = h('div', { class: 'phone-canvas', id: 'phone-canvas', role: 'group', 'aria-label': t('studio.phoneCanvas') });
  /** @type {Map<string, HTMLElement>} */
  const boxes = new Map();
  for (const [index, overlay] of overlays.entries()) {
    const box = overlayBox(editor, overlay, index, stage);
    boxes.set(overlay.id ?? '', box);
    stage.append(box);
  }
  const scale = () => stage.style.setProperty('--scale', String(stage.clientWidth / SCREEN.width));
  new ResizeObserver(scale).observe(stage);
  return h(
    'div',
    { class: 'panel-body', id: 'overlay-panel' },
    localized(h('p', { class: 'form-note' }), 'studio.overlayHint'),
    stage,
    h('div', { class: 'actions' }, button('studio.addOverlay', () => {
      const overlay = newOverlay(t('studio.newOverlay'));
      editor.overlay = overlay.id ?? null;
      draft.edit((dimension) => addOverlay(dimension, overlay));
      editor.showPanel();
    }, { id: 'overlay-add' })),
    overlays.length > 1 && selectRow('studio.overlay', editor.overlay ?? '', [['', t('studio.choose')], ...overlays.map((overlay, index) =>
      /** @type {[string, string]} */ ([overlay.id ?? '', overlayName(overlay, index)]))], (id) => {
      editor.overlay = id || null;
      editor.showPanel();
    }),
    chosen && overlayForm(editor, chosen, () => boxes.get(chosen.id ?? '')),
  );
}

/**
 * @param {Editor} editor
 * @param {Overlay} overlay
 * @param {number} index
 * @param {HTMLElement} stage
 */
function overlayBox(editor, overlay, index, stage) {
  const id = overlay.id ?? '';
  const box = h('div', {
    class: 'phone-overlay', tabIndex: 0, role: 'button', 'aria-label': overlayName(overlay, index), dataset: { overlay: id },
    'aria-pressed': String(id === editor.overlay),
  });
  place(editor, box, overlay);
  const now = () => editor.draft.dimension.overlays.find((other) => other.id === id) ?? overlay;
  const choose = () => {
    if (editor.overlay === id) return;
    editor.overlay = id;
    editor.showPanel();
  };
  /** @type {{ x: number, y: number, left: number, top: number, moved: boolean } | null} */
  let drag = null;
  box.addEventListener('pointerdown', (event) => {
    const { x, y } = onScreen(now());
    drag = { x: event.clientX, y: event.clientY, left: x, top: y, moved: false };
    box.setPointerCapture(event.pointerId);
    event.preventDefault();
    box.focus({ preventScroll: true });
  });
  box.addEventListener('pointermove', (event) => {
    if (!drag) return;
    const factor = SCREEN.width / Math.max(1, stage.clientWidth);
    const [dx, dy] = [(event.clientX - drag.x) * factor, (event.clientY - drag.y) * factor];
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    drag.moved = true;
    const moved = anchored({ x: inside(drag.left + dx, SCREEN.width), y: inside(drag.top + dy, SCREEN.height) }, now());
    place(editor, box, { ...now(), ...moved });
    box.dataset.x = String(moved.x);
    box.dataset.y = String(moved.y);
  });
  const end = () => {
    if (!drag) return;
    const { moved } = drag;
    drag = null;
    if (moved) editor.draft.edit((dimension) => changeOverlay(dimension, id, { x: Number(box.dataset.x), y: Number(box.dataset.y) }));
    if (moved && editor.overlay === id) editor.showPanel();
    choose();
  };
  box.addEventListener('pointerup', end);
  box.addEventListener('pointercancel', end);
  box.addEventListener('keydown', (event) => {
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (event.key === 'Enter') return choose();
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const from = onScreen(now());
    const next = anchored({ x: inside(from.x + way[0] * step, SCREEN.width), y: inside(from.y + way[1] * step, SCREEN.height) }, now());
    editor.draft.edit((dimension) => changeOverlay(dimension, id, next), `move ${id}`);
    place(editor, box, now());
  });
  return box;
}

const inside = (/** @type {number} */ value, /** @type {number} */ end) => Math.round(Math.min(end, Math.max(0, value)));

/**
 * Draws an overlay where it is on the phone.
 * @param {Editor} editor
 * @param {HTMLElement} box
 * @param {Overlay} overlay
 */
function place(editor, box, overlay) {
  const { content, pivot } = overlay;
  const style = box.style;
  const { x, y } = onScreen(overlay);
  style.setProperty('--x', `${(x / SCREEN.width) * 100}%`);
  style.setProperty('--y', `${(y / SCREEN.height) * 100}%`);
  style.setProperty('--px', `${-FRACTION[pivot[1]] * 100}%`);
  style.setProperty('--py', `${-FRACTION[pivot[0]] * 100}%`);
  box.classList.toggle('hidden-overlay', overlay.hidden);
  box.dataset.kind = content.kind;
  if (content.kind === 'text') {
    style.setProperty('--w', content.width > 0 ? `${content.width}` : 'auto');
    if (box.textContent !== content.text) box.textContent = content.text;
  } else if (content.kind === 'image') {
    const url = editor.assetURL(content.assetID);
    if (box.dataset.url !== url) box.replaceChildren(url ? h('img', { src: url, alt: '', draggable: false }) : t('studio.asImage'));
    box.dataset.url = url ?? '';
  } else {
    style.setProperty('--w', `${content.width}`);
    style.setProperty('--h', `${content.height}`);
    box.textContent = content.url || t('studio.asPage');
  }
}

/**
 * @param {Editor} editor
 * @param {Overlay} overlay
 * @param {() => HTMLElement | undefined} box
 */
function overlayForm(editor, overlay, box) {
  const id = overlay.id ?? '';
  const now = () => editor.draft.dimension.overlays.find((other) => other.id === id) ?? overlay;
  const change = (/** @type {Partial<Overlay>} */ values, /** @type {string} */ key = '') => {
    editor.draft.edit((dimension) => changeOverlay(dimension, id, values), key && `${key} ${id}`);
    const element = box();
    if (element) place(editor, element, now());
  };
  const rebuild = (/** @type {Partial<Overlay>} */ values) => {
    change(values);
    editor.showPanel();
  };
  const { content } = overlay;
  const picture = fileField({
    label: 'studio.choosePicture', accept: PICTURES, id: 'overlay-picture', keep: false,
    pick: async ([file]) => {
      const stored = await editor.upload(file, 512);
      if (!stored) return;
      editor.draft.edit((dimension) => {
        const { dimension: next, id: assetID } = withAsset(dimension, stored.url);
        return changeOverlay(next, id, { content: { kind: 'image', assetID } });
      });
      editor.showPanel();
    },
  });
  /** @type {(Node | false)[]} */
  const rows = [];
  if (content.kind === 'text') {
    rows.push(
      areaRow('studio.text', content.text, (text) => change({ content: { .../** @type {any} */ (now().content), text } }, 'text'), { id: 'overlay-text' }),
      numberRow('studio.width', content.width, (width) => change({ content: { .../** @type {any} */ (now().content), width: width ?? 0 } }, 'width'), { min: 0, max: SCREEN.width }),
    );
  } else if (content.kind === 'html') {
    rows.push(
      textRow('studio.address', content.url, (url) => change({ content: { .../** @type {any} */ (now().content), url } }, 'url'), { inputMode: 'url', placeholder: 'https://' }),
      h('div', { class: 'form-columns' },
        numberRow('studio.width', content.width, (width) => change({ content: { .../** @type {any} */ (now().content), width: width ?? 0 } }, 'width'), { min: 1, max: SCREEN.width }),
        numberRow('studio.height', content.height, (height) => change({ content: { .../** @type {any} */ (now().content), height: height ?? 0 } }, 'height'), { min: 1, max: SCREEN.height })),
    );
  }
  return h(
    'div',
    { class: 'form-rows', id: 'overlay-form' },
    selectRow('studio.shownAs', content.kind, [['text', t('studio.asText')], ['image', t('studio.asImage')], ['html', t('studio.asPage')]], (kind) => {
      if (kind === 'text') rebuild({ content: { kind: 'text', text: t('studio.newOverlay'), width: 220 } });
      else if (kind === 'html') rebuild({ content: { kind: 'html', url: '', width: 280, height: 180 } });
      else {
        picture.querySelector('button')?.click();
        editor.showPanel();
      }
    }, { id: 'overlay-kind' }),
    ...rows,
    picture,
    selectRow('studio.countsFrom', overlay.anchor ?? '', [['', t('studio.wholeScreen')], ...PIVOTS.map((name) => /** @type {[string, string]} */ ([name, t(`studio.pivot.${name}`)]))],
      (anchor) => rebuild({ ...toAnchor(onScreen(now()), anchor || undefined, SCREEN, BARS), anchor: /** @type {Overlay['anchor']} */ (anchor || undefined) }),
      { id: 'overlay-anchor' }, 'studio.countsFromHint'),
    h('div', { class: 'form-columns' },
      numberRow(overlay.anchor ? 'studio.inwardsX' : 'studio.fromLeft', overlay.x, (x) => change({ x: x ?? 0 }, 'x'), { min: overlay.anchor?.[1] === 'C' ? -SCREEN.width : 0, max: SCREEN.width, id: 'overlay-x' }),
      numberRow(overlay.anchor ? 'studio.inwardsY' : 'studio.fromTop', overlay.y, (y) => change({ y: y ?? 0 }, 'y'), { min: overlay.anchor?.[0] === 'C' ? -SCREEN.height : 0, max: SCREEN.height, id: 'overlay-y' })),
    pivotRow('studio.pivot', overlay.pivot, (pivot) => change({ pivot })),
    checkRow('studio.hidden', overlay.hidden, (hidden) => change({ hidden })),
    ...actionRows(editor, overlay.action, (action) => change({ action }, 'action'), (action) => rebuild({ action })),
    ...(content.kind === 'text' ? translationRows(editor, overlay.translations, (translations) => change({ translations }, 'translations'), ['text']) : []),
    button('studio.removeOverlay', () => {
      editor.overlay = null;
      editor.draft.edit((dimension) => removeOverlay(dimension, id));
      editor.showPanel();
    }),
  );
}
