// The phone's own tracking (WebXR) as a source of poses, with the same orders, answers and events as the page's own (`CameraOdometry`):
// what is set down, seen, lost and found again is the engine's business here as there. Only this source has no picture of the camera.

import { readObservations } from '../../engine/observations.js';
import { PlatformOdometry } from '../../engine/platform-odometry.js';
import { Emitter } from '../core/emitter.js';
import { preloadOdometry } from '../session/engine-link.js';
import { HitTests } from './hit-tests.js';
import { PlatformAnchors } from './platform-anchors.js';

/**
 * @typedef {import('../../engine/odometry.js').Posture} Posture
 * @typedef {import('../../engine/odometry.js').SurfaceHit} SurfaceHit
 * @typedef {import('../models/renderer.js').Target} Target
 * @typedef {Omit<import('../vision/camera-odometry.js').TrackedSight, 'image'> & { image: null, target: Target }} PlatformSight
 * @typedef {{ session: XRSessionLike, space: XRSpaceLike, viewer: XRSpaceLike, layer: XRLayerLike, odometry: PlatformOdometry }} Opened
 */

/** What is nearer or farther is not drawn, metres. */
const DEPTH = { depthNear: 0.05, depthFar: 60 };

/**
 * @extends {Emitter<{ sight: PlatformSight, forgotten: number[], visibility: void, ended: void }>} `forgotten`: numbers of what is lost for
 *   good, since the platform's world is another
 */
export class PlatformSource extends Emitter {
  /** Something is held by a finger: it gets its anchor when that lets go. */
  isBusy = false;
  counts = { seen: 0, dropped: 0, paused: 0 };
  #life = new AbortController();
  /** @type {Pick<PlatformSight, 'width' | 'height' | 'focal' | 'center'> & { target: Target } | null} of the last frame with a pose */
  #last = null;

  /** @param {Opened} opened */
  constructor({ session, space, viewer, layer, odometry }) {
    super();
    this.session = session;
    this.space = space;
    this.layer = layer;
    this.odometry = odometry;
    this.hits = new HitTests(session, viewer, space);
    this.anchors = new PlatformAnchors(space);
    const { signal } = this.#life;
    session.addEventListener('end', () => this.#end(), { signal });
    session.addEventListener('visibilitychange', () => this.emit('visibility', undefined), { signal });
    space.addEventListener('reset', () => this.#reset(), { signal });
    // Taps are the page's: none is the platform's own selection too.
    document.addEventListener('beforexrselect', (event) => event.preventDefault(), { signal });
    addEventListener('resize', () => this.tellDisplay(), { signal });
    this.tellDisplay();
    session.requestAnimationFrame(this.#frame);
  }

  /**
   * @param {XRSessionLike} session
   * @param {WebGL2RenderingContext} gl what everything is drawn with
   */
  static async open(session, gl) {
    try {
      const [odometry, space, viewer] = await Promise.all([
        preloadOdometry().then((module) => PlatformOdometry.make(module)), session.requestReferenceSpace('local-floor'),
        session.requestReferenceSpace('viewer'), /** @type {any} */ (gl).makeXRCompatible(),
      ]);
      const layer = new XRWebGLLayer(session, gl);
      session.updateRenderState({ baseLayer: layer, ...DEPTH });
      return new PlatformSource({ session, space, viewer, layer, odometry });
    } catch (error) {
      await session.end().catch(() => undefined);
      throw error;
    }
  }

  // Frames come by themselves as long as the session lasts.
  start() {}
  stop() {}
  async begin() {}

  /** @returns {[number, number]} size of what points are of, CSS pixels */
  display() {
    return [innerWidth, innerHeight];
  }

  /** Nothing is looked at while something lies over it, or the page is away. */
  get isPaused() {
    return this.session.visibilityState !== 'visible';
  }

  close() {
    if (this.#life.signal.aborted) return;
    this.#end();
    void this.session.end().catch(() => undefined);
  }

  // What is set down: see CameraOdometry.

  /**
   * @param {number | null} number
   * @param {Posture} [posture]
   */
  preview(number, posture = 'flat') {
    this.odometry.setPreview(number, posture);
  }

  /**
   * @param {number} number
   * @param {[number, number]} point
   * @param {Posture} posture
   * @param {number} height
   * @returns {Promise<SurfaceHit | null>}
   */
  place(number, point, posture, height) {
    return this.#set(() => this.odometry.ray(...point), number, () => this.odometry.place(number, ...point, posture, height));
  }

  /** @param {[number, number]} point */
  async take(point) {
    const number = this.odometry.nearest(...point);
    if (number !== null) this.odometry.hold(number, ...point);
    this.held = number;
    return number;
  }

  /** @param {[number, number]} point */
  drag(point) {
    return this.#set(() => this.odometry.ray(...point, true), this.held ?? -1, () => this.odometry.drag(...point));
  }

  /**
   * @param {number} number
   * @param {number} degrees
   */
  turn(number, degrees) {
    this.odometry.turn(number, degrees);
  }

  /**
   * @param {number} number
   * @param {[number, number][]} before
   * @param {[number, number][]} now
   */
  twist(number, before, now) {
    this.odometry.twist(number, before, now);
  }

  /** @param {number} number */
  remove(number) {
    this.anchors.remove(number);
    this.odometry.remove(number);
  }

  /** @type {number | null} what a finger took last */
  held = null;

  /**
   * Sets something down where a ray of the platform meets something, in the frame in which it does.
   * @param {() => [number, number, number] | null} ray
   * @param {number} number
   * @param {() => SurfaceHit | null} set
   * @returns {Promise<SurfaceHit | null>}
   */
  async #set(ray, number, set) {
    return this.hits.ask(ray, (pose) => {
      this.odometry.met(pose?.matrix ?? null);
      const hit = set();
      if (hit && pose) this.anchors.want(number, pose);
      return hit;
    });
  }

  // Frames

  /**
   * @param {number} now milliseconds
   * @param {XRFrameLike} frame
   */
  #frame = (now, frame) => {
    if (this.#life.signal.aborted) return;
    this.session.requestAnimationFrame(this.#frame);
    const time = now / 1000;
    const pose = frame.getViewerPose(this.space);
    const view = pose?.views[0];
    const port = view && this.layer.getViewport(view);
    const start = performance.now();
    if (pose && view && port) {
      const worldFromViewer = pose.transform.matrix;
      this.odometry.pose({ worldFromViewer, clipFromViewer: view.projectionMatrix, isEmulated: pose.emulatedPosition }, port.width, port.height, time);
    } else {
      this.odometry.pose(null, 0, 0, time);
    }
    for (const [number, matrix] of this.anchors.follow(frame, this.isBusy ? this.held : null)) this.odometry.anchor(number, matrix);
    this.hits.answer(frame);
    this.odometry.met(this.hits.middle(frame, this.odometry.ray(innerWidth / 2, innerHeight / 2))?.matrix ?? null);
    const tracked = this.odometry.seen();
    if (view && port) {
      const { x, y, width, height } = port;
      this.#last = {
        width, height, focal: tracked.focal, center: tracked.center,
        target: { framebuffer: this.layer.framebuffer, x, y, width, height, clipFromCamera: clipFromCamera(view.projectionMatrix) },
      };
    }
    this.counts.seen += 1;
    if (!this.#last) return;
    const { rows } = tracked;
    this.emit('sight', {
      image: null, time, heard: start / 1000, path: 'webxr', milliseconds: performance.now() - start, taped: 0, ...this.#last, lens: [0, 0, 0],
      rows, observations: readObservations(rows), codes: null, tracked,
    });
  };

  tellDisplay() {
    this.odometry.setDisplay(...this.display());
  }

  #reset() {
    this.odometry.reset();
    this.emit('forgotten', this.anchors.reset());
  }

  /** By the back button, or by the platform itself. */
  #end() {
    if (this.#life.signal.aborted) return;
    this.#life.abort();
    this.hits.close();
    this.emit('ended', undefined);
  }
}

/**
 * The platform's projection for the engine's camera axes, whose y points down and z forward.
 * @param {Float32Array} clipFromViewer
 */
export function clipFromCamera(clipFromViewer) {
  return clipFromViewer.map((value, index) => (index >= 4 && index < 12 ? -value : value));
}
