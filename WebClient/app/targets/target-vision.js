// From the camera's video to flat pictures and markers in it.

import { preloadVision } from '../session/engine-link.js';
import { FramePump } from '../vision/frame-pump.js';

/**
 * @typedef {import('./target-worker.js').Answer} Answer
 * @typedef {import('./target-worker.js').FoundMarker} FoundMarker
 * @typedef {import('./target-worker.js').FoundTarget} FoundTarget
 * @typedef {import('./target-worker.js').MarkerWatch} MarkerWatch
 * @typedef {import('./target-worker.js').Question} Question
 * @typedef {import('./target-worker.js').Still} Still
 * @typedef {import('./target-worker.js').Rectangle} Rectangle
 * @typedef {import('../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {{ image: CanvasImageSource, width: number, height: number, time: number, markers: FoundMarker[],
 *   targets: FoundTarget[], focal: number, path: string, milliseconds: number }} Sight `image` is closed when the
 *   listeners have returned
 */

/** @extends {FramePump<{ sight: Sight, restarted: void }>} */
export class TargetVision extends FramePump {
  /** @type {Promise<Worker> | null} */
  #starting = null;
  /** @type {MarkerWatch | null} */
  #markers = null;
  /** @type {Map<string, { file: Uint8Array, width: number }>} what a new worker has to be told again */
  #files = new Map();
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #questions = new Map();
  #number = 0;

  /** @param {MarkerWatch | null} watch `null`: no markers */
  watchMarkers(watch) {
    this.#markers = watch;
    this.worker?.postMessage({ kind: 'markers', watch });
  }

  /**
   * Makes a target of a picture and looks for it from now on.
   * @param {string} key
   * @param {Still} still
   * @param {number} width of the whole picture, metres
   * @returns {Promise<{ description: TargetDescription, file: Uint8Array }>}
   */
  async addPicture(key, still, width) {
    const made = await this.#ask({ kind: 'add', key, name: key, still, width });
    this.#files.set(key, { file: made.file, width });
    return made;
  }

  /**
   * @param {string} key
   * @param {Uint8Array} file
   * @param {number} width metres
   * @returns {Promise<{ description: TargetDescription }>}
   */
  async addFile(key, file, width) {
    const made = await this.#ask({ kind: 'addFile', key, file, width });
    this.#files.set(key, { file, width });
    return made;
  }

  /** @param {string[]} keys */
  remove(keys) {
    for (const key of keys) this.#files.delete(key);
    this.worker?.postMessage({ kind: 'remove', keys });
  }

  get keys() {
    return [...this.#files.keys()];
  }

  /**
   * The sheet that stands out most in a still picture.
   * @param {Still} still
   * @returns {Promise<import('../../engine/wall.js').Corners | null>}
   */
  findSheet(still) {
    return this.#ask({ kind: 'sheet', still });
  }

  /**
   * The wall round a rectangle of a still picture, seen from the front.
   * @param {Still} still
   * @param {Rectangle} rectangle
   * @returns {Promise<import('../../engine/wall.js').Front | null>}
   */
  wallFront(still, rectangle) {
    return this.#ask({ kind: 'front', still, rectangle });
  }

  /**
   * @param {Question} question
   * @returns {Promise<any>}
   */
  async #ask(question) {
    const worker = await this.#begin();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#questions.set(number, { resolve, reject });
      worker.postMessage({ kind: 'ask', number, question });
    });
  }

  start() {
    if (this.isRunning) return;
    this.run();
    void this.#begin().catch((error) => console.error(`looking for pictures failed: ${error}`));
  }

  /** Pictures are no longer looked at; what was added stays. */
  stop() {
    this.rest();
  }

  close() {
    this.stop();
    this.#end('closed');
  }

  /** @returns {Promise<Worker>} */
  #begin() {
    this.#starting ??= this.#make();
    this.#starting.catch(() => (this.#starting = null));
    return this.#starting;
  }

  async #make() {
    const module = await preloadVision();
    const worker = new Worker(new URL('./target-worker.js', import.meta.url), { type: 'module' });
    await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
      worker.onmessage = ({ data }) => (data.kind === 'ready' ? resolve() : reject(new Error(data.text)));
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ kind: 'start', module });
    });
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => this.worker === worker && this.#answer(data);
    worker.onerror = (event) => this.worker === worker && this.fail(event.message);
    this.worker = worker;
    worker.postMessage({ kind: 'markers', watch: this.#markers });
    for (const [key, { file, width }] of this.#files) {
      worker.postMessage({ kind: 'ask', number: ++this.#number, question: { kind: 'addFile', key, file, width } });
    }
    return worker;
  }

  /** @param {Answer} answer */
  #answer(answer) {
    if (answer.kind === 'failed') return this.fail(answer.text);
    if (answer.kind === 'answer') {
      const question = this.#questions.get(answer.number);
      this.#questions.delete(answer.number);
      if (answer.error) question?.reject(new Error(answer.error));
      else question?.resolve(answer.value);
      return;
    }
    const held = answer.kind === 'found' ? this.answered(answer) : null;
    if (answer.kind !== 'found' || !held) return;
    this.emit('sight', { ...held, ...answer });
    this.letGo();
  }

  /**
   * @override
   * @param {string} text
   */
  fail(text) {
    console.error(`looking for pictures failed: ${text}`);
    this.#end(text);
    setTimeout(() => {
      if (!this.isRunning) return;
      void this.#begin().then(() => this.emit('restarted', undefined), () => undefined);
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

/**
 * Pixels of anything that can be drawn.
 * @param {CanvasImageSource} image
 * @param {number} width
 * @param {number} height
 * @returns {Still}
 */
export function stillOf(image, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const painter = canvas.getContext('2d', { willReadFrequently: true, alpha: false });
  if (!painter) throw new Error('no canvas');
  painter.drawImage(image, 0, 0, width, height);
  const { data } = painter.getImageData(0, 0, width, height);
  return { pixels: data, layout: { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false } };
}
