// One engine for what has no session of its own: distances, the web's map and areas on the ground. Every page loads its file.

import { newEngine } from './engine-link.js';

/** @type {Promise<import('../../engine/engine.js').Engine> | null} */
let engine = null;

/** The same one each time; after a failure the next call tries anew. */
export function sharedEngine() {
  engine ??= newEngine().catch((error) => {
    engine = null;
    throw error;
  });
  return engine;
}
