// A phone's motion as its browser tells it, sixty times a second: events dispatched by hand, from one movement that all
// of them agree with. The phone stands at an elevation and turns about the vertical; PLATFORM is 'android' or 'ios'.
(() => {
  const platform = PLATFORM;
  const RADIAN = Math.PI / 180;
  const tenth = (value) => Math.round(value * 10) / 10;
  // The browser's own events would contradict.
  for (const type of ['devicemotion', 'deviceorientation', 'deviceorientationabsolute']) {
    addEventListener(type, (event) => event.isTrusted && event.stopImmediatePropagation(), true);
  }
  if (platform === 'ios') delete globalThis.ondeviceorientationabsolute;
  const state = {
    // Degrees: α of a heading of 0 from magnetic north, β and γ; the camera's elevation.
    alpha: 0, beta: 90, gamma: 0, pitch: 0,
    // Degrees that the platform's own zero of α is turned away, and by which its compass is wrong.
    zero: 0, compassError: 0, accuracy: 5,
    // The turn: from, to (degrees, clockwise), begin and length (milliseconds).
    from: 0, to: 0, begin: 0, length: 1,
    sent: 0,
  };
  // A turn that begins and ends gently.
  const turn = (now) => {
    const s = Math.min(1, Math.max(0, (now - state.begin) / state.length));
    return state.from + (state.to - state.from) * (s - Math.sin(2 * Math.PI * s) / (2 * Math.PI));
  };
  let last = null;
  const sensors = () => {
    const now = performance.now();
    const heading = turn(now);
    // The mean since the sample before, as a phone's sensors give it: however late this comes, nothing is lost.
    const speed = last && now > last.now ? ((heading - last.heading) * 1000) / (now - last.now) : 0;
    last = { now, heading };
    // The world's "up" in the device: turning about it, clockwise as seen from above, is against its sense.
    const up = [0, Math.cos(state.pitch * RADIAN), -Math.sin(state.pitch * RADIAN)];
    const rate = up.map((part) => -part * speed);
    const sign = platform === 'ios' ? -1 : 1;
    const force = up.map((part) => sign * 9.81 * part);
    const round = platform === 'ios' ? (value) => value : tenth;
    dispatchEvent(new DeviceMotionEvent('devicemotion', {
      accelerationIncludingGravity: { x: round(force[0]), y: round(force[1]), z: round(force[2]) },
      acceleration: { x: 0, y: 0, z: 0 },
      rotationRate: { alpha: round(rate[0]), beta: round(rate[1]), gamma: round(rate[2]) },
      interval: platform === 'ios' ? 0.0167 : 16,
    }));
    const angles = (zero) => ({
      alpha: ((tenth(state.alpha - heading + zero) % 360) + 360) % 360,
      beta: tenth(state.beta),
      gamma: tenth(state.gamma),
    });
    if (platform === 'ios') {
      const event = new DeviceOrientationEvent('deviceorientation', { ...angles(state.zero), absolute: false });
      Object.defineProperty(event, 'webkitCompassHeading', {
        value: (((heading + state.compassError) % 360) + 360) % 360,
      });
      Object.defineProperty(event, 'webkitCompassAccuracy', { value: state.accuracy });
      dispatchEvent(event);
    } else {
      dispatchEvent(new DeviceOrientationEvent('deviceorientation', { ...angles(state.zero), absolute: false }));
      dispatchEvent(
        new DeviceOrientationEvent('deviceorientationabsolute', { ...angles(-state.compassError), absolute: true }),
      );
    }
    state.sent += 1;
  };
  let timer = 0;
  window.motion = {
    hold(values) {
      Object.assign(state, values, { begin: 0 });
      last = null;
      if (!timer) timer = setInterval(sensors, 16);
    },
    turn(to, length) {
      Object.assign(state, { from: turn(performance.now()), to, length, begin: performance.now() });
    },
    heading: () => turn(performance.now()),
    sent: () => state.sent,
    stop() {
      clearInterval(timer);
      timer = 0;
    },
  };
})();
