// A panel over a marker that hangs on a wall: 30 cm wide, and its button works.
import { cssFollow } from '../embed/css-bridge.js';
import { videoBackground } from '../embed/three-bridge.js';
import { createTracker } from '../embed/tracker.js';

const host = /** @type {HTMLElement} */ (document.querySelector('#view'));
const panel = /** @type {HTMLElement} */ (document.querySelector('.panel'));
const start = /** @type {HTMLButtonElement} */ (document.querySelector('#start'));
const tracker = await createTracker({ markers: true });
const marker = tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } });

videoBackground(tracker, host);
cssFollow(tracker, marker, panel, { width: 0.3 });
panel.querySelector('button')?.addEventListener('click', ({ currentTarget }) => {
  /** @type {HTMLElement} */ (currentTarget).textContent = 'Welcome';
});
start.addEventListener('click', () => {
  start.hidden = true;
  void tracker.start();
});
start.disabled = false;
