// Instances of the engine, as many as needed, of its compiled files.

import { Engine } from '../../engine/engine.js';
import { preload } from './engine-files.js';

/** Early, so that it is there when the first world is opened. */
export const preloadEngine = () => preload('engine.wasm');
/** For `Markers`, `Codes` and `Targets`. */
export const preloadVision = () => preload('vision.wasm');
/** For `ModelReader`. */
export const preloadModels = () => preload('models.wasm');
/** For `Odometry`. */
export const preloadOdometry = () => preload('odometry.wasm');

/** @returns {Promise<Engine>} */
export async function newEngine() {
  return Engine.load(await preloadEngine());
}
