// Draws the ground map with WebGL2: ground, map pictures, lines, the way on foot, vehicles, and pins that stand on it.
// Where everything is comes from the engine's frame; here it is only put on the screen.

import { Atlas, drawFace, drawNose, drawPlate, drawShadow, drawUser } from './atlas.js';
import { cross, screenAxes, unit } from './axes.js';
import { components } from './colors.js';
import { makeProgram } from '../models/program.js';
import { drawBehind, GroundLines, setPieces } from '../way/ground-lines.js';
import { Instances } from '../way/instances.js';
import { HEAD_RADIUS, pinMesh } from './pin-mesh.js';
import { GROUND, PIN, SPRITE, TILE } from './shaders.js';

/**
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 * @typedef {import('./axes.js').Axes} Axes
 * @typedef {{ east: number, north: number, color: string, mode: string, isSelected: boolean, isFavourite: boolean,
 *   isDim: boolean }} Pin
 * @typedef {{ east: number, north: number, bearing: number | null, name: string, color: string, text: string }} Cart
 * @typedef {{ corners: Float64Array, texture: WebGLTexture }} Tile corners: NW, NE, SW, SE, metres
 * @typedef {{ pins: Pin[], carts: Cart[], way: { east: number, north: number } | null, tiles: Tile[], time: number,
 *   isMoving: boolean, hide: ((gl: WebGL2RenderingContext) => boolean) | null, remainder: number }} Picture `hide` puts walls into the depth
 *   buffer, if there are any; `remainder`: how much of a pin or way behind them is seen
 */

/** How far the ground is drawn, metres. */
const RADIUS = 12_000;
/** Metres at which the ground of the view has faded away. */
const REACH = 3200;
const GROUND_COLOR = /** @type {const} */ ([0.075, 0.115, 0.15, 0.74]);
const STREET_COLOR = /** @type {const} */ ([0.22, 0.28, 0.33, 1]);
const SELECTED = '#ffcf5c';
const SPRITE_SIZE = 14;

export class GroundRenderer {
  #ground;
  #streets;
  /** @type {ArrayLike<number> | null} */
  #walked = null;
  #lines;
  #pins;
  #sprites;
  #programs;
  #corner;
  #tileBuffer;
  #tileArray;
  /** Values of instances, reused. */
  #pinValues = new Float32Array(0);
  #spriteValues = new Float32Array(0);
  #spriteCount = 0;

  /** @type {[GroundFrame, Picture] | null} */
  #last = null;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { alpha: true, premultipliedAlpha: true, antialias: true });
    if (!gl) throw new Error('this browser has no WebGL2');
    this.gl = gl;
    // What was drawn is gone with the task that drew it: a picture of the view asks for it again.
    canvas.addEventListener('redraw', () => this.#last && this.draw(...this.#last));
    this.atlas = new Atlas(gl);
    const programs = {
      ground: makeProgram(gl, GROUND), tile: makeProgram(gl, TILE), pin: makeProgram(gl, PIN),
      sprite: makeProgram(gl, SPRITE),
    };
    this.#programs = programs;
    const square = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
    this.#corner = new Instances(gl, programs.ground, { data: square, layout: [['corner', 2]], mode: gl.TRIANGLE_STRIP }, []);
    this.#ground = new GroundLines(gl);
    this.#streets = this.#ground.pieces();
    this.#lines = this.#ground.pieces();
    const mesh = pinMesh();
    this.#pins = new Instances(gl, programs.pin, { ...mesh, layout: [['position', 3], ['normal', 3]] }, [['foot', 4], ['color', 4]]);
    this.#sprites = new Instances(gl, programs.sprite, { data: square, layout: [['corner', 2]], mode: gl.TRIANGLE_STRIP }, [
      ['center', 3], ['across', 3], ['upwards', 3], ['part', 4], ['opacity', 1],
    ]);
    this.#tileBuffer = gl.createBuffer();
    this.#tileArray = gl.createVertexArray();
    gl.bindVertexArray(this.#tileArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#tileBuffer);
    gl.enableVertexAttribArray(programs.tile.attribute('corner'));
    gl.vertexAttribPointer(programs.tile.attribute('corner'), 4, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {number} ratio device pixels per CSS pixel
   */
  resize(width, height, ratio) {
    const scale = Math.min(2, ratio);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
  }

  /**
   * The lines that lie on the ground.
   * @param {{ path: Float64Array, color: string }[]} lines east and north by turns, metres
   */
  setLines(lines) {
    // Metres broad, but between so and so many points on the screen.
    setPieces(this.#lines, lines.map(({ path, color }) => ({ path, color: [...components(color), 1] })), [6, 3.2, 11]);
  }

  /**
   * The streets under them.
   * @param {Float64Array[]} paths east and north by turns, metres
   */
  setStreets(paths) {
    setPieces(this.#streets, paths.map((path) => ({ path, color: STREET_COLOR })), [7, 1, 16]);
  }

  /**
   * The way to what is chosen, which runs on from piece to piece.
   * @param {ArrayLike<number> | null} path east and north by turns, metres; none for a straight line from the user
   */
  setWay(path) {
    this.#walked = path && path.length >= 4 ? path : null;
  }

  /**
   * @param {GroundFrame} frame
   * @param {Picture} picture
   */
  draw(frame, picture) {
    this.#last = [frame, picture];
    const { gl } = this;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    const dark = frame.mapPart;
    gl.clearColor(GROUND_COLOR[0] * dark, GROUND_COLOR[1] * dark, GROUND_COLOR[2] * dark, dark);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!frame.isValid) return;
    // A map is looked at from above: there no wall hides anything.
    const isCut = frame.mapPart === 0 && (picture.hide?.(gl) ?? false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (isCut) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    gl.depthMask(false);
    const axes = screenAxes(frame);
    this.#drawGround(frame);
    this.#drawTiles(frame, picture.tiles);
    this.#drawLines(frame, picture);
    if (isCut) drawBehind(gl, picture.remainder, () => this.#drawWay(frame, picture));
    this.#drawWay(frame, picture);
    this.#beginSprites(picture);
    this.#putOnGround(frame, picture);
    this.#drawSprites(frame);
    gl.enable(gl.DEPTH_TEST);
    const pins = (/** @type {boolean} */ isWritten) => {
      gl.depthMask(isWritten);
      this.#drawPins(frame, picture.pins, axes);
      gl.depthMask(false);
      this.#beginSprites(picture);
      this.#putUpright(frame, picture, axes);
      this.#drawSprites(frame);
    };
    if (isCut) drawBehind(gl, picture.remainder, () => pins(false));
    pins(true);
    gl.depthMask(true);
    gl.disable(gl.DEPTH_TEST);
  }

  /** @param {GroundFrame} frame */
  #drawGround(frame) {
    const { gl } = this;
    const { ground } = this.#programs;
    gl.useProgram(ground.program);
    gl.uniformMatrix4fv(ground.at('clipFromGround'), false, frame.clipFromGround);
    gl.uniform2f(ground.at('user'), frame.user[0], frame.user[1]);
    gl.uniform1f(ground.at('radius'), RADIUS);
    gl.uniform4fv(ground.at('color'), GROUND_COLOR);
    gl.uniform1f(ground.at('reach'), REACH);
    gl.uniform1f(ground.at('mapPart'), frame.mapPart);
    gl.uniform1f(ground.at('grid'), frame.mapPart > 0.5 ? gridStep(frame.eye[2]) : 100);
    this.#corner.count = 1;
    this.#corner.draw();
  }

  /**
   * @param {GroundFrame} frame
   * @param {Tile[]} tiles
   */
  #drawTiles(frame, tiles) {
    if (tiles.length === 0) return;
    const { gl } = this;
    const { tile } = this.#programs;
    gl.useProgram(tile.program);
    gl.uniformMatrix4fv(tile.at('clipFromGround'), false, frame.clipFromGround);
    gl.uniform2f(tile.at('user'), frame.user[0], frame.user[1]);
    gl.uniform1f(tile.at('reach'), REACH);
    gl.uniform1f(tile.at('mapPart'), frame.mapPart);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindVertexArray(this.#tileArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#tileBuffer);
    for (const { corners: c, texture } of tiles) {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([
        c[0], c[1], 0, 0, c[2], c[3], 1, 0, c[4], c[5], 0, 1, c[6], c[7], 1, 1,
      ]), gl.DYNAMIC_DRAW);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.bindVertexArray(null);
  }

  /**
   * @param {GroundFrame} frame
   * @param {Picture} picture
   */
  #drawLines(frame, { time, isMoving }) {
    const { clipFromGround, user, focal, mapPart } = frame;
    this.#ground.begin({ clipFromGround, user, focal, mapPart, reach: REACH, time: isMoving ? time : 0 });
    this.#streets.draw();
    this.#ground.draw(this.#lines);
  }

  /**
   * The way to what is chosen; straight from the user where no other is known.
   * @param {GroundFrame} frame
   * @param {Picture} picture
   */
  #drawWay(frame, { way }) {
    if (way) this.#ground.ribbon(this.#walked ?? [frame.user[0], frame.user[1], way.east, way.north], components(SELECTED));
  }

  /**
   * @param {GroundFrame} frame
   * @param {Pin[]} pins
   * @param {Axes} axes
   */
  #drawPins(frame, pins, axes) {
    const { gl } = this;
    const { pin } = this.#programs;
    if (this.#pinValues.length < 8 * pins.length) this.#pinValues = new Float32Array(8 * pins.length);
    const values = this.#pinValues;
    let count = 0;
    for (let k = 0; k < pins.length; k++) {
      const placed = frame.pins[k];
      if (!placed?.isInView) continue;
      const one = pins[k];
      const [r, g, b] = components(one.isSelected ? SELECTED : one.color);
      const at = 8 * count++;
      values[at] = one.east;
      values[at + 1] = one.north;
      values[at + 2] = placed.height;
      values[at + 3] = one.isSelected ? 1.2 : 1;
      values[at + 4] = r;
      values[at + 5] = g;
      values[at + 6] = b;
      values[at + 7] = one.isDim ? 0.35 : 1;
    }
    this.#pins.set(values, count);
    gl.useProgram(pin.program);
    gl.uniformMatrix4fv(pin.at('clipFromGround'), false, frame.clipFromGround);
    gl.uniformMatrix3fv(pin.at('pinFrame'), false, axes.pin);
    gl.uniform3fv(pin.at('towardsLight'), axes.light);
    gl.uniform3fv(pin.at('towardsEye'), axes.out);
    this.#pins.draw();
  }

  /** @param {Picture} picture */
  #beginSprites({ pins, carts }) {
    const most = SPRITE_SIZE * (2 * pins.length + 2 * carts.length + 2);
    if (this.#spriteValues.length < most) this.#spriteValues = new Float32Array(most);
    this.#spriteCount = 0;
  }

  /**
   * @param {ArrayLike<number>} center
   * @param {ArrayLike<number>} across
   * @param {ArrayLike<number>} upwards
   * @param {number} size half a side, metres
   * @param {ArrayLike<number>} part
   * @param {number} opacity
   */
  #put(center, across, upwards, size, part, opacity) {
    const values = this.#spriteValues;
    const at = SPRITE_SIZE * this.#spriteCount++;
    for (let k = 0; k < 3; k++) {
      values[at + k] = center[k];
      values[at + 3 + k] = across[k] * size;
      values[at + 6 + k] = upwards[k] * size;
    }
    for (let k = 0; k < 4; k++) values[at + 9 + k] = part[k];
    values[at + 13] = opacity;
  }

  /**
   * What lies on the ground: shadows, the user, the way vehicles go.
   * @param {GroundFrame} frame
   * @param {Picture} picture
   */
  #putOnGround(frame, { pins, carts }) {
    const shadow = this.atlas.part('shadow', drawShadow);
    for (let k = 0; k < pins.length; k++) {
      const placed = frame.pins[k];
      if (!placed?.isInView) continue;
      this.#put([pins[k].east, pins[k].north, 0], EAST, NORTH, placed.height * 0.34, shadow, pins[k].isDim ? 0.3 : 1);
    }
    const depth = this.#depth(frame, frame.user[0], frame.user[1]);
    if (depth > 1) {
      const size = (46 * depth) / frame.focal;
      const [s, c] = [Math.sin(frame.heading), Math.cos(frame.heading)];
      this.#put([frame.user[0], frame.user[1], 0], [c, -s, 0], [s, c, 0], size, this.atlas.part('user', drawUser), 1);
    }
    for (const cart of carts) {
      const away = this.#depth(frame, cart.east, cart.north);
      if (away <= 1 || cart.bearing === null) continue;
      const size = (clampSize(away, 36, 20) * away) / frame.focal;
      const [s, c] = [Math.sin(cart.bearing), Math.cos(cart.bearing)];
      const part = this.atlas.part(`nose ${cart.color}`, drawNose(cart.color));
      this.#put([cart.east, cart.north, 0], [c, -s, 0], [s, c, 0], size, part, 1);
    }
  }

  /**
   * What stands towards the eye: the faces of pins, the name plates of vehicles.
   * @param {GroundFrame} frame
   * @param {Picture} picture
   * @param {Axes} axes
   */
  #putUpright(frame, { pins, carts }, axes) {
    for (let k = 0; k < pins.length; k++) {
      const placed = frame.pins[k];
      if (!placed?.isInView) continue;
      const pin = pins[k];
      const [a, big] = [frame.pinAxis, pin.isSelected ? 1.2 : 1];
      const head = [pin.east + a[0] * placed.height, pin.north + a[1] * placed.height, a[2] * placed.height];
      // Just before the ball, on the line to the eye: there it covers the ball's middle from wherever it is seen.
      const toEye = unit([frame.eye[0] - head[0], frame.eye[1] - head[1], frame.eye[2] - head[2]]);
      const before = placed.height * HEAD_RADIUS * big * 1.05;
      const center = [head[0] + toEye[0] * before, head[1] + toEye[1] * before, head[2] + toEye[2] * before];
      const part = this.atlas.part(`${pin.mode} ${pin.color} ${pin.isFavourite}`, drawFace(pin.mode, pin.color, pin.isFavourite));
      // Square to that line, or the ball would come through it at the side of the picture.
      const across = unit(cross(axes.up, toEye));
      this.#put(center, across, cross(toEye, across), placed.height * HEAD_RADIUS * big * 0.74, part, pin.isDim ? 0.4 : 1);
    }
    for (const cart of carts) {
      const away = this.#depth(frame, cart.east, cart.north);
      if (away <= 1) continue;
      const size = (clampSize(away, 27, 17) * away) / frame.focal;
      const part = this.atlas.part(`plate ${cart.name} ${cart.color}`, drawPlate(cart.name, cart.color, cart.text));
      this.#put([cart.east, cart.north, frame.mapPart > 0.5 ? 0.2 : size * 0.75], axes.right, axes.up, size, part, 1);
    }
  }

  /** @param {GroundFrame} frame */
  #drawSprites(frame) {
    const { gl } = this;
    const { sprite } = this.#programs;
    this.#sprites.set(this.#spriteValues, this.#spriteCount);
    this.atlas.bind();
    gl.useProgram(sprite.program);
    gl.uniformMatrix4fv(sprite.at('clipFromGround'), false, frame.clipFromGround);
    this.#sprites.draw();
  }

  /**
   * Along the line of sight, metres.
   * @param {GroundFrame} frame
   * @param {number} east
   * @param {number} north
   */
  #depth({ clipFromGround: m }, east, north) {
    return m[3] * east + m[7] * north + m[15];
  }

  close() {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}

const EAST = [1, 0, 0];
const NORTH = [0, 1, 0];

/**
 * Points on the screen for something so far away.
 * @type {(depth: number, near: number, far: number) => number}
 */
function clampSize(depth, near, far) {
  return Math.min(near, Math.max(far, (near * 160) / depth));
}

/**
 * A round number of metres between lines of the map's grid.
 * @param {number} height of the eye, metres
 */
export function gridStep(height) {
  const wanted = height / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * (wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1);
}
