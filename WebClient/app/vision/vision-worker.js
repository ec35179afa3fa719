// Looks at the camera's pictures, beside the page's own thread: markers, flat pictures, codes and walls, by one instance of the
// engine; and at still pictures, of which it makes targets, and fronts of walls by another. One picture at a time: the page sends the
// next when the answer to the last has come.

import { Vision } from '../../engine/vision.js';
import { WallPictures } from '../../engine/wall.js';
import { FramePixels } from './frame-pixels.js';

/**
 * @typedef {import('../../engine/picture-room.js').PictureLayout} PictureLayout
 * @typedef {import('../../engine/codes.js').FoundCode} FoundCode
 * @typedef {import('../../engine/vision.js').MarkerWatch} MarkerWatch
 * @typedef {import('../../engine/vision.js').WallDescription} WallDescription
 * @typedef {import('../../engine/targets.js').TargetDescription} TargetDescription
 * @typedef {import('../../engine/wall.js').Corners} Corners
 * @typedef {{ pixels: Uint8Array | Uint8ClampedArray, layout: PictureLayout }} Still
 * @typedef {{ corners: Corners, width: number, height: number, focal: number, margin: number }} Rectangle
 * @typedef {{ kind: 'sheet', module: WebAssembly.Module, still: Still }
 *   | { kind: 'front', module: WebAssembly.Module, still: Still, rectangle: Rectangle }
 *   | { kind: 'codes', still: Still }
 *   | { kind: 'build', name: string, still: Still, width: number }
 *   | { kind: 'add', id: number, file: Uint8Array, width: number }} Question `module`: that of walls
 * @typedef {{ time: number, heard: number, rate: [number, number, number], force: [number, number, number], angle: number }} Turning a reading of the
 *   motion sensors: its stamp and when the page heard of it, seconds; degrees a second, m/s² with gravity, the screen's angle
 * @typedef {import('../device/camera.js').Optics & { time: number, heard: number, dropped: number, turning: Turning[],
 *   tilt: import('./motion-readings.js').Tilt | null }} Moment what the camera is taken to be; when the picture was taken and
 *   when the page got it, seconds; how many were let go by so far; readings of the motion sensors since the last one; how the platform last said that the phone is held
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'markers', watch: MarkerWatch | null }
 *   | { kind: 'codes', areWanted: boolean }
 *   | { kind: 'lens', lens: number[] }
 *   | { kind: 'walls', walls: WallDescription[] }
 *   | { kind: 'remove', ids: number[] }
 *   | { kind: 'ask', number: number, question: Question }
 *   | (Moment & ({ kind: 'frame', frame: any } | { kind: 'pixels', pixels: ArrayBuffer, width: number, height: number }))} Order
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'answer', number: number, value: any, error?: string }
 *   | { kind: 'seen', rows: Float64Array, codes: FoundCode[] | null, width: number, height: number, focal: number, path: string,
 *       milliseconds: number }} Answer
 */

/** @type {Vision | null} */
let vision = null;
/** @type {FramePixels | null} */
let pixels = null;
/**
 * Made when the first wall is asked for.
 * @type {Promise<WallPictures> | null}
 */
let walls = null;

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    if (data.kind === 'start') {
      vision = await Vision.make(data.module);
      pixels = new FramePixels(vision);
      return say({ kind: 'ready' });
    }
    if (!vision || !pixels) throw new Error('no engine yet');
    switch (data.kind) {
      case 'markers': return vision.watchMarkers(data.watch);
      case 'codes': return vision.watchCodes(data.areWanted);
      case 'lens': return vision.setLens([data.lens[0], data.lens[1], 0, 0, data.lens[2]]);
      case 'walls': return vision.watchWalls(data.walls);
      case 'remove': return data.ids.forEach((id) => vision?.removePicture(id));
      case 'ask': return say(await answer(vision, data.number, data.question));
      case 'frame': return say(look(vision, data, await pixels.place(data.frame)));
      case 'pixels': return say(look(vision, data, pixels.placePixels(new Uint8Array(data.pixels), data.width, data.height)));
    }
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};

/**
 * @param {Vision} vision
 * @param {Moment} moment
 * @param {import('./frame-pixels.js').Placed} placed
 * @returns {Answer}
 */
function look(vision, { fieldOfView, time, turning }, { layout, path }) {
  const start = performance.now();
  for (const { time, rate, angle } of turning) vision.motion(time, rate, angle);
  const { width, height } = layout;
  const focal = vision.focal(width, height, fieldOfView);
  const seen = vision.look(layout, time, focal);
  return { kind: 'seen', ...seen, width, height, focal, path, milliseconds: performance.now() - start };
}

/**
 * @param {Vision} vision
 * @param {number} number
 * @param {Question} question
 * @returns {Promise<Answer>}
 */
async function answer(vision, number, question) {
  try {
    return { kind: 'answer', number, value: await ask(vision, question) };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return { kind: 'answer', number, value: null, error: String(error) };
  }
}

/**
 * @param {Vision} vision
 * @param {Question} question
 */
async function ask(vision, question) {
  switch (question.kind) {
    case 'sheet': return (await wallPictures(question.module)).sheet(question.still.pixels, question.still.layout);
    case 'front': return (await wallPictures(question.module)).front(question.still.pixels, question.still.layout, question.rectangle);
    case 'codes': {
      const { pixels, layout } = question.still;
      vision.room(pixels.length).set(pixels);
      return vision.codes.detect(layout);
    }
    case 'build': {
      const { still, name, width } = question;
      return vision.targets.build(still.pixels, still.layout, { name, width });
    }
    case 'add': {
      const { id, file, width } = question;
      vision.addPicture(id, file, { width });
      return vision.targets.describe(file);
    }
  }
}

/** @param {WebAssembly.Module} module */
function wallPictures(module) {
  walls ??= WallPictures.make(module);
  walls.catch(() => (walls = null));
  return walls;
}
