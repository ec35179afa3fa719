// The map of the designer and the board: the area's border, the way, stations with their radius, and on the board the teams.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { mapControls } from '../controls/map-controls.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { addTiles } from '../map/tiles.js';

/**
 * @typedef {import('./api.js').Point} Point
 * @typedef {{ id: string, title: string, position: Point, radius: number, kind: string }} Shown
 * @typedef {{ number: number, name: string, color: string, position?: Point & { age: number, accuracy?: number, isVirtual?: boolean }, left?: boolean }} ShownTeam
 */

export class TourMap {
  /** @type {Map<string, { pin: L.Marker, circle: L.Circle }>} */
  #stations = new Map();
  /** @type {Map<number, L.Marker>} */
  #teams = new Map();
  /** @type {L.Polygon | null} */
  #border = null;
  /** @type {L.Marker[]} */
  #corners = [];
  /** @type {L.Path | null} */
  #way = null;
  /** @type {Point[]} */
  #wayCorners = [];
  /** @type {L.Marker[]} */
  #bends = [];
  /** @type {L.CircleMarker | null} */
  #found = null;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.map = L.map(element, { zoomControl: false, zoomSnap: 0.5, worldCopyJump: true, minZoom: 2, maxZoom: 20 });
    this.map.setView([30, 10], 2);
    const controls = mapControls(this.map, { fit: () => this.#fitAll() });
    controls.classList.add('leaflet-control');
    // A tap on them is none on the map.
    L.DomEvent.disableClickPropagation(controls);
    element.querySelector('.leaflet-top.leaflet-left')?.append(controls);
    L.control.scale({ imperial: false }).addTo(this.map);
    void addTiles(this.map, 20, { explain: true });
    // Pages are laid out after they are made.
    this.observer = new ResizeObserver(() => this.map.invalidateSize({ pan: false }));
    this.observer.observe(element);
  }

  /**
   * @param {Shown[]} stations
   * @param {{ selected?: string | null, pick?: (id: string) => void, moved?: (id: string, to: Point) => void }} [options]
   */
  showStations(stations, options = {}) {
    const { selected = null, pick, moved } = options;
    for (const { pin, circle } of this.#stations.values()) {
      pin.remove();
      circle.remove();
    }
    this.#stations.clear();
    stations.forEach((station, index) => {
      const at = latLng(station.position);
      const element = h('div', { class: `tour-pin ${station.kind}`, dataset: { station: station.id } }, String(index + 1));
      element.classList.toggle('selected', station.id === selected);
      const circle = L.circle(at, { radius: station.radius, className: `tour-radius${station.id === selected ? ' selected' : ''}`, interactive: false }).addTo(this.map);
      const pin = L.marker(at, {
        icon: L.divIcon({ className: 'tour-pin-box', iconSize: [34, 34], html: element }), draggable: Boolean(moved), title: station.title,
        zIndexOffset: station.id === selected ? 1000 : 0,
      }).addTo(this.map);
      pin.on('click', () => pick?.(station.id));
      pin.on('drag', () => {
        const { lat, lng } = pin.getLatLng();
        circle.setLatLng([lat, lng]);
      });
      pin.on('dragend', () => moved?.(station.id, point(pin.getLatLng())));
      this.#stations.set(station.id, { pin, circle });
    });
  }

  /**
   * @param {Point[]} corners
   * @param {((corners: Point[]) => void) | null} [changed] there for a border that can be changed
   */
  showBorder(corners, changed = null) {
    this.#border?.remove();
    this.#border = null;
    for (const corner of this.#corners) corner.remove();
    this.#corners = [];
    if (corners.length > 1) this.#border = L.polygon(corners.map(latLng), { className: 'tour-border', interactive: false, fill: false }).addTo(this.map);
    if (!changed) return;
    this.#corners = corners.map((corner, index) => {
      const mark = L.marker(latLng(corner), {
        icon: L.divIcon({ className: 'tour-corner', iconSize: [18, 18], html: h('i') }), draggable: true,
      }).addTo(this.map);
      mark.on('dragend', () => changed(corners.map((other, at) => (at === index ? point(mark.getLatLng()) : other))));
      return mark;
    });
  }

  /**
   * @param {Point[]} corners
   * @param {((corners: Point[]) => void) | null} [changed] there for a way that can be changed: corners are dragged, one that is clicked
   *   goes, and a click on the line makes one there
   */
  showWay(corners, changed = null) {
    this.#way?.remove();
    this.#way = null;
    for (const bend of this.#bends) bend.remove();
    this.#bends = [];
    this.#wayCorners = corners;
    if (corners.length > 1) {
      this.#way = L.polyline([corners.map(latLng)], { className: 'tour-way', interactive: Boolean(changed), weight: 6, bubblingMouseEvents: false }).addTo(this.map);
      this.#way.on('click', (/** @type {{ latlng: L.LatLng }} */ event) => {
        const at = point(event.latlng);
        const after = nearestLeg(corners.map((corner) => this.map.latLngToLayerPoint(latLng(corner))), this.map.latLngToLayerPoint(event.latlng));
        changed?.([...corners.slice(0, after + 1), at, ...corners.slice(after + 1)]);
      });
    }
    if (!changed) return;
    this.#bends = corners.map((corner, index) => {
      const bend = L.marker(latLng(corner), {
        icon: L.divIcon({ className: 'tour-corner way', iconSize: [18, 18], html: h('i') }), draggable: true, title: t('tours.wayCorner', { number: index + 1 }),
      }).addTo(this.map);
      bend.on('dragend', () => changed(corners.map((other, at) => (at === index ? point(bend.getLatLng()) : other))));
      bend.on('click', () => changed(corners.filter((_, at) => at !== index)));
      return bend;
    });
  }

  /** @param {ShownTeam[]} teams */
  showTeams(teams) {
    for (const team of teams) this.showTeam(team);
  }

  /** @param {ShownTeam} team */
  showTeam(team) {
    const old = this.#teams.get(team.number);
    if (!team.position) return;
    const at = latLng(team.position);
    const label = team.position.isVirtual ? `${team.name} (${t('tours.virtual')})` : team.name;
    const element = h('div', { class: 'tour-mark', dataset: { team: String(team.number) } }, h('span', {}, label));
    element.style.setProperty('--team', team.color);
    element.classList.toggle('old', team.position.age > 120);
    element.classList.toggle('left', Boolean(team.left));
    const shape = L.divIcon({ className: 'tour-mark-box', iconSize: [26, 26], html: element });
    if (old) old.setLatLng(at).setIcon(shape);
    else this.#teams.set(team.number, L.marker(at, { icon: shape, title: team.name, zIndexOffset: 2000 }).addTo(this.map));
  }

  /** @param {Point[]} points */
  fit(points) {
    if (!points.length) return;
    this.map.invalidateSize({ pan: false });
    this.map.fitBounds(L.latLngBounds(points.map(latLng)), { padding: [40, 40], maxZoom: 17, animate: false });
  }

  /** Everything that stands on it. */
  #fitAll() {
    const border = this.#border?.getLatLngs().flat() ?? [];
    const pins = [...[...this.#stations.values()].map(({ pin }) => pin), ...this.#teams.values()];
    this.fit([...[...pins.map((pin) => pin.getLatLng()), ...border].map(point), ...this.#wayCorners]);
  }

  /** @param {(at: Point) => void} listener */
  onClick(listener) {
    this.map.on('click', (event) => listener(point(event.latlng)));
  }

  /**
   * Goes to a place that was looked for.
   * @param {Point} to
   * @param {boolean} isMarked shows where it is: nothing else stands there
   */
  goTo(to, isMarked) {
    this.#found?.remove();
    this.#found = isMarked ? L.circleMarker(latLng(to), { radius: 9, interactive: false, className: 'map-found' }).addTo(this.map) : null;
    this.map.setView(latLng(to), Math.max(17, this.map.getZoom()), { animate: false });
  }

  /** Where it is looked at. */
  view() {
    const { lat, lng } = this.map.getCenter();
    return { latitude: lat, longitude: lng, zoom: this.map.getZoom() };
  }

  close() {
    this.observer.disconnect();
    this.map.remove();
  }
}

/** @param {Point} at @returns {[number, number]} */
const latLng = ({ latitude, longitude }) => [latitude, longitude];
/** @param {{ lat: number, lng: number }} at @returns {Point} */
const point = ({ lat, lng }) => ({ latitude: Math.round(lat * 1e6) / 1e6, longitude: Math.round(((((lng + 180) % 360) + 360) % 360 - 180) * 1e6) / 1e6 });

/**
 * @param {L.Point[]} corners on the screen
 * @param {L.Point} at
 * @returns {number} the corner that begins the leg nearest to a point
 */
function nearestLeg(corners, at) {
  let best = { leg: 0, distance: Infinity };
  for (let leg = 0; leg + 1 < corners.length; leg += 1) {
    const distance = L.LineUtil.pointToSegmentDistance(at, corners[leg], corners[leg + 1]);
    if (distance < best.distance) best = { leg, distance };
  }
  return best.leg;
}
