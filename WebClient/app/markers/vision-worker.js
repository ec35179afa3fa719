// Looks for markers in camera pictures, beside the page's own thread. One picture at a time: the page sends the next one
// when the answer to the last has come.

import { Markers } from '../../engine/markers.js';
import { FramePixels } from '../vision/frame-pixels.js';
import { product } from '../vision/gyro.js';

/**
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('../vision/frame-pixels.js').Placed} Placed
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'watch', dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }
 *   | { kind: 'lens', lens: number[] }
 *   | import('../vision/frame-pump.js').PictureOrder} Order
 * @typedef {import('../vision/frame-pump.js').Moment} Moment
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'found', markers: FoundMarker[], width: number, height: number, path: string, milliseconds: number }} Answer
 */

/** @type {Markers | null} */
let markers = null;
/** @type {FramePixels | null} */
let pixels = null;
/** @type {import('../vision/gyro.js').Turn} how the camera is turned against where it was at first, by the gyroscope */
let worldFromCamera = [1, 0, 0, 0];

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    switch (data.kind) {
      case 'start':
        markers = await Markers.make(data.module);
        pixels = new FramePixels(markers);
        return say({ kind: 'ready' });
      case 'watch':
        return markers?.watch(data.dictionaries, data.sides, data.usual);
      case 'lens': {
        const [k1 = 0, k2 = 0, k3 = 0] = data.lens;
        return markers?.setLens([k1, k2, 0, 0, k3]);
      }
      case 'frame':
        return pixels && say(detect(await pixels.place(data.frame), data));
      case 'pixels':
        return pixels &&
          say(detect(pixels.placePixels(new Uint8Array(data.pixels), data.width, data.height), data));
    }
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};

/**
 * @param {Placed} placed
 * @param {Moment} moment
 * @returns {Answer}
 */
function detect({ layout, path }, { focalShare, time, turn }) {
  if (!markers) throw new Error('no engine yet');
  const { width, height } = layout;
  const start = performance.now();
  if (turn) worldFromCamera = product(worldFromCamera, turn);
  const found = markers.track(layout, focalShare * Math.max(width, height), time, turn ? worldFromCamera : undefined);
  return { kind: 'found', markers: found, width, height, path, milliseconds: performance.now() - start };
}
