// What a tracker says when something is not there, or does not work: with what to do.

export class TrackerError extends Error {
  /**
   * @param {string} code `camera-denied`, `camera-missing`, `location-denied` …, `insecure`, `engine`, `vision`, `surfaces` or `picture`
   * @param {string} message
   * @param {import('./anchor.js').Anchor | null} anchor that it is about
   */
  constructor(code, message, anchor) {
    super(anchor ? `${anchor.kind} ${anchor.description.src ?? anchor.id}: ${message}` : message);
    this.name = 'TrackerError';
    this.code = code;
    this.anchor = anchor;
  }
}

/** @type {Record<string, string>} */
const WHAT = { camera: 'camera', location: 'position', orientation: 'direction' };

/**
 * @param {'camera' | 'location' | 'orientation'} part
 * @param {string} state
 * @returns {{ code: string, toString: () => string } | null} `null`: nothing is wrong with it
 */
export function partFault(part, state) {
  const say = (/** @type {string} */ code, /** @type {string} */ text) => ({ code, toString: () => text });
  if (state !== 'denied' && state !== 'missing') return null;
  if (!isSecureContext) return say('insecure', `no ${WHAT[part]} without https: serve the page with it`);
  return state === 'denied'
    ? say(`${part}-denied`, `the ${WHAT[part]} was refused: let the user allow it in the browser's settings, and start again`)
    : say(`${part}-missing`, `there is no ${WHAT[part]} here: offer a view that does without`);
}
