// Where the engine comes from: four compiled modules, the session's, that of what looks into pictures, that of what reads models, and that
// of what tracks the phone through the world; as many instances of them as needed.

import { Engine } from '../../engine/engine.js';

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** @param {string} file */
function preload(file) {
  let module = compiled.get(file);
  if (!module) {
    module = WebAssembly.compileStreaming(fetch(new URL(`../../${file}`, import.meta.url)));
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

/** Begins loading what tracks the phone through the world: for `Odometry`. */
export function preloadOdometry() {
  return preload('odometry.wasm');
}

/** @returns {Promise<Engine>} */
export async function newEngine() {
  return Engine.load(await preloadEngine());
}
