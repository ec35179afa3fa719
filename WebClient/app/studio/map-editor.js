// A map to put things on: pins that are dragged, moved by keys, or added where one taps. Knows nothing of worlds or tours.

import { Places } from '../../engine/places.js';
import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { mapControls } from '../controls/map-controls.js';
import { Emitter } from '../core/emitter.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { shapeLayers } from '../map/shapes.js';
import { addTiles } from '../map/tiles.js';
import { sharedEngine } from '../session/shared-engine.js';

/**
 * @typedef {{ id: string, title: string, latitude: number, longitude: number, hue?: number, radius?: number, mark?: string }} Pin
 *   `radius`: a circle round it, metres; `mark`: a letter or number in it
 * @typedef {{ latitude: number, longitude: number }} Point
 * @typedef {{ id: string, hue: number, place: import('../types').Place }} Shaped
 */

/** Metres that an arrow key moves a pin; ten times as far with Shift. */
const KEY_STEP = 1;
/** More pins than this are dots, of which only the chosen one can be moved. */
const MANY = 400;

/** @extends {Emitter<{ select: string | null, move: { id: string } & Point, add: Point }>} */
export class MapEditor extends Emitter {
  /** @type {Map<string, L.Marker | L.CircleMarker>} */
  #pins = new Map();
  /** @type {Pin[]} */
  #shown = [];
  /** @type {string | null} */
  #selected = null;
  #adding = false;
  /** @type {L.CircleMarker | null} */
  #found = null;

  /**
   * Where taps go while something is drawn.
   * @type {((latlng: L.LatLng) => void) | null}
   */
  drawing = null;

  /** @param {HTMLElement} element an empty box with a size of its own */
  constructor(element) {
    super();
    this.element = element;
    element.classList.add('map-editor');
    const canvas = h('div', { class: 'map-editor-canvas' });
    element.append(canvas);
    this.map = L.map(canvas, {
      zoomControl: false, attributionControl: true, zoomSnap: 0.5, worldCopyJump: true, minZoom: 2, maxZoom: 21, doubleClickZoom: false,
    });
    this.map.setView([20, 0], 2);
    element.append(mapControls(this.map, { locate: () => this.#toUser(), fit: () => this.fit() }));
    L.control.scale({ imperial: false, maxWidth: 140 }).addTo(this.map);
    this.circles = L.layerGroup().addTo(this.map);
    this.layer = L.layerGroup().addTo(this.map);
    this.shapes = L.layerGroup().addTo(this.map);
    this.map.on('click', ({ latlng }) => {
      if (this.drawing) this.drawing(latlng);
      else if (this.#adding) this.#add(latlng);
      else this.emit('select', null);
    });
    this.map.on('contextmenu', ({ latlng }) => this.drawing || this.#add(latlng));
    void addTiles(this.map, 21, { explain: true });
    this.observer = new ResizeObserver(() => this.map.invalidateSize({ pan: false }));
    this.observer.observe(element);
  }

  /** @param {L.LatLng} latlng */
  #add(latlng) {
    const { lat, lng } = latlng.wrap();
    this.setAdding(false);
    this.emit('add', { latitude: round(lat), longitude: round(lng) });
  }

  #toUser() {
    navigator.geolocation?.getCurrentPosition(({ coords }) => {
      this.map.setView([coords.latitude, coords.longitude], Math.max(16, this.map.getZoom()));
    }, () => undefined, { timeout: 15_000, maximumAge: 60_000 });
  }

  /** The middle of what is seen. */
  center() {
    const { lat, lng } = this.map.getCenter().wrap();
    return { latitude: round(lat), longitude: round(lng) };
  }

  /**
   * Goes to a point that was looked for, and marks it until something is put on the map or chosen.
   * @param {Point} point
   */
  goTo({ latitude, longitude }) {
    this.#found?.remove();
    this.#found = L.circleMarker([latitude, longitude], { radius: 9, interactive: false, className: 'map-found' }).addTo(this.map);
    this.map.setView([latitude, longitude], Math.max(17, this.map.getZoom()), { animate: false });
  }

  /** @param {boolean} on whether the next tap adds something */
  setAdding(on) {
    this.#adding = on;
    this.element.classList.toggle('adding', on);
  }

  get isAdding() {
    return this.#adding;
  }

  /** @param {Pin[]} pins */
  show(pins) {
    this.#shown = pins;
    const many = pins.length > MANY;
    const ids = new Set(pins.map(({ id }) => id));
    for (const [id, pin] of this.#pins) {
      const isDot = !('dragging' in pin);
      if (ids.has(id) && isDot === (many && id !== this.#selected)) continue;
      pin.remove();
      this.#pins.delete(id);
    }
    for (const pin of pins) this.#place(pin, many && pin.id !== this.#selected);
    this.#circle();
  }

  /** @type {Shaped[]} */
  #shaped = [];
  #renderer = L.svg();

  /**
   * Lines and areas below the pins; a tap on one chooses what it belongs to.
   * @param {Shaped[]} shaped
   */
  showShapes(shaped) {
    this.#shaped = shaped.filter(({ place }) => place.shapes?.length);
    this.shapes.clearLayers();
    for (const { id, hue, place } of this.#shaped) {
      for (const layer of shapeLayers(place, hue, this.#renderer)) {
        layer.on('click', (event) => {
          L.DomEvent.stopPropagation(event);
          this.emit('select', id);
        });
        this.shapes.addLayer(layer);
      }
    }
  }

  /**
   * @param {Pin} pin
   * @param {boolean} isDot
   */
  #place(pin, isDot) {
    const known = this.#pins.get(pin.id);
    const at = /** @type {L.LatLngTuple} */ ([pin.latitude, pin.longitude]);
    if (known) {
      const old = known.getLatLng();
      if (old.lat !== pin.latitude || old.lng !== pin.longitude) known.setLatLng(at);
      if ('setIcon' in known) {
        const key = `${pin.title}\n${pin.hue}\n${pin.mark}`;
        const element = known.getElement();
        if (element && element.dataset.look !== key) {
          known.setIcon(pinIcon(pin));
          this.#dress(known, pin, key);
        }
      }
      return;
    }
    if (isDot) {
      const dot = L.circleMarker(at, { radius: 6, weight: 1.5, color: '#0b1015', fillColor: `hsl(${pin.hue ?? 165} 65% 60%)`, fillOpacity: 1 });
      dot.on('click', (event) => {
        event.originalEvent?.stopPropagation?.();
        this.emit('select', pin.id);
      });
      this.#pins.set(pin.id, dot.addTo(this.layer));
      return;
    }
    const marker = L.marker(at, { icon: pinIcon(pin), draggable: true, autoPan: true, riseOnHover: true, keyboard: true, title: pin.title });
    marker.on('click', (event) => {
      event.originalEvent?.stopPropagation?.();
      this.emit('select', pin.id);
    });
    marker.on('dragstart', () => this.emit('select', pin.id));
    marker.on('dragend', () => {
      const { lat, lng } = marker.getLatLng().wrap();
      this.emit('move', { id: pin.id, latitude: round(lat), longitude: round(lng) });
    });
    marker.addTo(this.layer);
    this.#pins.set(pin.id, marker);
    this.#dress(marker, pin, `${pin.title}\n${pin.hue}\n${pin.mark}`);
  }

  /**
   * @param {L.Marker} marker
   * @param {Pin} pin
   * @param {string} key
   */
  #dress(marker, pin, key) {
    const element = marker.getElement();
    if (!element) return;
    Object.assign(element.dataset, { look: key, pin: pin.id });
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', t('studio.pin', { title: pin.title || t('card.unnamed') }));
    element.classList.toggle('selected', pin.id === this.#selected);
    element.setAttribute('aria-pressed', String(pin.id === this.#selected));
    element.onkeydown = (event) => this.#key(event, pin.id);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} id
   */
  #key(event, id) {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      this.emit('select', id);
      return;
    }
    const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const step = KEY_STEP * (event.shiftKey ? 10 : 1);
    void sharedEngine().then((engine) => {
      const pin = this.#shown.find((shown) => shown.id === id);
      if (!pin) return;
      const { latitude, longitude } = engine.part(Places).moved(pin, 0, way[1] * step, way[0] * step);
      this.emit('move', { id, latitude: round(latitude), longitude: round(longitude) });
    });
  }

  /**
   * @param {string | null} id
   * @param {boolean} [show] brings it into sight
   */
  select(id, show = false) {
    this.#selected = id;
    if (id) this.#found?.remove();
    if (this.#shown.length > MANY) this.show(this.#shown);
    for (const [key, pin] of this.#pins) {
      const element = pin.getElement();
      element?.classList.toggle('selected', key === id);
      element?.setAttribute('aria-pressed', String(key === id));
      if ('setZIndexOffset' in pin) pin.setZIndexOffset(key === id ? 5000 : 0);
    }
    this.#circle();
    const pin = this.#shown.find((shown) => shown.id === id);
    if (!show || !pin) return;
    const at = /** @type {L.LatLngTuple} */ ([pin.latitude, pin.longitude]);
    if (this.map.getZoom() < 12) this.map.setView(at, 16, { animate: false });
    else if (!this.map.getBounds().pad(-0.1).contains(at)) this.map.panTo(at);
  }

  #circle() {
    this.circles.clearLayers();
    for (const pin of this.#shown) {
      if (!pin.radius || (pin.id !== this.#selected && this.#shown.length > 40)) continue;
      L.circle([pin.latitude, pin.longitude], {
        radius: pin.radius, interactive: false, className: pin.id === this.#selected ? 'map-reach chosen' : 'map-reach',
      }).addTo(this.circles);
    }
  }

  fit() {
    const corners = this.#shaped.flatMap(({ place }) => (place.shapes ?? []).flatMap(({ parts }) => parts.flat()))
      .map(([longitude, latitude]) => /** @type {L.LatLngTuple} */ ([latitude, longitude]));
    const all = [...this.#shown.map((pin) => /** @type {L.LatLngTuple} */ ([pin.latitude, pin.longitude])), ...corners];
    if (!all.length) return;
    this.map.fitBounds(L.latLngBounds(all), {
      padding: [56, 56], maxZoom: 17, animate: false,
    });
  }

  close() {
    this.observer.disconnect();
    this.map.remove();
  }
}

/** A centimetre. */
const round = (/** @type {number} */ degrees) => Math.round(degrees * 1e7) / 1e7;

/** @param {Pin} pin */
function pinIcon({ title, hue, mark }) {
  const pin = h('div', { class: 'pin' }, h('i', { class: mark ? 'pin-dot pin-mark' : 'pin-dot' }, mark), h('span', { class: 'pin-name' }, title));
  pin.style.setProperty('--hue', String(hue ?? 165));
  return L.divIcon({ className: 'map-pin named', iconSize: [44, 44], html: pin });
}
