// Draws the buildings around the user with WebGL2: as simple blocks, or into the depth buffer alone, so that what is drawn afterwards is cut
// by them.

import { link } from '../models/program.js';

const VERTEX = `#version 300 es
layout(location = 0) in vec4 corner;
uniform mat4 clipFromEye;
uniform vec3 eye;
/** Metres that the walls are farther away than they are, on the line to the eye: they stay where they are on the screen. */
uniform float push;
out float light;
out float away;
out float up;
void main() {
  vec3 way = corner.xyz - eye;
  light = corner.w;
  away = length(way.xy);
  up = corner.z;
  gl_Position = clipFromEye * vec4(way * (1.0 + push / max(length(way), 0.5)), 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 color;
uniform vec3 haze;
/** Metres at which the haze begins, and at which a block has faded away. */
uniform vec2 reach;
in float light;
in float away;
in float up;
out vec4 result;
void main() {
  vec3 tone = color * light * mix(0.86, 1.0, smoothstep(0.0, 14.0, up));
  float alpha = 1.0 - smoothstep(0.8 * reach.y, reach.y, away);
  result = vec4(mix(tone, haze, 0.75 * smoothstep(reach.x, reach.y, away)) * alpha, alpha);
}`;

export class Walls {
  #program;
  #array;
  #buffers;
  #at;
  /** @type {import('./hiding.js').HidingWalls | null} */
  #shown = null;
  #version = -1;
  #count = 0;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.#program = link(gl, VERTEX, FRAGMENT);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(this.#program, name);
    this.#at = { clip: at('clipFromEye'), eye: at('eye'), push: at('push'), color: at('color'), haze: at('haze'), reach: at('reach') };
    this.#array = gl.createVertexArray();
    this.#buffers = [gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[0]);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#buffers[1]);
    gl.bindVertexArray(null);
  }

  /**
   * @param {import('./hiding.js').HidingWalls} hiding
   * @param {number} version of its indices
   */
  use(hiding, version) {
    const { gl } = this;
    if (hiding === this.#shown && version === this.#version) return;
    gl.bindVertexArray(this.#array);
    if (hiding !== this.#shown) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[0]);
      gl.bufferData(gl.ARRAY_BUFFER, hiding.mesh.corners, gl.STATIC_DRAW);
    }
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, hiding.indices, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(null);
    [this.#shown, this.#version, this.#count] = [hiding, version, hiding.indices.length];
  }

  /**
   * @param {Float32Array} clipFromEye of directions east, north, up at the eye, by columns
   * @param {ArrayLike<number>} eye among the buildings, metres
   * @param {number} push metres
   */
  #draw(clipFromEye, eye, push) {
    const { gl } = this;
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(this.#at.clip, false, clipFromEye);
    gl.uniform3f(this.#at.eye, eye[0], eye[1], eye[2]);
    gl.uniform1f(this.#at.push, push);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.depthFunc(gl.LESS);
    gl.bindVertexArray(this.#array);
    gl.drawElements(gl.TRIANGLES, this.#count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }

  /**
   * Into the depth buffer alone.
   * @param {Float32Array} clipFromEye
   * @param {ArrayLike<number>} eye
   * @param {number} push metres behind a wall within which things are not cut
   */
  hide(clipFromEye, eye, push) {
    this.gl.colorMask(false, false, false, false);
    this.#draw(clipFromEye, eye, push);
    this.gl.colorMask(true, true, true, true);
  }

  /**
   * To be seen.
   * @param {Float32Array} clipFromEye
   * @param {ArrayLike<number>} eye
   * @param {{ color: number[], haze: number[], reach: number[] }} look
   */
  show(clipFromEye, eye, { color, haze, reach }) {
    const { gl } = this;
    gl.useProgram(this.#program);
    gl.uniform3fv(this.#at.color, color);
    gl.uniform3fv(this.#at.haze, haze);
    gl.uniform2fv(this.#at.reach, reach);
    this.#draw(clipFromEye, eye, 0);
  }
}
