// The "markers" mode: whatever marker the camera sees gets a model, a picture, or its number, without any world.

import { fileField } from '../controls/file-field.js';
import { h, icon, loadShared, makesClips } from '../core/dom.js';
import { labelled, loadTexts, localized, onLanguage, t, tn } from '../core/i18n.js';
import { load, save } from '../core/storage.js';
import { AnchorLayer } from '../anchors/anchor-layer.js';
import { AnchorSession } from '../anchors/anchor-session.js';
import { Camera, fieldOfView, FIELD_OF_VIEW_RANGE, setFieldOfView, setLens } from '../device/camera.js';
import { askForSensors } from '../device/orientation.js';
import { keepAwake, letSleep } from '../device/wake-lock.js';
import { Places } from '../../engine/places.js';
import { modelFailureText } from '../models/failure.js';
import { showDialog } from '../ui/dialog.js';
import { announce, toast } from '../ui/toast.js';
import { CameraVision } from '../vision/camera-vision.js';
import { hasToAskForSensors } from '../vision/motion-readings.js';
import { MARKER_DICTIONARY } from '../../engine/layout.js';
import { readCalibration } from './calibration-file.js';
import { FieldOfViewCheck } from './field-of-view.js';
import { showSheet } from './sheet.js';

/**
 * @typedef {import('../vision/camera-vision.js').Sight} Sight
 * @typedef {import('../anchors/anchor-layer.js').Anchored} Anchored
 * @typedef {import('../../engine/types').ContentPlace} ContentPlace
 * @typedef {{ dictionary: string, millimetres: number, content: 'model' | 'number' }} Choice
 */

/** What "all" looks for: dictionaries whose codes differ enough that several at once are safe. */
const SAFE = ['5x5-1000', '6x6-1000', '7x7-1000', 'aruco-mip-36h12', 'apriltag-25h9', 'apriltag-36h11'];
/** Markers that get something to show at one time. */
const MOST = 12;
const MODEL = new URL('../../models/windmill.glb', import.meta.url);

export class MarkersPage {
  /** @type {Choice} */
  #choice = { dictionary: '6x6-250', millimetres: 60, content: 'model', ...load('markers', /** @type {Partial<Choice>} */ ({})) };
  /** What is shown on the markers that were seen so far. @type {Map<string, { anchored: Anchored, place: ContentPlace }>} */
  #known = new Map();
  /** @type {AnchorSession | null} once the engine is there */
  #session = null;
  /** @type {{ bytes: Promise<Uint8Array> } | { picture: Blob } | null} a file of one's own */
  #own = null;
  /** @type {FieldOfViewCheck | null} */
  #check = null;
  /** @type {ReturnType<typeof import('../ui/part-menu.js').recordingOf> | null} once the engine is there */
  #recording = null;
  #life = new AbortController();

  /** @param {() => void} leave */
  constructor(leave) {
    this.video = h('video', { class: 'markers-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.status = h('p', { class: 'markers-status glass', role: 'status' });
    this.element = h('div', { id: 'markers-page', class: 'markers-page' }, this.video);
    document.body.append(this.element);
    this.layer = new AnchorLayer(this.element);
    this.camera = new Camera(this.video);
    this.vision = new CameraVision(this.video, () => this.camera.label, () => this.#session?.engine);
    this.vision.on('sight', (sight) => this.#see(sight));
    this.camera.on('state', () => this.#showState());
    this.layer.on('found', ({ key }) => announce(t('markers.found', { name: key })));
    this.layer.on('failed', ({ error }) => void modelFailureText(error).then((text) => toast(text, { kind: 'warning', key: 'model' })));
    this.layer.on('measured', ({ feature, width, height }) => this.#session?.tell({ type: 'labelSize', feature, width, height }));
    this.layer.on('bounds', ({ feature, low, high }) => this.#session?.tell({ type: 'modelBounds', feature, low, high }));
    this.lights = h('div', { class: 'part-lights' });
    this.element.append(this.#bars(leave), this.lights, this.status, this.#controls());
    document.documentElement.dataset.view = 'markers';
    onLanguage(() => this.#showState(), this.#life.signal);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.camera.check(), {
      signal: this.#life.signal,
    });
    addEventListener('devicemotion', () => (this.#hasAsked = true), { once: true, signal: this.#life.signal });
    this.#watch();
    this.#showState();
    void AnchorSession.make().then((session) => {
      if (this.#life.signal.aborted) return session.close();
      this.#session = session;
      void import('../ui/part-menu.js').then(({ recordingOf }) => {
        this.#recording = recordingOf(session, { sources: { picture: 'camera' }, camera: this.camera }, this.lights);
      });
    });
    void this.camera.start();
    void keepAwake();
  }

  /** @param {() => void} leave */
  #bars(leave) {
    const round = (
      /** @type {string} */ id,
      /** @type {string} */ symbol,
      /** @type {import('../core/i18n.js').TextKey} */ key,
      /** @type {(event: Event) => void} */ run,
    ) => labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
    return h(
      'header',
      { class: 'markers-bar' },
      round('markers-back', 'back', 'common.back', leave),
      localized(h('h1', { class: 'glass glass-title' }), 'markers.title'),
      round('markers-shot', 'camera', 'control.screenshot', () => void this.#picture()),
      makesClips && round('markers-clip', 'clip', 'control.clip', ({ currentTarget }) => void this.#clip(currentTarget)),
      round('markers-ruler', 'settings', 'markers.check', () => this.#showCheck()),
      round('markers-menu', 'menu', 'control.menu', () => void this.#menu()),
    );
  }

  async #menu() {
    const { showPartMenu } = await import('../ui/part-menu.js');
    await showPartMenu({
      title: t('markers.title'),
      items: [{
        symbol: 'print', key: 'markers.print', id: 'markers-print', run: () => void showSheet({
          side: this.#choice.millimetres, ...(this.#choice.dictionary === 'all' ? {} : { dictionary: this.#choice.dictionary }),
        }),
      }],
      recording: async () => this.#recording?.() ?? null,
    });
  }

  #seen = () => ({ roots: [this.video, this.layer.picture, this.layer.canvas, this.layer.labels], caption: { title: t('markers.title') } });

  async #picture() {
    const [{ takeScreenshot }] = await Promise.all([import('../ui/screenshot.js'), loadShared('panels')]);
    const { roots, caption } = this.#seen();
    await takeScreenshot(roots, caption, this.element);
  }

  /** @param {EventTarget | null} button */
  async #clip(button) {
    const { toggleClip } = await import('../ui/clip-button.js');
    await toggleClip(button, this.#seen, this.#life.signal);
  }

  #controls() {
    const dictionary = h('select', {
      class: 'select', id: 'markers-dictionary',
      onchange: () => this.#choose({ dictionary: dictionary.value }),
    }, localized(h('option', { value: 'all' }), 'markers.all'), ...MARKER_DICTIONARY.map((name) => h('option', { value: name }, name)));
    dictionary.value = this.#choice.dictionary;
    const side = h('input', {
      type: 'number', class: 'field', id: 'markers-side', min: '5', max: '2000', value: String(this.#choice.millimetres),
      oninput: () => Number(side.value) >= 5 && Number(side.value) <= 2000 &&
        this.#choose({ millimetres: Number(side.value) }),
    });
    const content = h('select', {
      class: 'select', id: 'markers-content',
      onchange: () => {
        if (content.value === 'file') file.input.click();
        else {
          this.#own = null;
          this.#choose({ content: content.value === 'number' ? 'number' : 'model' });
        }
      },
    }, localized(h('option', { value: 'model' }), 'markers.model'), localized(h('option', { value: 'number' }), 'markers.number'),
      localized(h('option', { value: 'file' }), 'markers.file'));
    content.value = this.#choice.content;
    // Opened by the choice above.
    const file = fileField({ label: 'markers.file', accept: '.glb,model/gltf-binary,image/*', id: 'markers-file', keep: false, pick: ([chosen]) => this.#use(chosen) });
    file.hidden = true;
    const labelled = (/** @type {import('../core/i18n.js').TextKey} */ key, /** @type {HTMLElement} */ control) =>
      h('label', { class: 'markers-control' }, localized(h('span'), key), control);
    return h('div', { class: 'markers-controls glass' }, labelled('sheet.dictionary', dictionary),
      labelled('sheet.side', side), labelled('markers.content', content), file);
  }

  /** @param {File} file */
  #use(file) {
    this.#own = file.type.startsWith('image/')
      ? { picture: file }
      : { bytes: file.arrayBuffer().then((buffer) => new Uint8Array(buffer)) };
    this.#forget();
  }

  /** @param {Partial<Choice>} change */
  #choose(change) {
    this.#choice = { ...this.#choice, ...change };
    save('markers', this.#choice);
    this.#watch();
  }

  #watch() {
    const { dictionary, millimetres } = this.#choice;
    this.#forget();
    this.vision.watchMarkers({
      dictionaries: dictionary === 'all' ? SAFE : [dictionary], sides: [], usual: millimetres / 1000,
    });
  }

  #forget() {
    this.#known.clear();
    this.#tellKnown();
  }

  #tellKnown() {
    const known = [...this.#known.values()];
    // Before the layer: what it says of its models is about the new places.
    this.#session?.show(known.map(({ place }) => place));
    this.layer.show(known.map(({ anchored }) => anchored));
  }

  /** @param {Sight} sight */
  #see(sight) {
    const session = this.#session;
    if (!session) return;
    const seen = sight.observations.filter(({ kind, state }) => kind === 'marker' && (state === 'found' || state === 'tracked'));
    let isNew = false;
    const carried = sight.observations.filter(({ kind, state, pose }) => kind === 'marker' && state === 'carried' && pose);
    for (const { dictionary, id, state, pose } of [...seen, ...carried]) {
      const key = `${dictionary} ${id}`;
      let known = this.#known.get(key);
      if (!known && state !== 'carried' && this.#known.size < MOST) {
        this.#known.set(key, known = this.#add(key, dictionary, id));
        isNew = true;
      }
      if (known && pose) known.anchored.text = t('markers.label', { id, distance: metres(Math.hypot(...pose.translation)) });
    }
    if (isNew) {
      this.#tellKnown();
      this.#offerSensors();
    }
    const { rows, time, width, height, focal, lens } = sight;
    session.tell({ type: 'observations', rows, time, width, height, focal, lens });
    this.layer.draw(sight, session.anchors(), session.engine.part(Places).lensReach(lens));
    this.status.textContent = seen.length ? tn('markers.count', seen.length) : t('markers.none');
    // Who sees what stands on a marker needs no print.
    this.status.hidden = !seen.length && carried.length > 0;
    const answer = this.#check?.add(sight);
    if (this.#check) this.#showProgress(answer ?? null);
  }

  /** Whether the motion sensors tell something, or the user was asked for them. */
  #hasAsked = !hasToAskForSensors();

  /** Where the page has to ask for the motion sensors: once, when it is clear what for. */
  #offerSensors() {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    void loadTexts('place').then(() => this.#life.signal.aborted || toast(t('place.sensors'), { key: 'sensors', action: { text: t('consent.allow'), run: () => void askForSensors() } }));
  }

  /**
   * @param {string} key
   * @param {string} dictionary
   * @param {number} id
   * @returns {{ anchored: Anchored, place: ContentPlace }}
   */
  #add(key, dictionary, id) {
    const look = this.#look();
    const kind = look.model ? 'model' : look.picture ? 'image' : 'text';
    const place = /** @type {ContentPlace} */ ({
      id: key, title: key, altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, pivot: 'BC', showInRadar: false, showOnFocus: [],
      categories: [], marker: { dictionary, id, length: this.#choice.millimetres / 1000 },
      visual: kind === 'model' ? { kind, xRotation: 0, yRotation: 0, zRotation: 0, scale: 'fit' } : { kind },
    });
    return { anchored: { key, feature: this.#known.size, text: String(id), ...look }, place };
  }

  /** @returns {Pick<Anchored, 'model' | 'picture'>} */
  #look() {
    const own = this.#own;
    if (own && 'picture' in own) return { picture: () => createImageBitmap(own.picture, { premultiplyAlpha: 'none' }) };
    if (!own && this.#choice.content === 'number') return {};
    return { model: own ? () => own.bytes : async () => new Uint8Array(await (await fetch(MODEL)).arrayBuffer()) };
  }

  #showState() {
    const { state } = this.camera;
    this.vision.checkLens();
    this.status.hidden = false;
    if (state === 'running') this.vision.start();
    else this.vision.stop();
    const key = { idle: 'markers.waiting', waiting: 'markers.waiting', paused: 'pause.title', denied: 'markers.denied', missing: 'markers.missing' };
    if (state === 'running') this.status.textContent = t('markers.none');
    else this.status.textContent = t(/** @type {import('../core/i18n.js').TextKey} */ (key[state]));
    if (state === 'denied' || state === 'missing' || state === 'paused') {
      this.status.append(' ', localized(h('button', {
        type: 'button', class: 'button', id: 'markers-retry', onclick: () => void this.camera.resume(),
      }), 'common.retry'));
    }
  }

  /** @type {{ note: HTMLElement, bar: HTMLProgressElement, close: () => void } | null} */
  #progress = null;

  #showCheck() {
    const distance = h('input', { type: 'number', class: 'field', id: 'check-distance', min: '5', max: '500', value: '30' });
    const note = h('p', { class: 'setting-hint', role: 'status', id: 'check-note' });
    const bar = h('progress', { max: 1, value: 0, id: 'check-progress' });
    const begin = localized(h('button', {
      type: 'button', class: 'button primary', id: 'check-begin',
      onclick: () => {
        const value = Number(distance.value);
        if (!(value >= 5 && value <= 500)) return;
        this.#check = new FieldOfViewCheck(value / 100, (view) => this.#session?.engine.fieldOfView(view) ?? NaN);
        bar.value = 0;
        note.textContent = t('lens.looking');
      },
    }), 'lens.begin');
    const file = fileField({
      label: 'lens.file', accept: '.json,application/json', id: 'check-file', keep: false, pick: ([chosen]) => void this.#calibrate(chosen, note),
    });
    const dialog = showDialog(
      { title: t('markers.check'), id: 'check-dialog', class: 'see-through' },
      h('p', {}, t('lens.text', { side: this.#choice.millimetres })),
      h('label', { class: 'setting' }, localized(h('span'), 'lens.distance'), distance),
      begin, bar, note,
      file,
    );
    this.#progress = { note, bar, close: dialog.close };
    void dialog.closed.then(() => {
      this.#check = null;
      this.#progress = null;
    });
  }

  /**
   * Takes the camera from a file of `sightline camera calibrate`.
   * @param {File} file
   * @param {HTMLElement} note
   */
  async #calibrate(file, note) {
    const text = await file.text();
    const engine = this.#session?.engine;
    const found = engine && readCalibration(text, (view) => engine.fieldOfView(view), (terms) => engine.part(Places).lensReach(terms));
    if (!found) {
      note.textContent = t('lens.noFile');
      return;
    }
    setFieldOfView(this.camera.label, found.degrees);
    setLens(this.camera.label, found.lens);
    this.vision.checkLens();
    note.textContent = t('lens.fileDone', { degrees: Math.round(found.degrees * 10) / 10 });
  }

  /** @param {{ degrees: number, spread: number } | null} answer */
  #showProgress(answer) {
    const { bar, note } = this.#progress ?? {};
    if (!this.#check || !bar || !note) return;
    bar.value = this.#check.progress;
    if (!answer) return;
    this.#check = null;
    const { low, high } = FIELD_OF_VIEW_RANGE;
    if (answer.spread > 6 || answer.degrees < low || answer.degrees > high) {
      note.textContent = t('lens.unsure');
      return;
    }
    const degrees = Math.round(answer.degrees * 10) / 10;
    setFieldOfView(this.camera.label, degrees);
    this.vision.checkLens();
    note.textContent = t('lens.done', { degrees });
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return {
      markers: {
        ...this.layer.state(), ...this.vision.counts, camera: this.camera.state, fieldOfView: fieldOfView(this.camera.label),
        isLooking: this.vision.worker !== null, extended: this.vision.extended,
      },
    };
  }

  close() {
    this.#life.abort();
    this.vision.close();
    this.#session?.close();
    this.camera.stop();
    this.layer.close();
    letSleep();
    this.element.remove();
  }
}

/** @param {number} value */
function metres(value) {
  return value < 1 ? `${(value * 100).toFixed(1)} cm` : `${value.toFixed(2)} m`;
}
