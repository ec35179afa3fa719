// Replaces the camera by a canvas, so that the picture's size is exactly what a test says. Everything from getUserMedia on
// is the page's own path. SIZE is put in by the test.
(() => {
  if (!navigator.mediaDevices) return; // No secure page, no camera.
  const [width, height] = SIZE;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  const paint = () => {
    const { width, height } = canvas;
    const sky = context.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, '#5f93bf');
    sky.addColorStop(0.62, '#c7d9e4');
    sky.addColorStop(0.63, '#77806f');
    sky.addColorStop(1, '#4a5346');
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    // A row of houses, the same in every frame.
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let x = -20; x < width; ) {
      const w = width * (0.05 + 0.07 * random());
      const h = height * (0.08 + 0.22 * random());
      const shade = 90 + Math.floor(70 * random());
      const top = height * 0.66 - h;
      context.fillStyle = `rgb(${shade + 30}, ${shade + 14}, ${shade})`;
      context.fillRect(x, top, w, h);
      context.fillStyle = `rgb(${shade - 20}, ${shade - 50}, ${shade - 55})`;
      context.beginPath();
      context.moveTo(x - 4, top);
      context.lineTo(x + w / 2, top - h * 0.25);
      context.lineTo(x + w + 4, top);
      context.fill();
      context.fillStyle = 'rgba(40, 50, 62, 0.75)';
      for (let wx = x + w * 0.15; wx < x + w * 0.8; wx += w * 0.25) {
        for (let wy = top + h * 0.12; wy < top + h * 0.85; wy += h * 0.22) context.fillRect(wx, wy, w * 0.12, h * 0.1);
      }
      x += w + width * 0.012 * random();
    }
  };
  paint();
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const show = () => {
    // A frame is only taken from what was drawn since the last one.
    context.fillStyle = context.fillStyle === '#000001' ? '#000002' : '#000001';
    context.fillRect(0, 0, 1, 1);
    track.requestFrame();
  };
  // Not oftener: each is scaled to the screen by software. One that is older than 300 ms the page takes for one that is late.
  setInterval(show, 200);
  Object.defineProperty(window, 'fakeCamera', {
    value: {
      calls: 0, track,
      /** The picture of a phone that was turned. */
      resize(w, h) {
        canvas.width = w;
        canvas.height = h;
        paint();
        show();
      },
    },
  });
  navigator.mediaDevices.getUserMedia = async () => {
    window.fakeCamera.calls += 1;
    show();
    return stream;
  };
})();
