// Soft shadows of things on the ground under them: dark discs that fade outwards, drawn before what casts them.

import { link } from './program.js';

/** @typedef {import('../../engine/things.js').ThingFrame} ThingFrame */

const VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
uniform mat4 clipFromCamera;
uniform vec3 side;
uniform vec3 ahead;
uniform vec3 center;
out vec2 place;
void main() {
  place = corner;
  gl_Position = clipFromCamera * vec4(center + side * corner.x + ahead * corner.y, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 place;
uniform float opacity;
out vec4 result;
void main() {
  float dark = opacity * (1.0 - smoothstep(0.35, 1.0, length(place)));
  result = vec4(0.0, 0.0, 0.0, dark);
}`;

export class Shadows {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = link(gl, VERTEX, FRAGMENT);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(this.program, name);
    this.places = {
      clip: at('clipFromCamera'), side: at('side'), ahead: at('ahead'), center: at('center'), opacity: at('opacity'),
    };
    this.array = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
  }

  /**
   * @param {ThingFrame} frame
   * @param {boolean} isCut by what is in the depth buffer
   */
  draw({ things, count, clipFromCamera, light }, isCut) {
    const { gl, places } = this;
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(places.clip, false, clipFromCamera);
    gl.bindVertexArray(this.array);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (isCut) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
    gl.depthMask(false);
    gl.disable(gl.CULL_FACE);
    for (let k = 0; k < count; k++) {
      const { state, shadow, shadowOpacity } = things[k];
      const opacity = shadowOpacity * light.shadow;
      if (state === 'wanted' || opacity < 0.01) continue;
      gl.uniform3f(places.side, shadow[0], shadow[1], shadow[2]);
      gl.uniform3f(places.ahead, shadow[3], shadow[4], shadow[5]);
      gl.uniform3f(places.center, shadow[6], shadow[7], shadow[8]);
      gl.uniform1f(places.opacity, opacity);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.bindVertexArray(null);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  delete() {
    this.gl.deleteVertexArray(this.array);
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteProgram(this.program);
  }
}
