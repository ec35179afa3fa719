// A fixed shape drawn many times: vertices that stay, and a table of instances that is written anew.

/**
 * @typedef {ReturnType<typeof import('./shaders.js').makeProgram>} Program
 * @typedef {[name: string, size: number][]} Layout
 */

export class Instances {
  #table;
  #vertices;
  #indices;

  /**
   * @param {WebGL2RenderingContext} gl
   * @param {Program} program
   * @param {{ data: Float32Array, layout: Layout, indices?: Uint16Array, mode?: number }} shape
   * @param {Layout} layout of an instance
   */
  constructor(gl, program, shape, layout) {
    this.gl = gl;
    this.program = program;
    this.mode = shape.mode ?? gl.TRIANGLES;
    this.size = layout.reduce((sum, [, size]) => sum + size, 0);
    this.count = 0;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.#vertices = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices);
    gl.bufferData(gl.ARRAY_BUFFER, shape.data, gl.STATIC_DRAW);
    const stride = shape.layout.reduce((sum, [, size]) => sum + size, 0);
    this.vertexCount = shape.data.length / stride;
    attributes(gl, program, shape.layout, 0);
    this.#table = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#table);
    attributes(gl, program, layout, 1);
    this.#indices = shape.indices ? gl.createBuffer() : null;
    this.indexCount = shape.indices?.length ?? 0;
    if (shape.indices) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indices);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, shape.indices, gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
  }

  /**
   * @param {Float32Array} values
   * @param {number} count instances
   */
  set(values, count) {
    const { gl } = this;
    this.count = count;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#table);
    gl.bufferData(gl.ARRAY_BUFFER, values.subarray(0, count * this.size), gl.DYNAMIC_DRAW);
  }

  draw() {
    const { gl } = this;
    if (this.count === 0) return;
    gl.bindVertexArray(this.array);
    if (this.#indices) gl.drawElementsInstanced(this.mode, this.indexCount, gl.UNSIGNED_SHORT, 0, this.count);
    else gl.drawArraysInstanced(this.mode, 0, this.vertexCount, this.count);
    gl.bindVertexArray(null);
  }
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {Program} program
 * @param {Layout} layout
 * @param {0 | 1} divisor
 */
function attributes(gl, program, layout, divisor) {
  const stride = 4 * layout.reduce((sum, [, size]) => sum + size, 0);
  let offset = 0;
  for (const [name, size] of layout) {
    const place = program.attribute(name);
    if (place >= 0) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(place, divisor);
    }
    offset += 4 * size;
  }
}

/** Radius of a pin's head, in lengths from its foot to the middle of its head. */
export const HEAD_RADIUS = 0.36;
const AROUND = 28;

/**
 * A pin: foot at the origin, middle of its head at (0, 0, 1). A cone that runs into a ball without an edge.
 */
export function pinMesh() {
  const r = HEAD_RADIUS;
  /** @type {[radius: number, z: number, outward: number, up: number][]} */
  const outline = [];
  // Where a line from the foot touches the ball, and which way the surface faces there.
  const touch = Math.asin(r);
  for (const part of [0, 0.35, 0.7, 1]) {
    const reach = part * Math.cos(touch);
    outline.push([Math.max(0.006, reach * Math.sin(touch)), reach * Math.cos(touch), Math.cos(touch), -Math.sin(touch)]);
  }
  const steps = 12;
  for (let k = 1; k <= steps; k++) {
    const angle = -touch + ((Math.PI / 2 + touch) * k) / steps;
    outline.push([r * Math.cos(angle), 1 + r * Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
  }
  const data = new Float32Array(outline.length * (AROUND + 1) * 6);
  /** @type {number[]} */
  const indices = [];
  let at = 0;
  outline.forEach(([radius, z, outward, up], row) => {
    for (let k = 0; k <= AROUND; k++) {
      const a = (2 * Math.PI * k) / AROUND;
      data.set([radius * Math.cos(a), radius * Math.sin(a), z, outward * Math.cos(a), outward * Math.sin(a), up], at);
      at += 6;
      if (row === 0 || k === AROUND) continue;
      const [here, below] = [row * (AROUND + 1) + k, (row - 1) * (AROUND + 1) + k];
      indices.push(below, below + 1, here, here, below + 1, here + 1);
    }
  });
  return { data, indices: new Uint16Array(indices) };
}
