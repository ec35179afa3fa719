// How far the phone is above the ground on which the reader stands or sits: his choice, kept on this phone. Where nobody knows the ground,
// it is that far below.

import { load, save } from '../core/storage.js';

/** As the engine has it until it is told: metres. */
export const USUAL_EYE_HEIGHT = 1.5;
/** What can be chosen: from a child's hand to a raised one. */
export const EYE_HEIGHTS = /** @type {const} */ ([0.6, 0.8, 1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2]);
const KEPT = 'eyeHeight';

/** @type {Set<() => void>} */
const listeners = new Set();
/**
 * Asked for in every frame.
 * @type {number | null}
 */
let chosen = null;

/** Metres. */
export function eyeHeight() {
  if (chosen === null) {
    const kept = load(KEPT, USUAL_EYE_HEIGHT);
    chosen = EYE_HEIGHTS.find((one) => one === kept) ?? USUAL_EYE_HEIGHT;
  }
  return chosen;
}

/** @param {number} metres */
export function setEyeHeight(metres) {
  chosen = metres;
  save(KEPT, metres === USUAL_EYE_HEIGHT ? undefined : metres);
  for (const listener of listeners) listener();
}

/**
 * Has a session's engine know it, every other choice, and every other engine; a recording that begins later has it too.
 * @param {import('./session.js').Session} session
 */
export function tellEyeHeight(session) {
  const event = () => ({ type: /** @type {const} */ ('setEyeHeight'), height: eyeHeight() });
  const tell = () => session.tell(event());
  const tellUnlessUsual = () => eyeHeight() !== USUAL_EYE_HEIGHT && tell();
  tellUnlessUsual();
  session.on('restarted', tellUnlessUsual);
  session.on('recorded', (recorder) => eyeHeight() !== USUAL_EYE_HEIGHT && recorder?.event(event(), performance.now() / 1000));
  listeners.add(tell);
  session.closed.addEventListener('abort', () => listeners.delete(tell));
}
