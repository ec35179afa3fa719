// The page has a video of its own, here of the camera it has opened itself; a film works as well. The tracker looks at it.
import { cssFollow } from '../embed/css-bridge.js';
import { createTracker } from '../embed/tracker.js';

const video = /** @type {HTMLVideoElement} */ (document.querySelector('video'));
const sheet = /** @type {HTMLElement} */ (document.querySelector('.sheet'));
const start = /** @type {HTMLButtonElement} */ (document.querySelector('#start'));
const tracker = await createTracker({ markers: true, video });
const marker = tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } });

cssFollow(tracker, marker, sheet);
start.addEventListener('click', async () => {
  start.hidden = true;
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  await tracker.start();
});
start.disabled = false;
