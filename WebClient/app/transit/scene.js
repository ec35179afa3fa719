// The ground map on the screen: joins the data, the engine's ground frame, the renderer, the labels and the gestures.

import { h, icon, reducedMotion, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { Carts } from './carts.js';
import { lineColors, mainMode, modeColor } from './colors.js';
import { isFavourite } from './favourites.js';
import { PinLabels } from './labels.js';
import { MapGestures } from './map-gestures.js';
import { GroundRenderer } from './renderer.js';
import { Tiles } from './tiles.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 */

/** Metres from the ground frame's origin at which it is put under the user again. */
const ORIGIN_STEP = 3000;
/** Frames whose times are remembered. */
const TIMES = 120;

export class TransitScene {
  /** @type {{ latitude: number, longitude: number } | null} */
  #origin = null;
  /** @type {Stop[]} */
  stops = [];
  /** @type {import('./renderer.js').Pin[]} */
  #pins = [];
  #carts = new Carts();
  /** @type {Tiles | null} */
  #tiles = null;
  /** @type {Stop | null} */
  selected = null;
  /** @type {GroundFrame | null} */
  frame = null;
  /**
   * Lines that are shown; null for all.
   * @type {Set<string> | null}
   */
  lines = null;
  /** Milliseconds our code took for each of the last frames. */
  times = new Float64Array(TIMES);
  #frames = 0;
  #tileCount = 0;

  /**
   * @param {{ canvas: HTMLCanvasElement, surface: HTMLElement, labels: HTMLElement, session: Session, device: Device,
   *   data: TransitData, choose: (stop: Stop | null) => void, turnTo: (stop: Stop) => void }} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.renderer = new GroundRenderer(parts.canvas);
    this.labels = new PinLabels(parts.labels, (stop) => parts.choose(stop));
    this.pointer = icon('pointer');
    this.arrowName = h('span', { class: 'edge-count' });
    this.arrowFar = h('span', { class: 'edge-far' });
    this.arrow = h('button', {
      type: 'button', class: 'edge-arrow for-selection', hidden: true, id: 'transit-arrow',
      onclick: () => this.selected && parts.turnTo(this.selected),
    }, h('span', { class: 'edge-pointer' }, this.pointer), h('span', { class: 'edge-text' }, this.arrowName, this.arrowFar));
    parts.labels.after(this.arrow);
    this.map = new MapGestures(parts.surface, () => this.ground, () => this.frame);
    parts.data.on('stops', () => this.#place());
    parts.data.on('lines', () => this.#placeLines());
    parts.data.on('streets', () => this.#placeStreets());
    parts.data.on('vehicles', () => this.#placeCarts());
    parts.session.on('restarted', () => this.restart());
  }

  get ground() {
    return this.parts.session.engine.ground;
  }

  /** @param {import('./tiles.js').Source | null} source */
  useTiles(source) {
    this.#tiles = source ? new Tiles(this.renderer.gl, source) : null;
  }

  resize() {
    this.renderer.resize(innerWidth, innerHeight, devicePixelRatio || 1);
  }

  /** A new engine knows nothing: everything is handed over again. */
  restart() {
    this.#origin = null;
    this.#place();
    this.#placeLines();
    this.#placeStreets();
  }

  /** Puts the ground frame near the user, and everything into it. */
  #settle() {
    const { data } = this.parts;
    if (!data.position) return false;
    if (this.#origin && data.distance(this.#origin, data.position) < ORIGIN_STEP) return false;
    const isFirst = !this.#origin;
    this.#origin = { latitude: data.position.latitude, longitude: data.position.longitude };
    if (isFirst) this.ground.begin(this.#origin.latitude, this.#origin.longitude);
    else this.ground.setOrigin(this.#origin.latitude, this.#origin.longitude);
    this.map.apply();
    this.#carts.all = [];
    this.#tiles?.forgetPlaces();
    return true;
  }

  /** Stops that a chosen line serves, and favourites as such. */
  #place() {
    const { data } = this.parts;
    const isElsewhere = this.#settle();
    if (!this.#origin) return;
    this.stops = data.stops;
    const labels = this.labels.set(this.stops);
    const places = this.ground.convert(this.stops.flatMap(({ lat, lon }) => [lat, lon]));
    this.ground.setPins(this.stops.map((_, k) => ({
      east: places[2 * k], north: places[2 * k + 1], width: labels[k].width, height: labels[k].height,
    })));
    this.#pins = this.stops.map((stop, k) => {
      const mode = mainMode(stop.modes);
      return {
        east: places[2 * k], north: places[2 * k + 1], mode, color: modeColor(mode), isSelected: false,
        isFavourite: isFavourite(stop.id), isDim: false,
      };
    });
    this.#mark();
    if (isElsewhere) {
      this.#placeLines();
      this.#placeStreets();
      this.#placeCarts();
    }
  }

  /** Which pins are chosen, favourites, or not on a chosen line. */
  #mark() {
    this.stops.forEach((stop, k) => {
      const pin = this.#pins[k];
      pin.isSelected = stop.id === this.selected?.id;
      pin.isFavourite = isFavourite(stop.id);
      pin.isDim = this.lines !== null && !stop.lines.some(({ id }) => this.lines?.has(id)) && !pin.isSelected;
    });
    const index = this.stops.findIndex(({ id }) => id === this.selected?.id);
    this.ground.select(index < 0 ? null : index);
  }

  mark() {
    if (this.#origin) this.#mark();
  }

  /** @param {Stop | null} stop */
  select(stop) {
    this.selected = stop;
    this.mark();
  }

  /** @param {Set<string> | null} lines */
  showLines(lines) {
    this.lines = lines;
    this.mark();
    this.#placeLines();
  }

  #placeLines() {
    if (!this.#origin) return;
    const { data } = this.parts;
    const lines = data.lines.filter(({ id }) => !this.lines || this.lines.has(id)).flatMap((line) =>
      line.paths.map((path) => ({ path: this.ground.convert(path), color: lineColors(line).color })));
    this.renderer.setLines(lines);
  }

  #placeStreets() {
    if (this.#origin) this.renderer.setStreets(this.parts.data.streets.map((path) => this.ground.convert(path)));
  }

  #placeCarts() {
    if (this.#origin) this.#carts.set(this.parts.data.vehicles, this.ground, performance.now());
  }

  /**
   * Draws the frame the session has just made.
   * @param {number} now milliseconds
   */
  draw(now) {
    if (!this.#origin) return null;
    const frame = this.frame = this.ground.frame();
    this.#carts.move(now);
    const index = this.stops.findIndex(({ id }) => id === this.selected?.id);
    const carts = this.lines ? this.#carts.all.filter(({ lineId }) => lineId !== null && this.lines?.has(lineId)) : this.#carts.all;
    const position = this.parts.data.position;
    const tiles = this.#tiles && position && frame.isValid
      ? this.#tiles.around(position, frame.isMap ? Math.max(300, frame.eye[2] * 0.9) : 700, this.ground) : [];
    this.#tileCount = tiles.length;
    this.renderer.draw(frame, {
      pins: this.#pins, carts, tiles, way: index >= 0 ? this.#pins[index] : null, time: now / 1000, isMoving: !reducedMotion(),
    });
    this.labels.draw(frame, index);
    this.#drawArrow(frame);
    return frame;
  }

  /** @param {GroundFrame} frame */
  #drawArrow({ arrow }) {
    if (this.arrow.hidden !== !arrow) this.arrow.hidden = !arrow;
    if (!arrow || !this.selected) return;
    const far = distance(this.selected.distance ?? NaN);
    setText(this.arrowName, this.selected.name);
    setText(this.arrowFar, far);
    this.arrow.setAttribute('aria-label', t('arrow.selection', { name: this.selected.name, distance: far }));
    const half = this.arrow.offsetWidth / 2;
    const x = Math.min(innerWidth - half - 8, Math.max(half + 8, arrow.x));
    this.arrow.style.transform = `translate(${(x - half).toFixed(1)}px, ${(arrow.y - 22).toFixed(1)}px)`;
    this.pointer.style.transform = `rotate(${arrow.direction.toFixed(3)}rad)`;
  }

  /** @param {number} milliseconds that a frame took */
  count(milliseconds) {
    this.times[this.#frames++ % TIMES] = milliseconds;
  }

  /** What `window.sightline.state()` tells. */
  state() {
    const frame = this.frame;
    const times = Array.from(this.times.subarray(0, Math.min(TIMES, this.#frames))).sort((a, b) => a - b);
    const at = (/** @type {number} */ part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? null;
    return {
      stops: this.stops.map(({ id }) => id),
      vehicles: this.#carts.all.length,
      tiles: this.#tileCount,
      streets: this.parts.data.streets.length,
      selected: this.selected?.id ?? null,
      frames: { count: this.#frames, median: at(0.5), p95: at(0.95), worst: at(1) },
      frame: frame && {
        isValid: frame.isValid, isMap: frame.isMap, mapPart: frame.mapPart, eye: [...frame.eye], heading: frame.heading,
        mapHeading: frame.mapHeading, pitch: frame.pitch, arrow: frame.arrow && { ...frame.arrow },
        pins: frame.pins.map((pin) => ({ ...pin })),
      },
    };
  }

  close() {
    this.map.close();
    this.renderer.close();
  }
}
