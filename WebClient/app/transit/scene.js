// The ground map on the screen: joins the data, the engine's ground frame, the renderer, the labels and the gestures.

import { Ground } from '../../engine/ground.js';
import { Places } from '../../engine/places.js';
import { h, icon, reducedMotion, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { Carts } from './carts.js';
import { lineColors, mainMode, modeColor } from './colors.js';
import { isFavourite } from './favourites.js';
import { HiddenStops } from './hidden-stops.js';
import { PinLabels } from './labels.js';
import { freePart } from '../map/names.js';
import { hiddenLabels, onHiddenLabels } from '../session/hidden-labels.js';
import { MapGestures } from './map-gestures.js';
import { GroundRenderer } from './renderer.js';
import { Tiles } from './tiles.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 */

/** Points between a roof and the label of what stands behind it. */
const ROOF_GAP = 6;
/** Metres from the ground frame's origin at which it is put under the user again. */
const ORIGIN_STEP = 3000;
/** Frames whose times are remembered. */
const TIMES = 120;
/** Milliseconds between two pictures of vehicles that glide while nothing else moves. */
const GLIDE_STEP_MS = 1000;
/** Milliseconds for which the way to the chosen stop runs. */
const RUN_MS = 4000;
/** By how much a number of the picture's matrix has to differ for a point of the screen to move by a tenth of a point. */
const TELLING = 2e-4;

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
  /** Whether something is to be drawn that the engine's frame does not tell of. */
  #isOld = true;
  /** What the last picture was drawn from. */
  #drawn = new Float64Array(26);
  #next = new Float64Array(26);
  #runsUntil = 0;
  #glidedAt = 0;
  /**
   * The stop an arrow points to while none is in sight.
   * @type {Stop | null}
   */
  #beyond = null;
  /** @type {Rectangle[]} */
  #covers = [];

  /**
   * @param {{ canvas: HTMLCanvasElement, surface: HTMLElement, labels: HTMLElement, session: Session, device: Device,
   *   data: TransitData, choose: (stop: Stop | null) => void, turnTo: (stop: Stop) => void, wake: () => void }} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.renderer = new GroundRenderer(parts.canvas);
    this.labels = new PinLabels(parts.labels, (stop) => parts.choose(stop));
    this.pointer = icon('pointer');
    this.arrowName = h('span', { class: 'edge-count' });
    this.arrowFar = h('span', { class: 'edge-far' });
    this.arrow = h('button', {
      type: 'button', class: 'edge-arrow', hidden: true, id: 'transit-arrow',
      onclick: () => {
        const stop = this.selected ?? this.#beyond;
        if (stop) parts.turnTo(stop);
      },
    }, h('span', { class: 'edge-pointer' }, this.pointer), h('span', { class: 'edge-text' }, this.arrowName, this.arrowFar));
    parts.labels.after(this.arrow);
    this.map = new MapGestures(parts.surface, () => this.ground, () => this.frame, () => this.#change());
    parts.data.on('stops', () => this.#place());
    parts.data.on('lines', () => this.#placeLines());
    parts.data.on('streets', () => this.#placeStreets());
    parts.data.on('vehicles', () => this.#placeCarts());
    parts.session.on('restarted', () => this.restart());
    parts.session.on('town', () => this.#change());
    this.hidden = new HiddenStops(parts.session, parts.data);
    onHiddenLabels(() => this.#change(), parts.session.closed);
  }

  get ground() {
    return this.parts.session.engine.part(Ground);
  }

  /** @type {number[] | null} */
  #walk = null;

  /** @param {import('./tiles.js').Source | null} source */
  useTiles(source) {
    this.#tiles = source ? new Tiles(this.renderer.gl, source, () => this.#change()) : null;
    this.#change();
  }

  /** @param {number[] | null} line the way on foot to the chosen stop, latitude and longitude by turns; none for a straight line */
  setWalk(line) {
    this.#walk = line;
    this.#placeWalk();
    this.#change();
  }

  #placeWalk() {
    if (this.#origin) this.renderer.setWay(this.#walk ? this.ground.convert(this.#walk) : null);
  }

  resize() {
    this.renderer.resize(innerWidth, innerHeight, devicePixelRatio || 1);
    this.#change();
  }

  /** Something is to be drawn. */
  #change() {
    this.#isOld = true;
    this.parts.wake();
  }

  /** @param {Rectangle[]} covers what lies over the picture: no name lies under it */
  cover(covers) {
    this.#covers = covers;
    if (this.#origin) this.ground.setCovers(covers);
    this.#change();
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
    this.ground.setCovers(this.#covers);
    this.map.apply();
    this.#carts.all = [];
    this.#tiles?.forgetPlaces();
    this.#placeWalk();
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
    this.#point(index);
    this.#change();
  }

  /**
   * What an arrow leads to when it is not in sight: the chosen stop, or the nearest one where none is to be seen.
   * @param {number} selected its number, below 0 for none
   */
  #point(selected) {
    const isLost = selected < 0 && this.#beyond !== null ? this.stops.indexOf(this.#beyond) : selected;
    if (selected >= 0 || isLost < 0) this.#beyond = null;
    this.ground.select(isLost < 0 ? null : isLost);
  }

  mark() {
    if (this.#origin) this.#mark();
  }

  /** @param {Stop | null} stop */
  select(stop) {
    if (stop && stop.id !== this.selected?.id) this.#runsUntil = performance.now() + RUN_MS;
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
    this.#change();
  }

  #placeStreets() {
    if (!this.#origin) return;
    this.renderer.setStreets(this.parts.data.streets.map((path) => this.ground.convert(path)));
    this.#change();
  }

  #placeCarts() {
    if (!this.#origin) return;
    const before = this.#carts.all.length;
    this.#carts.set(this.parts.data.vehicles, this.ground, performance.now());
    // Where they were a moment ago they are still; from there they glide.
    if (this.#carts.all.length !== before) this.#change();
  }

  /** The engine's frame for what the session has just made. */
  update() {
    if (!this.#origin) return null;
    const frame = this.frame = this.ground.frame();
    if (this.hidden.look()) this.#isOld = true;
    if (!frame.isValid || this.selected) return frame;
    // Whoever faces away from everything is shown the way to the nearest one.
    const beyond = frame.pins.length && !frame.pins.some(({ isInView }) => isInView) ? this.stops[0] : null;
    if (beyond !== this.#beyond) {
      this.#beyond = beyond;
      this.#point(-1);
      this.#isOld = true;
    }
    return frame;
  }

  /**
   * Draws the last frame, unless the picture would be the one that is there.
   * @param {number} now milliseconds
   * @returns {boolean} whether it was drawn
   */
  draw(now) {
    const { frame } = this;
    if (!frame || !(this.#differs(frame) || this.#isOld || this.isMoving(now))) return false;
    this.#isOld = false;
    this.#carts.move(now);
    this.#glidedAt = now;
    const index = this.stops.findIndex(({ id }) => id === this.selected?.id);
    const { data: { position }, session } = this.parts;
    const tiles = this.#tiles && position && frame.isValid
      ? this.#tiles.around(position, frame.isMap ? Math.max(300, frame.eye[2] * 0.9) : 700, this.ground, this.parts.session.engine.part(Places))
      : [];
    this.#tileCount = tiles.length;
    this.renderer.draw(frame, {
      pins: this.#pins, carts: this.#shownCarts(), tiles, way: index >= 0 ? this.#pins[index] : null,
      time: Math.min(now, this.#runsUntil) / 1000, isMoving: !reducedMotion(),
      hide: session.town && session.frame ? (gl) => Boolean(session.frame && session.town?.hideOnGround(gl, frame, session.frame)) : null,
      remainder: session.town?.remainder ?? 1,
    });
    this.#drawLabels(frame, index);
    this.#drawArrow(frame);
    return true;
  }

  /**
   * Names over the pins; in the view those of hidden stops are as the reader wants them, in the map nothing hides.
   * @param {GroundFrame} frame
   * @param {number} selected its number, below 0 for none
   */
  #drawLabels(frame, selected) {
    const isView = frame.mapPart === 0;
    const choice = hiddenLabels();
    const visibilities = this.stops.map((stop) => (isView ? this.hidden.of(stop) : undefined));
    this.labels.draw(frame, selected, visibilities, {
      leavesOut: choice === 'leaveOut',
      raised: (k, height) => (choice === 'roofLine' ? this.#onRoofs(frame, k, height) : null),
    });
  }

  /**
   * Where the label of a hidden stop stands on the roofs before it.
   * @param {GroundFrame} frame
   * @param {number} k
   * @param {number} height of the label, points
   * @returns {import('./labels.js').Point | null} null where none are known
   */
  #onRoofs({ clipFromGround: m, eye, user, pins }, k, height) {
    const slope = this.hidden.roofLine(this.stops[k]);
    const { east, north } = this.#pins[k];
    if (slope === null) return null;
    // The picture's eye is higher than the phone; directions are the phone's.
    const way = [east - user[0], north - user[1]];
    const point = [eye[0] + way[0], eye[1] + way[1], eye[2] + slope * Math.hypot(way[0], way[1])];
    const [y, w] = [1, 3].map((row) => m[row] * point[0] + m[4 + row] * point[1] + m[8 + row] * point[2] + m[12 + row]);
    if (w <= 1) return null;
    const free = freePart({ x: 0, y: 0, width: innerWidth, height: innerHeight }, this.#covers);
    // To the side it is where the engine put it: over its pin, but whole.
    return { x: pins[k].labelX, y: ((1 - y / w) / 2) * innerHeight - height / 2 - ROOF_GAP, least: free.y + height / 2 };
  }

  /**
   * Whether the picture changes from frame to frame by itself: between view and map, or along the way to the chosen stop.
   * @param {number} now milliseconds
   */
  isMoving(now) {
    const { frame } = this;
    if (!frame?.isValid) return false;
    return frame.mapPart !== (frame.isMap ? 1 : 0) || (this.selected !== null && now < this.#runsUntil && !reducedMotion());
  }

  /**
   * Vehicles go on, a step at a time, while some are in sight.
   * @param {number} now milliseconds
   */
  glide(now) {
    if (now - this.#glidedAt < GLIDE_STEP_MS || !this.#carts.isGliding(now)) return;
    const isSeen = this.#shownCarts().some(({ east, north }) => {
      const at = this.ground.screen(east, north);
      return at !== null && at[0] > -40 && at[1] > -40 && at[0] < innerWidth + 40 && at[1] < innerHeight + 40;
    });
    if (isSeen) this.#change();
  }

  #shownCarts() {
    const { lines } = this;
    return lines ? this.#carts.all.filter(({ lineId }) => lineId !== null && lines.has(lineId)) : this.#carts.all;
  }

  /**
   * Whether a frame would be seen to differ from the one that was drawn.
   * @param {GroundFrame} frame
   */
  #differs(frame) {
    const next = this.#next;
    next.set(frame.clipFromGround);
    let labels = 0;
    frame.pins.forEach(({ hasLabel }, k) => hasLabel && (labels += (k + 1) ** 2));
    const { arrow } = frame;
    next.set([
      frame.isValid ? 1 : 0, frame.mapPart, frame.roll, frame.heading, frame.user[0] / 100, frame.user[1] / 100, labels,
      arrow ? 1 + arrow.direction : 0, arrow ? arrow.x / 1000 : 0, arrow ? arrow.y / 1000 : 0,
    ], 16);
    // The last column is metres away from the origin, and moves the picture by so much less.
    const far = 10 + Math.abs(next[15]);
    const isOther = next.some((value, k) => Math.abs(value - this.#drawn[k]) > (k >= 12 && k < 16 ? TELLING * far : TELLING));
    if (isOther) this.#drawn.set(next);
    return isOther;
  }

  /** @param {GroundFrame} frame */
  #drawArrow({ arrow }) {
    const stop = this.selected ?? this.#beyond;
    const isShown = arrow !== null && stop !== null;
    if (this.arrow.hidden === isShown) this.arrow.hidden = !isShown;
    if (!isShown) return;
    const far = distance(stop.distance ?? NaN);
    Object.assign(this.arrow, { place: this.hidden.feature(stop) });
    setText(this.arrowName, stop.name);
    setText(this.arrowFar, far);
    this.arrow.classList.toggle('for-selection', this.selected !== null);
    this.arrow.setAttribute('aria-label', t('arrow.selection', { name: stop.name, distance: far }));
    const [halfWidth, halfHeight] = [this.arrow.offsetWidth / 2 + 8, this.arrow.offsetHeight / 2 + 4];
    const free = freePart({ x: 0, y: 0, width: innerWidth, height: innerHeight }, this.#covers);
    const x = Math.max(free.x + halfWidth, Math.min(free.x + free.width - halfWidth, arrow.x));
    const y = Math.max(free.y + halfHeight, Math.min(free.y + free.height - halfHeight, arrow.y));
    this.arrow.style.transform = `translate(${(x - halfWidth + 8).toFixed(1)}px, ${(y - halfHeight + 4).toFixed(1)}px)`;
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
