// What modules ask a browser for, for the one script that they are bundled to: where their files are, and on a page that was opened from a
// disk how those are read. Browsers fetch nothing from a disk and start no worker from it, but run scripts: beside a file lies FILE.js, which
// hands over its content (Scripts/build-examples). Put into the place of the browser's own names by the bundler.

import workers from 'sightline:workers';

/** The folder of the script, with a slash at its end. */
const folder = new URL('.', /** @type {HTMLScriptElement} */ (document.currentScript).src).href;

/**
 * Where a module of the package would lie.
 * @param {string} path
 */
export const sightlineAddress = (path) => folder + path;

/** @param {string} address */
const isOnDisk = (address) => address.startsWith('file:');

/**
 * @param {RequestInfo | URL} input
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
async function ownFetch(input, init) {
  const address = input instanceof Request ? input.url : new URL(input, document.baseURI).href;
  if (!isOnDisk(address)) return globalThis.fetch(input, init);
  init?.signal?.throwIfAborted();
  return globalThis.fetch(await contentOf(address.replace(/[?#].*/s, '')));
}

/**
 * @param {string} address of a file on the disk
 * @returns {Promise<string>} its content, as a `data:` address
 */
function contentOf(address) {
  const script = Object.assign(document.createElement('script'), { src: `${address}.js` });
  return new Promise((resolve, reject) => {
    script.onload = () => {
      const content = /** @type {any} */ (globalThis).sightlineFiles?.[script.src];
      if (typeof content === 'string') resolve(content);
      else script.onerror?.('');
    };
    script.onerror = () => reject(new TypeError(`${address} cannot be read from a disk: Scripts/build-examples makes ${address}.js`));
    document.head.append(script);
  }).finally(() => script.remove());
}

/** A worker of the package; on a disk of its text. */
class OwnWorker extends globalThis.Worker {
  /**
   * @param {URL | string} address
   * @param {WorkerOptions} [options]
   */
  constructor(address, options) {
    const text = isOnDisk(String(address)) && workers[String(address).slice(folder.length)];
    if (!text) return super(address, options), this;
    const made = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    super(made);
    setTimeout(() => URL.revokeObjectURL(made), 10_000);
  }
}

export { OwnWorker as Worker, ownFetch as fetch };
