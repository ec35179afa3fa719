// From the camera's video to markers.

import { preloadVision } from '../session/engine-link.js';
import { FramePump } from '../vision/frame-pump.js';

/**
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('./vision-worker.js').Answer} Answer
 * @typedef {{ dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }} Watch
 * @typedef {{ image: CanvasImageSource, width: number, height: number, time: number, markers: FoundMarker[],
 *   focal: number, path: string, milliseconds: number, lens?: number[] }} Sight `image` is closed when the listeners have returned
 */

/** @extends {FramePump<{ sight: Sight }>} */
export class MarkerVision extends FramePump {
  /** @type {Watch} */
  #watch = { dictionaries: [], sides: [], usual: 0 };
  /** Radial terms k1, k2, k3 of the camera's lens, when they are known. */
  #lens = /** @type {number[]} */ ([]);
  /** @type {Worker | null} one that is not ready yet */
  #coming = null;

  /** @param {Watch} watch what to look for */
  watch(watch) {
    this.#watch = watch;
    this.worker?.postMessage({ kind: 'watch', ...watch });
  }

  /** @param {number[]} lens radial terms k1, k2, k3 of the camera's lens; none when nothing is known of it */
  setLens(lens) {
    if (lens.join() === this.#lens.join()) return;
    this.#lens = lens;
    this.worker?.postMessage({ kind: 'lens', lens });
  }

  start() {
    if (this.isRunning) return;
    this.run();
    void this.#begin();
  }

  stop() {
    this.rest();
    this.#end();
  }

  async #begin() {
    const module = await preloadVision();
    if (!this.isRunning || this.worker || this.#coming) return;
    const worker = new Worker(new URL('./vision-worker.js', import.meta.url), { type: 'module' });
    this.#coming = worker;
    const isOurs = () => worker === this.worker || worker === this.#coming;
    worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data }) => isOurs() && this.#answer(worker, data);
    worker.onerror = (event) => isOurs() && this.fail(event.message);
    worker.postMessage({ kind: 'start', module });
  }

  /**
   * @param {Worker} worker
   * @param {Answer} answer
   */
  #answer(worker, answer) {
    if (answer.kind === 'failed') return this.fail(answer.text);
    if (answer.kind === 'ready') {
      this.#coming = null;
      this.worker = worker;
      worker.postMessage({ kind: 'watch', ...this.#watch });
      worker.postMessage({ kind: 'lens', lens: this.#lens });
      return;
    }
    const held = this.answered(answer);
    if (!held) return;
    this.emit('sight', { ...held, ...answer, lens: this.#lens });
    this.letGo();
  }

  /**
   * @override
   * @param {string} text
   */
  fail(text) {
    console.error(`looking for markers failed: ${text}`);
    this.#end();
    setTimeout(() => this.isRunning && void this.#begin(), 1000);
  }

  #end() {
    for (const worker of [this.worker, this.#coming]) worker?.terminate();
    this.worker = this.#coming = null;
    this.letGo();
  }
}
