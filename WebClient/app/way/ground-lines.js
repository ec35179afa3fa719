// Lines that lie on the ground, drawn with WebGL2: in metres, but never thinner than some points of the screen, and the way on foot as
// a ribbon with arrows. For the ground map of the departures and for the view of a world.

import { makeProgram } from '../models/program.js';
import { Instances } from './instances.js';

/**
 * @typedef {{ clipFromGround: Float32Array, user: ArrayLike<number>, focal: number, mapPart: number, reach: number, time: number }} Look
 *   from the ground (east, north, up, metres); where the user is there; points; how much of it is a map, 0 … 1; metres at which lines
 *   have faded away; seconds for arrows that run, 0 for such as stand
 */

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** Lines on the ground: one instance a piece, broad in metres but never thinner than some points on the screen. */
const LINE = {
  vertex: `${HEAD}
uniform mat4 clipFromGround;
uniform vec2 user;
uniform float focal;
uniform float more;
in vec2 corner;
in vec4 ends;
in vec4 color;
in vec4 shape;
in vec2 rise;
out vec4 tint;
out vec2 along;
out float away;
void main() {
  vec2 way = ends.zw - ends.xy;
  float span = max(length(way), 1e-3);
  vec2 ahead = way / span;
  vec2 side = vec2(-ahead.y, ahead.x);
  vec2 middle = mix(ends.xy, ends.zw, corner.x);
  float up = mix(rise.x, rise.y, corner.x);
  float depth = max(1.0, (clipFromGround * vec4(middle, up, 1.0)).w);
  float metresPerPoint = depth / focal;
  float half0 = 0.5 * clamp(shape.x, shape.y * metresPerPoint, shape.z * metresPerPoint) + more * metresPerPoint;
  vec2 place = middle + ahead * (corner.x * 2.0 - 1.0) * half0 + side * corner.y * half0;
  tint = color;
  along = vec2(shape.w + corner.x * span, corner.y);
  away = length(place - user);
  gl_Position = clipFromGround * vec4(place, up, 1.0);
}`,
  fragment: `${HEAD}
uniform float reach;
uniform float mapPart;
uniform float shift;
uniform vec4 casing;
in vec4 tint;
in vec2 along;
in float away;
out vec4 result;
void main() {
  float fade = mix(1.0 - smoothstep(reach * 0.4, reach, away), 1.0, mapPart);
  // A tint of no opacity is a way on foot: a ribbon with arrows that run to its end.
  float alpha = tint.a;
  vec3 tone = tint.rgb;
  if (tint.a < 0.0) {
    float place = (along.x + abs(along.y) * 2.4 - shift) / 9.0;
    float part = fract(place);
    float arrow = step(0.36, part) * step(part, 0.6) * (1.0 - smoothstep(0.12, 0.35, fwidth(place)));
    alpha = 0.94;
    tone = mix(tone, vec3(0.08, 0.1, 0.12), 0.8 * arrow);
    fade = 1.0;
  }
  vec4 paint = casing.a > 0.0 ? vec4(casing.rgb, casing.a * alpha) : vec4(tone, alpha);
  result = vec4(paint.rgb * paint.a * fade, paint.a * fade);
}`,
};

/** Points that a line is broader, and the colour it then has: once dark, once its own. */
const CASED = /** @type {const} */ ([[1.3, [0.03, 0.05, 0.07, 0.85]], [0, [0, 0, 0, 0]]]);
/** Metres that a ribbon is broad, and the least and the most points on the screen. */
const RIBBON = [2.6, 5, 14];
/** Metres from arrow to arrow, and how far they run in a second. */
const [ARROWS, SPEED] = [9, 5];

export class GroundLines {
  #line;
  #ribbon;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.#line = makeProgram(gl, LINE);
    this.#ribbon = this.pieces([['rise', 2]]);
  }

  /**
   * Room for lines, see `setPieces`.
   * @param {[string, number][]} more attributes; without `rise`, how high both ends are, all of it is flat
   */
  pieces(more = []) {
    const piece = { data: new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), layout: /** @type {[string, number][]} */ ([['corner', 2]]), mode: this.gl.TRIANGLE_STRIP };
    return new Instances(this.gl, this.#line, piece, [['ends', 4], ['color', 4], ['shape', 4], ...more]);
  }

  /** @param {Look} look of all that is drawn next; plain pieces may be drawn by themselves then */
  begin({ clipFromGround, user, focal, mapPart, reach, time }) {
    const { gl } = this;
    const line = this.#line;
    gl.useProgram(line.program);
    gl.uniformMatrix4fv(line.at('clipFromGround'), false, clipFromGround);
    gl.uniform2f(line.at('user'), user[0], user[1]);
    gl.uniform1f(line.at('focal'), focal);
    gl.uniform1f(line.at('reach'), reach);
    gl.uniform1f(line.at('mapPart'), mapPart);
    gl.uniform1f(line.at('shift'), (time * SPEED) % ARROWS);
    gl.uniform1f(line.at('more'), 0);
    gl.uniform4fv(line.at('casing'), [0, 0, 0, 0]);
  }

  /**
   * Over a dark line that is a little broader.
   * @param {Instances} pieces
   */
  draw(pieces) {
    const { gl } = this;
    const line = this.#line;
    gl.useProgram(line.program);
    for (const [more, casing] of CASED) {
      gl.uniform1f(line.at('more'), more);
      gl.uniform4fv(line.at('casing'), casing);
      pieces.draw();
    }
  }

  /**
   * A way on foot: a ribbon with arrows to its end.
   * @param {ArrayLike<number>} path east and north by turns, metres
   * @param {readonly number[]} color red, green, blue
   * @param {ArrayLike<number> | null} [rises] metres of its points over the ground here; without them all is flat
   */
  ribbon(path, color, rises = null) {
    const pieces = new Float32Array(7 * path.length);
    let along = 0;
    for (let k = 0; k + 3 < path.length; k += 2) {
      const up = rises ? [rises[k / 2], rises[k / 2 + 1]] : [0, 0];
      pieces.set([path[k], path[k + 1], path[k + 2], path[k + 3], ...color, -1, ...RIBBON, along, ...up], 7 * k);
      along += Math.hypot(path[k + 2] - path[k], path[k + 3] - path[k + 1]);
    }
    this.#ribbon.set(pieces, path.length / 2 - 1);
    this.draw(this.#ribbon);
  }
}

/**
 * Lines as pieces from point to point.
 * @param {Instances} instances
 * @param {{ path: Float64Array, color: readonly number[] }[]} lines
 * @param {readonly [number, number, number]} breadth metres, and the least and the most points on the screen
 */
export function setPieces(instances, lines, breadth) {
  const count = lines.reduce((sum, { path }) => sum + Math.max(0, path.length / 2 - 1), 0);
  const values = new Float32Array(12 * count);
  let at = 0;
  for (const { path, color } of lines) {
    for (let k = 0; k + 3 < path.length; k += 2) {
      values.set([path[k], path[k + 1], path[k + 2], path[k + 3]], at);
      values.set(color, at + 4);
      values.set(breadth, at + 8);
      at += 12;
    }
  }
  instances.set(values, count);
}

/**
 * Draws what lies behind the walls of the depth buffer, faintly.
 * @param {WebGL2RenderingContext} gl
 * @param {number} part of it that is seen
 * @param {() => void} draw
 */
export function drawBehind(gl, part, draw) {
  if (!part) return;
  gl.blendColor(0, 0, 0, part);
  gl.blendFunc(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA);
  gl.depthFunc(gl.GREATER);
  draw();
  gl.depthFunc(gl.LESS);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
}
