// The buildings around the user as whatever draws needs them: simple blocks behind the labels where there is no camera's picture, and walls
// that cut models, ways and pins. Fetched with the buildings, after the first picture.

import { Places } from '../../engine/places.js';
import { metresFrom } from '../map/plane.js';
import { eyeHeight } from '../session/eye-height.js';
import { hiddenLabels } from '../session/hidden-labels.js';
import { frontOf, HidingWalls, roofBefore } from './hiding.js';
import { clipFromEye, fromEye } from './matrices.js';
import { meshOf } from './mesh.js';
import { Walls } from './walls.js';

/**
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../map/plane.js').MapPoint} MapPoint
 */

/** Metres of the eye over the drawn ground. */
const DRAWN_EYE = 1.7;
/** Metres behind a wall within which nothing is cut: what hangs at a house is the house. */
const PUSH = 1;
/** Metres of uncertainty that are believed: who knows less of his place sees walls from there. */
const MOST_RADIUS = 30;
/** Of a circle that holds 95 % of positions, the standard deviation along an axis. */
const SIGMA = 1 / 2.4477;
/** Seconds after which a town that was not drawn again is not seen any more. */
const STILL_DRAWN = 1;
/** Near and far plane of the blocks, metres. */
const [NEAR, FAR] = [0.5, 4000];
const LOOK = { color: [0.83, 0.81, 0.77], haze: [0.78, 0.85, 0.88], reach: [120, 480] };

export class Town {
  /** Counts what is to be seen in another picture. */
  version = 0;
  /** @type {MapPoint | null} */
  #anchor = null;
  #hiding = new HidingWalls(meshOf([]));
  #drawnAt = NaN;
  /** @type {Map<WebGL2RenderingContext, Walls>} */
  #walls = new Map();
  /** @type {WebGL2RenderingContext | null | undefined} that of the blocks, null where there is none */
  #picture;
  #pictureKey = '';
  #pictureTime = NaN;
  #matrix = new Float32Array(16);

  /** @param {import('../session/session.js').Session} session */
  constructor(session) {
    this.session = session;
    session.closed.addEventListener('abort', () => this.#picture?.getExtension('WEBGL_lose_context')?.loseContext());
  }

  /**
   * @param {{ top: number, bottom: number, rings: ArrayLike<number>[] }[]} buildings rings on the web's map, 0 … 1
   * @param {MapPoint} anchor near them
   */
  set(buildings, anchor) {
    const { x, y, side } = anchor;
    this.#anchor = anchor;
    this.#hiding = new HidingWalls(meshOf(buildings.map(({ top, bottom, rings }) => ({
      top, bottom, rings: rings.map((ring) => Float64Array.from(ring, (value, k) => (k % 2 ? y - value : value - x) * side)),
    }))));
    this.version += 1;
  }

  get isEmpty() {
    return this.#hiding.mesh.blocks.length === 0;
  }

  /**
   * Where a position is among the buildings, metres east and north.
   * @param {{ latitude: number, longitude: number } | null | undefined} position
   * @returns {[number, number] | null}
   */
  at(position) {
    const anchor = this.#anchor;
    const point = anchor && position ? this.session.guarded(() => this.session.engine.part(Places).onMap(position)) : null;
    return anchor && point ? metresFrom(anchor, point) : null;
  }

  /**
   * How high the roofs before a position are seen, see `roofBefore`.
   * @param {number[]} from metres east and north, as `at` has it
   * @param {{ latitude: number, longitude: number }} position
   */
  roofLine(from, position) {
    const to = this.at(position);
    return to && roofBefore(this.#hiding.mesh, from, to, eyeHeight());
  }

  /**
   * Where the eye is among them; what hides from there is known afterwards.
   * @param {SceneFrame} frame
   * @param {number} [height] metres over the ground
   * @returns {number[] | null}
   */
  #eye(frame, height = eyeHeight()) {
    const standpoint = this.session.status?.standpoint;
    const here = this.at(standpoint);
    if (this.isEmpty || !standpoint || !here) return null;
    // Who stands in a drawn town stands where it is drawn from.
    const isDrawn = Math.abs(frame.time - this.#drawnAt) < STILL_DRAWN;
    const radius = isDrawn || !(standpoint.accuracy > 0) ? 0 : Math.min(MOST_RADIUS, standpoint.accuracy * SIGMA);
    if (this.#hiding.look(here[0], here[1], radius)) this.version += 1;
    return [...here, height];
  }

  /**
   * @param {WebGL2RenderingContext} gl
   * @returns {Walls}
   */
  #of(gl) {
    let walls = this.#walls.get(gl);
    if (!walls) this.#walls.set(gl, walls = new Walls(gl));
    walls.use(this.#hiding, this.version);
    return walls;
  }

  /**
   * Puts the walls before the eye into a depth buffer, that of a picture that was cleared.
   * @param {WebGL2RenderingContext} gl
   * @param {SceneFrame} frame
   * @param {ArrayLike<number>} clipFromCamera what is drawn afterwards with
   * @returns {((cameraFromThing: ArrayLike<number>) => number) | null} for a thing, as which part of its depth it is to be drawn: what
   *   stands in a building is that building, and seen by its front; null where nothing hides
   */
  hide(gl, frame, clipFromCamera) {
    const eye = this.#eye(frame);
    if (!eye) return null;
    this.#of(gl).hide(clipFromEye(frame.clipFromWorld, clipFromCamera[10], clipFromCamera[14], this.#matrix), eye, PUSH);
    const { mesh } = this.#hiding;
    return (cameraFromThing) => {
      const way = fromEye(frame.clipFromWorld, clipFromCamera, [cameraFromThing[12], cameraFromThing[13], cameraFromThing[14]]);
      if (!way) return 1;
      const foot = [eye[0] + way[0], eye[1] + way[1]];
      return Math.max(0.01, frontOf(mesh, eye, foot));
    };
  }

  /**
   * Walls alone, for what lies on the ground.
   * @param {WebGL2RenderingContext} gl
   * @param {SceneFrame} frame
   * @param {number} slope of the depths that the drawing has, see `clipFromEye`
   * @param {number} shift
   * @returns {boolean} whether there are any
   */
  hideFrom(gl, frame, slope, shift) {
    const eye = this.#eye(frame);
    if (eye) this.#of(gl).hide(clipFromEye(frame.clipFromWorld, slope, shift, this.#matrix), eye, PUSH);
    return eye !== null;
  }

  /**
   * The walls for a frame of the ground map.
   * @param {WebGL2RenderingContext} gl
   * @param {import('../../engine/ground.js').GroundFrame} ground
   * @param {SceneFrame} frame
   * @returns {boolean} whether there are any
   */
  hideOnGround(gl, ground, frame) {
    // That picture's eye is higher than the phone, so that the ground is seen; walls stay where the phone sees them.
    const eye = this.#eye(frame, DRAWN_EYE);
    if (!eye) return false;
    const m = ground.clipFromGround;
    const matrix = this.#matrix;
    matrix.set(m);
    for (let row = 0; row < 4; row++) {
      matrix[12 + row] = m[row] * ground.eye[0] + m[4 + row] * ground.eye[1] + m[8 + row] * ground.eye[2] + m[12 + row];
    }
    this.#of(gl).hide(matrix, eye, PUSH);
    return true;
  }

  /**
   * The blocks as they are seen, opaque where one is; null where there are none. The same element every time.
   * @param {SceneFrame} frame
   * @param {number} width pixels
   * @param {number} height
   * @returns {HTMLCanvasElement | null}
   */
  blocks(frame, width, height) {
    const eye = this.#eye(frame, DRAWN_EYE);
    const gl = eye && this.#context();
    if (!eye || !gl) return null;
    const canvas = /** @type {HTMLCanvasElement} */ (gl.canvas);
    const key = `${this.version} ${width} ${height} ${eye.map((value) => value.toFixed(2))} ${frame.clipFromWorld.subarray(0, 12)}`;
    // What was drawn is there only until the page is shown.
    if (key !== this.#pictureKey || frame.time !== this.#pictureTime) {
      [this.#pictureKey, this.#pictureTime] = [key, frame.time];
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const [slope, shift] = [(FAR + NEAR) / (FAR - NEAR), (-2 * FAR * NEAR) / (FAR - NEAR)];
      this.#of(gl).show(clipFromEye(frame.clipFromWorld, slope, shift, this.#matrix), eye, LOOK);
    }
    return canvas;
  }

  #context() {
    if (this.#picture === undefined) {
      this.#picture = document.createElement('canvas').getContext('webgl2', { alpha: true, premultipliedAlpha: true, antialias: true });
    }
    return this.#picture?.isContextLost() ? null : this.#picture;
  }

  /**
   * The blocks are what is seen in this frame, in place of a camera's picture.
   * @param {SceneFrame} frame
   */
  isSeen(frame) {
    this.#drawnAt = frame.time;
  }

  /** How much of a way behind a wall is left to be seen: as the reader wants hidden things. */
  get remainder() {
    return hiddenLabels() === 'leaveOut' ? 0 : 0.22;
  }

  /**
   * Takes away from a drawing on the ground what lies behind walls. A wall stands on the ground: what it covers lies behind it.
   * @param {CanvasRenderingContext2D} c scaled to CSS pixels
   * @param {SceneFrame} frame
   */
  cut(c, frame) {
    const blocks = this.blocks(frame, c.canvas.width, c.canvas.height);
    if (!blocks) return;
    c.globalCompositeOperation = 'destination-out';
    c.globalAlpha = 1 - this.remainder;
    c.drawImage(blocks, 0, 0, frame.width, frame.height);
    c.globalAlpha = 1;
    c.globalCompositeOperation = 'source-over';
  }
}
