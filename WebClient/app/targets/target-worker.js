// Looks for flat pictures, and for markers, in camera pictures, beside the page's own thread; makes new targets of pictures,
// and looks at still pictures of walls. One frame at a time: the page sends the next when the answer to the last has come.

import { Markers } from '../../engine/markers.js';
import { Targets } from '../../engine/targets.js';
import { Wall } from '../../engine/wall.js';
import { product } from '../vision/gyro.js';

/**
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('../../engine/markers.js').PictureLayout} PictureLayout
 * @typedef {import('../../engine/targets.js').TargetResult} TargetResult
 * @typedef {import('../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {import('../../engine/wall.js').Corners} Corners
 * @typedef {import('../../engine/wall.js').Front} Front
 * @typedef {{ pixels: Uint8Array | Uint8ClampedArray, layout: PictureLayout }} Still
 * @typedef {{ dictionaries: string[], sides: { dictionary: string, id: number, side: number }[], usual: number }} MarkerWatch
 * @typedef {{ corners: Corners, width: number, height: number, focal: number, margin: number }} Rectangle
 * @typedef {{ kind: 'sheet', still: Still }
 *   | { kind: 'front', still: Still, rectangle: Rectangle }
 *   | { kind: 'add', key: string, name: string, still: Still, width: number }
 *   | { kind: 'addFile', key: string, file: Uint8Array, width: number }} Question
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'markers', watch: MarkerWatch | null }
 *   | { kind: 'remove', keys: string[] }
 *   | { kind: 'ask', number: number, question: Question }
 *   | import('../vision/frame-pump.js').PictureOrder} Order
 * @typedef {import('../vision/frame-pump.js').Moment} Moment
 * @typedef {TargetResult & { key: string }} FoundTarget
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'answer', number: number, value: any, error?: string }
 *   | { kind: 'found', markers: FoundMarker[], targets: FoundTarget[], width: number, height: number, path: string,
 *       milliseconds: number }} Answer
 */

/** @type {Markers | null} */
let markers = null;
/** @type {Targets | null} */
let targets = null;
/** @type {Wall | null} */
let wall = null;
let looksForMarkers = false;
/** @type {Map<number, string>} keys of the targets by their numbers in the engine */
const keys = new Map();
/** @type {OffscreenCanvasRenderingContext2D | null} */
let painter = null;
let lastTime = -Infinity;
/** @type {import('../vision/gyro.js').Turn} how the camera is turned against where it was at first, by the gyroscope */
let worldFromCamera = [1, 0, 0, 0];

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    switch (data.kind) {
      case 'start':
        [markers, targets, wall] = await Promise.all([Markers.make(data.module), Targets.make(data.module), Wall.make(data.module)]);
        return say({ kind: 'ready' });
      case 'markers':
        looksForMarkers = data.watch !== null;
        if (data.watch) markers?.watch(data.watch.dictionaries, data.watch.sides, data.watch.usual);
        return;
      case 'remove':
        for (const [id, key] of [...keys]) {
          if (!data.keys.includes(key)) continue;
          targets?.remove(id);
          keys.delete(id);
        }
        return;
      case 'ask':
        return say(answer(data.number, data.question));
      case 'frame':
        return say(await lookAtFrame(data));
      case 'pixels': {
        const { width, height } = data;
        const layout = { format: /** @type {const} */ ('rgba'), width, height, offset: 0, stride: 4 * width, isLimited: false };
        return say(look(new Uint8Array(data.pixels), layout, data, 'canvas'));
      }
    }
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};

/**
 * @param {number} number
 * @param {Question} question
 * @returns {Answer}
 */
function answer(number, question) {
  try {
    return { kind: 'answer', number, value: ask(question) };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return { kind: 'answer', number, value: null, error: String(error) };
  }
}

/** @param {Question} question */
function ask(question) {
  if (!targets || !wall) throw new Error('no engine yet');
  switch (question.kind) {
    case 'sheet':
      return wall.sheet(question.still.pixels, question.still.layout);
    case 'front':
      return wall.front(question.still.pixels, question.still.layout, question.rectangle);
    case 'add': {
      const { still, name, width, key } = question;
      const file = targets.build(still.pixels, still.layout, { name, width });
      return { description: add(key, file, width), file };
    }
    case 'addFile':
      return { description: add(question.key, question.file, question.width), file: question.file };
  }
}

/**
 * @param {string} key
 * @param {Uint8Array} file
 * @param {number} width metres
 */
function add(key, file, width) {
  if (!targets) throw new Error('no engine yet');
  const description = targets.describe(file);
  keys.set(targets.add(file, { width }), key);
  return description;
}

/**
 * @param {Moment & { frame: any }} order `frame` is a VideoFrame; closed here
 * @returns {Promise<Answer>}
 */
async function lookAtFrame({ frame, ...moment }) {
  try {
    const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight };
    const isTurned = Boolean(frame.rotation) || Boolean(frame.flip) || frame.displayWidth !== width ||
      frame.displayHeight !== height;
    const format = isTurned ? undefined : FORMATS[String(frame.format)];
    if (!format) return lookAtPainted(frame, moment);
    const bytes = new Uint8Array(frame.allocationSize());
    const [plane] = await frame.copyTo(bytes);
    const isLimited = format === 'gray' && frame.colorSpace?.fullRange !== true;
    const count = plane.stride * (height - 1) + width * (format === 'gray' ? 1 : 4);
    // Of planes only the first, the luminance, is handed on.
    return look(bytes.subarray(plane.offset, plane.offset + count), { format, width, height, offset: 0, stride: plane.stride, isLimited }, moment, 'frame');
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
 * @param {Moment} moment
 */
function lookAtPainted(frame, moment) {
  const { displayWidth: width, displayHeight: height } = frame;
  if (!painter || painter.canvas.width !== width || painter.canvas.height !== height) {
    painter = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true, alpha: false });
  }
  if (!painter) throw new Error('no canvas');
  painter.drawImage(frame, 0, 0, width, height);
  const { data } = painter.getImageData(0, 0, width, height);
  return look(data, { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false }, moment, 'painted');
}

/**
 * @param {Uint8Array | Uint8ClampedArray} pixels
 * @param {PictureLayout} layout
 * @param {Moment} moment
 * @param {string} path how the picture came here
 * @returns {Answer}
 */
function look(pixels, layout, { focalShare, time, turn }, path) {
  if (!markers || !targets) throw new Error('no engine yet');
  const { width, height } = layout;
  const start = performance.now();
  const focal = focalShare * Math.max(width, height);
  if (turn) worldFromCamera = product(worldFromCamera, turn);
  /** @type {FoundMarker[]} */
  let foundMarkers = [];
  if (looksForMarkers) {
    markers.room(pixels.length).set(pixels);
    foundMarkers = markers.track(layout, focal, time, turn ? worldFromCamera : undefined);
  }
  /** @type {FoundTarget[]} */
  let foundTargets = [];
  if (keys.size && time > lastTime) {
    lastTime = time;
    targets.setCamera({ focalX: focal, focalY: focal, centerX: (width - 1) / 2, centerY: (height - 1) / 2 });
    targets.room(pixels.length).set(pixels);
    foundTargets = targets.process(layout, time, turn).map((found) => ({ ...found, key: keys.get(found.id) ?? '' }));
  }
  return {
    kind: 'found', markers: foundMarkers, targets: foundTargets, width, height, path, milliseconds: performance.now() - start,
  };
}
