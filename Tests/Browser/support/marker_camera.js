// Replaces the camera by a canvas that shows pictures as the test says: `markerCamera.show(name)`. Everything from
// getUserMedia on is the page's own path. SIZE and PICTURES are put in by the test.
(() => {
  if (!navigator.mediaDevices) return;
  const [width, height] = SIZE;
  const pictures = PICTURES;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  let track = null;
  let image = null;
  const paint = () => {
    if (image) context.drawImage(image, 0, 0);
    // A frame is only taken from what was drawn since the last one.
    else context.fillRect(0, 0, 1, 1);
    track?.requestFrame();
  };
  setInterval(paint, 40);
  window.markerCamera = {
    calls: 0,
    async show(name) {
      const next = new Image();
      next.src = `data:image/png;base64,${pictures[name]}`;
      await next.decode();
      image = next;
      paint();
    },
  };
  navigator.mediaDevices.getUserMedia = async () => {
    window.markerCamera.calls += 1;
    // Who has stopped a camera gets a new one.
    const stream = canvas.captureStream(0);
    [track] = stream.getVideoTracks();
    // A canvas is named anew each time; what is known of a camera is kept by its name.
    Object.defineProperty(track, 'label', { value: 'Test camera, back' });
    paint();
    return stream;
  };
})();
