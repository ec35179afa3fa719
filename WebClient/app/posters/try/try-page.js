// "Try it": posters on the wall the camera sees. First it is told where the wall is, then posters are hung on it, moved,
// framed, and photographed.

import { h } from '../../core/dom.js';
import { localized, onLanguage, t } from '../../core/i18n.js';
import { AnchorSession } from '../../anchors/anchor-session.js';
import { Camera } from '../../device/camera.js';
import { keepAwake, letSleep } from '../../device/wake-lock.js';
import { Plane } from '../../../engine/plane.js';
import { newEngine, preloadEngine } from '../../session/engine-link.js';
import { CameraVision } from '../../vision/camera-vision.js';
import { flash } from '../../ui/feel.js';
import { offerPicture } from '../../ui/screenshot.js';
import { announce, toast } from '../../ui/toast.js';
import { fetchPoster } from '../api.js';
import { Aiming } from './aiming.js';
import { WallGestures } from './gestures.js';
import { toPicture, toScreen } from './handles.js';
import { HeldPhone } from './held-phone.js';
import { Hung, hungAgain } from './hung.js';
import { WallKeeper } from './kept-walls.js';
import { LightMeter } from './light.js';
import { measureEdge } from './measure.js';
import { panelFor } from './panel.js';
import { pickPoster } from './picker.js';
import { WallLayer } from './wall-layer.js';

/**
 * @typedef {import('../../vision/camera-vision.js').Sight} Sight
 * @typedef {import('./anchor.js').WallAnchor} WallAnchor
 * @typedef {import('./anchor.js').WallPose} WallPose
 * @typedef {[number, number]} Point
 */

/** How long it is said what fingers can do, milliseconds. */
const HINT = 8000;
/** Within so many degrees of upright a poster turned by hand becomes upright. */
const SNAP = 1.5;

export class TryPage {
  /** @type {WallAnchor | null} */
  #anchor = null;
  /** @type {{ sight: Omit<Sight, 'image'>, pose: WallPose | null } | null} */
  #last = null;
  /** @type {Hung[]} */
  #hung = [];
  #chosen = '';
  #light = new LightMeter();
  #isLightFitted = true;
  #frozen = false;
  #isBusy = false;
  #upright = 0;
  #held = new HeldPhone();
  /** @type {Plane | null} the wall before the camera, once the engine is there */
  #plane = null;
  /** @type {Point} between finger and middle of what is dragged, metres */
  #grip = [0, 0];
  #life = new AbortController();
  #keeper = new WallKeeper(() => {
    const pose = this.#last?.pose ?? null;
    const picture = pose && this.layer.compose(this.#wall, this.#hung, this.#isLightFitted ? this.#light.light : null);
    return { anchor: this.#anchor, hung: this.#hung, upright: this.#upright, picture };
  });
  #said = '';
  #hintUntil = 0;

  /**
   * @param {string[]} ids of the posters to hang first
   * @param {URLSearchParams} query
   */
  constructor(ids, query) {
    this.video = h('video', { class: 'markers-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.status = h('p', { class: 'wall-status glass', role: 'status' });
    this.touch = h('div', { class: 'wall-touch', tabIndex: 0, role: 'application', 'aria-label': t('posters.wall'), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) });
    this.panel = h('div', { class: 'wall-panel glass' });
    this.lights = h('div', { class: 'part-lights' });
    this.element = h('div', { class: 'wall-page', id: 'wall-page' }, this.video, this.touch, this.lights, this.status, this.panel);
    this.layer = new WallLayer(this.video);
    this.camera = new Camera(this.video);
    this.vision = new CameraVision(this.video, () => this.camera.label);
    this.vision.on('sight', (sight) => this.#see(sight));
    this.aiming = new Aiming(this.vision, this.element, this.panel, {
      say: (text) => this.#say(text), freeze: (frozen) => (this.#frozen = frozen), learned: () => this.#tellWall(),
    });
    this.camera.on('state', () => this.#showCamera());
    this.gestures = new WallGestures(this.touch, {
      pick: (at) => this.#pick(at), begin: (key, at) => this.#begin(key, at), drag: (key, at) => this.#drag(key, at),
      turn: (key, by) => this.#turn(key, by),
    });
    const { signal } = this.#life;
    onLanguage(() => this.#showPanel(), signal);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.camera.check(), { signal });
    void preloadEngine().then((module) => Plane.make(module)).then((plane) => (this.#plane = plane));
    void this.camera.start();
    void keepAwake();
    void this.#run(ids, query);
  }

  /**
   * @param {string[]} ids
   * @param {URLSearchParams} query
   */
  async #run(ids, query) {
    const posters = await Promise.all(ids.map((id) => fetchPoster(id).then(({ poster }) => poster, () => null)));
    if (this.#life.signal.aborted) return;
    for (const poster of posters) if (poster) this.#add(new Hung(poster, Number(query.get('size') ?? 0)));
    if (posters.includes(null)) toast(t('posters.failed'), { kind: 'warning', key: 'poster' });
    await this.#aim();
    if (!this.#hung.length && this.#anchor) await this.#addAnother();
  }

  async #aim() {
    this.#use(null);
    this.#frozen = false;
    this.#isBusy = true;
    this.vision.remove(this.vision.keys);
    this.vision.watchMarkers(null);
    this.#say(t('posters.where'));
    const aimed = await this.aiming.run().catch((error) => {
      console.warn(error);
      return null;
    });
    this.#isBusy = false;
    if (this.#life.signal.aborted) return;
    this.#use(aimed?.anchor ?? null);
    this.#upright = aimed?.kept?.upright ?? 0;
    this.#needsUpright = !aimed?.kept;
    this.#hintUntil = performance.now() + HINT;
    const { hung: again, missing } = await hungAgain(aimed?.kept?.hung ?? []);
    if (this.#life.signal.aborted) return;
    const known = new Set(again.map(({ poster }) => poster.id));
    const fresh = this.#hung.filter(({ poster }) => !known.has(poster.id));
    // What is new goes to the right of what hangs there.
    let x = again.reduce((right, each) => Math.max(right, each.x + each.paper.width / 2 + 0.1), aimed?.beside ?? 0);
    for (const each of fresh) {
      each.move(x ? x + each.paper.width / 2 : 0, 0);
      each.turn = this.#upright;
      x = each.x + each.paper.width / 2 + 0.1;
    }
    for (const { key } of this.#hung) if (!fresh.some((each) => each.key === key)) this.layer.forget(key);
    this.#hung = [...again, ...fresh];
    for (const each of again) this.#load(each);
    this.#chosen = this.#hung[this.#hung.length - 1]?.key ?? '';
    if (this.#anchor) this.#keeper.begin(aimed?.kept, missing);
    this.#showPanel();
    if (!aimed) this.#say(t('posters.nowhere'));
  }

  /** @param {WallAnchor | null} anchor */
  #use(anchor) {
    this.#anchor = anchor;
    this.#tellWall();
    this.#carryOn();
  }

  /** @type {import('../../../engine/engine.js').Engine | undefined} what the lens is reckoned with, once it is there */
  #engine;

  /** World tracking keeps a wall of known size where it is; a guessed size would make all of its lengths wrong. */
  #carryOn() {
    const isTrue = Boolean(this.#anchor?.isTrue);
    if (isTrue && !this.#engine) void newEngine().then((engine) => (this.#engine = engine), console.warn);
    this.vision.carryOn(isTrue ? () => this.#engine : undefined);
  }

  /** What hangs on the wall, or how large it is, has changed. */
  #tellWall() {
    this.vision.watchWalls(this.#anchor ? [this.#anchor.description] : []);
  }

  /** Whether the wall's own "up" is still to be found for this anchor. */
  #needsUpright = false;

  /** @param {Hung} hung */
  #add(hung) {
    hung.turn = this.#upright;
    this.#hung.push(hung);
    this.#chosen = hung.key;
    this.#load(hung);
    this.#keeper.change();
  }

  /** @param {Hung} hung */
  #load(hung) {
    void hung.load().then(() => this.#showPanel(), () => toast(t('posters.failed'), { kind: 'warning', key: 'poster' }));
  }

  async #addAnother() {
    const picked = await pickPoster('posters.add', false);
    if (!picked || this.#life.signal.aborted) return;
    const hung = new Hung(picked.poster, picked.size);
    // In the middle of what is seen of the wall.
    const { sight, pose } = this.#last ?? {};
    const at = sight && pose && this.#wall?.point([sight.width / 2, sight.height * 0.4]);
    if (at) hung.move(...at);
    this.#add(hung);
    this.#showPanel();
  }

  // What the camera sees.

  /** The wall in the last picture; `null` when nothing is known of it. */
  get #wall() {
    const { sight, pose } = this.#last ?? {};
    return sight && pose ? this.#plane?.at(pose.pose, sight) ?? null : null;
  }

  /** @param {Sight} sight */
  #see(sight) {
    this.#tellSession(sight);
    if (this.#frozen) return;
    // A picture of before the anchor was known has no wall in it.
    const pose = this.#anchor?.pose(sight) ?? null;
    const { image, ...rest } = sight;
    this.#last = { sight: rest, pose };
    if (pose && this.#plane && this.#needsUpright) this.#findUpright(pose);
    this.#light.look(image, sight.width, sight.height, sight.time);
    this.layer.draw(sight, this.#wall, this.#hung, this.#isLightFitted ? this.#light.light : null);
    this.layer.canvas.classList.toggle('is-carried', pose?.state === 'carried');
    this.aiming.see(sight);
    if (this.#anchor && !this.#isBusy) this.#sayState(pose);
  }

  /** @param {WallPose} pose */
  #findUpright(pose) {
    if (pose.state !== 'seen') return;
    this.#needsUpright = false;
    // A photograph was framed as the phone was held; what hangs upright there, hangs upright.
    const turn = this.#held.angles ? this.#wall?.upright(this.#held.angles, screen.orientation?.angle ?? 0) : null;
    this.#upright = turn ?? 0;
    for (const hung of this.#hung) hung.turn = this.#upright;
    this.#keeper.change();
    this.#showPanel();
  }

  /** @param {WallPose | null} pose */
  #sayState(pose) {
    if (!pose) this.#say(t(`posters.lost.${this.#anchor?.kind ?? 'photo'}`));
    else if (pose.state === 'carried') this.#say(t('posters.carried', { pixels: Math.max(1, Math.round(pose.uncertainty)) }));
    else this.#say(this.#hung.length && performance.now() < this.#hintUntil ? t('posters.hint') : '');
  }

  /** @param {string} text */
  #say(text) {
    if (text === this.#said) return;
    this.#said = text;
    this.status.textContent = text;
    this.status.hidden = !text;
  }

  #showCamera() {
    const { state } = this.camera;
    if (state === 'running') return this.vision.start();
    this.vision.stop();
    const key = { idle: 'markers.waiting', waiting: 'markers.waiting', paused: 'pause.title', denied: 'markers.denied', missing: 'markers.missing' }[state];
    this.#said = '';
    this.#say(t(/** @type {import('../../core/i18n.js').TextKey} */ (key)));
    if (state === 'denied' || state === 'missing' || state === 'paused') {
      this.status.append(' ', localized(h('button', { type: 'button', class: 'button', id: 'wall-retry', onclick: () => void this.camera.resume() }), 'common.retry'));
    }
  }

  // Hands on the wall.

  /** @param {Point} screen */
  #onWall(screen) {
    const { sight, pose } = this.#last ?? {};
    return (sight && pose && this.#wall?.point(toPicture(sight, screen))) ?? null;
  }

  /** @param {Point} screen */
  #pick(screen) {
    const at = this.#onWall(screen);
    if (!at || this.#isBusy) return null;
    const touched = [...this.#hung].reverse().find((each) => each.framed && this.#plane?.isOn(each, each.framed.outerWidth, each.framed.outerHeight, at));
    if (!touched) return null;
    if (this.#chosen !== touched.key) {
      this.#chosen = touched.key;
      this.#showPanel();
    }
    return touched.key;
  }

  /**
   * @param {string} key
   * @param {Point} screen
   */
  #begin(key, screen) {
    const hung = this.#hung.find((each) => each.key === key);
    const at = this.#onWall(screen);
    if (hung && at) this.#grip = [hung.x - at[0], hung.y - at[1]];
  }

  /**
   * @param {string} key
   * @param {Point} screen
   */
  #drag(key, screen) {
    const at = this.#onWall(screen);
    if (at) this.#hung.find((each) => each.key === key)?.move(at[0] + this.#grip[0], at[1] + this.#grip[1]);
    this.#keeper.change();
  }

  /**
   * @param {string} key
   * @param {number} by degrees counter-clockwise
   */
  #turn(key, by) {
    const hung = this.#hung.find((each) => each.key === key);
    if (hung) hung.turn += by;
    this.#keeper.change();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const hung = this.#hung.find((each) => each.key === this.#chosen);
    if (!hung) return;
    const step = event.shiftKey ? 0.1 : 0.01;
    const moves = /** @type {Record<string, Point>} */ ({ ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] });
    const turns = /** @type {Record<string, number>} */ ({ '+': -1, '-': 1 });
    if (moves[event.key]) hung.move(hung.x + moves[event.key][0], hung.y + moves[event.key][1]);
    else if (turns[event.key]) hung.turn += turns[event.key];
    else if (event.key === 'Delete' || event.key === 'Backspace') this.#takeDown();
    else if (event.key === 'Tab') return;
    else return;
    this.#keeper.change();
    event.preventDefault();
  }

  #takeDown() {
    const gone = this.#hung.find((each) => each.key === this.#chosen);
    if (!gone) return;
    this.layer.forget(gone.key);
    this.#hung = this.#hung.filter((each) => each !== gone);
    this.#chosen = this.#hung[this.#hung.length - 1]?.key ?? '';
    announce(t('posters.takenDown', { title: gone.poster.title }));
    this.#keeper.change();
    this.#showPanel();
  }

  #showPanel() {
    if (this.#isBusy) return;
    if (!this.#anchor) {
      this.panel.replaceChildren(localized(h('button', { type: 'button', class: 'button primary', id: 'wall-begin', onclick: () => void this.#aim() }), 'posters.where'));
      return;
    }
    const hung = this.#hung.find((each) => each.key === this.#chosen) ?? null;
    const wall = { isTrueSize: this.#anchor.isTrue, isLightFitted: this.#isLightFitted, upright: this.#upright, hung: this.#hung };
    this.panel.replaceChildren(...panelFor(hung, wall, {
      size: (index) => this.#change(() => hung?.setSize(index)),
      frame: (id) => this.#change(() => hung?.setFrame(id)),
      turn: (degrees) => {
        if (hung) hung.turn = Math.abs(degrees - this.#upright) < SNAP ? this.#upright : degrees;
        this.#keeper.change();
      },
      straighten: () => this.#change(() => hung && (hung.turn = this.#upright)),
      remove: () => this.#takeDown(),
      add: () => void this.#addAnother(),
      save: () => void this.#save(),
      measure: () => void this.#measure(),
      again: () => void this.#aim(),
      light: (isFitted) => (this.#isLightFitted = isFitted),
      menu: () => void this.#showMenu(),
    }));
  }

  async #showMenu() {
    const { showPartMenu, recordingOf } = await import('../../ui/part-menu.js');
    await showPartMenu({
      title: t('posters.wall'),
      recording: async () => {
        // A session hears of the wall only for a recording: nothing else of this page has a use for one.
        const session = this.#session ??= await AnchorSession.make();
        if (this.#life.signal.aborted) return null;
        this.#recording ??= recordingOf(session, { sources: { picture: 'camera' }, camera: this.camera }, this.lights);
        return this.#recording();
      },
    });
  }

  /** @type {AnchorSession | null} */
  #session = null;
  /** @type {ReturnType<typeof import('../../ui/part-menu.js').recordingOf> | null} */
  #recording = null;

  /** @param {Sight} sight */
  #tellSession({ rows, time, width, height, focal, lens }) {
    this.#session?.tell({ type: 'observations', rows, time, width, height, focal, lens });
    this.#session?.anchors();
  }

  /** @param {() => void} change */
  #change(change) {
    const focused = document.activeElement instanceof HTMLElement ? { ...document.activeElement.dataset } : {};
    change();
    this.#keeper.change();
    this.#showPanel();
    // The panel was made anew: the focus goes back to where it was.
    const [name, value] = Object.entries(focused)[0] ?? [];
    if (name && /^(size|frame)$/.test(name)) /** @type {HTMLElement | null} */ (this.panel.querySelector(`[data-${name}="${value}"]`))?.focus();
  }

  async #measure() {
    const { sight, pose } = this.#last ?? {};
    if (!sight || !pose || !this.#anchor) return toast(t('posters.lost.photo'), { key: 'measure' });
    this.#isBusy = true;
    this.#frozen = true;
    this.#say('');
    const wall = this.#wall;
    const factor = wall && await measureEdge(this.element, this.panel, sight, wall);
    this.#isBusy = false;
    this.#frozen = false;
    if (factor && this.#anchor) {
      this.#anchor.scale *= factor;
      this.#anchor.isTrue = true;
      this.#tellWall();
      this.#carryOn();
      // They stay where they hang on the wall; only what a metre is has changed.
      for (const hung of this.#hung) hung.move(hung.x * factor, hung.y * factor);
      announce(t('posters.trueSize'));
      this.#keeper.change();
    }
    this.#showPanel();
  }

  get #title() {
    return this.#hung[0]?.poster.title ?? t('posters.wall');
  }

  async #save() {
    const canvas = this.layer.compose(this.#wall, this.#hung, this.#isLightFitted ? this.#light.light : null);
    flash(this.touch);
    await offerPicture(canvas, this.#title);
  }

  /** What a clip shows. */
  seen = () => ({ roots: [this.video, this.layer.picture, this.layer.canvas], caption: { title: this.#title } });

  get left() {
    return this.#life.signal;
  }

  /** What `window.sightline.state()` tells. */
  state() {
    const { sight, pose } = this.#last ?? {};
    const wall = this.#wall;
    return {
      view: 'try', camera: this.camera.state, anchor: this.#anchor && { kind: this.#anchor.kind, isTrue: this.#anchor.isTrue, scale: this.#anchor.scale },
      picture: sight && { width: sight.width, height: sight.height, path: sight.path, milliseconds: sight.milliseconds },
      targets: sight?.observations.filter(({ kind, state }) => kind === 'picture' && state !== 'lost')
        .map(({ id, state, sigma }) => ({ id, state, uncertainty: sigma })) ?? [],
      wall: pose && { state: pose.state, uncertainty: pose.uncertainty, pose: pose.pose, cameraFromWall: wall && [...wall.matrix({ x: 0, y: 0, turn: 0 }, 1, 0)] },
      light: this.#light.light, upright: this.#upright, ...this.vision.counts, isLooking: this.vision.worker !== null, extended: this.vision.extended, isBusy: this.#isBusy, isFrozen: this.#frozen, isKept: this.#keeper.isKept,
      hung: this.#hung.map((each) => {
        const { width, height } = each.paper;
        const corners = wall ? wall.corners(each, width, height).map((point) => wall.pixel(point)) : [];
        return {
          id: each.poster.id, x: each.x, y: each.y, turn: each.turn, frame: each.frame, paper: [width, height], isLoaded: each.framed !== null,
          corners, screen: corners.map((point) => point && sight && toScreen(sight, point)),
        };
      }),
    };
  }

  close() {
    this.#keeper.close();
    this.#life.abort();
    this.#held.close();
    this.#session?.close();
    this.aiming.close();
    this.vision.close();
    this.camera.stop();
    this.layer.close();
    letSleep();
    this.element.remove();
  }
}
