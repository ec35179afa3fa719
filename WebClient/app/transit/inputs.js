// Hands, keys and shakes on the view of the departures.

import { lookAround } from '../device/look-around.js';
import { ShakeDetector } from './gestures.js';

/**
 * @param {import('./page.js').TransitPage} page
 * @param {AbortSignal} signal ends it
 */
export function listenToUser(page, signal) {
  const { device, surface, scene } = page;
  const shake = new ShakeDetector();
  device.orientation.on('motion', ({ event, time }) => shake.add(event.specificForce ?? undefined, time) && void page.refresh());
  lookAround(surface, device.phone, {
    active: () => device.sources.direction === 'hand' && !scene.frame?.isMap,
    tap: (x, y) => {
      const pin = scene.ground.hit(x, y);
      page.choose(pin === null ? null : scene.stops[pin]);
    },
  });
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.target !== surface) return;
    if (event.type === 'keydown' && (event.key === '+' || event.key === '-')) {
      scene.map.zoom(event.key === '+' ? 1 / 1.25 : 1.25);
      event.preventDefault();
    } else if (event.type === 'keydown' && event.key === 'Escape') page.choose(null);
    else if (device.phone.key(event)) event.preventDefault();
  };
  surface.addEventListener('keydown', key, { signal });
  surface.addEventListener('keyup', key, { signal });
  surface.addEventListener('blur', () => device.phone.letGo(), { signal });
}
