// Where the engine comes from: four compiled modules, and as many instances of them as needed.

import { Engine } from '../../engine/engine.js';

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();
/** In `folder`, with a slash at its end. */
export const files = { folder: new URL('../../', import.meta.url).href };

/** @param {string} file */
function preload(file) {
  let module = compiled.get(file);
  if (!module) {
    module = WebAssembly.compileStreaming(fetch(files.folder + file));
    compiled.set(file, module);
    // Whoever needs it hears of the failure, and may try again; the preloading itself stays silent.
    module.catch(() => compiled.delete(file));
  }
  return module;
}

/** Begins loading; called as early as possible, so that the file is there when the first world is opened. */
export function preloadEngine() {
  return preload('engine.wasm');
}

/** Begins loading what finds markers, codes, pictures and walls: for `Markers`, `Codes`, `Targets` and `Wall`. */
export function preloadVision() {
  return preload('vision.wasm');
}

/** Begins loading what reads models: for `ModelReader`. */
export function preloadModels() {
  return preload('models.wasm');
}

/** Begins loading what tracks the phone: for `Odometry`. */
export function preloadOdometry() {
  return preload('odometry.wasm');
}

/** @returns {Promise<Engine>} */
export async function newEngine() {
  return Engine.load(await preloadEngine());
}
