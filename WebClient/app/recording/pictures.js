// Takes small pictures of the camera for a recording.

/** Pictures a second, and their longer side in pixels: enough to see what was there. */
const INTERVAL_MS = 200;
const LONG_SIDE = 640;
const QUALITY = 0.7;

/**
 * @param {HTMLVideoElement} video
 * @param {(width: number, height: number, jpeg: Uint8Array, time: number) => void} take
 * @returns {() => void} stops it
 */
export function takePictures(video, take) {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false });
  let busy = false;
  let stopped = false;
  const timer = setInterval(() => {
    const { videoWidth, videoHeight } = video;
    if (busy || !context || !videoWidth || video.paused) return;
    const scale = Math.min(1, LONG_SIDE / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    const time = performance.now() / 1000;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { width, height } = canvas;
    busy = true;
    canvas.toBlob(async (blob) => {
      const bytes = blob && new Uint8Array(await blob.arrayBuffer());
      busy = false;
      if (bytes && !stopped) take(width, height, bytes, time);
    }, 'image/jpeg', QUALITY);
  }, INTERVAL_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
