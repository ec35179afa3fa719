// Replaces the camera by one before a wall whose every point is known: `wallCamera.pose(h)` with the map from pixels of the
// picture to metres of the wall, row by row. Everything from getUserMedia on is the page's own path. SETUP is put in by
// the test: { size, wall: [metres wide, metres high], density: pixels a metre, items }, items drawn in order, each
// { x, y, width, height } (middle and size in metres, y up) with an `image` (data address), a `color`, or `cells` of a marker.
// `wallCamera.turn({ maps, axis, degrees, milliseconds })` turns the camera about its lens as `maps` show it, in equal steps from the
// first to the last, and the gyroscope tells of the same turn: about `axis` (x right, y down, z forward). A phone that stands still
// tells so as well, from `wallCamera.hold()` on; from then on the browser also says when each picture was taken, as it does of a real
// camera: the picture's number stands as a grey in its corner.
(() => {
  if (!navigator.mediaDevices) return;
  const setup = SETUP;
  const [width, height] = setup.size;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: true, preserveDrawingBuffer: true });
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const [wide, tall] = setup.wall;
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, `#version 300 es
    in vec2 at; void main() { gl_Position = vec4(at, 0, 1); }`], [gl.FRAGMENT_SHADER, `#version 300 es
    precision highp float; uniform mat3 wallFromPicture; uniform vec4 wall; uniform float light; uniform sampler2D paint; out vec4 color;
    void main() {
      vec3 sum = vec3(0);
      for (int i = 0; i < 4; i++) {
        vec2 fine = (vec2(i % 2, i / 2) - 0.5) / 2.0;
        vec3 p = wallFromPicture * vec3(gl_FragCoord.x - 0.5 + fine.x, wall.w - 0.5 - gl_FragCoord.y + fine.y, 1);
        vec2 m = p.xy / p.z;
        sum += texture(paint, vec2(m.x / wall.x + 0.5, 0.5 - m.y / wall.y)).rgb;
      }
      color = vec4(sum / 4.0 * light, 1);
    }`]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  const place = gl.getAttribLocation(program, 'at');
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0);
  gl.uniform4f(gl.getUniformLocation(program, 'wall'), wide, tall, 0, height);

  const load = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  };
  const ready = (async () => {
    const paint = document.createElement('canvas');
    paint.width = Math.round(wide * setup.density);
    paint.height = Math.round(tall * setup.density);
    const c = paint.getContext('2d');
    c.fillStyle = setup.ground ?? '#b9b3a8';
    c.fillRect(0, 0, paint.width, paint.height);
    // Plaster: faint, and the same each time.
    let seed = 7;
    const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
    for (let i = 0; i < (setup.plaster ?? 5000); i++) {
      c.fillStyle = random() < 0.5 ? 'rgb(0 0 0 / 0.05)' : 'rgb(255 255 255 / 0.06)';
      c.fillRect(random() * paint.width, random() * paint.height, 2 + random() * 14, 2 + random() * 14);
    }
    for (const item of setup.items) {
      const x = (item.x - item.width / 2 + wide / 2) * setup.density;
      const y = (tall / 2 - item.y - item.height / 2) * setup.density;
      const [w, h] = [item.width * setup.density, item.height * setup.density];
      if (item.image) c.drawImage(await load(item.image), x, y, w, h);
      if (item.color) {
        c.fillStyle = item.color;
        c.fillRect(x, y, w, h);
      }
      item.cells?.forEach((row, r) => row.forEach((isWhite, k) => {
        c.fillStyle = isWhite ? '#f4f4f4' : '#101010';
        c.fillRect(Math.round(x + k * w / row.length), Math.round(y + r * h / row.length), Math.ceil(w / row.length), Math.ceil(h / row.length));
      }));
    }
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, paint);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.MIRRORED_REPEAT);
  })();

  let map = null;
  let light = 1;
  /** What the canvas shows. */
  let shown = { map, light };
  let turning = null;
  let isTold = false;
  // The share of a turn that begins and ends gently.
  const shareAt = (now) => {
    const s = Math.min(1, Math.max(0, (now - turning.begin) / turning.milliseconds));
    return s - Math.sin(2 * Math.PI * s) / (2 * Math.PI);
  };
  const drawn = new Array(16).fill(0);
  let number = 0;
  const CORNER = 12;
  const stamp = (now) => {
    number = (number + 1) % drawn.length;
    drawn[number] = now;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, height - CORNER, CORNER, CORNER);
    const grey = (number * 16 + 8) / 255;
    gl.clearColor(grey, grey, grey, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
  };
  const reader = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return request.call(this, (now, data) => {
      if (!isTold) return callback(now, data);
      reader.drawImage(this, 3, 3, CORNER - 6, CORNER - 6, 0, 0, 1, 1);
      const [grey] = reader.getImageData(0, 0, 1, 1).data;
      callback(now, { ...data, captureTime: drawn[Math.round((grey - 8) / 16)] });
    });
  };
  const show = () => {
    const now = performance.now();
    if (turning) map = turning.maps[Math.round(shareAt(now) * (turning.maps.length - 1))];
    if (!map) return;
    const isAsBefore = !isTold && shown.map === map && shown.light === light;
    shown = { map, light };
    // WebGL wants columns.
    const m = [map[0], map[3], map[6], map[1], map[4], map[7], map[2], map[5], map[8]];
    gl.uniformMatrix3fv(gl.getUniformLocation(program, 'wallFromPicture'), false, m);
    gl.uniform1f(gl.getUniformLocation(program, 'light'), light);
    // The same again is drawn in one of its pixels only: a frame is taken from a canvas that was drawn on since the last.
    if (isAsBefore) gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 1, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.SCISSOR_TEST);
    if (isTold) stamp(now);
    track.requestFrame();
  };
  // Not faster: the same processor draws this wall, finds it, and draws the posters.
  setInterval(show, 100);
  // The gyroscope, sixty times a second by its own clock: however late this comes, no reading is left out.
  const STEP = 16;
  let told = 0;
  const tellMotion = () => {
    const angle = ((screen.orientation?.angle ?? 0) * Math.PI) / 180;
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    while (isTold && told + STEP <= performance.now()) {
      const before = turning ? shareAt(told) : 0;
      told += STEP;
      const speed = turning ? ((shareAt(told) - before) * turning.degrees * 1000) / STEP : 0;
      const [x, y, z] = (turning?.axis ?? [0, 0, 0]).map((part) => part * speed);
      const event = new DeviceMotionEvent('devicemotion', {
        // The axes of the device, of those of the camera in a screen that is turned.
        rotationRate: { alpha: c * x - s * y, beta: -s * x - c * y, gamma: -z },
        interval: STEP,
      });
      Object.defineProperty(event, 'timeStamp', { value: told });
      dispatchEvent(event);
    }
  };
  setInterval(tellMotion, STEP);
  window.wallCamera = {
    calls: 0,
    hold() {
      if (!isTold) told = performance.now();
      isTold = true;
    },
    turn(next) {
      turning = { ...next, begin: performance.now() };
    },
    /** What share of the last turn is over. */
    turned: () => (turning ? shareAt(performance.now()) : 1),
    async pose(next) {
      turning = null;
      await ready;
      map = next;
      show();
    },
    light(next) {
      light = next;
    },
  };
  navigator.mediaDevices.getUserMedia = async () => {
    window.wallCamera.calls += 1;
    await ready;
    show();
    return stream;
  };
})();
