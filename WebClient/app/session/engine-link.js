// Where the engine comes from: one compiled module, as many instances as needed.

import { Engine } from '../../engine/engine.js';

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/** Begins loading; called as early as possible, so that the file is there when the first world is opened. */
export function preloadEngine() {
  compiled ??= WebAssembly.compileStreaming(fetch(new URL('../../engine.wasm', import.meta.url))).catch((error) => {
    compiled = null;
    throw error;
  });
  // Whoever needs the engine hears of the failure; the preloading itself stays silent.
  compiled.catch(() => undefined);
  return compiled;
}

/** @returns {Promise<Engine>} */
export async function newEngine() {
  return Engine.load(await preloadEngine());
}
