// Drawing a line or an area on the map of the studio: a tap adds a corner, a corner is dragged, moved by keys, or taken away.

import { Places } from '../../engine/places.js';
import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { sharedEngine } from '../session/shared-engine.js';
import { announce } from '../ui/toast.js';

/**
 * @typedef {import('./editor.js').Editor} Editor
 * @typedef {import('./shape-rows.js').Corners} Corners
 */

/** Corners of one line. */
const MOST = 500;
/** A tap this near to an edge puts its corner into it, CSS pixels. */
const NEAR = 14;
/** Metres that an arrow key moves a corner; ten times as far with Shift. */
const STEP = 1;
const round = (/** @type {number} */ degrees) => Math.round(degrees * 1e7) / 1e7;

/**
 * @param {Editor} editor
 * @param {'line' | 'area'} kind
 * @param {Corners} before
 * @param {(corners: Corners) => void} done told the corners, as many as the kind needs, or none
 */
export function drawShape(editor, kind, before, done) {
  const { map } = editor;
  /** @type {Corners} */
  let corners = [...before];
  const layer = L.layerGroup().addTo(map.map);
  const least = kind === 'area' ? 3 : 2;
  const finish = localized(h('button', { type: 'button', class: 'button tiny-button primary', id: 'shape-done', onclick: () => end(true) }), 'studio.drawDone');
  const show = (/** @type {number} */ focus = -1) => {
    layer.clearLayers();
    const line = corners.map(([longitude, latitude]) => /** @type {L.LatLngTuple} */ ([latitude, longitude]));
    const options = { color: '#ffcf5c', weight: 3, dashArray: '6 5', interactive: false };
    if (line.length > 1) layer.addLayer(kind === 'area' ? L.polygon([line], options) : L.polyline([line], options));
    line.forEach((at, index) => layer.addLayer(cornerAt(at, index)));
    finish.disabled = corners.length < least;
    const wanted = map.element.querySelectorAll('.shape-corner')[focus];
    if (wanted instanceof HTMLElement) wanted.focus();
  };
  const set = (/** @type {number} */ index, /** @type {number} */ latitude, /** @type {number} */ longitude) => {
    corners = corners.map((corner, k) => (k === index ? [round(longitude), round(latitude)] : corner));
  };
  const remove = (/** @type {number} */ index) => {
    corners = corners.filter((_, k) => k !== index);
    show(Math.min(index, corners.length - 1));
  };
  /** @param {L.LatLngTuple} at @param {number} index */
  const cornerAt = (at, index) => {
    const name = t('studio.corner', { number: index + 1 });
    const marker = L.marker(at, { icon: L.divIcon({ className: 'shape-corner', iconSize: [44, 44] }), draggable: true, keyboard: true, title: name });
    marker.on('dragend', () => {
      const { lat, lng } = marker.getLatLng().wrap();
      set(index, lat, lng);
      show();
    });
    marker.on('click', (event) => {
      event.originalEvent?.stopPropagation?.();
      remove(index);
    });
    marker.on('add', () => {
      const element = marker.getElement();
      if (!element) return;
      element.setAttribute('role', 'button');
      element.setAttribute('aria-label', name);
      element.onkeydown = (event) => key(event, index);
    });
    return marker;
  };
  /** @param {KeyboardEvent} event @param {number} index */
  const key = (event, index) => {
    const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') remove(index);
    else if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) return;
    const step = STEP * (event.shiftKey ? 10 : 1);
    void sharedEngine().then((engine) => {
      const [longitude, latitude] = corners[index];
      const moved = engine.part(Places).moved({ latitude, longitude }, 0, way[1] * step, way[0] * step);
      set(index, moved.latitude, moved.longitude);
      show(index);
    });
  };
  const add = (/** @type {L.LatLng} */ latlng) => {
    if (corners.length >= MOST) return;
    const { lat, lng } = latlng.wrap();
    const point = map.map.latLngToContainerPoint(latlng);
    const pixels = corners.map(([longitude, latitude]) => map.map.latLngToContainerPoint([latitude, longitude]));
    const at = edgeNear(point, pixels, kind === 'area');
    corners = [...corners.slice(0, at), [round(lng), round(lat)], ...corners.slice(at)];
    show();
    announce(t('studio.corner', { number: at + 1 }));
  };
  const end = (/** @type {boolean} */ isDone) => {
    layer.remove();
    map.drawing = null;
    map.element.classList.remove('drawing');
    editor.hint.hidden = true;
    editor.cancelDrawing = () => {};
    if (isDone && corners.length >= least) done(corners);
  };
  editor.cancelDrawing();
  editor.stopAdding();
  editor.cancelDrawing = () => end(false);
  map.drawing = add;
  map.element.classList.add('drawing');
  editor.hint.hidden = false;
  editor.hint.replaceChildren(
    localized(h('span'), 'studio.drawHint'),
    localized(h('button', { type: 'button', class: 'button tiny-button', id: 'shape-middle', onclick: () => add(map.map.getCenter()) }), 'studio.cornerMiddle'),
    finish,
    localized(h('button', { type: 'button', class: 'button tiny-button', id: 'shape-cancel', onclick: () => end(false) }), 'studio.cancel'),
  );
  announce(t('studio.drawHint'));
  show();
}

/**
 * Where a new corner belongs: into an edge that is near, else at the end.
 * @param {{ x: number, y: number }} point
 * @param {{ x: number, y: number }[]} corners
 * @param {boolean} isClosed
 * @returns {number} index of the new corner
 */
export function edgeNear(point, corners, isClosed) {
  let [best, at] = [NEAR, corners.length];
  const edges = isClosed && corners.length > 2 ? corners.length : corners.length - 1;
  for (let k = 0; k < edges; k++) {
    const [a, b] = [corners[k], corners[(k + 1) % corners.length]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy;
    const part = length > 0 ? Math.min(1, Math.max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length)) : 0;
    const far = Math.hypot(point.x - a.x - part * dx, point.y - a.y - part * dy);
    if (far < best) [best, at] = [far, k + 1];
  }
  return at;
}
