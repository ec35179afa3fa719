// Reads QR codes in camera pictures, beside the page's own thread: one picture at a time.

import { Codes } from '../../engine/codes.js';
import { FramePixels } from '../vision/frame-pixels.js';

/**
 * @typedef {import('../../engine/codes.js').FoundCode} FoundCode
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'frame', frame: any, isThorough: boolean }
 *   | { kind: 'pixels', pixels: ArrayBuffer, width: number, height: number, isThorough: boolean }} Order
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'codes', codes: FoundCode[], width: number, height: number, milliseconds: number }} Answer
 */

/** @type {Codes | null} */
let codes = null;
/** @type {FramePixels | null} */
let pixels = null;

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    if (data.kind === 'start') {
      codes = await Codes.make(data.module);
      pixels = new FramePixels(codes);
      return say({ kind: 'ready' });
    }
    if (!codes || !pixels) throw new Error('no engine yet');
    const { layout } = data.kind === 'frame'
      ? await pixels.place(data.frame)
      : pixels.placePixels(new Uint8Array(data.pixels), data.width, data.height);
    const start = performance.now();
    const found = codes.detect(layout, data.isThorough);
    say({
      kind: 'codes', codes: found, width: layout.width, height: layout.height, milliseconds: performance.now() - start,
    });
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};
