// A pump with its worker: made when it is first needed, asked questions, and replaced when it has failed.

import { FramePump } from './frame-pump.js';

/**
 * @typedef {{ kind: string, [key: string]: any }} Message
 */

/**
 * @template {Record<string, any>} Events
 * @extends {FramePump<Events & { restarted: void }>}
 */
export class WorkerPump extends FramePump {
  /** @type {Promise<Worker> | null} */
  #starting = null;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #questions = new Map();
  #number = 0;
  #isClosed = false;

  /**
   * @param {HTMLVideoElement} video
   * @param {(size: import('../device/camera.js').Size) => import('../device/camera.js').Optics} optics of the camera's pictures
   * @param {() => Promise<WebAssembly.Module>} load the engine's file
   * @param {() => Worker} make the worker, which says `ready` when it was sent the module
   */
  constructor(video, optics, load, make) {
    super(video, optics);
    this.load = load;
    this.make = make;
  }

  start() {
    if (this.isRunning) return;
    this.run();
    void this.begin().catch((error) => this.#isClosed || console.error(`looking into pictures failed: ${error}`));
  }

  /** Pictures are no longer looked at; what the worker knows stays. */
  stop() {
    this.rest();
  }

  close() {
    this.#isClosed = true;
    this.stop();
    this.#end('closed');
  }

  /** @returns {Promise<Worker>} */
  begin() {
    this.#starting ??= this.#make();
    this.#starting.catch(() => (this.#starting = null));
    return this.#starting;
  }

  /**
   * @param {Record<string, any>} question
   * @returns {Promise<any>}
   */
  async ask(question) {
    const worker = await this.begin();
    const number = this.nextNumber();
    return new Promise((resolve, reject) => {
      this.#questions.set(number, { resolve, reject });
      worker.postMessage({ kind: 'ask', number, question });
    });
  }

  nextNumber() {
    return ++this.#number;
  }

  async #make() {
    const module = await this.load();
    const worker = this.make();
    await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
      worker.onmessage = ({ data }) => (data.kind === 'ready' ? resolve() : reject(new Error(data.text)));
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ kind: 'start', module });
    });
    if (this.#isClosed) {
      worker.terminate();
      throw new Error('closed');
    }
    worker.onmessage = (/** @type {MessageEvent<Message>} */ { data }) => this.worker === worker && this.#answer(data);
    worker.onerror = (event) => this.worker === worker && this.fail(event.message);
    this.worker = worker;
    this.greet(worker);
    return worker;
  }

  /**
   * Tells a new worker what it has to know.
   * @param {Worker} _worker
   */
  greet(_worker) {}

  /**
   * What a worker says besides answers to questions.
   * @param {Message} _message
   */
  hear(_message) {}

  /** @param {Message} message */
  #answer(message) {
    if (message.kind === 'failed') return this.fail(message.text);
    if (message.kind !== 'answer') return this.hear(message);
    const question = this.#questions.get(message.number);
    this.#questions.delete(message.number);
    if (message.error) question?.reject(new Error(message.error));
    else question?.resolve(message.value);
  }

  /**
   * @override
   * @param {string} text
   */
  fail(text) {
    console.error(`looking into pictures failed: ${text}`);
    this.#end(text);
    setTimeout(() => {
      if (!this.isRunning) return;
      void this.begin().then(() => this.emit('restarted', /** @type {any} */ (undefined)), () => undefined);
    }, 1000);
  }

  /** @param {string} reason */
  #end(reason) {
    this.worker?.terminate();
    this.worker = null;
    this.#starting = null;
    for (const { reject } of this.#questions.values()) reject(new Error(reason));
    this.#questions.clear();
    this.letGo();
  }
}
