// The map: the same places, selection and filters as in the view. Works without map pictures: on a plain ground with a
// scale, north, names, and the user's own position, direction and radius.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { h, icon } from '../core/dom.js';
import { labelled, onLanguage, t } from '../core/i18n.js';
import { fetchSettings } from '../net/settings.js';
import { categoryHue, placeKey } from '../session/content.js';
import { shapeLayers } from './shapes.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 */

/** More pins than this are drawn as dots on a canvas. */
const MANY = 300;
/** So are more lines and areas, which would each be an element of the page. */
const MANY_SHAPES = 1000;

export class MapView {
  /** @type {Map<number, L.Marker | L.Circle>} */
  #pins = new Map();
  #shownFor = '';
  /** @type {import('../session/content.js').Content | null} */
  content = null;
  #fitted = false;
  /** @type {{ svg: L.Renderer, canvas: L.Renderer } | undefined} draw lines and areas */
  shapes;

  /**
   * @param {HTMLElement} element
   * @param {Session} session
   * @param {Device} device
   */
  constructor(element, session, device) {
    this.element = element;
    this.session = session;
    this.device = device;
    const canvas = h('div', { class: 'map-canvas', id: 'map-canvas' });
    element.append(canvas);
    this.map = L.map(canvas, {
      zoomControl: false,
      attributionControl: true,
      zoomSnap: 0.5,
      worldCopyJump: true,
      minZoom: 2,
      maxZoom: 20,
    });
    this.map.setView([0, 0], 2);
    L.control.scale({ imperial: false, maxWidth: 140 }).addTo(this.map);
    this.layer = L.layerGroup().addTo(this.map);
    this.#buttons();
    this.#tiles();
    this.#user();
    this.map.on('click', () => session.select(null));
    this.map.on('moveend', () => this.#names());
    session.on('world', () => {
      this.#fitted = false;
      this.show();
    });
    session.on('filter', () => this.show());
    session.on('selection', () => this.#select());
    onLanguage(() => {
      this.#shownFor = '';
      this.show();
    }, session.closed);
  }

  #buttons() {
    const button = (
      /** @type {string} */ symbol,
      /** @type {import('../core/i18n.js').TextKey} */ key,
      /** @type {() => void} */ run,
    ) => labelled(h('button', { type: 'button', class: 'round glass', onclick: run }, icon(symbol)), key);
    this.element.append(
      h(
        'div',
        { class: 'map-buttons' },
        h('div', { class: 'map-north', title: t('map.north') }, icon('north'), h('span', {}, t('compass.n'))),
        button('plus', 'map.zoomIn', () => this.map.setZoom(this.map.getZoom() + 1)),
        button('minus', 'map.zoomOut', () => this.map.setZoom(this.map.getZoom() - 1)),
        button('target', 'map.toMe', () => this.#toUser()),
        button('fit', 'map.all', () => this.#fit()),
      ),
    );
  }

  async #tiles() {
    const { tiles } = await fetchSettings();
    if (!tiles) {
      // Without pictures a plain grid shows that and how the map moves.
      new (L.GridLayer.extend({ createTile: () => h('div', { class: 'map-grid' }) }))({ tileSize: 96 }).addTo(this.map);
      return;
    }
    L.tileLayer(tiles.url, {
      attribution: tiles.attribution,
      maxZoom: 20,
      maxNativeZoom: tiles.maxZoom,
      errorTileUrl: new URL('../../tile-failed.svg', import.meta.url).href,
    }).addTo(this.map);
  }

  #user() {
    const mark = L.divIcon({ className: 'map-user', iconSize: [44, 44], html: this.#userElement() });
    this.user = L.marker([0, 0], {
      icon: mark,
      draggable: true,
      keyboard: false,
      zIndexOffset: 10_000,
      title: t('map.you'),
    });
    this.user.on('dragend', ({ target }) => {
      const { lat, lng } = target.getLatLng();
      this.device.phone.place({ latitude: lat, longitude: lng });
    });
    this.reach = L.circle([0, 0], { radius: 1, className: 'map-reach', interactive: false });
    this.accuracy = L.circle([0, 0], { radius: 0, className: 'map-accuracy', interactive: false });
  }

  #userElement() {
    this.wedge = h('div', { class: 'map-wedge' });
    return h('div', { class: 'map-me' }, this.wedge, h('div', { class: 'map-dot' }));
  }

  /** Brings everything up to date; called when the map comes into sight as well. */
  show() {
    this.map.invalidateSize({ pan: false });
    const { content } = this.session;
    const key = content ? `${this.session.categoryMask}/${this.session.radius}` : '';
    if (content && (this.#shownFor !== key || this.content !== content)) {
      this.#shownFor = key;
      this.content = content;
      this.#place();
    }
    this.move();
    if (!this.#fitted && content) {
      this.#fitted = true;
      this.#fit();
    }
    this.#select();
    this.#names();
  }

  #place() {
    const { content } = this.session;
    this.layer.clearLayers();
    this.#pins.clear();
    if (!content) return;
    const many = content.places.length > MANY;
    const renderer = many ? L.canvas() : undefined;
    const count = content.places.reduce((sum, { shapes }) => sum + (shapes?.length ?? 0), 0);
    this.shapes ??= { svg: L.svg(), canvas: L.canvas() };
    const drawn = count > MANY_SHAPES ? this.shapes.canvas : this.shapes.svg;
    content.places.forEach((place, index) => {
      const { position } = place;
      if (!position || !this.session.isShown(index)) return;
      const hue = categoryHue(content.categoryNumber(place));
      const pin = many
        ? L.circleMarker([position.latitude, position.longitude], {
          renderer,
          radius: 6,
          weight: 1.5,
          color: '#0b1015',
          fillColor: `hsl(${hue} 65% 60%)`,
          fillOpacity: 1,
        })
        : L.marker([position.latitude, position.longitude], {
          icon: pinIcon(content.placeTitle(place), hue),
          title: content.placeTitle(place),
          riseOnHover: true,
        });
      pin.on('click', (event) => {
        event.originalEvent?.stopPropagation?.();
        this.session.select(index);
      });
      for (const shape of shapeLayers(place, hue, drawn)) {
        shape.on('click', (event) => {
          L.DomEvent.stopPropagation(event);
          this.session.select(index);
        });
        this.layer.addLayer(shape);
      }
      this.layer.addLayer(pin);
      this.#pins.set(index, pin);
      const element = many ? undefined : /** @type {L.Marker} */ (pin).getElement();
      if (element) {
        element.dataset.feature = String(index);
        element.dataset.id = placeKey(place, index);
        element.setAttribute('role', 'button');
        element.setAttribute('aria-label', content.placeTitle(place));
      }
    });
  }

  /** Moves the user's mark, wedge and circle. */
  move() {
    const at = this.device.position();
    if (!at || !this.user || !this.reach || !this.accuracy) return;
    /** @type {L.LatLngTuple} */
    const p = [at.latitude, at.longitude];
    for (const part of [this.reach, this.accuracy, this.user]) part.setLatLng(p).addTo(this.map);
    this.reach.setRadius(this.session.radius);
    const chosen = this.device.sources.position === 'chosen';
    this.accuracy.setRadius(chosen ? 0 : at.horizontalAccuracy);
    if (chosen) this.user.dragging?.enable();
    else this.user.dragging?.disable();
    const element = this.user.getElement();
    if (element) {
      element.classList.toggle('draggable', chosen);
      element.title = t(chosen ? 'map.youVirtual' : 'map.you');
    }
    const frame = this.session.frame;
    if (this.wedge && frame) {
      this.wedge.hidden = !frame.isValid;
      this.wedge.style.transform = `rotate(${frame.bearing.toFixed(3)}rad)`;
      this.wedge.style.setProperty('--opening', `${((frame.horizontalFieldOfView * 180) / Math.PI).toFixed(1)}deg`);
    }
  }

  #toUser() {
    const at = this.device.position();
    if (at) this.map.setView([at.latitude, at.longitude], Math.max(14, this.map.getZoom()));
  }

  #fit() {
    const { content } = this.session;
    const at = this.device.position();
    const near = at && this.reach ? this.reach.getBounds() : null;
    /** @type {L.LatLngTuple[]} */
    const points = (content?.places ?? []).flatMap((
      place,
    ) => (place.position ? [/** @type {L.LatLngTuple} */ ([place.position.latitude, place.position.longitude])] : []));
    const inside = near ? points.filter((point) => near.contains(point)) : points;
    const shown = inside.length ? inside : points;
    if (at && inside.length) shown.push([at.latitude, at.longitude]);
    if (!shown.length) return this.#toUser();
    this.map.fitBounds(L.latLngBounds(shown), {
      padding: [48, 48],
      paddingTopLeft: [48, 84],
      paddingBottomRight: [48, 150],
      maxZoom: 17,
      animate: false,
    });
  }

  #select() {
    for (const [index, pin] of this.#pins) {
      const chosen = index === this.session.selected;
      const element = 'getElement' in pin ? /** @type {L.Marker} */ (pin).getElement() : undefined;
      if (element?.classList?.contains('map-pin')) {
        element.classList.toggle('selected', chosen);
        element.setAttribute('aria-pressed', String(chosen));
        /** @type {L.Marker} */ (pin).setZIndexOffset(chosen ? 5000 : 0);
      } else if ('setStyle' in pin) {
        pin.setStyle({ weight: chosen ? 4 : 1.5, color: chosen ? '#ffcf5c' : '#0b1015' });
      }
      const place = this.session.content?.places[index];
      if (
        chosen && place?.position &&
        !this.map.getBounds().pad(-0.15).contains([place.position.latitude, place.position.longitude])
      ) {
        this.map.panTo([place.position.latitude, place.position.longitude], { animate: true });
      }
    }
  }

  /** Shows the names that have room: nearest to the user first, the selected one always. */
  #names() {
    const { content } = this.session;
    if (!content) return;
    /** @type {{ x: number, y: number, w: number }[]} */
    const taken = [];
    const order = [...this.#pins.entries()].sort(([a], [b]) =>
      Number(b === this.session.selected) - Number(a === this.session.selected) || a - b
    );
    const size = this.map.getSize();
    for (const [index, pin] of order) {
      const element = 'getElement' in pin ? /** @type {L.Marker} */ (pin).getElement() : undefined;
      const position = content.places[index].position;
      if (!element?.classList?.contains('map-pin') || !position) continue;
      const p = this.map.latLngToContainerPoint([position.latitude, position.longitude]);
      const w = Math.min(170, content.placeTitle(content.places[index]).length * 7.2 + 12);
      const box = { x: p.x + 10, y: p.y - 22, w };
      const off = p.x < -200 || p.y < -50 || p.x > size.x + 50 || p.y > size.y + 50;
      const free = !off &&
        taken.every((other) => Math.abs(other.y - box.y) > 21 || box.x > other.x + other.w || other.x > box.x + box.w);
      element.classList.toggle('named', free);
      if (free) taken.push(box);
    }
  }
}

/**
 * @param {string} title
 * @param {number} hue
 */
function pinIcon(title, hue) {
  const pin = h('div', { class: 'pin' }, h('i', { class: 'pin-dot' }), h('span', { class: 'pin-name' }, title));
  pin.style.setProperty('--hue', String(hue));
  return L.divIcon({ className: 'map-pin', iconSize: [44, 44], html: pin });
}
