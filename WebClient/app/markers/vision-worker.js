// Looks for markers in camera pictures, beside the page's own thread. One picture at a time: the page sends the next one
// when the answer to the last has come.

import { Markers } from '../../engine/markers.js';

/**
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('../../engine/markers.js').PictureLayout} PictureLayout
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'watch', dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }
 *   | { kind: 'frame', frame: any, focalShare: number }
 *   | { kind: 'pixels', pixels: ArrayBuffer, width: number, height: number, focalShare: number }} Order
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'found', markers: FoundMarker[], width: number, height: number, path: string, milliseconds: number }} Answer
 */

/** @type {Markers | null} */
let markers = null;
/** @type {OffscreenCanvasRenderingContext2D | null} */
let painter = null;

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    switch (data.kind) {
      case 'start':
        markers = await Markers.make(data.module);
        return say({ kind: 'ready' });
      case 'watch':
        return markers?.watch(data.dictionaries, data.sides, data.usual);
      case 'frame':
        return say(await lookAtFrame(data.frame, data.focalShare));
      case 'pixels':
        return say(lookAtPixels(new Uint8Array(data.pixels), data.width, data.height, data.focalShare, 'canvas'));
    }
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};

/**
 * @param {any} frame a VideoFrame; closed here
 * @param {number} focalShare focal length over the longer side
 * @returns {Promise<Answer>}
 */
async function lookAtFrame(frame, focalShare) {
  try {
    const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight };
    const isTurned = Boolean(frame.rotation) || Boolean(frame.flip) || frame.displayWidth !== width ||
      frame.displayHeight !== height;
    const format = isTurned ? undefined : FORMATS[String(frame.format)];
    if (!format) return lookAtPainted(frame, focalShare);
    if (!markers) throw new Error('no engine yet');
    const count = frame.allocationSize();
    const [layout] = await frame.copyTo(markers.room(count).subarray(0, count));
    const isLimited = format === 'gray' && frame.colorSpace?.fullRange !== true;
    return detect({ format, width, height, offset: layout.offset, stride: layout.stride, isLimited }, focalShare, 'frame');
  } finally {
    frame.close();
  }
}

/** @type {Record<string, PictureLayout['format']>} */
const FORMATS = {
  I420: 'gray', I420A: 'gray', I422: 'gray', I444: 'gray', NV12: 'gray', RGBA: 'rgba', RGBX: 'rgba', BGRA: 'bgra',
  BGRX: 'bgra',
};

/**
 * The way for formats that cannot be copied, and for pictures that have to be turned first.
 * @param {any} frame
 * @param {number} focalShare
 */
function lookAtPainted(frame, focalShare) {
  const { displayWidth: width, displayHeight: height } = frame;
  if (!painter || painter.canvas.width !== width || painter.canvas.height !== height) {
    painter = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true, alpha: false });
  }
  if (!painter) throw new Error('no canvas');
  painter.drawImage(frame, 0, 0, width, height);
  const { data } = painter.getImageData(0, 0, width, height);
  return lookAtPixels(data, width, height, focalShare, 'painted');
}

/**
 * @param {Uint8Array | Uint8ClampedArray} pixels
 * @param {number} width
 * @param {number} height
 * @param {number} focalShare
 * @param {string} path
 */
function lookAtPixels(pixels, width, height, focalShare, path) {
  if (!markers) throw new Error('no engine yet');
  markers.room(pixels.length).set(pixels);
  return detect({ format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false }, focalShare, path);
}

/**
 * @param {PictureLayout} layout
 * @param {number} focalShare
 * @param {string} path how the picture came here
 * @returns {Answer}
 */
function detect(layout, focalShare, path) {
  if (!markers) throw new Error('no engine yet');
  const { width, height } = layout;
  const start = performance.now();
  const found = markers.detect(layout, focalShare * Math.max(width, height));
  return { kind: 'found', markers: found, width, height, path, milliseconds: performance.now() - start };
}
