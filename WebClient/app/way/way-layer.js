// The way on foot on the ground before the user, in the view of a world: a ribbon with arrows over the camera's picture, cut by houses.
// Where the server has terrain it follows the rise and fall of the ground.

import { Places } from '../../engine/places.js';
import { h, reducedMotion } from '../core/dom.js';
import { metresFrom } from '../map/plane.js';
import { eyeHeight } from '../session/eye-height.js';
import { clipFromEye } from '../town/matrices.js';
import { drawBehind, GroundLines } from './ground-lines.js';
import { heightBeside, heightsOf, pointsAlong, valuesAt } from './terrain.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 */

/** Near and far plane, metres, and the depths that they make. */
const [NEAR, FAR] = [0.5, 8000];
const [SLOPE, SHIFT] = [(FAR + NEAR) / (FAR - NEAR), (-2 * FAR * NEAR) / (FAR - NEAR)];
/** That of what is selected. */
const COLOR = /** @type {const} */ ([1, 0.812, 0.361]);
/** Milliseconds for which the arrows of a new way run. */
const RUN_MS = 4000;
/** Longest side of the drawing in pixels. */
const LARGEST = 2560;

export class WayLayer {
  #lines;
  /** @type {import('../map/plane.js').MapPoint | null} where the way begins */
  #anchor = null;
  /** @type {Float64Array | null} metres east and north of it by turns */
  #path = null;
  /** @type {Float64Array | null} metres of the ground over the sea at its points; nothing while nobody knows */
  #heights = null;
  #question = new AbortController();
  #isClear = true;
  #runsUntil = 0;
  #matrix = new Float32Array(16);
  /** @type {SceneFrame | null} */
  #last = null;

  /**
   * @param {HTMLElement} above the element that the drawing lies under
   * @param {Session} session
   * @param {() => void} changed when it is to be drawn anew
   */
  constructor(above, session, changed) {
    this.session = session;
    this.changed = changed;
    this.canvas = h('canvas', { id: 'way', 'aria-hidden': 'true' });
    above.before(this.canvas);
    const gl = this.gl = this.canvas.getContext('webgl2', { alpha: true, premultipliedAlpha: true, antialias: true });
    this.#lines = gl && new GroundLines(gl);
    // What was drawn is gone with the task that drew it: a picture of the view asks for it again.
    this.canvas.addEventListener('redraw', () => this.#last && this.draw(this.#last));
    session.closed.addEventListener('abort', () => {
      this.#question.abort();
      gl?.getExtension('WEBGL_lose_context')?.loseContext();
      this.canvas.remove();
    });
  }

  /** @param {number[] | null} line latitude and longitude by turns */
  set(line) {
    this.#question.abort();
    this.#path = this.#heights = null;
    this.#runsUntil = performance.now() + RUN_MS;
    if (!line || line.length < 4) return;
    const on = (/** @type {number} */ k) => this.session.engine.part(Places).onMap({ latitude: line[k], longitude: line[k + 1] });
    const anchor = this.#anchor = on(0);
    const path = new Float64Array(line.length - (line.length % 2));
    for (let k = 0; k < path.length; k += 2) path.set(metresFrom(anchor, on(k)), k);
    this.#path = path;
    void this.#rise(line, path, (this.#question = new AbortController()).signal);
  }

  /**
   * Lays the way on the ground, where somebody knows how high that is.
   * @param {number[]} line
   * @param {Float64Array} path
   * @param {AbortSignal} signal
   */
  async #rise(line, path, signal) {
    const points = pointsAlong(path);
    const heights = await heightsOf(valuesAt(line, points), signal);
    if (!heights || signal.aborted) return;
    [this.#path, this.#heights] = [valuesAt(path, points), heights];
    this.changed();
  }

  /**
   * @param {SceneFrame} frame
   * @returns {boolean} whether it moves by itself
   */
  draw(frame) {
    this.#last = frame;
    const { gl, canvas, session } = this;
    const standpoint = frame.isValid ? session.status?.standpoint : null;
    const path = standpoint ? this.#path : null;
    if (!gl || !this.#lines || (!path && this.#isClear)) return false;
    this.#isClear = !path;
    const scale = Math.min(2, devicePixelRatio || 1, LARGEST / Math.max(frame.width, frame.height, 1));
    const [width, height] = [Math.round(frame.width * scale), Math.round(frame.height * scale)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const point = standpoint && session.guarded(() => session.engine.part(Places).onMap(standpoint));
    if (!path || !point || !this.#anchor) return false;
    const isCut = session.town?.hideFrom(gl, frame, SLOPE, SHIFT) ?? false;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    if (isCut) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    const user = metresFrom(this.#anchor, point);
    const m = clipFromEye(frame.clipFromWorld, SLOPE, SHIFT, this.#matrix);
    // Points for a metre at a distance of one.
    const focal = (Math.hypot(m[0], m[4], m[8]) * frame.width) / 2;
    const eye = eyeHeight();
    for (let row = 0; row < 4; row++) m[12 + row] -= m[row] * user[0] + m[4 + row] * user[1] + m[8 + row] * eye;
    const now = performance.now();
    const isMoving = now < this.#runsUntil && !reducedMotion();
    this.#lines.begin({ clipFromGround: m, user, focal, mapPart: 0, reach: FAR, time: isMoving ? now / 1000 : this.#runsUntil / 1000 });
    const heights = this.#heights;
    // The eye is over the ground beside it.
    const own = heights && heightBeside(path, heights, user);
    const rises = heights && own !== null ? heights.map((height) => height - own) : null;
    const ribbon = () => this.#lines?.ribbon(path, COLOR, rises);
    if (isCut) drawBehind(gl, session.town?.remainder ?? 0, ribbon);
    ribbon();
    return isMoving;
  }
}
