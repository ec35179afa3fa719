// Tracks the phone through its surroundings in the camera's pictures and the motion sensors' readings, beside the page's own thread, by one
// instance of the engine; and knows what was set down there. One picture at a time: the page sends the next when the answer to the last
// has come.

import { Odometry } from '../../engine/odometry.js';
import { FramePixels } from './frame-pixels.js';

/**
 * @typedef {import('./vision-worker.js').Moment} Moment
 * @typedef {import('../../engine/odometry.js').Posture} Posture
 * @typedef {import('../../engine/odometry.js').SurfaceHit} SurfaceHit
 * @typedef {import('../../engine/odometry.js').Tracked} Tracked
 * @typedef {[number, number]} Point of the display, CSS pixels
 * @typedef {{ kind: 'place', number: number, point: Point, posture: Posture, height: number }
 *   | { kind: 'take', point: Point } | { kind: 'drag', point: Point } 
 *   | { kind: 'tape', options: import('../sensors/tape.js').TapeOptions } | { kind: 'untape' }} Request `place` and `drag` are answered by
 *   what was hit, `take` by the number of what a finger takes there; `tape`: tracking begins anew, and all that it is given is recorded,
 *   `untape` is answered by the recording
 * @typedef {{ kind: 'start', module: WebAssembly.Module }
 *   | { kind: 'display', size: Point }
 *   | { kind: 'preview', number: number | null, posture: Posture }
 *   | { kind: 'turn', number: number, degrees: number }
 *   | { kind: 'twist', number: number, before: Point[], now: Point[] }
 *   | { kind: 'remove', number: number }
 *   | { kind: 'forget' }
 *   | { kind: 'tell', event: import('../../engine/types').EngineEvent, time: number }
 *   | { kind: 'ask', number: number, question: Request }
 *   | (Moment & { seen?: Seen } & ({ kind: 'frame', frame: any } | { kind: 'pixels', pixels: ArrayBuffer, width: number, height: number }))} Order
 *   `forget`: tracking begins anew with the next picture; `tell`: something for the recording beside what tracking is given
 * @typedef {{ rows: Float64Array, focal: number, lens: number[] }} Seen what vision saw in the picture, and the camera it took it to be
 *   taken by: pixels, k1, k2, k3
 * @typedef {{ kind: 'ready' } | { kind: 'failed', text: string }
 *   | { kind: 'answer', number: number, value: any }
 *   | { kind: 'seen', tracked: Tracked, width: number, height: number, path: string, milliseconds: number, taped: number }
 *   | { kind: 'left', time: number }
 *   | { kind: 'begun' }} Answer `taped`: bytes of the recording; `left`: the picture was not looked at, for its size and the screen's angle do not
 *   belong together yet; `begun`: tracking began anew
 */

/** @type {Odometry | null} */
let odometry = null;
/** @type {FramePixels | null} */
let pixels = null;
/**
 * What keeps all that tracking is given, while it is recorded.
 * @type {import('../sensors/tape.js').Tape | null}
 */
let tape = null;
/** What pictures tracking began with. */
let setup = '';
/** The last reading that was handed over, and the last tilt, seconds. */
let [newest, newestTilt] = [-Infinity, -Infinity];
/** @type {Point} */
let display = [0, 0];
/** @type {{ number: number | null, posture: Posture }} */
let preview = { number: null, posture: 'flat' };

/** @param {Answer} answer */
const say = (answer) => self.postMessage(answer);

self.onmessage = async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    if (data.kind === 'start') {
      odometry = await Odometry.make(data.module);
      pixels = new FramePixels(odometry);
      return say({ kind: 'ready' });
    }
    if (!odometry || !pixels) throw new Error('no engine yet');
    switch (data.kind) {
      case 'display':
        display = data.size;
        return odometry.setDisplay(...display);
      case 'preview':
        preview = { number: data.number, posture: data.posture };
        return odometry.setPreview(preview.number, preview.posture);
      case 'turn': return odometry.turn(data.number, data.degrees);
      case 'twist': return odometry.twist(data.number, data.before, data.now);
      case 'remove': return odometry.remove(data.number);
      case 'forget':
        setup = '';
        return;
      case 'tell': return tape?.tell(data.event, data.time);
      case 'ask': return say({ kind: 'answer', number: data.number, value: await ask(odometry, data.question) });
      case 'frame': return say(await look(odometry, data, await pixels.place(data.frame)));
      case 'pixels': return say(await look(odometry, data, pixels.placePixels(new Uint8Array(data.pixels), data.width, data.height)));
    }
  } catch (error) {
    // A trap leaves a dead engine: the page makes a new worker.
    say({ kind: 'failed', text: String(error) });
  }
};

/**
 * @param {Odometry} odometry
 * @param {Moment & { seen?: Seen }} moment
 * @param {import('./frame-pixels.js').Placed} placed
 * @returns {Promise<Answer>}
 */
async function look(odometry, moment, { layout, path }) {
  const start = performance.now();
  const { time, turning, tilt, seen } = moment;
  const { width, height } = layout;
  const recorded = tape;
  const isTracked = goOn(odometry, width, height, moment);
  for (const reading of turning) {
    // Whatever does not come later than the last says nothing new.
    if (!(reading.time > newest)) continue;
    newest = reading.time;
    odometry.motion(reading.time, reading.rate, reading.force);
    recorded?.reading(reading);
  }
  if (tilt && tilt.time > newestTilt) {
    newestTilt = tilt.time;
    odometry.tilt(tilt.time, tilt.beta, tilt.gamma);
    recorded?.tilt(tilt);
  }
  if (!isTracked) return { kind: 'left', time };
  if (seen) odometry.see(seen.rows, seen.focal, seen.lens);
  const kept = recorded?.keep(layout, odometry);
  const tracked = odometry.look(layout, time);
  const milliseconds = performance.now() - start;
  // The next picture comes when this one is kept: nothing piles up, and no picture that tracking saw is missing.
  if (kept) await recorded?.frame(moment, kept, odometry.row);
  return { kind: 'seen', tracked, width, height, path, milliseconds, taped: recorded?.size ?? 0 };
}

/**
 * Tracks on when the pictures, or how the screen is turned, are others than before; begins with the first.
 * @param {Odometry} odometry
 * @param {number} width
 * @param {number} height
 * @param {Moment} moment
 * @returns {boolean} whether the picture is to be looked at
 */
function goOn(odometry, width, height, { fieldOfView, learned, time, turning }) {
  const angle = turning.at(-1)?.angle ?? Number(setup.split(' ')[2] ?? 0);
  const pictures = { width, height, focal: odometry.focal(width, height, fieldOfView), screenAngle: angle };
  // A recording says all that tracking began with: it begins as with a camera that is used for the first time.
  odometry.learned(tape ? null : learned);
  const wanted = `${width} ${height} ${angle}`;
  // A recording has one kind of pictures from one beginning to the next.
  if (setup !== '' && !tape) {
    const isTracked = odometry.goOn(pictures, time);
    if (isTracked) setup = wanted;
    return isTracked;
  }
  if (wanted === setup) return true;
  const isFirst = setup === '';
  setup = wanted;
  odometry.begin(pictures);
  tape?.begun(pictures);
  odometry.setDisplay(...display);
  odometry.setPreview(preview.number, preview.posture);
  if (!isFirst) say({ kind: 'begun' });
  return true;
}

/**
 * @param {Odometry} odometry
 * @param {Request} request
 */
function ask(odometry, request) {
  if (request.kind === 'tape') return record(request.options);
  if (request.kind === 'untape') {
    const file = tape?.finish() ?? null;
    tape = null;
    return file;
  }
  const [x, y] = request.point;
  switch (request.kind) {
    case 'place': return odometry.place(request.number, x, y, request.posture, request.height);
    case 'drag': return odometry.drag(x, y);
    case 'take': {
      const number = odometry.nearest(x, y);
      if (number !== null) odometry.hold(number, x, y);
      return number;
    }
  }
}

/** @param {import('../sensors/tape.js').TapeOptions} options */
async function record(options) {
  const { Tape } = await import('../sensors/tape.js');
  setup = '';
  tape = new Tape(options);
  return true;
}
