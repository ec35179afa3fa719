// An open world on the screen: joins the session, the device and the three views of the same places.

import { toDegrees } from '../core/angles.js';
import { find, loadLeafletStyle, loadShared, reducedMotion, setAttribute, setText, whenIdle } from '../core/dom.js';
import { onLanguage, t } from '../core/i18n.js';
import { Device } from '../device/device.js';
import { closeDialogs, watchDialogs } from '../ui/dialog.js';
import { Gate } from '../ui/gate.js';
import { StatusLights } from '../ui/status.js';
import { announce } from '../ui/toast.js';
import { Anchors } from './anchors.js';
import { ARView } from './ar-view.js';
import { Bars, isPartShown, markFrozen, onRoom } from './bars.js';
import { commandsOf } from './commands.js';
import { failureText } from './failure.js';
import { farText } from './far.js';
import { FrameLoop } from './frame-loop.js';
import { speakFor } from './messages.js';
import { Occupied } from './occupied.js';
import { PartsByNeed } from './parts-by-need.js';
import { Sheet } from './sheet.js';
import { stageSnapshot } from './snapshot.js';
import { Standing } from './standing.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../core/router.js').Route} Route
 * @typedef {import('../core/router.js').ViewName} ViewName
 */

/** Frames a second while the map or the list is shown: enough for the wedge and the distances. */
const SLOW_FRAME_MS = 200;
/** How long after the start an empty view is told of without a picture, milliseconds. */
const NOTHING_MS = 1000;

export class Stage {
  /** @type {ViewName} */
  view = 'ar';
  /** @type {import('../map/map.js').MapView | null} */
  map = null;
  /** @type {import('../list/list.js').ListView | null} */
  list = null;
  /**
   * What the cards of this world hold, if not the places' own texts.
   * @type {((place: import('../types').Place) => Node[] | null) | null}
   */
  cardBody = null;
  /**
   * Told when the map is there.
   * @type {((map: import('../map/map.js').MapView) => void) | null}
   */
  onMap = null;
  /**
   * While another part is shown.
   * @type {import('./aside.js').Aside | null}
   */
  aside = null;
  /** Whether the readiness list has been passed. */
  entered = false;
  /**
   * What the map shows from near when it comes.
   * @type {number | null}
   */
  #onMap = null;
  /** @type {FrameLoop | null} */
  #loop = null;
  #lastSlow = 0;
  #announced = '';

  /**
   * @param {Session} session
   * @param {(route: Partial<Route>, replace: boolean) => void} navigate
   */
  constructor(session, navigate) {
    this.session = session;
    this.navigate = navigate;
    this.element = find('#stage', HTMLElement);
    this.device = new Device(session, find('#camera', HTMLVideoElement));
    this.standing = new Standing(session, this.device);
    this.ar = new ARView(session, this.device, (place) => this.#follow(place));
    this.parts = new PartsByNeed(this);
    this.anchors = new Anchors(session, this.device, this.ar.scene);
    this.sheet = new Sheet(session, this.device, {
      view: () => this.view,
      show: (view) => this.navigate({ view }, false),
      choose: (place) => this.#follow(place),
    });
    this.gateElement = find('#gate', HTMLElement);
    /** @type {Gate} */
    this.gate = new Gate(this.gateElement, {
      device: this.device,
      failure:
        () => (session.status?.content.reason === 'failed' && session.failure ? failureText(session.failure) : ''),
      detail: () => session.failure?.detail,
      retry: () => session.refresh(),
      loading: () => !session.content,
      start: () => void this.device.start().then(() => this.gate.update()),
      virtual: () => this.useVirtual(true),
      show: (view) => this.navigate({ view }, false),
    });
    this.lights = new StatusLights(find('#status', HTMLElement), session, {
      accuracy: () => (this.device.sources.position === 'sensor'
        ? this.device.location.last?.horizontalAccuracy ?? null
        : null),
      isVirtual: () => this.device.isVirtual,
      isChosen: () => this.device.sources.position === 'chosen',
      entered: () => this.entered && this.view === 'ar',
      failure: () => (session.failure ? failureText(session.failure) : ''),
      markersOnly: () => this.device.markersOnly,
      nothing: () => this.parts.nothing?.sentence() ?? '',
      align: () => (this.device.hasCompass && this.view === 'ar' ? () => void this.parts.openAlign() : null),
    });
    const commands = commandsOf(this);
    this.bars = new Bars({
      ...commands,
      show: (view) => this.navigate({ view }, false),
      freeze: () => session.setFrozen(!session.frozen),
    });
    this.#listen();
    const tellOccupied = () => {
      this.ar.overlays?.clear();
      session.tell({ type: 'occupied', rectangles: this.occupied.rectangles, arrows: [...this.ar.arrows.sizes] });
    };
    // The handle can be touched above the sheet too, and labels want to be touched.
    this.occupied = new Occupied(tellOccupied, session.closed, [find('#sheet-handle', HTMLElement)]);
    this.ar.arrows.resized = tellOccupied;
  }

  #listen() {
    const { session, device } = this;
    session.on('world', (content) => {
      this.showTitle();
      this.gate.update();
      const wanted = this.#wantedPlace === null ? -1 : content.placeByID(this.#wantedPlace);
      this.#wantedPlace = null;
      if (wanted >= 0) session.select(wanted);
      this.anchors.use(content);
    });
    session.on('status', () => {
      this.gate.update();
      this.showTitle();
    });
    session.on('failure', () => this.gate.update());
    session.on('frozen', (frozen) => {
      markFrozen(frozen);
      device.camera.freeze(frozen);
    });
    session.on('selection', (place) => this.element.toggleAttribute('data-selected', place !== null));
    speakFor(session, device);
    device.on('checks', () => {
      if (!this.entered && device.ready) this.#enter();
    });
    device.on('sources', () => this.#showSources());
    device.on('camera', () => this.ar.showPause(device.camera.state === 'paused' && this.entered));
    onRoom(() => void this.show(this.view), session.closed);
    watchDialogs((open) => session.suspend('dialog', open), session.closed);
    document.addEventListener('visibilitychange', this.#visibility, { signal: session.closed });
    document.addEventListener('keydown', (event) => {
      // Wherever the focus is: a card that is open is what Escape closes.
      if (event.key === 'Escape' && !event.defaultPrevented && !session.suspended && session.selected !== null) session.select(null);
    }, { signal: session.closed });
    onLanguage(() => {
      this.showTitle();
      this.ar.labels.reset();
      // A world that speaks several languages is read anew.
      if (session.content?.isMultilingual) session.refresh();
    }, session.closed);
  }

  /** @type {string | null} */
  #wantedPlace = null;

  /**
   * @param {Route} route
   * @param {{ latitude: number, longitude: number } | null} center of the world, if the server said
   */
  open(route, center) {
    if (!route.address) return;
    this.#wantedPlace = route.place;
    this.standing.begin(route, center);
    if (route.time && route.virtual) this.session.setTime(route.time);
    this.element.hidden = false;
    if (route.virtual) this.useVirtual(true, false);
    this.session.open(route.address);
    if (route.anchor) void this.anchors.watchCodes();
    for (const address of route.also) this.session.worlds.openBeside(address);
    this.#showSources();
    this.show(route.view);
    this.showTitle();
    this.#loop ??= new FrameLoop(this.session, this.device, (stamp) => this.#frame(stamp));
    this.ar.changed = () => this.#loop?.wake();
    this.#loop.wake();
  }

  /**
   * All three from the virtual phone, or all three from the device.
   * @param {boolean} on
   * @param {boolean} [tellRoute]
   */
  useVirtual(on, tellRoute = true) {
    if (on) {
      this.standing.useVirtual();
      this.#enter();
    } else {
      this.entered = false;
      this.standing.useReal();
      this.ar.showPause(false);
      // This comes from a tap in the menu: it counts as the one tap.
      void this.device.start().then(() => this.gate.update());
    }
    this.#showGate();
    if (tellRoute) this.navigate({ virtual: on, view: 'ar' }, true);
  }

  /** @param {boolean} on whether a virtual phone is offered in place of being there */
  allowVirtual(on) {
    this.gate.offerVirtual(on);
  }

  #enter() {
    this.entered = true;
    const isFocusLost = this.gateElement.contains(document.activeElement) || document.activeElement === document.body;
    // Not before there is a picture that may be empty, or none has come for a while.
    setTimeout(() => void this.parts.tellNothing(), NOTHING_MS);
    this.#showGate();
    if (isFocusLost && this.view === 'ar') this.ar.scene.focus({ preventScroll: true });
  }

  #showGate() {
    this.gateElement.hidden = this.entered || this.view !== 'ar';
    this.element.toggleAttribute('data-gate', !this.gateElement.hidden);
    this.gate.update();
  }

  #showSources() {
    const { picture, direction, position } = this.device.sources;
    Object.assign(document.documentElement.dataset, { picture, direction, position });
    this.ar.showSources();
  }

  /** The virtual phone stands among the places, wherever they are. */
  standThere() {
    this.standing.forget();
    this.useVirtual(true);
  }

  /**
   * What is known of the world before anybody is asked for anything.
   * @param {import('../types').WorldEntry} entry
   */
  async introduce(entry) {
    // What has no place on the Earth stands on something that the camera sees: nothing else is asked for.
    if (!this.session.content && !this.entered && entry.center === null && entry.places > 0) this.device.setMarkersOnly(true);
    this.gate.tellFar(await farText(this.session, entry));
  }

  /** @param {ViewName} view */
  async show(view) {
    this.view = view;
    if (view !== 'ar') {
      this.parts.align?.close();
      void this.device.browse();
    }
    document.documentElement.dataset.view = view;
    this.bars.showView(view);
    this.sheet.showView(view);
    this.#showGate();
    this.ar.resize();
    this.#loop?.wake();
    this.parts.card?.show(this.session.selected);
    if (this.#announced && this.#announced !== view) announce(t(`live.view.${view}`));
    this.#announced = view;
    if (isPartShown(view, 'map')) await this.#showMap();
    if (isPartShown(view, 'list')) await this.#showList();
  }

  async #showMap() {
    const [{ MapView }] = await Promise.all([import('../map/map.js'), loadShared('places'), loadLeafletStyle()]);
    if (this.session.closed.aborted) return;
    if (!this.map) {
      this.map = new MapView(find('#map', HTMLElement), this.session, this.device);
      this.onMap?.(this.map);
    }
    this.map.show();
    if (this.#onMap !== null) this.map.lookAt(this.#onMap);
    this.#onMap = null;
  }

  async #showList() {
    const [{ ListView }] = await Promise.all([import('../list/list.js'), loadShared('places')]);
    if (this.session.closed.aborted) return;
    this.list ??= new ListView(find('#list', HTMLElement), this.session, this.device);
    this.list.show();
  }

  /** @param {number} stamp milliseconds */
  #frame(stamp) {
    if (this.view !== 'ar') {
      if (stamp - this.#lastSlow < SLOW_FRAME_MS) return;
      this.#lastSlow = stamp;
    }
    const now = performance.now() / 1000;
    this.device.tellPictureAge(now);
    this.session.tick(now);
    const { frame } = this.session;
    if (!frame) return;
    if (this.view === 'ar') this.ar.draw(frame);
    else {
      if (isPartShown(this.view, 'map')) this.map?.move();
      if (isPartShown(this.view, 'list')) this.list?.move();
    }
    if (frame.isValid && this.entered && this.session.content && !document.documentElement.dataset.ready) {
      document.documentElement.dataset.ready = '1';
      performance.mark('sightline-first-frame');
      void this.parts.tellNothing();
      whenIdle(() => this.parts.fetchAll());
    }
  }

  showTitle() {
    const { content, status } = this.session;
    const title = find('#world-title', HTMLElement);
    const waiting = status?.content.reason === 'loading' || status?.content.reason === 'failed';
    setText(title, content?.title ?? (status && waiting ? t(`status.content.${status.content.reason}`) : ''));
    document.title = content ? `${content.title} · Sightline` : 'Sightline';
  }

  /**
   * What an arrow at the edge or a row of the list leads to.
   * @param {number} place
   */
  #follow(place) {
    this.session.select(place);
    if (this.device.sources.direction !== 'hand') return;
    const range = this.session.range(place, this.device.position());
    if (range?.bearing !== undefined && range.bearing !== null) {
      this.device.phone.face(toDegrees(range.bearing), !reducedMotion());
    }
  }

  /** @param {'ar' | 'map'} view */
  showIn(view) {
    const place = this.session.selected;
    if (view === 'map') this.#onMap = place;
    this.navigate({ view }, false);
    if (view === 'ar' && place !== null) this.#follow(place);
    // The button that was pressed is gone with the old card.
    setTimeout(() => this.parts.card?.focus());
  }

  #visibility = () => {
    const hidden = document.visibilityState === 'hidden';
    this.session.suspend('hidden', hidden);
    this.device.phone.letGo();
    if (!hidden) this.device.camera.check();
  };

  close() {
    // First, so that nothing that closes now is told to what is gone.
    this.session.close();
    closeDialogs();
    this.device.close();
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return stageSnapshot(this);
  }

  /**
   * Keeps the address bar's view and the shown one the same.
   * @param {Route} route
   */
  follow(route) {
    if (route.address) this.session.worlds.showTogether([route.address, ...route.also]);
    this.aside?.comeBack(route);
    if (route.view !== this.view) void this.show(route.view);
    setAttribute(this.element, 'data-virtual', String(this.device.isVirtual));
  }
}
