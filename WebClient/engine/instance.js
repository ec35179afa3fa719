// An instance of one of the engine's WebAssembly files for a purpose of its own: models, or markers in a worker.

import { checkBindings } from './layout.js';

/** @typedef {(...values: number[]) => number} Call */

export class Instance {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    checkBindings(instance.exports, 'the WebAssembly file');
    this.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    this.call = /** @type {Record<string, Call>} */ (/** @type {unknown} */ (instance.exports));
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {(level: number, text: string) => void} [log]
   */
  static async make(module, log = (level, text) => (level > 0 ? console.error(text) : console.log(text))) {
    /** @type {WebAssembly.Memory | undefined} */
    let memory;
    const instance = await WebAssembly.instantiate(module, {
      env: {
        /** @type {(level: number, start: number, count: number) => void} */
        sl_host_log: (level, start, count) => {
          if (memory) log(level, new TextDecoder().decode(new Uint8Array(memory.buffer, start, count)));
        },
      },
    });
    memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    return new Instance(instance);
  }

  // Growing makes every older view empty, so views are asked for anew.

  /**
   * @param {number} address
   * @param {number} count
   */
  bytes(address, count) {
    return new Uint8Array(this.memory.buffer, address, count);
  }

  /**
   * @param {number} address
   * @param {number} count
   */
  doubles(address, count) {
    return new Float64Array(this.memory.buffer, address, count);
  }
}
