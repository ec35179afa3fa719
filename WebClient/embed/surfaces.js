// World tracking for a tracker: what lies under a point of its view, and what it has set down there. Where that is the engine says, in
// every picture; here is kept what belongs to whom.

import { askForSensors } from '../app/device/orientation.js';
import { LensKeeper } from '../app/vision/lens-keeper.js';
import { DescriptionError, surfaceContent } from './anchors.js';
import { cover, originOnView } from './display-matrix.js';
import { RETICLE, sharedOdometry } from './shared-odometry.js';

/**
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('./shared-odometry.js').TrackedSight} TrackedSight
 * @typedef {import('./shared-odometry.js').EngineHit} EngineHit
 * @typedef {import('../engine/odometry.js').Advice} Advice
 * @typedef {import('../engine/odometry.js').Surface} Surface
 * @typedef {import('../engine/types').ContentPlace} ContentPlace
 * @typedef {'up' | 'viewer'} Facing
 * @typedef {'idle' | 'starting' | 'limited' | 'tracking' | 'relocalising'} SurfacesState `limited`: lengths are still a guess
 * @typedef {'not-running' | 'outside' | 'starting' | 'relocalising' | 'nothing' | 'too-many'} NoHit why nothing was hit: `outside` of the
 *   view; `nothing` is known there; `too-many` things are set down
 * @typedef {{ hit: SurfaceHit, reason: null } | { hit: null, reason: NoHit }} HitTest
 * @typedef {{ cameraFromReticle: Float32Array, screen: { x: number, y: number } | null, surface: Surface, isMeasured: boolean,
 *   distance: number }} Reticle what lies under the middle of the view: x right, y away or up a wall, z out of the surface; metres
 * @typedef {{ size: () => { width: number, height: number }, see: (sight: TrackedSight, surfaces: Surfaces) => void,
 *   change: () => void, tell: () => void, forget: () => void, fail: (code: string, error: unknown) => void }} Host the tracker: `change`: other things are to
 *   be told to the session; `tell`: state or advice are others; `forget`: nothing that was set down comes back
 */

/** Hits at a time that nobody has made an anchor of: the oldest goes. */
const MOST_HITS = 4;
/** Pictures after which a hit without a pose has none. */
const PATIENCE = 30;

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
  /** @type {Map<SurfaceHit, { turns: number, answer: ((reason: NoHit | null) => void) | null }>} the oldest first */
  #hits = new Map();
  /** @type {(SurfaceHit | null)[]} in the order in which the session has them; `null` is the reticle */
  #told = [];
  /** @type {import('./shared-odometry.js').User} */
  #user;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.#user = {
      see: (sight) => this.#see(sight),
      forget: () => this.#forget(),
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
    this.#odometry = sharedOdometry(camera);
    this.#odometry.join(this.#user);
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
   * @param {Facing} facing
   * @returns {Promise<HitTest>} once the next picture tells where it is
   */
  async hitTest(x, y, facing) {
    const none = (/** @type {NoHit} */ reason) => ({ hit: null, reason });
    const [odometry, video] = [this.#odometry, this.#camera?.video];
    if (!odometry || !this.#isOn || !video?.videoWidth) return none('not-running');
    const view = this.#host.size();
    if (!(x >= 0 && y >= 0 && x <= view.width && y <= view.height)) return none('outside');
    if (odometry.isFull) return none('too-many');
    const { scale, left, top } = cover(view, { width: video.videoWidth, height: video.videoHeight });
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
    if (!this.#hits.delete(hit)) throw new DescriptionError('surface', 'this hit has an anchor already, is gone, or another tracker\'s: give one that `hitTest` has just found');
  }

  /**
   * @param {import('./anchor.js').Anchor} anchor
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
   * What the session is told beside the anchors.
   * @returns {ContentPlace[]}
   */
  contents() {
    this.#told = [null, ...this.#hits.keys()];
    return this.#told.map((hit) => surfaceContent(`hit ${hit?.number ?? RETICLE}`, hit ?? { number: RETICLE, facing: 'up' }));
  }

  /**
   * Where hits and reticle are in a picture.
   * @param {TrackedSight} sight
   * @param {Float32Array} projection
   * @param {(index: number) => Float32Array | null} poseOf of what `contents` gave
   */
  read({ tracked: { preview } }, projection, poseOf) {
    this.reticle = null;
    this.#told.forEach((hit, index) => {
      const pose = poseOf(index);
      if (!hit) {
        if (!pose || !preview) return;
        const { surface, distance } = preview;
        this.reticle = {
          cameraFromReticle: pose, screen: originOnView(projection, pose, this.#host.size()), surface, isMeasured: surface !== 'guessedFloor', distance,
        };
        return;
      }
      const known = this.#hits.get(hit);
      if (!known) return;
      known.turns += 1;
      if (pose) hit.cameraFromHit = pose;
      if (!known.answer || (!pose && known.turns < PATIENCE)) return;
      known.answer(pose ? null : 'nothing');
      known.answer = null;
    });
  }

  /**
   * What is learned of the lens serves the whole page.
   * @param {TrackedSight} sight
   * @param {import('../engine/engine.js').Engine} engine
   */
  learn(sight, engine) {
    this.#lens.keep(sight.tracked, sight, this.#camera?.camera.label ?? '', engine);
  }

  /** @param {TrackedSight} sight */
  #see(sight) {
    const { state, isLost, advice } = sight.tracked;
    const isFollowed = state === 'metric' || state === 'uncertainScale';
    this.#set(!isFollowed ? 'starting' : isLost ? 'relocalising' : state === 'metric' ? 'tracking' : 'limited', advice);
    this.#host.see(sight, this);
  }

  #forget() {
    for (const hit of [...this.#hits.keys()]) this.#drop(hit);
    this.#host.forget();
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
