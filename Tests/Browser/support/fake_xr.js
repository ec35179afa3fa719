// A phone with WebXR: a room with one floor and one wall, a scripted path, hit tests by rays, anchors; it loses its place, resets its world
// and ends when the test says so. Frames come when the test asks for them, so that nothing depends on time.
// World: x right, y up, z back; the floor is y = 0, the wall z = -4. SETUP: { anchors, refuse, supported }.
(() => {
  const setup = SETUP;
  // A camera that is let go of can be had again.
  const camera = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => (await camera(wanted)).clone();
  const spaces = { viewer: new EventTarget(), 'local-floor': new EventTarget() };
  // Where the phone is in the room, and where its own world lies in the room: a reset moves that.
  const fake = window.fakeXR = {
    pose: { x: 0, y: 1.5, z: 0, yaw: 0, pitch: -0.6 }, isLost: false, isEmulated: false, shift: [0, 0, 0], session: null, asked: 0, options: null,
    frames: 0, anchors: 0,
  };
  const matrixOf = ({ x, y, z, yaw = 0, pitch = 0 }) => {
    const [a, b, c, s] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return Float32Array.of(a, 0, -b, 0, b * s, c, a * s, 0, b * c, -s, a * c, 0, x, y, z, 1);
  };
  const transform = (matrix) => ({ matrix });
  const inWorld = ([x, y, z]) => [x + fake.shift[0], y + fake.shift[1], z + fake.shift[2]];
  const viewer = () => {
    const [x, y, z] = inWorld([fake.pose.x, fake.pose.y, fake.pose.z]);
    return matrixOf({ ...fake.pose, x, y, z });
  };
  // 55° from top to bottom of whatever the display is.
  fake.projection = () => {
    const [f, aspect, near, far] = [1 / Math.tan(55 / 2 * Math.PI / 180), innerWidth / innerHeight, 0.05, 60];
    return Float32Array.of(f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0);
  };
  // Where a point of the room is on the display, CSS pixels, by this device alone.
  fake.onDisplay = ([px, py, pz]) => {
    const m = matrixOf(fake.pose), p = fake.projection();
    const d = [px - fake.pose.x, py - fake.pose.y, pz - fake.pose.z];
    const v = [0, 1, 2].map((k) => m[4 * k] * d[0] + m[4 * k + 1] * d[1] + m[4 * k + 2] * d[2]);
    return [(p[0] * v[0] / -v[2] + 1) / 2 * innerWidth, (1 - p[5] * v[1] / -v[2]) / 2 * innerHeight];
  };
  // What is under a point of the display: the truth of a tap.
  fake.under = (x, y) => {
    const p = fake.projection();
    return meet([(2 * x / innerWidth - 1) / p[0], (1 - 2 * y / innerHeight) / p[5], -1])?.point ?? null;
  };
  const meet = ([dx, dy, dz]) => {
    const m = matrixOf(fake.pose);
    const d = [0, 1, 2].map((k) => m[k] * dx + m[4 + k] * dy + m[8 + k] * dz);
    const { x, y, z } = fake.pose;
    const down = d[1] < 0 ? -y / d[1] : Infinity, ahead = d[2] < 0 ? (-4 - z) / d[2] : Infinity;
    const way = Math.min(down, ahead);
    if (!(way < 30)) return null;
    return { point: [x + way * d[0], y + way * d[1], z + way * d[2]], isWall: ahead < down };
  };
  window.XRRay = class {
    constructor(origin, direction) { Object.assign(this, { origin, direction }); }
  };
  window.XRWebGLLayer = class {
    constructor(session, gl) {
      // The default framebuffer, which a screenshot shows.
      this.framebuffer = null;
      gl.canvas.width = innerWidth * devicePixelRatio;
      gl.canvas.height = innerHeight * devicePixelRatio;
      this.size = [gl.canvas.width, gl.canvas.height];
    }
    getViewport() { return { x: 0, y: 0, width: this.size[0], height: this.size[1] }; }
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => undefined;
  class Session extends EventTarget {
    visibilityState = 'visible';
    #callbacks = [];
    isOver = false;
    tracked = new Set();
    async requestReferenceSpace(type) { return spaces[type]; }
    async requestHitTestSource({ offsetRay }) {
      const { x, y, z } = offsetRay.direction;
      return { direction: [x, y, z], isCancelled: false, cancel() { this.isCancelled = true; } };
    }
    requestAnimationFrame(callback) { this.#callbacks.push(callback); }
    updateRenderState({ baseLayer }) { this.baseLayer = baseLayer; }
    step() {
      const isGone = fake.isLost;
      const frame = {
        getViewerPose: () => (isGone ? null : { transform: transform(viewer()), emulatedPosition: fake.isEmulated, views: [{ projectionMatrix: fake.projection() }] }),
        getPose: (space) => (isGone || !space.room ? null : { transform: transform(matrixOf(Object.fromEntries(inWorld(space.room).map((value, k) => ['xyz'[k], value])))) }),
        getHitTestResults: ({ direction, isCancelled }) => {
          const hit = isGone || isCancelled ? null : meet(direction);
          if (!hit) return [];
          const [x, y, z] = inWorld(hit.point);
          return [{ getPose: () => ({ transform: transform(matrixOf({ x, y, z, pitch: hit.isWall ? Math.PI / 2 : 0 })) }) }];
        },
        trackedAnchors: this.tracked,
      };
      if (setup.anchors) {
        frame.createAnchor = async ({ matrix }) => {
          fake.anchors += 1;
          const anchor = { anchorSpace: { room: [12, 13, 14].map((k, axis) => matrix[k] - fake.shift[axis]) }, delete: () => this.tracked.delete(anchor) };
          this.tracked.add(anchor);
          return anchor;
        };
      }
      fake.frames += 1;
      for (const callback of this.#callbacks.splice(0)) callback(performance.now(), frame);
    }
    async end() {
      if (this.isOver) throw new DOMException('over', 'InvalidStateError');
      this.isOver = true;
      this.dispatchEvent(new Event('end'));
    }
  }
  // Some frames, each with time for what it was waited for.
  fake.step = async (count = 1, pose = {}) => {
    Object.assign(fake.pose, pose);
    for (let k = 0; k < count; k += 1) {
      fake.session.step();
      await new Promise((done) => setTimeout(done, 4));
    }
  };
  fake.reset = (shift) => {
    fake.shift = shift;
    spaces['local-floor'].dispatchEvent(new Event('reset'));
  };
  Object.defineProperty(navigator, 'xr', { configurable: true, value: {
    isSessionSupported: async (mode) => setup.supported && mode === 'immersive-ar',
    requestSession: async (mode, options) => {
      Object.assign(fake, { asked: fake.asked + 1, options: { ...options, root: options.domOverlay.root.tagName } });
      if (!navigator.userActivation.isActive) throw new DOMException('no tap', 'SecurityError');
      if (setup.refuse) throw new DOMException('refused', setup.refuse);
      return (fake.session = new Session());
    },
  } });
})();
