// Replaces camera and motion sensors by a recorded sequence: `sequencePlayer.step()` shows the next picture, once the readings before it were
// dispatched, and `performance.now()` is the sequence's clock, so that a slow machine plays slowly and sees the same. The camera's frames
// carry the grey levels of the files unchanged, and the stamps of the sequence as the time at which they were taken. SETUP is put in by the
// test: { width, height, angle, base, delay, part }; `angle` is how the screen was turned, `base` when the sequence begins on the page's clock, `delay` how long pictures are on their way, both
// milliseconds; `part` is what of the page's state tells of the pictures it looked at; a page without a video of its own in it gives that by `sightline.video()`. Everything from getUserMedia and devicemotion on is the page's own path.
(() => {
  if (!navigator.mediaDevices || window !== window.top) return;
  const { width, height, angle, base, delay, part } = SETUP;
  /** By how many quarters the screen was turned since: the browser turns the pictures along. */
  let quarters = 0;
  let now = base;
  let isPlaying = false;
  const real = performance.now.bind(performance);
  const origin = real();
  // Until the sequence plays, time runs as it does.
  performance.now = () => (isPlaying ? now : Math.min(base, real() - origin + 1));
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => frame(() => callback(performance.now()));
  for (const type of ['devicemotion', 'deviceorientation', 'deviceorientationabsolute']) {
    addEventListener(type, (event) => event.isTrusted && event.stopImmediatePropagation(), true);
  }
  // However large the page is: the pictures were taken so.
  Object.defineProperty(screen.orientation, 'angle', { get: () => (angle + 90 * quarters) % 360 });
  const generator = new MediaStreamTrackGenerator({ kind: 'video' });
  const writer = generator.writable.getWriter();
  Object.defineProperty(generator, 'label', { value: 'Test camera, back' });
  navigator.mediaDevices.getUserMedia = async () => new MediaStream([generator]);

  /** Callbacks of the page that wait for the next picture, and the browser's own function for them. */
  let waiting = [];
  const next = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    waiting.push(callback);
    return waiting.length;
  };
  HTMLVideoElement.prototype.cancelVideoFrameCallback = () => {};
  const presented = (video) => new Promise((resolve) => next.call(video, resolve));

  let written = 0;
  /** The picture as the browser has it: by each quarter what was right is at the top. */
  const turned = (pixels) => {
    let [w, h] = [width, height];
    for (let quarter = 0; quarter < quarters; quarter++) {
      const next = new Uint8Array(w * h);
      for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) next[(w - 1 - x) * h + y] = pixels[y * w + x];
      [pixels, w, h] = [next, h, w];
    }
    return { pixels, w, h };
  };
  const write = (original) => {
    const { pixels, w, h } = turned(original);
    const [luma, chroma] = [w * h, (w / 2) * (h / 2)];
    const bytes = new Uint8Array(luma + 2 * chroma).fill(128, luma);
    bytes.set(pixels);
    return writer.write(new VideoFrame(bytes, {
      format: 'I420', codedWidth: w, codedHeight: h, timestamp: (written++) * 33333,
      colorSpace: { fullRange: true, matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
    }));
  };
  const event = (reading) => {
    const made = new DeviceMotionEvent('devicemotion', {
      accelerationIncludingGravity: { x: reading.force[0], y: reading.force[1], z: reading.force[2] },
      rotationRate: { alpha: reading.rate[0], beta: reading.rate[1], gamma: reading.rate[2] }, interval: 16,
    });
    Object.defineProperty(made, 'timeStamp', { value: reading.time });
    return made;
  };
  const gray = async (url) => {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    return bytes.subarray(bytes.length - width * height);
  };
  const seen = () => {
    const { seen = 0, dropped = 0, paused = 0 } = window.sightline?.state()[part] ?? {};
    return seen + dropped + paused;
  };
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** A promise with an end: what never comes has to fail, not to wait for ever. */
  const within = (milliseconds, promise, what) =>
    Promise.race([promise, pause(milliseconds).then(() => { throw new Error(`not within ${milliseconds} ms: ${what}`); })]);

  window.sequencePlayer = {
    shown: 0,
    /** From now on the screen is turned by so many quarters against how it was when the sequence was taken. */
    turn(count) {
      quarters = count;
      screen.orientation.dispatchEvent(new Event('change'));
      dispatchEvent(new Event('orientationchange'));
    },
    /** Shows a picture until the camera runs and somebody looks at what it gives. */
    async begin(url) {
      const pixels = await gray(url);
      const isAwaited = () => {
        const state = window.sightline?.state()[part];
        return state?.camera === 'running' && state.isLooking && waiting.length > 0;
      };
      for (let tries = 0; !isAwaited(); tries++) {
        if (tries > 1000) throw new Error('nobody looks at the camera\'s pictures');
        await write(pixels);
        await pause(40);
      }
      isPlaying = true;
    },
    /** A picture with its stamp, after the readings before it; settles when the page has looked at it, or left it out. Milliseconds. */
    async step({ url, stamp, readings }) {
      const video = window.sightline.video?.() ?? document.querySelector('video.markers-video') ?? document.querySelector('#camera');
      const pixels = await gray(url);
      const arrival = stamp + delay;
      const before = seen();
      for (const reading of readings) {
        now = Math.max(now, reading.time);
        dispatchEvent(event(reading));
      }
      now = Math.max(now, arrival);
      const shown = presented(video);
      await write(pixels);
      await within(20_000, shown, 'a picture is shown');
      const callbacks = waiting;
      waiting = [];
      for (const callback of callbacks) callback(now, { captureTime: stamp, presentationTime: now, expectedDisplayTime: now, width: video.videoWidth, height: video.videoHeight });
      for (let tries = 0; seen() === before && tries < 400; tries++) await pause(tries < 40 ? 4 : 25);
      this.shown += 1;
      return seen() - before;
    },
  };
})();
