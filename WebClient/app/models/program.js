// A program of the graphics card out of its two shaders.

/**
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex
 * @param {string} fragment
 */
export function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  if (!program) throw new Error('the graphics card gives no program');
  for (const [type, source] of /** @type {const} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('the graphics card gives no shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`a shader cannot be compiled: ${gl.getShaderInfoLog(shader)}`);
    }
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`the shaders do not fit together: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {{ vertex: string, fragment: string }} source
 */
export function makeProgram(gl, { vertex, fragment }) {
  const program = link(gl, vertex, fragment);
  /** @type {Map<string, WebGLUniformLocation | null>} */
  const places = new Map();
  return {
    program,
    /** @param {string} name */
    at(name) {
      let place = places.get(name);
      if (place === undefined) places.set(name, place = gl.getUniformLocation(program, name));
      return place;
    },
    /** @param {string} name */
    attribute: (name) => gl.getAttribLocation(program, name),
  };
}
