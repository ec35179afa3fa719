// The tracker for pages that draw with WebGL themselves: the camera's picture as a texture, and matrices as WebGL wants them. With
// WebGL 1 and 2; the context is the page's, and its state is left as it was found.
//
// The engine's camera looks along z with y down; here, as in WebGL, it looks against z with y up.

import { product } from '../app/models/matrices.js';
import { cover } from './display-matrix.js';

/**
 * @typedef {import('./tracker.js').Tracker} Tracker
 * @typedef {import('./anchor.js').Anchor} Anchor
 * @typedef {import('./tracker.js').TrackerFrame} TrackerFrame
 * @typedef {WebGLRenderingContext | WebGL2RenderingContext} GL
 */

/** Turns the engine's camera axes into those of WebGL, and back. */
const FLIP = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];

const VERTEX = `
attribute vec2 corner;
uniform vec4 crop;
varying vec2 at;
void main() {
  at = crop.xy + vec2(corner.x, 1.0 - corner.y) * crop.zw;
  gl_Position = vec4(corner * 2.0 - 1.0, 1.0, 1.0);
}`;
const FRAGMENT = `
precision mediump float;
varying vec2 at;
uniform sampler2D picture;
void main() { gl_FragColor = vec4(texture2D(picture, at).rgb, 1.0); }`;

export class WebGLBridge {
  /** Clip space of the view from the camera, by columns; `null` before the first frame. */
  projection = /** @type {Float32Array | null} */ (null);
  /** The part of `texture` that the view shows: left, top, width, height, 0 … 1, y down. */
  crop = /** @type {[number, number, number, number]} */ ([0, 0, 1, 1]);
  /** Whether there is a picture in `texture`. */
  hasPicture = false;
  /** @type {WebGLTexture} its first row is the picture's top */
  texture;
  #gl;
  #program;
  #corners;
  /** @type {(() => void)[]} */
  #offs;

  /**
   * @param {Tracker} tracker
   * @param {GL} gl
   */
  constructor(tracker, gl) {
    this.#gl = gl;
    const [texture, corners] = [gl.createTexture(), gl.createBuffer()];
    if (!texture || !corners) throw new Error('the graphics card gives no texture: make the bridge again when the context is restored');
    this.texture = texture;
    this.#corners = corners;
    this.#program = link(gl);
    keeping(gl, () => {
      gl.bindBuffer(gl.ARRAY_BUFFER, corners);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.LINEAR);
    });
    // Before those of the page, which draw what is put together here.
    this.#offs = [tracker.on('frame', (frame) => this.#follow(tracker, frame))];
  }

  /**
   * @param {Tracker} tracker
   * @param {TrackerFrame} frame
   */
  #follow(tracker, frame) {
    if (frame.projection) this.projection = product(frame.projection, FLIP);
    const { video } = tracker;
    const isNear = frame.anchors.some(({ kind, isVisible }) => kind !== 'place' && isVisible);
    // While a print is near, the picture is the one that it was found in; otherwise the live one is earlier.
    if (frame.image && frame.picture) {
      if (isNear || !tracker.has('geo')) this.#take(frame.image, frame.picture, frame);
    } else if (!isNear && video && video.readyState >= video.HAVE_CURRENT_DATA) {
      this.#take(video, { width: video.videoWidth, height: video.videoHeight }, frame);
    }
  }

  /**
   * @param {any} image
   * @param {{ width: number, height: number }} picture
   * @param {{ width: number, height: number }} view
   */
  #take(image, picture, view) {
    const gl = this.#gl;
    if (gl.isContextLost()) return;
    keeping(gl, () => {
      gl.bindTexture(gl.TEXTURE_2D, this.texture);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    });
    this.hasPicture = true;
    const { scale, left, top } = cover(view, picture);
    const [width, height] = [picture.width * scale, picture.height * scale];
    this.crop = [left / width, top / height, view.width / width, view.height / height];
  }

  /**
   * From an anchor's frame to the camera's, by columns; `null` while it is not seen. A print has x right, y up, z out of it; a place
   * x east, y north, z up; metres.
   * @param {Anchor} anchor
   */
  modelView({ isVisible, cameraFromAnchor }) {
    return isVisible && cameraFromAnchor ? product(FLIP, cameraFromAnchor) : null;
  }

  /** Fills the viewport with what the camera sees, at the farthest depth, which it does not write. */
  drawBackground() {
    const gl = this.#gl;
    if (!this.hasPicture || gl.isContextLost()) return;
    keeping(gl, () => {
      gl.useProgram(this.#program);
      gl.bindTexture(gl.TEXTURE_2D, this.texture);
      gl.uniform1i(gl.getUniformLocation(this.#program, 'picture'), 0);
      gl.uniform4fv(gl.getUniformLocation(this.#program, 'crop'), this.crop);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#corners);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      if ('vertexAttribDivisor' in gl) gl.vertexAttribDivisor(0, 0);
      for (const test of testsOf(gl)) gl.disable(test);
      gl.depthMask(false);
      gl.colorMask(true, true, true, true);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    });
  }

  /** Ends it, and gives back what it has of the graphics card. */
  stop() {
    for (const off of this.#offs) off();
    this.hasPicture = false;
    const gl = this.#gl;
    gl.deleteTexture(this.texture);
    gl.deleteBuffer(this.#corners);
    gl.deleteProgram(this.#program);
  }
}

/** @param {GL} gl */
function link(gl) {
  const program = gl.createProgram();
  if (!program) throw new Error('the graphics card gives no program: make the bridge again when the context is restored');
  for (const [type, source] of /** @type {const} */ ([[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]])) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('the graphics card gives no shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.bindAttribLocation(program, 0, 'corner');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`the shaders do not fit together: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}

/** @param {GL} gl */
const testsOf = (gl) => [gl.DEPTH_TEST, gl.BLEND, gl.CULL_FACE, gl.STENCIL_TEST];

/**
 * Does something with a context, and leaves it as it was.
 * @param {GL} gl
 * @param {() => void} work
 */
function keeping(gl, work) {
  const get = (/** @type {number} */ name) => gl.getParameter(name);
  const unit = get(gl.ACTIVE_TEXTURE);
  gl.activeTexture(gl.TEXTURE0);
  const [program, buffer, texture] = [get(gl.CURRENT_PROGRAM), get(gl.ARRAY_BUFFER_BINDING), get(gl.TEXTURE_BINDING_2D)];
  const [isFlipped, isDeep, colors] = [get(gl.UNPACK_FLIP_Y_WEBGL), get(gl.DEPTH_WRITEMASK), get(gl.COLOR_WRITEMASK)];
  const tests = testsOf(gl).filter((test) => gl.isEnabled(test));
  const of = (/** @type {number} */ name) => gl.getVertexAttrib(0, name);
  const [wasOn, source] = [of(gl.VERTEX_ATTRIB_ARRAY_ENABLED), of(gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)];
  const [size, type, isNormalized, stride] = [
    of(gl.VERTEX_ATTRIB_ARRAY_SIZE), of(gl.VERTEX_ATTRIB_ARRAY_TYPE), of(gl.VERTEX_ATTRIB_ARRAY_NORMALIZED), of(gl.VERTEX_ATTRIB_ARRAY_STRIDE),
  ];
  const offset = gl.getVertexAttribOffset(0, gl.VERTEX_ATTRIB_ARRAY_POINTER);
  const divisor = 'vertexAttribDivisor' in gl ? of(gl.VERTEX_ATTRIB_ARRAY_DIVISOR) : 0;
  try {
    work();
  } finally {
    if (source) {
      gl.bindBuffer(gl.ARRAY_BUFFER, source);
      gl.vertexAttribPointer(0, size, type, isNormalized, stride, offset);
    }
    if (!wasOn) gl.disableVertexAttribArray(0);
    if ('vertexAttribDivisor' in gl) gl.vertexAttribDivisor(0, divisor);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.activeTexture(unit);
    gl.useProgram(program);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, isFlipped);
    gl.depthMask(isDeep);
    gl.colorMask(colors[0], colors[1], colors[2], colors[3]);
    for (const test of tests) gl.enable(test);
  }
}

/**
 * @param {Tracker} tracker
 * @param {GL} gl
 */
export function webglBridge(tracker, gl) {
  if (typeof gl?.texImage2D !== 'function') throw new TypeError('gl: give a context of WebGL, such as canvas.getContext(\'webgl\')');
  return new WebGLBridge(tracker, gl);
}
