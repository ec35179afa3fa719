// Departures: stops around the user as pins on a map on the ground, their boards, and the same as a map and as a list.

import { toDegrees } from '../core/angles.js';
import { h, loadShared, reducedMotion, setAttribute, setText } from '../core/dom.js';
import { labelled, onLanguage, t, tn } from '../core/i18n.js';
import { Backdrop } from '../ar/backdrop.js';
import { Device } from '../device/device.js';
import { fetchSettings } from '../net/settings.js';
import { Session } from '../session/session.js';
import { Occupied } from '../stage/occupied.js';
import { watchDialogs } from '../ui/dialog.js';
import { Gate } from '../ui/gate.js';
import { announce, closeToast } from '../ui/toast.js';
import { makeBars } from './bars.js';
import { demonstrationClock } from './clock.js';
import { TransitData } from './data.js';
import { listenToUser } from './inputs.js';
import { StopList } from './list.js';
import { Pulse } from './pulse.js';
import { Places } from '../../engine/places.js';
import { covers } from '../map/ground/area.js';
import { TransitRoute } from './route.js';
import { pictures } from './tiles.js';
import { Walk } from '../way/walk.js';
import { WalkedDistances } from './walked.js';
import { TransitScene } from './scene.js';
import { StopSheet } from './sheet.js';
import { Standpoint } from './standpoint.js';
import { TransitTools } from './tools.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {'view' | 'map' | 'list'} Shown
 */

export class TransitPage {
  /** @type {Shown} */
  shown = 'view';
  entered = false;
  #life = new AbortController();
  #ready = false;
  #wantedStop = '';
  #mapCredit = '';

  #seen = () => ({
    roots: [this.video, this.sky, this.canvas, this.surface], caption: { title: t('start.transit'), credit: this.bars.credit.textContent || undefined },
  });

  async #picture() {
    const [{ takeScreenshot }] = await Promise.all([import('../ui/screenshot.js'), loadShared('panels')]);
    const { roots, caption } = this.#seen();
    await takeScreenshot(roots, caption, this.surface);
  }

  /** @param {EventTarget | null} button */
  async #clip(button) {
    const { toggleClip } = await import('../ui/clip-button.js');
    await toggleClip(button, this.#seen, this.#life.signal);
  }

  /**
   * @param {() => void} leave
   * @param {URLSearchParams} query of the address
   */
  static async open(leave, query) {
    return new TransitPage(await Session.start(), leave, query);
  }

  /**
   * @param {Session} session
   * @param {() => void} leave
   * @param {URLSearchParams} query
   */
  constructor(session, leave, query) {
    this.session = session;
    this.leave = leave;
    this.route = new TransitRoute(query);
    this.video = h('video', { class: 'transit-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.sky = h('canvas', { class: 'transit-sky', 'aria-hidden': 'true' });
    this.canvas = h('canvas', { class: 'transit-ground', id: 'transit-ground', 'aria-hidden': 'true' });
    this.labels = h('div', { class: 'transit-labels' });
    this.surface = h('div', { class: 'transit-surface', id: 'transit-surface', tabIndex: 0, role: 'region' }, this.labels);
    this.device = new Device(session, this.video);
    this.data = new TransitData((a, b) => session.engine.distance(a.latitude, a.longitude, b.latitude, b.longitude));
    this.backdrop = new Backdrop(this.sky, session);
    this.standpoint = new Standpoint(session, this.device, this.data);
    const { data } = this;
    this.bars = makeBars({
      leave: this.leave,
      refresh: () => void this.refresh(),
      freeze: () => session.setFrozen(!session.frozen),
      picture: () => void this.#picture(),
      clip: ({ currentTarget }) => void this.#clip(currentTarget),
      menu: () => void this.#tools.showMenu(),
      turnMap: () => this.#turnMap(),
      toUser: () => this.scene.map.toUser(),
      zoom: (factor) => this.scene.map.zoom(factor),
      show: (view) => this.show(view),
      find: () => {
        this.show('list');
        this.list.search.focus();
      },
    });
    /** @type {ConstructorParameters<typeof WalkedDistances>} */
    const ways = [(a, b) => data.distance(a, b), (ground, at) => covers(ground, session.engine.part(Places).onMap(at))];
    this.walk = new Walk(...ways);
    this.walked = new WalkedDistances(...ways);
    this.walk.on('change', () => this.scene.setWalk(this.walk.route?.line ?? null));
    this.gateElement = h('div', { class: 'transit-gate', id: 'transit-gate' });
    /** @type {StopSheet} */
    this.sheet = new StopSheet(data, {
      close: () => this.choose(null),
      refresh: () => void this.refresh(),
      heading: () => this.scene.frame?.heading ?? session.frame?.bearing ?? 0,
      range: (stop) => this.standpoint.range(stop),
      lines: (ids) => this.scene?.showLines(ids),
      changed: () => {
        this.scene.mark();
        this.list.update();
      },
      opened: (isOpen) => this.element?.toggleAttribute('data-board', isOpen),
    }, this.#life.signal, this.walk);
    /** @type {StopList} */
    this.list = new StopList(data, {
      open: (stop) => this.choose(stop, true),
      refresh: () => void this.refresh(),
      lines: (ids) => this.scene?.showLines(ids),
      heading: () => (this.scene.frame?.isValid ? this.scene.frame.heading : null),
      range: (stop) => this.standpoint.range(stop),
      walked: this.walked,
      avoidsSteps: () => this.walk.avoidsSteps,
    }, this.#life.signal);
    /** @type {HTMLElement} */
    this.element = h(
      'div',
      { id: 'transit', class: 'transit' },
      this.video, this.sky, this.canvas, this.surface, this.list.element,
      this.bars.credit, this.bars.top, this.bars.lights, this.bars.tools, this.bars.dock,
      this.sheet.element,
      this.gateElement,
    );
    document.body.append(this.element);
    labelled(this.surface, 'transit.scene').removeAttribute('title');
    this.scene = new TransitScene({
      canvas: this.canvas, surface: this.surface, labels: this.labels, session, device: this.device, data: this.data,
      choose: (stop) => this.choose(stop), turnTo: (stop) => this.#turnTo(stop), wake: () => this.pulse?.wake(),
    });
    /** @type {Pulse} */
    this.pulse = new Pulse({ draw: (now, stamp) => this.#draw(now, stamp), slow: () => this.#now() }, this.#life.signal);
    this.#tools = new TransitTools(this);
    this.#listen();
    this.#begin();
  }

  /** @type {TransitTools} */
  #tools;

  #listen() {
    const { session, device, data } = this;
    const { signal } = this.#life;
    this.gate = new Gate(this.gateElement, {
      device,
      failure: () => '',
      retry: () => undefined,
      loading: () => false,
      start: () => void device.start().then(() => this.gate.update()),
      virtual: () => this.useVirtual(),
      show: (view) => this.#withoutSensors(view),
    });
    device.on('checks', () => {
      if (!this.entered && device.ready) this.#enter();
    });
    device.on('sources', () => {
      this.standpoint.settle();
      this.#showSources();
    });
    session.on('frozen', (frozen) => {
      this.pulse.wake();
      device.camera.freeze(frozen);
      this.element.toggleAttribute('data-frozen', frozen);
      setAttribute(this.bars.freeze, 'aria-pressed', String(frozen));
      labelled(this.bars.freeze, frozen ? 'control.unfreeze' : 'control.freeze');
      if (frozen) announce(t('control.frozen'));
    });
    listenToUser(this, signal);
    for (const type of /** @type {const} */ (['moved', 'turned', 'used', 'began'])) device.phone.on(type, this.pulse.wake);
    device.orientation.on('reading', this.pulse.wake);
    device.location.on('fix', this.pulse.wake);
    watchDialogs((isOpen) => this.pulse.hold('dialog', isOpen), signal);
    new Occupied((covers) => this.scene.cover(covers), signal);
    addEventListener('resize', () => this.#resize(), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && device.camera.check(), { signal });
    data.on('stops', (stops) => {
      if (!this.#ready && this.route.heading === undefined) this.standpoint.face(stops);
      const wanted = this.#wantedStop && stops.find(({ id }) => id === this.#wantedStop);
      this.#wantedStop = '';
      if (wanted) this.choose(wanted, true);
      else if (this.sheet.stop) this.sheet.show(stops.find(({ id }) => id === this.sheet.stop?.id) ?? this.sheet.stop);
    });
    data.on('streets', () => this.#showCredit());
    data.on('state', () => this.#showNote());
    data.on('providers', () => {
      this.standpoint.settle();
      this.#showNote();
      this.standpoint.offer(this.entered);
    });
    onLanguage(() => {
      this.scene.labels.forget();
      this.#showNote();
      this.surface.removeAttribute('title');
      void this.refresh();
    }, signal);
  }

  #begin() {
    const { route, device, data } = this;
    document.documentElement.dataset.view = 'transit';
    this.#wantedStop = route.stop;
    if (route.latitude !== undefined && route.longitude !== undefined) {
      this.standpoint.place({ latitude: route.latitude, longitude: route.longitude });
    }
    device.phone.pose.heading = route.heading ?? 0;
    device.phone.pose.pitch = route.pitch ?? -12;
    this.#resize();
    this.#showSources();
    this.#showNote();
    if (route.isVirtual) this.useVirtual();
    this.show(route.shown);
    fetchSettings().then(async ({ tiles, ground }) => {
      const source = tiles ? pictures(tiles) : ground ? (await import('../map/ground/pictures.js')).groundPictures(ground, () => this.session.engine.part(Places)) : null;
      if (this.#life.signal.aborted) return;
      this.scene.useTiles(source);
      this.#mapCredit = (tiles ?? ground)?.attribution.replace(/<[^>]*>/g, '') ?? '';
      if (!tiles) data.useStreets((position) => !source?.covers?.(position));
      this.#showCredit();
    });
  }

  /**
   * Another address of the departures: the virtual phone goes there without anything being loaded anew.
   * @param {import('../parts.js').Opening} opening
   */
  follow({ query }) {
    const route = new TransitRoute(query);
    const { phone, sources } = this.device;
    if (!route.isVirtual || sources.direction !== 'hand' || sources.position !== 'chosen') return false;
    phone.hold();
    if (route.heading !== undefined) phone.pose.heading = (route.heading + 360) % 360;
    if (route.pitch !== undefined) phone.pose.pitch = route.pitch;
    phone.turn(0, 0);
    if (route.latitude !== undefined && route.longitude !== undefined) {
      phone.place({ latitude: route.latitude, longitude: route.longitude });
    }
    if (route.shown !== this.shown) this.show(route.shown);
    return true;
  }

  #showCredit() {
    setText(this.bars.credit, this.#mapCredit || this.data.streetsCredit);
  }

  #resize() {
    this.backdrop.resize(innerWidth, innerHeight, devicePixelRatio || 1);
    this.scene.resize();
  }

  useVirtual() {
    this.device.use({ picture: 'drawn', direction: 'hand', position: 'chosen' });
    this.#enter();
  }

  /** @param {'map' | 'list'} view */
  #withoutSensors(view) {
    const { device } = this;
    if (device.check('location') !== 'ok' && !device.started) device.location.start();
    if (device.check('orientation') !== 'ok') device.use({ direction: 'hand' });
    if (device.check('camera') !== 'ok') device.use({ picture: 'drawn' });
    this.#enter();
    this.show(view);
  }

  #enter() {
    this.entered = true;
    this.#showGate();
    this.standpoint.offer(this.entered);
  }

  #showGate() {
    this.gateElement.hidden = this.entered;
    this.element.toggleAttribute('data-gate', !this.entered);
    this.gate.update();
  }

  #showSources() {
    const { picture, direction, position } = this.device.sources;
    Object.assign(document.documentElement.dataset, { picture, direction, position });
    this.sky.hidden = picture !== 'drawn';
    this.video.hidden = picture === 'drawn';
  }

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    this.element.dataset.shown = shown;
    this.bars.views.value = shown;
    this.scene.map.setMode(shown === 'map' ? 'map' : 'automatic');
    this.list.show(shown === 'list');
    this.data.wantsVehicles = shown !== 'list';
    // Behind the list nothing is there to be reached by keys.
    for (const part of [this.surface, this.bars.tools]) part.inert = shown === 'list';
    this.#showGate();
    this.pulse.wake();
  }

  #turnMap() {
    const { map } = this.scene;
    map.setNorthUp(!map.isNorthUp);
    setAttribute(this.bars.north, 'aria-pressed', String(map.isNorthUp));
    labelled(this.bars.north, map.isNorthUp ? 'transit.headingUp' : 'map.northUp');
  }

  /**
   * @param {Stop | null} stop
   * @param {boolean} [open] whether with its board
   */
  choose(stop, open = false) {
    this.scene.select(stop);
    this.#walkTo(stop);
    this.sheet.show(stop, open);
  }

  /** @param {Stop | null} stop */
  #walkTo(stop) {
    this.walk.follow(stop && { id: stop.id, latitude: stop.lat, longitude: stop.lon }, this.data.position);
  }

  /** @param {Stop} stop */
  #turnTo(stop) {
    const range = this.standpoint.range(stop);
    this.scene.map.toUser();
    if (this.device.sources.direction === 'hand' && range?.bearing !== null && range) {
      this.device.phone.face(toDegrees(range.bearing), !reducedMotion());
    }
    this.pulse.wake();
  }

  async refresh() {
    this.element.toggleAttribute('data-refreshing', true);
    const came = await this.data.refresh();
    this.element.toggleAttribute('data-refreshing', false);
    if (came) announce(t('transit.refreshed', { stops: tn('transit.stops', this.data.stops.length) }));
  }

  #showNote() {
    const { data } = this;
    const { state, stops, isPartial, failure, clock, providers } = data;
    const demonstration = providers?.demonstration && clock.isKnown ? t('transit.demonstration', { time: demonstrationClock(this.data) }) : '';
    const text = state === 'failed' ? t('transit.failed', { reason: failure })
      : !data.position ? t('transit.waiting')
      : state === 'loading' && !stops.length ? t('transit.loading')
      : !stops.length ? t('transit.none')
      : [tn('transit.stops', stops.length), isPartial ? t('transit.partial') : '', demonstration].filter(Boolean).join(' · ');
    setText(this.bars.note, text);
  }

  /**
   * One picture, if it would be another than the last one; behind the list only what the list tells.
   * @param {number} now milliseconds
   * @param {number} stamp of the browser's frame, milliseconds
   * @returns {boolean} whether the next one will be another again
   */
  #draw(now, stamp) {
    const { device, data, session, scene } = this;
    device.phone.tick(stamp / 1000);
    session.tick(now / 1000);
    const frame = scene.update();
    let isOther = false;
    if (this.shown !== 'list' && frame && (isOther = scene.draw(now))) {
      if (session.frame?.isValid && device.sources.picture === 'drawn' && frame.mapPart < 1) this.backdrop.draw(session.frame);
      this.#show(frame);
      scene.count(performance.now() - now);
    }
    if (!this.#ready && this.entered && (frame?.isValid || this.shown === 'list') && data.state === 'ready') {
      this.#ready = true;
      document.documentElement.dataset.ready = '1';
    }
    return isOther || device.phone.isMoving || scene.isMoving(now);
  }

  /** What is looked at twice a second. */
  #now() {
    const { data } = this;
    const position = this.entered ? this.standpoint.position : null;
    if (position) {
      const isFirst = !data.position;
      data.moveTo(position);
      if (isFirst) this.standpoint.offer(this.entered);
    }
    this.sheet.move();
    this.#walkTo(this.sheet.stop);
    if (data.providers?.demonstration) this.#showNote();
    // What comes without a word: readings that grow old, vehicles that glide.
    this.scene.glide(performance.now());
    this.pulse.wake();
  }

  /** @param {import('../../engine/ground.js').GroundFrame} frame */
  #show(frame) {
    const kind = frame.isMap ? 'map' : 'view';
    if (this.element.dataset.ground !== kind) {
      this.element.dataset.ground = kind;
      if (this.#ready) announce(t(frame.isMap ? 'live.view.map' : 'live.view.ar'));
    }
    const needle = /** @type {SVGSVGElement} */ (this.bars.north.firstElementChild);
    needle.style.transform = `rotate(${(-frame.mapHeading).toFixed(3)}rad)`;
    this.bars.home.hidden = !this.scene.map.isMoved;
  }

  /** What `window.sightline.state()` tells. */
  state() {
    const { data } = this;
    return {
      transit: {
        ...this.scene.state(), state: data.state, position: data.position, shown: this.shown, entered: this.entered,
        stream: data.stream, clock: data.clock.now(), board: this.sheet.isOpen ? this.sheet.stop?.id ?? null : null,
      },
    };
  }

  close() {
    this.#life.abort();
    closeToast('demonstration');
    this.data.close();
    this.walk.close();
    this.walked.close();
    this.scene.close();
    this.session.close();
    this.device.close();
    this.element.remove();
    delete document.documentElement.dataset.ready;
  }
}

