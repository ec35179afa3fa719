// World tracking for a tracker: what lies under a point of its view, and what it has set down there. Where that is the engine says, in
// every picture; here is kept what belongs to whom.

import { askForSensors } from '../app/device/orientation.js';
import { LensKeeper } from '../app/vision/lens-keeper.js';
import { DescriptionError } from './anchors.js';
import { cover, originOnView } from './display-matrix.js';
import { RETICLE, sharedOdometry } from './shared-odometry.js';
import { surfaceContent } from './surface-content.js';
import { readSurfaceLook } from './surface-look.js';

/**
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('./shared-odometry.js').TrackedSight} TrackedSight
 * @typedef {import('./shared-odometry.js').EngineHit} EngineHit
 * @typedef {import('../engine/odometry.js').Advice} Advice
 * @typedef {import('../engine/odometry.js').Surface} Surface
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 * @typedef {import('./surface-look.js').Facing} Facing
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {'idle' | 'starting' | 'limited' | 'tracking' | 'relocalising'} SurfacesState `limited`: lengths are still a guess
 * @typedef {'not-running' | 'outside' | 'starting' | 'relocalising' | 'nothing' | 'too-many'} NoHit why nothing was hit: `outside` of the
 *   view; `nothing` is known there; `too-many` things are set down
 * @typedef {{ hit: SurfaceHit, reason: null } | { hit: null, reason: NoHit }} HitTest
 * @typedef {{ turns: number, answer: ((reason: NoHit | null) => void) | null }} Waiting who waits for a hit's first pose, and since how many pictures
 * @typedef {{ cameraFromReticle: Float32Array, screen: { x: number, y: number } | null, surface: Surface, isMeasured: boolean,
 *   distance: number }} Reticle what lies under the middle of the view: x right, y away or up a wall, z out of the surface; metres
 * @typedef {{ size: () => { width: number, height: number }, see: (sight: TrackedSight, surfaces: Surfaces) => void,
 *   change: () => void, tell: () => void, forget: (numbers: number[]) => void, end: () => void, fail: (code: string, error: unknown) => void }} Host the tracker: `change`: other things are to
 *   be told to the session; `tell`: state or advice are others; `forget`: of what was set down, that
 *   does not come back; `end`: the phone's own tracking has ended
 */

/** Hits at a time that nobody has made an anchor of: the oldest goes. */
const MOST_HITS = 4;
/** Pictures after which a hit without a pose has none. */
const PATIENCE = 30;
/** The reticle, which is the same for all. */
const UNDER_MIDDLE = /** @type {const} */ ({ number: RETICLE, facing: 'up' });

/** Where a ray through the view meets a surface. It goes with its surroundings until it is released, or becomes an anchor. */
export class SurfaceHit {
  /** @type {Float32Array} from its frame to the camera's, in the newest picture: 4 × 4 by columns, metres */
  cameraFromHit = new Float32Array(16);
  isReleased = false;
  #release;

  /**
   * @param {number} number of what was set down
   * @param {EngineHit} hit
   * @param {Facing} facing
   * @param {(hit: SurfaceHit) => void} release
   */
  constructor(number, { surface, distance, deviation }, facing, release) {
    this.number = number;
    this.surface = surface;
    /** Metres. */
    this.distance = distance;
    /** Of the surface, metres. */
    this.deviation = deviation;
    this.facing = facing;
    this.#release = release;
  }

  /** Whether the surface was seen; else it is where a floor is taken to be. */
  get isMeasured() {
    return this.surface !== 'guessedFloor';
  }

  /** It is of no more use. */
  release() {
    this.#release(this);
  }
}

export class Surfaces {
  /** @type {SurfacesState} */
  state = 'idle';
  /** @type {Advice} */
  advice = 'none';
  /** @type {Reticle | null} */
  reticle = null;
  #host;
  #lens = new LensKeeper();
  /** @type {SharedCamera | null} */
  #camera = null;
  /** @type {import('./shared-odometry.js').SharedOdometry | null} */
  #odometry = null;
  #isOn = false;
  /** @type {Map<SurfaceHit, Waiting>} the oldest first */
  #hits = new Map();
  /**
   * Hits that became anchors.
   * @type {Set<SurfaceHit>}
   */
  #taken = new Set();
  /** @type {{ number: number, facing: Facing }[]} in the order in which the session has them */
  #told = [];
  /** @type {import('./shared-odometry.js').User} */
  #user;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#user = {
      see: (sight) => this.#see(sight),
      forget: (numbers) => this.#forget(numbers),
      end: () => host.end(),
      fail: (error) => host.fail('surfaces', error),
    };
  }

  /** Asks for the motion sensors; must be called inside the tap, before anything that waits. */
  async ask() {
    if (await askForSensors()) return;
    this.#host.fail('orientation-denied', 'the motion sensors were refused: let the user allow them in the browser\'s settings, and start again');
  }

  /** @param {SharedCamera} camera */
  join(camera) {
    this.#camera = camera;
    this.use(sharedOdometry(camera));
  }

  /**
   * Who says where the phone is, before anything is set down.
   * @param {import('./shared-odometry.js').SharedOdometry} odometry
   */
  use(odometry) {
    this.#odometry?.leave(this.#user);
    this.#odometry = odometry;
    odometry.join(this.#user);
  }

  /** Whether it is the phone's own tracking. */
  get isPlatform() {
    return this.#odometry?.isPlatform ?? false;
  }

  /** @param {boolean} isOn whether pictures are wanted */
  watch(isOn) {
    if (isOn === this.#isOn || !this.#odometry) return;
    this.#isOn = isOn;
    this.#odometry.watch(this.#user, isOn);
    if (!isOn) this.#answerAll('not-running');
    else if (this.state === 'idle') this.#set('starting', 'none');
  }

  leave() {
    this.watch(false);
    for (const hit of [...this.#hits.keys()]) this.#drop(hit);
    this.#odometry?.leave(this.#user);
    this.#odometry = this.#camera = this.reticle = null;
    this.#set('idle', 'none');
  }

  /**
   * @param {number} x CSS pixels of the view
   * @param {number} y
   * @param {{ facing?: Facing }} [look]
   * @returns {Promise<HitTest>} once the next picture tells where it is
   */
  async hitTest(x, y, look) {
    const { facing } = readSurfaceLook({ facing: look?.facing });
    const none = (/** @type {NoHit} */ reason) => ({ hit: null, reason });
    const odometry = this.#odometry;
    const [width, height] = odometry?.size ?? [0, 0];
    if (!odometry || !this.#isOn || !width) return none('not-running');
    const view = this.#host.size();
    if (!(x >= 0 && y >= 0 && x <= view.width && y <= view.height)) return none('outside');
    if (odometry.isFull) return none('too-many');
    const { scale, left, top } = cover(view, { width, height });
    const placed = await odometry.place([(x + left) / scale, (y + top) / scale], facing === 'up' ? 'flat' : 'standing').catch(() => null);
    if (odometry !== this.#odometry || !this.#isOn) {
      if (placed) odometry.remove(placed.number);
      return none('not-running');
    }
    if (!placed) return none(this.state === 'starting' || this.state === 'relocalising' ? this.state : 'nothing');
    const hit = new SurfaceHit(placed.number, placed.hit, facing, (gone) => this.#drop(gone));
    if (this.#hits.size >= MOST_HITS) this.#drop([...this.#hits.keys()][0]);
    const answer = new Promise((/** @type {(reason: NoHit | null) => void} */ resolve) => this.#hits.set(hit, { turns: 0, answer: resolve }));
    this.#host.change();
    const reason = await answer;
    if (!reason) return { hit, reason };
    this.#drop(hit);
    return none(reason);
  }

  /**
   * A hit becomes an anchor's.
   * @param {SurfaceHit} hit
   */
  take(hit) {
    if (!this.#hits.delete(hit)) throw new DescriptionError('surface', 'this hit has an anchor already, is gone, or is another tracker\'s: give one that `hitTest` has just found');
    this.#taken.add(hit);
  }

  /**
   * @param {Anchor} anchor
   * @param {SurfaceHit} hit where it goes
   */
  move(anchor, hit) {
    this.take(hit);
    this.release(anchor.description.hit);
    anchor.description.hit = hit;
  }

  /**
   * What an anchor stood on.
   * @param {SurfaceHit} hit
   */
  release(hit) {
    hit.isReleased = true;
    this.#taken.delete(hit);
    this.#odometry?.remove(hit.number);
  }

  /** @param {SurfaceHit} hit */
  #drop(hit) {
    const known = this.#hits.get(hit);
    if (!known) return;
    this.#hits.delete(hit);
    this.release(hit);
    known.answer?.('nothing');
    this.#host.change();
  }

  /** @param {NoHit} reason */
  #answerAll(reason) {
    for (const known of this.#hits.values()) {
      known.answer?.(reason);
      known.answer = null;
    }
  }

  /**
   * What the session is told beside the anchors that are looked for.
   * @returns {ContentPlace[]}
   */
  contents() {
    this.#told = [UNDER_MIDDLE, ...this.#hits.keys(), ...this.#taken];
    return this.#told.map(surfaceContent);
  }

  /**
   * Where hits and reticle are in a picture.
   * @param {TrackedSight} sight
   * @param {import('../engine/anchors.js').AnchorFrame} frame
   * @param {number} first feature of what `contents` gave
   * @param {Float32Array} projection
   * @returns {(anchor: Anchor) => void} reads where an anchor is
   */
  read({ tracked: { preview } }, { items, anchors }, first, projection) {
    const known = new Map(items.map((item) => [this.#told[item.feature - first], item]));
    const view = this.#host.size();
    const pose = known.get(UNDER_MIDDLE)?.cameraFromFeature;
    this.reticle = pose && preview
      ? {
        cameraFromReticle: pose, screen: originOnView(projection, pose, view), surface: preview.surface, isMeasured: preview.surface !== 'guessedFloor',
        distance: preview.distance,
      }
      : null;
    for (const [hit, waiting] of this.#hits) this.#follow(hit, waiting, known.get(hit)?.cameraFromFeature ?? null);
    return (anchor) => {
      if (anchor.kind !== 'surface') return;
      const item = known.get(anchor.description.hit);
      const pose = item?.opacity ? item.cameraFromFeature : null;
      if (!item || !pose) return anchor.hide(anchor.state === 'waiting' ? 'waiting' : 'lost');
      anchor.state = anchors.find((one) => one.anchor === item.anchor)?.state ?? 'tracked';
      anchor.opacity = item.opacity;
      anchor.cameraFromAnchor = pose;
      anchor.screen = originOnView(projection, pose, view);
      anchor.distance = Math.hypot(pose[12], pose[13], pose[14]);
    };
  }

  /**
   * @param {SurfaceHit} hit
   * @param {Waiting} waiting
   * @param {Float32Array | null} pose
   */
  #follow(hit, waiting, pose) {
    waiting.turns += 1;
    if (pose) hit.cameraFromHit = pose;
    if (!waiting.answer || (!pose && waiting.turns < PATIENCE)) return;
    waiting.answer(pose ? null : 'nothing');
    waiting.answer = null;
  }

  /**
   * What is learned of the lens serves the whole page.
   * @param {TrackedSight} sight
   * @param {import('../engine/engine.js').Engine} engine
   */
  learn(sight, engine) {
    if (sight.image) this.#lens.keep(sight.tracked, sight, this.#camera?.camera.label ?? '', engine);
  }

  /** @param {TrackedSight} sight */
  #see(sight) {
    const { state, isLost, advice } = sight.tracked;
    const isFollowed = state === 'metric' || state === 'uncertainScale';
    this.#set(!isFollowed ? 'starting' : isLost ? 'relocalising' : state === 'metric' ? 'tracking' : 'limited', advice);
    this.#host.see(sight, this);
  }

  /** @param {number[]} numbers */
  #forget(numbers) {
    for (const hit of [...this.#hits.keys()]) if (numbers.includes(hit.number)) this.#drop(hit);
    this.#host.forget(numbers);
  }

  /**
   * @param {SurfacesState} state
   * @param {Advice} advice
   */
  #set(state, advice) {
    if (state === this.state && advice === this.advice) return;
    [this.state, this.advice] = [state, advice];
    this.#host.tell();
  }
}
