// The map: the same places, selection and filters as in the view. Works without map pictures: on a plain ground with a
// scale, north, names, and the user's own position, direction and radius.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { mapControls } from '../controls/map-controls.js';
import { iconOf } from '../ar/icons.js';
import { h, reducedMotion } from '../core/dom.js';
import { onLanguage } from '../core/i18n.js';
import { categoryIcon } from '../session/category-icons.js';
import { categoryHue, placeKey } from '../session/content.js';
import { Occupied } from '../stage/occupied.js';
import { freePart } from './names.js';
import { Pins } from './pins.js';
import { shapeLayers } from './shapes.js';
import { addTiles } from './tiles.js';
import { locate, standpointNote } from '../ui/standpoint-note.js';
import { UserMark } from './user-mark.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 */

/** More lines and areas than this are drawn on a canvas, and not each as an element of the page. */
const MANY_SHAPES = 1000;
const MOST_ZOOM = 20;
/** Scale at which one place is looked at. */
const PLACE_ZOOM = 17;
/** Points of free ground to leave round the selected pin, and round all places that are fitted in. */
const ROOM = { pin: 40, fit: 40 };

export class MapView {
  #shownFor = '';
  /** @type {import('../session/content.js').Content | null} */
  content = null;
  #fitted = false;
  /** @type {{ svg: L.Renderer, canvas: L.Renderer } | undefined} draw lines and areas */
  shapes;
  /**
   * What lies over the map, in its own points.
   * @type {Rectangle[]}
   */
  #covers = [];
  /** Whether the selected place is kept in sight: until the user moves the map. */
  #keepsInSight = false;
  /**
   * What is written into a pin instead of its category's symbol, and its colour: the stations of a tour.
   * @type {((place: import('../types').Place) => { mark?: string, color?: string } | null) | null}
   */
  marks = null;

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
    element.append(canvas, h('div', { class: 'map-note', 'data-occupies': 'children' }, standpointNote(device)));
    this.map = L.map(canvas, {
      zoomControl: false,
      attributionControl: true,
      zoomSnap: 0.5,
      worldCopyJump: true,
      minZoom: 2,
      maxZoom: MOST_ZOOM,
    });
    this.map.setView([0, 0], 2);
    L.control.scale({ imperial: false, maxWidth: 140 }).addTo(this.map);
    this.layer = L.layerGroup().addTo(this.map);
    this.#buttons();
    void addTiles(this.map, MOST_ZOOM);
    this.user = new UserMark(this.map, session, device);
    this.pins = new Pins(this.map, {
      choose: (index) => session.select(index),
      covers: () => this.#covers,
      user: () => this.user.place,
      fit: (bounds, options) => this.#fitBounds(bounds, options),
    });
    this.map.on('click', () => session.select(null));
    this.map.on('dragstart', () => (this.#keepsInSight = false));
    this.occupied = new Occupied(() => this.#uncover(), session.closed);
    new ResizeObserver(() => this.map.invalidateSize({ pan: false })).observe(canvas);
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
    this.element.append(mapControls(this.map, { north: true, locate: () => void this.#toUser(), fit: () => this.#fit() }));
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
    this.#measure();
    if (!this.#fitted && content) {
      this.#fitted = true;
      this.#fit();
    }
    this.#select();
    this.pins.draw();
  }

  #place() {
    const { content } = this.session;
    this.layer.clearLayers();
    if (!content) return this.pins.set([]);
    const count = content.places.reduce((sum, { shapes }) => sum + (shapes?.length ?? 0), 0);
    this.shapes ??= { svg: L.svg(), canvas: L.canvas() };
    const drawn = count > MANY_SHAPES ? this.shapes.canvas : this.shapes.svg;
    /** @type {import('./pins.js').Pin[]} */
    const pins = [];
    content.places.forEach((place, index) => {
      const { position } = place;
      if (!position || !this.session.isShown(index)) return;
      const hue = categoryHue(content.categoryNumber(place));
      for (const shape of shapeLayers(place, hue, drawn)) {
        shape.on('click', (event) => {
          L.DomEvent.stopPropagation(event);
          this.session.select(index);
        });
        this.layer.addLayer(shape);
      }
      pins.push({
        index, id: placeKey(place, index), title: content.placeTitle(place), latitude: position.latitude, longitude: position.longitude, hue,
        symbol: place.categories.length ? categoryIcon(place.categories[0]) : undefined,
        color: iconOf(place)?.color ?? undefined, ...this.marks?.(place),
      });
    });
    this.pins.set(pins);
  }

  /** The pins are made anew, as what is written into them has changed. */
  refresh() {
    this.#shownFor = '';
    this.show();
  }

  /** Moves the user's mark, wedge and circle. */
  move() {
    this.user.move();
  }

  async #toUser() {
    const at = await locate(this.device);
    if (at) this.#look(at, Math.max(14, this.map.getZoom()));
  }

  /** What lies over the map, in its own points, and where its lower edge is free. */
  #measure() {
    const box = this.map.getContainer().getBoundingClientRect();
    if (!box.width) return;
    this.#covers = this.occupied.rectangles.map(({ x, y, width, height }) => ({ x: x - box.left, y: y - box.top, width, height }));
    const bottom = Math.max(0, ...this.#covers.filter((one) => one.y > box.height / 2 && one.x < box.width / 2).map((one) => box.height - one.y));
    this.element.style.setProperty('--map-bottom', `${Math.round(Math.min(bottom, box.height / 2))}px`);
  }

  /** Something came over the map or went. */
  #uncover() {
    this.#measure();
    if (!this.map.getSize().x || this.element.hidden) return;
    this.#intoSight();
    this.pins.names();
  }

  /** @returns {Rectangle} the largest part of the map that nothing covers */
  #free() {
    const { x, y } = this.map.getSize();
    return freePart({ x: 0, y: 0, width: x, height: y }, this.#covers);
  }

  /**
   * @param {{ latitude: number, longitude: number }} at comes into the middle of what is free
   * @param {number} zoom
   */
  #look({ latitude, longitude }, zoom) {
    const free = this.#free();
    const size = this.map.getSize();
    const point = this.map.project([latitude, longitude], zoom)
      .subtract([free.x + free.width / 2 - size.x / 2, free.y + free.height / 2 - size.y / 2]);
    this.map.setView(this.map.unproject(point, zoom), zoom, { animate: !reducedMotion() });
  }

  /**
   * A place in the middle, from near.
   * @param {number} index
   */
  lookAt(index) {
    const position = this.session.content?.places[index]?.position;
    if (!position) return;
    this.#fitted = true;
    this.#keepsInSight = true;
    this.#measure();
    this.#look(position, Math.max(PLACE_ZOOM, this.map.getZoom()));
  }

  /**
   * @param {L.LatLngBounds} bounds
   * @param {L.FitBoundsOptions} options
   */
  #fitBounds(bounds, options) {
    const free = this.#free();
    const size = this.map.getSize();
    const room = (/** @type {number} */ of) => Math.min(ROOM.fit, of / 5);
    this.map.fitBounds(bounds, {
      paddingTopLeft: [free.x + room(free.width), free.y + room(free.height)],
      paddingBottomRight: [size.x - free.x - free.width + room(free.width), size.y - free.y - free.height + room(free.height)],
      ...options,
    });
  }

  #fit() {
    const { content, selected } = this.session;
    if (selected !== null && content?.places[selected]?.position) return this.lookAt(selected);
    const at = this.device.position();
    const near = at && this.user.place ? this.user.reach.getBounds() : null;
    /** @type {L.LatLngTuple[]} */
    const points = (content?.places ?? []).flatMap((
      place,
    ) => (place.position ? [/** @type {L.LatLngTuple} */ ([place.position.latitude, place.position.longitude])] : []));
    const inside = near ? points.filter((point) => near.contains(point)) : points;
    const shown = inside.length ? inside : points;
    if (at && inside.length) shown.push([at.latitude, at.longitude]);
    if (!shown.length) return at ? this.#look(at, 14) : undefined;
    this.#fitBounds(L.latLngBounds(shown), { maxZoom: 17, animate: false });
  }

  #select() {
    const { selected } = this.session;
    this.#keepsInSight = selected !== null;
    this.pins.select(selected);
    this.#intoSight();
  }

  /** Moves the map as little as it takes for the selected pin to be where nothing covers it. */
  #intoSight() {
    const { selected, content } = this.session;
    const position = selected === null ? null : content?.places[selected]?.position;
    if (!this.#keepsInSight || !position || this.element.hidden) return;
    const free = this.#free();
    const { x, y } = this.map.latLngToContainerPoint([position.latitude, position.longitude]);
    const [roomX, roomY] = [Math.min(ROOM.pin, free.width / 3), Math.min(ROOM.pin, free.height / 3)];
    const by = /** @type {[number, number]} */ ([
      x - Math.min(Math.max(x, free.x + roomX), free.x + free.width - roomX),
      y - Math.min(Math.max(y, free.y + roomY), free.y + free.height - roomY),
    ]);
    if (Math.abs(by[0]) + Math.abs(by[1]) > 1) this.map.panBy(by, { animate: !reducedMotion() });
  }
}
