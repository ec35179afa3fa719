// "Place it here": a model or a picture is set down on floor, table or wall without any print, in its true size, and stays there while one
// walks about. Where the phone is, what lies under a finger and where things stand the engine decides.

import { fileField } from '../controls/file-field.js';
import { h, icon, loadShared, makesClips, setText } from '../core/dom.js';
import { shortLength } from '../core/format.js';
import { labelled, localized, onLanguage, t, tn } from '../core/i18n.js';
import { AnchorLayer } from '../anchors/anchor-layer.js';
import { AnchorSession } from '../anchors/anchor-session.js';
import { Camera } from '../device/camera.js';
import { OrientationSensor } from '../device/orientation.js';
import { keepAwake, letSleep } from '../device/wake-lock.js';
import { Places } from '../../engine/places.js';
import { modelFailureText } from '../models/failure.js';
import { announce, toast } from '../ui/toast.js';
import { CameraOdometry } from '../vision/camera-odometry.js';
import { LensKeeper } from '../vision/lens-keeper.js';
import { hasToAskForSensors } from '../vision/motion-readings.js';
import { GroundGestures } from './gestures.js';
import { LostThings } from './lost-things.js';
import { PlatformSwitch } from './platform-switch.js';
import { takeOffered } from './offered.js';
import { FIRST_WIDTH, RING, WIDTHS, fileKind, modelKind, placeOf, ringPicture } from './things.js';

/**
 * @typedef {import('../vision/camera-odometry.js').TrackedSight} TrackedSight
 * @typedef {import('../xr/platform-source.js').PlatformSight} PlatformSight
 * @typedef {import('../../engine/odometry.js').SurfaceHit} SurfaceHit
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 * @typedef {import('./things.js').Kind} Kind
 * @typedef {import('./things.js').Choice} Choice
 * @typedef {{ number: number, kind: Kind, key: string, text: string }} Thing something that was set down
 */

/** Number of the anchor where something would be set down. */
const PREVIEW = 0;
/** Things at a time. */
const MOST = 12;
/** Degrees that a button turns by. */
const STEP = 15;

export class PlacePage {
  /** @type {Choice} */
  #choice = 'windmill';
  /** @type {Kind} what is set down next */
  #kind = modelKind('windmill');
  #offered = takeOffered();
  /** @type {Thing[]} */
  #things = [];
  #next = 1;
  /** @type {number | null} */
  #selected = null;
  /** @type {AnchorSession | null} once the engine is there */
  #session = null;
  /** @type {ReturnType<typeof import('../ui/part-menu.js').recordingOf> | null} */
  #recording = null;
  /** @type {TrackedSight['tracked'] | null} */
  #tracked = null;
  #lens = new LensKeeper();
  /**
   * What asks for camera and sensors before the page's own tracking has begun.
   * @type {HTMLElement | null}
   */
  #gate = null;
  #hasBegun = false;
  #lost = new LostThings();
  #life = new AbortController();
  #sensor = new OrientationSensor();
  #set = localized(h('button', {
    type: 'button', class: 'button primary', id: 'place-set', disabled: true,
    onclick: () => void this.#setDown([innerWidth / 2, innerHeight / 2]),
  }), 'place.set');
  #takeAway = localized(h('button', {
    type: 'button', class: 'button', id: 'place-take-away',
    onclick: () => this.#removeAll(this.#things.filter(({ number }) => this.#lost.has(number))),
  }), 'place.takeAway');
  /** What is said, before what can be done about it. */
  #words = h('span');

  /** @param {() => void} leave */
  constructor(leave) {
    this.video = h('video', { class: 'markers-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.status = h('p', { class: 'place-status glass', role: 'status', id: 'place-status' }, this.#words);
    this.scale = h('p', { class: 'place-scale glass', id: 'place-scale', hidden: true });
    this.element = h('div', { id: 'place-page', class: 'markers-page place-page' }, this.video);
    document.body.append(this.element);
    this.layer = new AnchorLayer(this.element);
    this.camera = new Camera(this.video);
    this.odometry = new CameraOdometry(this.video, () => this.camera.label);
    this.odometry.on('sight', (sight) => this.platform.source || this.#see(sight));
    this.platform = new PlatformSwitch({
      gl: () => this.layer.gl, preview: PREVIEW, see: (sight) => this.#see(sight), lose: (numbers) => this.#lose(numbers),
      clear: () => this.#clear(), showState: () => this.#showState(), lend: () => this.#lend(), takeBack: () => (this.#hasBegun ? void this.camera.start() : this.#ask()),
    });
    this.odometry.on('begun', () => this.#forget());
    this.odometry.on('restarted', () => this.#forget());
    this.camera.on('state', () => this.#showState());
    this.layer.on('failed', ({ error }) => void modelFailureText(error).then((text) => toast(text, { kind: 'warning', key: 'model' })));
    this.layer.on('measured', ({ feature, width, height }) => this.#session?.tell({ type: 'labelSize', feature, width, height }));
    this.layer.on('bounds', ({ feature, low, high }) => this.#session?.tell({ type: 'modelBounds', feature, low, high }));
    this.lights = h('div', { class: 'part-lights' });
    this.ground = h('div', { class: 'place-ground', id: 'place-ground' });
    this.layer.canvas.after(this.ground);
    this.tools = h('div', { class: 'place-tools', id: 'place-tools', role: 'group', hidden: true });
    this.element.append(this.lights, h('div', { class: 'place-over' },
      h('div', { class: 'place-top' }, this.#bar(leave), this.scale), this.tools, this.status, this.#controls()));
    this.#gestures();
    document.documentElement.dataset.view = 'place';
    onLanguage(() => this.#showAll(), this.#life.signal);
    document.addEventListener('visibilitychange', () => this.#showState(), { signal: this.#life.signal });
    void AnchorSession.make().then((session) => {
      if (this.#life.signal.aborted) return session.close();
      this.#session = session;
      this.#tellThings();
      void import('../ui/part-menu.js').then(({ recordingOf }) => {
        this.#recording = recordingOf(session, { sources: { picture: 'camera' }, camera: this.camera }, this.lights);
      });
    });
    this.odometry.preview(PREVIEW, 'flat');
    // Where motion has to be asked for, that needs a tap of its own.
    if (hasToAskForSensors()) this.#ask();
    else void this.#start();
    this.#showAll();
  }

  // Starting

  #ask() {
    const gate = (this.#gate = h('div', { class: 'place-gate', id: 'place-gate' },
      localized(h('p'), 'place.gate'),
      localized(h('button', {
        type: 'button', class: 'button primary large', id: 'place-start',
        onclick: () => {
          gate.remove();
          void this.#start();
        },
      }), 'place.start')));
    this.element.append(gate);
    void this.platform.menuItem().then((item) => item && gate.append(localized(h('button', {
      type: 'button', class: 'button', id: 'gate-platform', onclick: item.run,
    }), item.key)));
  }

  async #start() {
    this.#hasBegun = true;
    // Both inside the tap: whoever is asked second is not refused for it.
    const asked = this.#sensor.start();
    const begun = this.camera.start();
    void keepAwake();
    await Promise.all([asked, begun]);
    if (this.#sensor.state === 'denied') toast(t('place.motionDenied'), { kind: 'warning', key: 'motion' });
  }

  /** @param {() => void} leave */
  #bar(leave) {
    const round = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {TextKey} */ key, /** @type {(event: Event) => void} */ run) =>
      labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
    return h(
      'header',
      { class: 'markers-bar' },
      round('place-back', 'back', 'common.back', leave),
      localized(h('h1', { class: 'glass glass-title' }), 'start.place'),
      round('place-shot', 'camera', 'control.screenshot', () => void this.#picture()),
      makesClips && round('place-clip', 'clip', 'control.clip', ({ currentTarget }) => void this.#clip(currentTarget)),
      round('place-menu', 'menu', 'control.menu', () => void this.#menu()),
    );
  }

  async #menu() {
    const { showPartMenu } = await import('../ui/part-menu.js');
    await showPartMenu({
      title: t('start.place'),
      items: [
        this.#things.length > 0 && { symbol: 'trash', key: 'place.clear', id: 'place-clear', run: () => this.#clear() },
        await this.platform.menuItem(),
        { symbol: 'turn', key: 'record.sensors', id: 'menu-sensors', run: () => void (location.hash = '#/record-sensors') },
      ],
      recording: async () => (this.platform.source ? null : this.#recording?.() ?? null),
    });
  }

  #seen = () => ({ roots: [this.video, this.layer.picture, this.layer.canvas, this.layer.labels], caption: { title: t('start.place') } });

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
    const choice = h('select', {
      class: 'select', id: 'place-choice',
      onchange: () => {
        const value = /** @type {Choice} */ (choice.value);
        if (value === 'file') file.input.click();
        else if (value === 'offered') this.#choose(value, this.#offered?.kind ?? this.#kind);
        else this.#choose(value, modelKind(value));
      },
    }, ...(this.#offered ? [h('option', { value: 'offered' }, this.#offered.title)] : []), localized(h('option', { value: 'windmill' }), 'place.windmill'), localized(h('option', { value: 'boat' }), 'place.boat'),
      localized(h('option', { value: 'file' }), 'markers.file'));
    if (this.#offered) this.#choose('offered', this.#offered.kind);
    // Opened by the choice above.
    const file = fileField({
      label: 'markers.file', accept: '.glb,model/gltf-binary,image/*', id: 'place-file', keep: false,
      pick: ([chosen]) => {
        if (!chosen) return;
        this.#choose('file', fileKind(chosen));
        choice.value = 'file';
      },
    });
    file.hidden = true;
    file.input.addEventListener('cancel', () => (choice.value = this.#choice));
    return h('div', { class: 'place-controls glass' }, h('label', { class: 'markers-control' }, localized(h('span'), 'place.what'), choice), file, this.#set);
  }

  /**
   * @param {Choice} choice
   * @param {Kind} kind
   */
  #choose(choice, kind) {
    this.#choice = choice;
    this.#kind = kind;
  }

  // Setting down

  /** Who knows where the phone is now. */
  get #source() {
    return this.platform.source ?? this.odometry;
  }

  /** Another tracks from now on. */
  #lend() {
    this.#gate?.remove();
    this.odometry.stop();
    this.camera.stop();
    this.#tracked = null;
  }

  #gestures() {
    new GroundGestures(this.ground, {
      take: (point) => this.#source.take(point),
      drag: (point) => this.#source.drag(point),
      twist: (number, before, now) => this.#source.twist(number, before, now),
      hold: (number) => {
        this.#source.isBusy = number !== null;
        // What is chosen already keeps its buttons: one of them may be under a finger.
        if (number !== null && number !== this.#selected) this.#select(number);
      },
      tap: (point, number) => (number === null ? void this.#setDown(point) : this.#select(number)),
    });
  }

  /** @param {[number, number]} point of the display */
  async #setDown(point) {
    if (this.#things.length >= MOST) return toast(t('place.most', { n: MOST }), { key: 'place' });
    const kind = this.#kind;
    const number = this.#next++;
    const hit = await this.#source.place(number, point, kind.posture, kind.height).catch(() => null);
    if (this.#life.signal.aborted) return;
    if (!hit) return toast(t('place.nowhere'), { key: 'place' });
    this.#things.push({ number, kind: { ...kind }, key: `placed ${number}`, text: '' });
    this.#tellThings();
    this.#select(number);
    announce(t('place.done', { surface: t(surfaceKey(hit)) }));
  }

  #tellThings() {
    const ring = { key: 'ring', feature: 0, text: '', picture: ringPicture };
    // Before the layer: what it says of its models is about the new places.
    this.#session?.show([
      placeOf(PREVIEW, { posture: 'flat', height: 0, width: RING, scale: 1, look: {} }), ...this.#things.map(({ number, kind }) => placeOf(number, kind)),
    ]);
    this.layer.show([ring, ...this.#things.map(({ kind, key, text }, index) => ({
      key, feature: index + 1, text, hasShadow: kind.width === null, ...kind.look,
    }))]);
  }

  /** @param {number | null} number */
  #select(number) {
    this.#selected = this.#things.some((thing) => thing.number === number) ? number : null;
    this.#showTools();
  }

  #showTools() {
    const thing = this.#things.find(({ number }) => number === this.#selected);
    this.tools.hidden = !thing;
    if (!thing) return this.tools.replaceChildren();
    const tool = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {TextKey} */ key, /** @type {() => void} */ run) =>
      labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
    const sizes = thing.kind.width === null
      ? []
      : [tool('place-smaller', 'minus', 'place.smaller', () => this.#resize(thing, -1)), tool('place-larger', 'plus', 'place.larger', () => this.#resize(thing, 1))];
    this.tools.replaceChildren(
      tool('place-left', 'undo', 'place.turnLeft', () => this.#source.turn(thing.number, STEP)),
      tool('place-right', 'redo', 'place.turnRight', () => this.#source.turn(thing.number, -STEP)),
      ...sizes,
      tool('place-remove', 'trash', 'place.remove', () => this.#remove(thing)),
    );
  }

  /**
   * The next larger or smaller width of a picture: unlike models they have no true size.
   * @param {Thing} thing
   * @param {1 | -1} step
   */
  #resize(thing, step) {
    const width = thing.kind.width ?? FIRST_WIDTH;
    const next = step > 0 ? WIDTHS.find((each) => each > width) : [...WIDTHS].reverse().find((each) => each < width);
    if (!next) return;
    thing.kind.width = next;
    this.#tellThings();
    announce(shortLength(next));
  }

  /** @param {Thing} thing */
  #remove(thing) {
    this.#removeAll([thing]);
  }

  #clear() {
    this.#removeAll(this.#things);
  }

  /** @param {Thing[]} gone */
  #removeAll(gone) {
    for (const { number } of gone) this.#source.remove(number);
    this.#things = this.#things.filter((each) => !gone.includes(each));
    this.#lost.forget(gone.map(({ number }) => number));
    this.#select(null);
    this.#tellThings();
  }

  /** Tracking began anew: what was set down is nowhere any more. */
  #forget() {
    this.#lose(this.#things.map(({ number }) => number));
  }

  /** @param {number[]} numbers of what is nowhere any more */
  #lose(numbers) {
    const gone = this.#things.filter(({ number }) => numbers.includes(number));
    if (!gone.length) return;
    this.#removeAll(gone);
    toast(t('place.lost'), { kind: 'warning', key: 'place' });
  }

  // Seeing

  /** @param {TrackedSight | PlatformSight} sight */
  #see(sight) {
    const { rows, time, width, height, focal, lens, center, tracked, observations } = sight;
    this.#tracked = tracked;
    const session = this.#session;
    if (!session) return;
    this.#lost.note(observations.filter(({ id }) => this.#things.some(({ number }) => number === id)));
    for (const { id, pose } of observations) {
      const thing = this.#things.find(({ number }) => number === id);
      if (!thing) continue;
      // Only of the one that is chosen it is said how far away it is.
      thing.text = id === this.#selected && pose ? shortLength(Math.hypot(...pose.translation)) : '';
    }
    this.#tellTexts();
    if (sight.image) this.#lens.keep(tracked, sight, this.camera.label, session.engine);
    session.tell({ type: 'observations', rows, time, width, height, focal, lens, center });
    this.layer.draw(sight, session.anchors(), session.engine.part(Places).lensReach(lens));
    this.#showWords();
  }

  /** What the labels say has changed, but nothing else. */
  #tellTexts() {
    for (const { key, text } of this.#things) this.layer.setText(key, text);
  }

  #showAll() {
    this.#showState();
    this.#showTools();
  }

  /** What would help, and how large everything is known to be. */
  #showWords() {
    const tracked = this.#tracked;
    if ((this.camera.state !== 'running' && !this.platform.source) || !tracked) return;
    const { advice, preview, state, scaleDeviation } = tracked;
    /** @type {TextKey} */
    const hint = this.#things.length ? 'place.hintMove' : 'place.hintTap';
    const { size } = this.#lost;
    const words = advice !== 'none' ? t(/** @type {TextKey} */ (`place.advice.${advice}`)) : size ? tn('place.away', size) : t(hint);
    const platformKey = this.platform.words(tracked, size > 0);
    this.#say(platformKey ? t(platformKey) : words, size ? this.#takeAway : null);
    this.#set.disabled = !preview;
    const surface = preview ? t('place.at', { surface: t(surfaceKey(preview)), distance: shortLength(preview.distance) }) : t('place.surface.none');
    const known = () => (state === 'metric' ? t('place.metric', { percent: Math.max(1, Math.round(scaleDeviation * 100)) }) : t('place.guess'));
    setText(this.scale, `${surface} · ${this.platform.source ? t('place.platformSize') : known()}`);
    this.scale.hidden = false;
  }

  /**
   * @param {string} text
   * @param {HTMLElement | null} [button] what can be done about it
   */
  #say(text, button = null) {
    setText(this.#words, text);
    if (this.#words.nextElementSibling !== button) this.status.replaceChildren(this.#words, ...(button ? [' ', button] : []));
  }

  #showState() {
    if (this.platform.source) {
      this.#say(t(this.platform.source.isPaused ? 'pause.title' : 'place.platformStarting'));
      return;
    }
    const { state } = this.camera;
    if (document.visibilityState === 'visible' && state === 'running') {
      this.camera.check();
      this.odometry.start();
    } else {
      this.odometry.stop();
    }
    const keys = { idle: 'markers.waiting', waiting: 'markers.waiting', running: 'place.starting', paused: 'pause.title', denied: 'markers.denied', missing: 'markers.missing' };
    if (state !== 'running') this.scale.hidden = true;
    const canRetry = state === 'denied' || state === 'missing' || state === 'paused';
    const retry = canRetry && localized(h('button', {
      type: 'button', class: 'button', id: 'place-retry', onclick: () => void this.camera.resume(),
    }), 'common.retry');
    this.#say(t(/** @type {TextKey} */ (keys[state])), retry || null);
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return {
      place: {
        ...this.layer.state(), ...this.#source.counts, isLooking: this.odometry.worker !== null, isPlatform: this.platform.source !== null, camera: this.camera.state, choice: this.#choice, selected: this.#selected,
        things: this.#things.map(({ number }) => number), lost: this.#lost.size, tracked: this.#tracked && { ...this.#tracked, rows: Array.from(this.#tracked.rows) },
      },
    };
  }

  close() {
    this.#life.abort();
    this.platform.close();
    this.odometry.close();
    this.#session?.close();
    this.#sensor.stop();
    this.camera.stop();
    this.layer.close();
    letSleep();
    this.element.remove();
  }
}

/**
 * @param {SurfaceHit} hit
 * @returns {TextKey}
 */
function surfaceKey({ surface }) {
  return /** @type {TextKey} */ (`place.surface.${surface}`);
}
