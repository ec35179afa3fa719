// The pins of the map: one for each place, or one with a number for places that would lie on each other; and their names.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { h, icon, reducedMotion } from '../core/dom.js';
import { tn } from '../core/i18n.js';
import { cluster, fan } from './cluster.js';
import { placeNames } from './names.js';

/**
 * @typedef {{ index: number, id: string, title: string, latitude: number, longitude: number, hue: number, symbol?: string,
 *   mark?: string, color?: string }} Pin `symbol` is an icon and `mark` a number or letter in it; `color` stands instead of the hue
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 * @typedef {{ marker: L.Marker, members: number[], name: HTMLElement | null, size: { width: number, height: number } | null }} Shown
 */

/** Points between two pins, the size of something that a finger hits. */
const ROOM = 46;
/** How far a pin's dot reaches, points. */
const DOT = 15;
const MOST_ZOOM = 19;
/** Names in what a group is called by screen readers. */
const SPOKEN = 3;

export class Pins {
  /** @type {Pin[]} */
  #pins = [];
  /** @type {Map<number, Pin>} */
  #byIndex = new Map();
  /** @type {number | null} */
  #selected = null;
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  /** @type {import('./cluster.js').Group[]} */
  #groups = [];
  #grouped = '';
  /**
   * Places of one spot, spread out.
   * @type {{ members: number[], at: L.LatLng, legs: L.Layer[] } | null}
   */
  #fan = null;

  /**
   * @param {L.LeafletMap} map
   * @param {{ choose: (index: number) => void, covers: () => Rectangle[], user: () => L.LatLng | null,
   *   fit: (bounds: L.LatLngBounds, options: L.FitBoundsOptions) => void }} host
   */
  constructor(map, host) {
    this.map = map;
    this.host = host;
    this.layer = L.layerGroup().addTo(map);
    map.on('zoomend', () => this.#unfan());
    map.on('moveend resize', () => this.draw());
  }

  /** @param {Pin[]} pins */
  set(pins) {
    this.#pins = pins;
    this.#byIndex = new Map(pins.map((pin) => [pin.index, pin]));
    this.#unfan();
    this.layer.clearLayers();
    this.#shown.clear();
    this.draw();
  }

  /** @param {number | null} index */
  select(index) {
    if (index === this.#selected) return;
    this.#selected = index;
    if (this.#fan && (index === null || !this.#fan.members.includes(index))) this.#unfan();
    this.draw();
  }

  /** @param {number} index */
  has(index) {
    return this.#byIndex.has(index);
  }

  #unfan() {
    if (!this.#fan) return;
    for (const leg of this.#fan.legs) leg.remove();
    this.#fan = null;
    this.#grouped = '';
  }

  /** Brings groups, pins and names up to date for what the map shows now. */
  draw() {
    if (!this.map.getSize().x) return;
    this.#group();
    const bounds = this.map.getBounds().pad(0.2);
    /** @type {Map<string, { members: number[], at: L.LatLng }>} */
    const wanted = new Map();
    for (const { x, y, members } of this.#groups) {
      const at = this.map.unproject([x, y]);
      if (!bounds.contains(at) && !members.includes(this.#selected ?? -1)) continue;
      wanted.set(members.length === 1 ? `pin ${members[0]}` : `group ${members.join(' ')}`, { members, at });
    }
    for (const [key, { marker }] of this.#shown) {
      if (wanted.has(key)) continue;
      marker.remove();
      this.#shown.delete(key);
    }
    for (const [key, { members, at }] of wanted) {
      const old = this.#shown.get(key);
      if (old) old.marker.setLatLng(at);
      else this.#shown.set(key, members.length === 1 ? this.#single(members[0], at) : this.#many(members, at));
    }
    this.#mark();
    this.names();
  }

  #group() {
    const zoom = this.map.getZoom();
    const key = `${zoom} ${this.#selected} ${this.#pins.length}`;
    if (key === this.#grouped && this.#shown.size) return;
    this.#grouped = key;
    const fanned = new Set(this.#fan?.members);
    const spots = this.#pins.filter(({ index }) => !fanned.has(index)).map(({ index, latitude, longitude }) => {
      const { x, y } = this.map.project([latitude, longitude], zoom);
      return { index, x, y };
    });
    this.#groups = cluster(spots, ROOM, (index) => index === this.#selected);
    if (!this.#fan) return;
    const middle = this.map.project(this.#fan.at, zoom);
    fan(this.#fan.members.length, ROOM).forEach(({ x, y }, k) => {
      this.#groups.push({ x: middle.x + x, y: middle.y + y, members: [/** @type {number[]} */ (this.#fan?.members)[k]] });
    });
  }

  /**
   * @param {number} index
   * @param {L.LatLng} at
   * @returns {Shown}
   */
  #single(index, at) {
    const pin = /** @type {Pin} */ (this.#byIndex.get(index));
    const name = h('span', { class: 'pin-name' }, pin.title);
    const dot = h('i', { class: pin.mark ? 'pin-dot pin-mark' : 'pin-dot' }, pin.mark ?? (pin.symbol ? icon(pin.symbol) : null));
    const html = h('div', { class: 'pin' }, dot, name);
    html.style.setProperty('--hue', String(pin.hue));
    if (pin.color) html.style.setProperty('--pin', pin.color);
    const marker = this.#add(at, L.divIcon({ className: 'map-pin', iconSize: [44, 44], html }), pin.title, () => this.host.choose(index));
    const element = marker.getElement();
    if (element) Object.assign(element.dataset, { feature: String(index), id: pin.id });
    return { marker, members: [index], name, size: null };
  }

  /**
   * @param {number[]} members
   * @param {L.LatLng} at
   * @returns {Shown}
   */
  #many(members, at) {
    const html = h('div', { class: 'pin-group' }, String(members.length));
    const hues = new Set(members.map((index) => this.#byIndex.get(index)?.hue));
    if (hues.size === 1) html.style.setProperty('--hue', String([...hues][0]));
    const names = members.slice(0, SPOKEN).map((index) => this.#byIndex.get(index)?.title).join(', ');
    const label = tn('map.group', members.length, { names: members.length > SPOKEN ? `${names}, …` : names });
    const marker = this.#add(at, L.divIcon({ className: 'map-group', iconSize: [44, 44], html }), label, () => this.#open(members, at));
    const element = marker.getElement();
    if (element) element.dataset.count = String(members.length);
    return { marker, members, name: null, size: null };
  }

  /**
   * @param {L.LatLng} at
   * @param {object} divIcon
   * @param {string} label
   * @param {() => void} press
   */
  #add(at, divIcon, label, press) {
    const marker = L.marker(at, { icon: divIcon, title: label, riseOnHover: true });
    marker.on('click', (event) => {
      event.originalEvent?.stopPropagation?.();
      press();
    });
    this.layer.addLayer(marker);
    const element = marker.getElement();
    if (element) {
      element.setAttribute('role', 'button');
      element.setAttribute('aria-label', label);
      element.onkeydown = (event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        press();
      };
    }
    return marker;
  }

  /**
   * Shows what a group is made of: nearer, or spread out when that would not part them.
   * @param {number[]} members
   * @param {L.LatLng} at
   */
  #open(members, at) {
    const bounds = L.latLngBounds(members.flatMap((index) => {
      const pin = this.#byIndex.get(index);
      return pin ? [/** @type {L.LatLngTuple} */ ([pin.latitude, pin.longitude])] : [];
    }));
    const span = this.map.project(bounds.getNorthWest(), MOST_ZOOM).distanceTo(this.map.project(bounds.getSouthEast(), MOST_ZOOM));
    if (span > ROOM && this.map.getZoom() < MOST_ZOOM) {
      const before = this.map.getZoom();
      this.host.fit(bounds, { maxZoom: MOST_ZOOM, animate: !reducedMotion() });
      if (this.map.getBoundsZoom(bounds) > before) return;
    }
    this.#unfan();
    const middle = this.map.latLngToLayerPoint(at);
    const legs = fan(members.length, ROOM).map(({ x, y }) =>
      L.polyline([at, this.map.layerPointToLatLng([middle.x + x, middle.y + y])], { className: 'map-leg', interactive: false })
        .addTo(this.map));
    this.#fan = { members, at, legs };
    this.#grouped = '';
    this.draw();
  }

  #mark() {
    for (const { marker, members, name } of this.#shown.values()) {
      const element = marker.getElement();
      if (!name || !element) continue;
      const chosen = members[0] === this.#selected;
      element.classList.toggle('selected', chosen);
      element.setAttribute('aria-pressed', String(chosen));
      marker.setZIndexOffset(chosen ? 5000 : 0);
    }
  }

  /** Shows the names that have room: the selected one always, then in the order of the places. */
  names() {
    const size = this.map.getSize();
    const area = { x: 2, y: 2, width: size.x - 4, height: size.y - 4 };
    const order = [...this.#shown.values()].sort((a, b) =>
      Number(b.members[0] === this.#selected) - Number(a.members[0] === this.#selected) || a.members[0] - b.members[0]);
    // All sizes are read before anything is written.
    for (const shown of order) {
      if (shown.name) shown.size ??= { width: shown.name.offsetWidth, height: shown.name.offsetHeight };
    }
    const pins = order.map(({ marker, members, name, size: of }) => {
      const { x, y } = this.map.latLngToContainerPoint(marker.getLatLng());
      return {
        x, y, radius: name ? DOT : 20, width: name && of ? of.width : 0, height: of?.height ?? 0, isWanted: members[0] === this.#selected,
      };
    });
    const user = this.host.user();
    const me = user && this.map.latLngToContainerPoint(user);
    const covers = this.host.covers();
    const sides = placeNames(pins, area, me ? [...covers, { x: me.x - 12, y: me.y - 12, width: 24, height: 24 }] : covers);
    order.forEach(({ marker, name }, k) => {
      const element = marker.getElement();
      if (!name || !element) return;
      element.classList.toggle('named', sides[k] !== null);
      element.dataset.side = sides[k] ?? '';
    });
  }

  /** Sizes of names have changed with the text's size. */
  forgetSizes() {
    for (const shown of this.#shown.values()) shown.size = null;
  }
}
