// What the page's own modules say of the window, said of the view: where a finger is, and how large pictures are.

/** @typedef {import('../engine/types').EngineEvent} EngineEvent */

/** Pictures as labels: no larger than this part of the view's shorter side, and never smaller than a finger, CSS pixels. */
const PICTURE_PART = 0.3;
const LEAST_PICTURE = 72;

/**
 * @param {EngineEvent} event
 * @param {() => { left: number, top: number }} corner where the view begins in the window, CSS pixels
 * @param {() => { width: number, height: number }} size of the view
 * @returns {EngineEvent}
 */
export function inView(event, corner, size) {
  if (event.type === 'touch') {
    const { left, top } = corner();
    return { ...event, x: event.x - left, y: event.y - top };
  }
  if (event.type !== 'labelSize') return event;
  const { width, height } = size();
  const scale = Math.min(1, Math.max(LEAST_PICTURE, Math.min(width, height) * PICTURE_PART) / Math.max(event.width, event.height));
  return { ...event, width: event.width * scale, height: event.height * scale };
}
