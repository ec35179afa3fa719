// Where the engine's compiled files come from: each is fetched once in a page.

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();
/** In `folder`, with a slash at its end. */
export const files = { folder: new URL('../../', import.meta.url).href };

/**
 * Begins loading; whoever needs it waits for the answer.
 * @param {string} file
 */
export function preload(file) {
  let module = compiled.get(file);
  if (!module) {
    module = WebAssembly.compileStreaming(fetch(files.folder + file));
    compiled.set(file, module);
    // Whoever needs it hears of the failure, and may try again; the preloading itself stays silent.
    module.catch(() => compiled.delete(file));
  }
  return module;
}
