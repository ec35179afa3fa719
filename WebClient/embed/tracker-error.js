// What a tracker says when something is not there, or does not work: with what to do.

export class TrackerError extends Error {
  /**
   * @param {string} code `camera-denied`, `camera-missing`, `location-denied` …, `insecure`, `network`, `unsupported`, `engine`, `vision`, `surfaces` or `picture`
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

/** @type {import('./tracker.js').TrackerStatus} */
const BEFORE = { state: 'idle', camera: 'idle', location: '', orientation: '', surfaces: 'unused', advice: 'none', platform: false };

/**
 * Each status is told once, and a fault when camera or sensors come into one.
 * @param {(status: import('./tracker.js').TrackerStatus) => void} tell
 * @param {(code: string, fault: object) => void} fail
 * @returns {(status: import('./tracker.js').TrackerStatus) => void} takes the status whenever it may be another
 */
export function statusTeller(tell, fail) {
  let told = BEFORE;
  let text = '';
  return (status) => {
    const before = told;
    if (text === (text = Object.values(status).join())) return;
    told = status;
    tell(status);
    for (const part of /** @type {const} */ (['camera', 'location', 'orientation'])) {
      const fault = status[part] !== before[part] && partFault(part, status[part]);
      if (fault) fail(fault.code, fault);
    }
  };
}

/** A module of one function that gives a vector: what the engine is made of, and old browsers do not know. */
const VECTOR = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]);
/** What browsers say of files that did not come. */
const NOT_THERE = /fetch|import|module script|network|load failed|http status|mime type/i;

/**
 * Why the engine does not run, in place of what the browser says of it.
 * @param {string} code
 * @param {unknown} cause
 * @returns {{ code: string, message: string }}
 */
export function engineFault(code, cause) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (!['engine', 'vision', 'surfaces'].includes(code)) return { code, message };
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(VECTOR)) {
    return { code: 'unsupported', message: 'this browser has no WebAssembly with SIMD: ask for a current one (Chrome 91, Firefox 89, Safari 16.4 or later)' };
  }
  if (cause instanceof TypeError && (NOT_THERE.test(message) || !navigator.onLine)) {
    return { code: 'network', message: `${message}: see whether there is a network, and whether the WebAssembly files lie where \`base\` says` };
  }
  return { code, message };
}
