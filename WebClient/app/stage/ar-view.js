// The augmented view: everything that is drawn over the camera picture, and the gestures on it.

import { find, h, icon, loadShared, setAttribute, setText } from '../core/dom.js';
import { bearing, range as rangeText } from '../core/format.js';
import { labelled, localized, onLanguage, t, tn } from '../core/i18n.js';
import { load, save } from '../core/storage.js';
import { EdgeArrows } from '../ar/arrows.js';
import { Labels } from '../ar/labels.js';
import { Clusters } from '../ar/marks.js';
import { readFonts } from '../ar/measure.js';
import { Radar, RADAR_SIZES } from '../ar/radar.js';
import { lookAround } from '../device/look-around.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 */

/** Milliseconds between two new texts of the radar for screen readers. */
const RADAR_LABEL_MS = 2000;

export class ARView {
  /**
   * In place of the camera's picture, where there is none.
   * @type {import('../ar/backdrop.js').Backdrop | null}
   */
  backdrop = null;
  /**
   * For worlds with lines or areas.
   * @type {import('../ar/paths.js').Paths | null}
   */
  paths = null;
  /**
   * For worlds with models or pictures in true size.
   * @type {import('../things/thing-layer.js').ThingLayer | null}
   */
  things = null;
  /**
   * After the first picture.
   * @type {import('../ar/leaders.js').Leaders | null}
   */
  leaders = null;
  /**
   * For worlds that fix something to the screen.
   * @type {import('../ar/overlays.js').Overlays | null}
   */
  overlays = null;
  /**
   * Told when something came that is to be drawn.
   * @type {() => void}
   */
  changed = () => undefined;
  #radarLabelled = -Infinity;
  #size = '';

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {(place: number) => void} follow
   */
  constructor(session, device, follow) {
    this.session = session;
    this.device = device;
    readFonts();
    this.scene = find('#scene', HTMLElement);
    this.video = find('#camera', HTMLVideoElement);
    this.labels = new Labels(find('#labels', HTMLElement), session);
    this.clusters = new Clusters(find('#clusters', HTMLElement), session);
    this.arrows = new EdgeArrows(find('#arrows', HTMLElement), session, follow);
    this.radarBox = find('#radar-box', HTMLButtonElement);
    this.radarText = find('#radar-text', HTMLElement);
    this.radar = new Radar(find('#radar', HTMLCanvasElement));
    this.radarBox.addEventListener('click', () => this.#growRadar());
    this.help = find('#virtual-help', HTMLElement);
    this.#pad();
    this.#pause();
    this.#gestures();
    labelled(this.scene, 'virtual.ar');
    this.scene.removeAttribute('title');
    addEventListener('resize', () => this.resize(), { signal: session.closed });
    // The bars grow and shrink with the world's categories and the language.
    new ResizeObserver(() => this.resize()).observe(find('#dock', HTMLElement));
    session.on('world', (content) => {
      if (content.hasShapes && !this.paths) void this.#loadPaths();
      if (content.hasThings && !this.things) void this.#loadThings();
      if (content.dimension.overlays.length && !this.overlays) void this.#loadOverlays();
    });
    onLanguage(() => {
      if (this.backdrop) this.backdrop.key = '';
      this.arrows.reset();
      this.clusters.reset();
      this.#helpText();
      this.scene.removeAttribute('title');
    }, session.closed);
  }

  async #loadBackdrop() {
    const { Backdrop } = await import('../ar/backdrop.js');
    if (this.session.closed.aborted || this.backdrop) return;
    this.backdrop = new Backdrop(find('#backdrop', HTMLCanvasElement), this.session);
    this.#size = '';
    this.resize();
    this.changed();
  }

  async #loadPaths() {
    const { Paths } = await import('../ar/paths.js');
    if (this.session.closed.aborted || this.paths) return;
    this.paths = new Paths(find('#paths', HTMLCanvasElement), this.session);
    this.#size = '';
    this.resize();
    this.changed();
  }

  async loadLeaders() {
    const { Leaders } = await import('../ar/leaders.js');
    if (this.session.closed.aborted || this.leaders) return;
    this.leaders = new Leaders(find('#leaders', HTMLCanvasElement));
    this.#size = '';
    this.resize();
    this.changed();
  }

  async #loadThings() {
    const [{ ThingLayer }, { tellFailures }] = await Promise.all([
      import('../things/thing-layer.js'), import('../things/failures.js'), loadShared('markers'),
    ]);
    if (this.session.closed.aborted || this.things) return;
    this.things = new ThingLayer(find('#paths', HTMLElement), this.session);
    this.things.on('changed', () => this.changed());
    tellFailures(this.things, this.session);
    this.changed();
  }

  async #loadOverlays() {
    const [{ Overlays }] = await Promise.all([import('../ar/overlays.js'), loadShared('panels')]);
    if (this.session.closed.aborted || this.overlays) return;
    this.overlays = new Overlays(find('#overlays', HTMLElement), this.session);
    this.overlays.rebuild();
    this.changed();
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    const key = `${innerWidth}×${innerHeight}@${ratio}`;
    if (key !== this.#size) {
      this.#size = key;
      this.backdrop?.resize(innerWidth, innerHeight, ratio);
      this.paths?.resize(innerWidth, innerHeight, ratio);
      this.leaders?.resize(innerWidth, innerHeight, ratio);
      this.radar.resize(ratio);
    }
    const dock = find('#dock', HTMLElement).getBoundingClientRect();
    // Drawn up, the sheet covers for a while what otherwise stands above it.
    const below = Math.max(0, innerHeight - dock.top - find('#sheet-body', HTMLElement).offsetHeight);
    find('#stage', HTMLElement).style.setProperty('--dock', `${below.toFixed(0)}px`);
    // The bars grow with the text: then labels do as well, and the engine hears of it with the world.
    if (readFonts() && this.session.content) this.session.refresh();
  }

  /** When sun and moon were looked for last, seconds. */
  #skyTime = -Infinity;

  /** @param {SceneFrame} frame */
  draw(frame) {
    if (this.backdrop && this.device.sources.picture === 'drawn') {
      if (Math.abs(frame.time - this.#skyTime) > 1) {
        this.#skyTime = frame.time;
        this.backdrop.bodies = this.session.sky(this.device.position());
      }
      if (frame.isValid) this.backdrop.draw(frame);
    }
    this.paths?.draw(frame);
    this.things?.draw(frame, devicePixelRatio || 1);
    this.labels.draw(frame);
    this.leaders?.draw(frame);
    this.clusters.draw(frame);
    this.arrows.draw(frame);
    this.overlays?.draw(frame);
    this.#drawRadar(frame);
  }

  /** @param {SceneFrame} frame */
  #drawRadar(frame) {
    const { radar } = frame;
    const shown = radar.isAvailable && frame.isValid;
    if (this.radarBox.hidden === shown) this.radarBox.hidden = !shown;
    if (!shown) return;
    this.radar.draw(radar, this.#hueOf);
    const heading = bearing(frame.bearing);
    setText(
      this.radarText,
      radar.attitude === 'upsideDown' ? t('radar.hidden') : this.#isRadarLarge ? `${heading} · ${rangeText(radar.range)}` : heading,
    );
    const now = performance.now();
    if (now - this.#radarLabelled < RADAR_LABEL_MS) return;
    this.#radarLabelled = now;
    const said = t('radar.label', { range: rangeText(radar.range), places: tn('places', radar.blips.length), bearing: heading });
    setAttribute(this.radarBox, 'aria-label', `${said}. ${t(this.#isRadarLarge ? 'radar.smaller' : 'radar.larger')}`);
  }

  #hueOf = (/** @type {number} */ feature) => this.session.content?.hueOf(feature) ?? null;
  #isRadarLarge = false;

  #growRadar() {
    this.#isRadarLarge = !this.#isRadarLarge;
    this.radarBox.setAttribute('aria-expanded', String(this.#isRadarLarge));
    this.radar.resize(devicePixelRatio || 1, RADAR_SIZES[this.#isRadarLarge ? 'large' : 'small']);
    this.#radarLabelled = -Infinity;
    if (this.session.frame) this.#drawRadar(this.session.frame);
  }

  #gestures() {
    const { session, device } = this;
    lookAround(this.scene, device.phone, {
      active: () => device.sources.direction === 'hand' && !session.frozen,
      tap: (x, y) => session.tell({ type: 'touch', x, y }),
    });
    device.phone.on('used', () => this.#hideHelp());
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      if (document.documentElement.dataset.view !== 'ar' || device.sources.direction !== 'hand' || session.suspended) {
        return;
      }
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return;
      if (device.phone.key(event) && event.type === 'keydown') event.preventDefault();
    };
    addEventListener('keydown', key, { signal: session.closed });
    addEventListener('keyup', key, { signal: session.closed });
    addEventListener('blur', () => device.phone.letGo(), { signal: session.closed });
    this.scene.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') session.select(null);
    });
  }

  #pad() {
    const pad = find('#walk-pad', HTMLElement);
    pad.setAttribute('role', 'group');
    labelled(pad, 'virtual.pad');
    for (
      const [name, symbol, key] of /** @type {[string, string, import('../core/i18n.js').TextKey][]} */ ([
        ['forward', 'up', 'virtual.forward'],
        ['left', 'left', 'virtual.left'],
        ['right', 'right', 'virtual.right'],
        ['backward', 'down', 'virtual.backward'],
      ])
    ) {
      const button = labelled(h('button', { type: 'button', class: `round glass pad-${name}` }, icon(symbol)), key);
      const release = () => this.device.phone.press(name, false);
      button.addEventListener('pointerdown', (event) => {
        button.setPointerCapture(event.pointerId);
        this.device.phone.press(name, true);
      });
      for (const type of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur']) {
        button.addEventListener(type, release);
      }
      // Keys and switches click without a pointer: one step.
      button.addEventListener('click', (event) => {
        if (event.detail > 0) return;
        this.device.phone.walk(
          name === 'forward' ? 10 : name === 'backward' ? -10 : 0,
          name === 'right' ? 10 : name === 'left' ? -10 : 0,
        );
      });
      pad.append(button);
    }
  }

  #pause() {
    find('#pause', HTMLElement).append(
      h(
        'div',
        { class: 'pause-box glass' },
        icon('camera'),
        localized(h('h2'), 'pause.title'),
        localized(h('p'), 'pause.text'),
        localized(
          h('button', {
            type: 'button',
            class: 'button primary large',
            id: 'resume-camera',
            onclick: () => void this.device.camera.resume(),
          }),
          'pause.button',
        ),
      ),
    );
  }

  /** @param {boolean} on */
  showPause(on) {
    find('#pause', HTMLElement).hidden = !on;
  }

  showSources() {
    const { picture, direction, position } = this.device.sources;
    this.video.hidden = picture !== 'camera';
    find('#backdrop', HTMLCanvasElement).hidden = picture === 'camera';
    if (this.backdrop) this.backdrop.key = '';
    else if (picture === 'drawn') void this.#loadBackdrop();
    find('#walk-pad', HTMLElement).hidden = !(position === 'chosen' && direction === 'hand');
    this.help.hidden = direction !== 'hand' || load('helped', false);
    this.#helpText();
  }

  #helpText() {
    const fine = matchMedia('(hover: hover) and (pointer: fine)').matches;
    this.help.replaceChildren(
      icon(fine ? 'mouse' : 'tap'),
      h('span', {}, t(fine ? 'virtual.help' : 'virtual.helpTouch')),
    );
  }

  #helpTimer = 0;

  /** Once used it is understood; next time it is not shown. */
  #hideHelp() {
    if (this.help.hidden || this.#helpTimer) return;
    save('helped', true);
    this.#helpTimer = window.setTimeout(() => {
      this.help.hidden = true;
      this.#helpTimer = 0;
    }, 2500);
  }

  /** The picture behind everything, for the screenshot. */
  ground() {
    if (this.device.sources.picture === 'drawn') return find('#backdrop', HTMLCanvasElement);
    return this.video.videoWidth ? this.video : null;
  }
}
