// A fixed shape drawn many times: vertices that stay, and a table of instances that is written anew.

/**
 * @typedef {ReturnType<typeof import('../models/program.js').makeProgram>} Program
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
