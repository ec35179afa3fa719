// The outline of a marker, drawn by the page itself: the tracker has no view.
import { createTracker } from '../embed/tracker.js';

const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('#start'));
const painter = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const tracker = await createTracker({ markers: true });
const marker = tracker.add({ marker: { dictionary: '6x6-250', id: 0, size: 0.06 } });

tracker.on('frame', ({ image, picture, width, height }) => {
  if (!image || !picture) return;
  [canvas.width, canvas.height] = [width, height];
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [picture.width * scale, picture.height * scale];
  painter.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
  if (!marker.corners) return;
  painter.beginPath();
  for (const [x, y] of marker.corners) painter.lineTo(x, y);
  painter.closePath();
  [painter.lineWidth, painter.strokeStyle] = [4, '#f0f'];
  painter.stroke();
});
button.addEventListener('click', () => {
  button.hidden = true;
  void tracker.start();
});
button.disabled = false;
