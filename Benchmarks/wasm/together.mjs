// A session as the page has it with everything at once: a world of places, two markers and a picture; the vision worker's part
// (vision.wasm) and the page's (sightline.wasm) apart.
//
//   node --expose-gc Benchmarks/wasm/together.mjs
//
// `vision` is from the picture in the room to the rows that go to the page, at 640 × 480; `observations` what the page does with these,
// until it has what stands on anchors as objects; `frame` everything else between two repaints, as in session.mjs. The camera gives 30
// pictures a second, the display repaints 60 times. Exits with 1 when a goal is missed, when anything was not followed, or when memory of
// one of the instances grew over 1,000 frames.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, place, world } from '../../Tests/Wasm/worlds.mjs';
import { Engine } from '../../WebClient/engine/engine.js';
import { OBSERVATION } from '../../WebClient/engine/observations.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { drawn, random } from './drawn.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  .trimEnd().split('\n').at(-1);
const read = (/** @type {string} */ name) => WebAssembly.compile(readFileSync(join(folder, name)));
const GOAL = { vision: 8, observations: 0.5, frame: 3 };
const [WIDTH, HEIGHT, FOCAL] = [640, 480, 560];
const EYE = { latitude: 48.3984, longitude: 9.9915, altitude: 480 };
const FRAMES = { warm: 300, timed: 900, still: 1000 };

let failed = false;
function report(name, milliseconds, goal) {
  const sorted = milliseconds.slice().sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(3);
  if (sorted[sorted.length >> 1] > goal) failed = true;
  console.log(`${name.padEnd(30)} ${at(0.5)} ms  (${at(0.05)} … ${at(0.95)})  goal ${goal} ms`);
}

/** A marker with a margin of one cell, ten pixels a cell. */
function markerPicture(cells) {
  const side = (cells.length + 4) * 10;
  const pixels = Uint8Array.from({ length: side * side }, (_, k) => {
    const [row, column] = [Math.floor(k / side / 10) - 2, Math.floor((k % side) / 10) - 2];
    if (row < -1 || column < -1 || row > cells.length || column > cells.length) return 215;
    return cells[row]?.[column] ? 215 : 30;
  });
  return { width: side, height: side, pixels };
}

/** Draws a picture over another, turned and scaled about its middle. */
function put(on, { width, height, pixels: p }, x, y, scale, angle) {
  const [c, s] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const reach = Math.max(width, height) * scale;
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(HEIGHT, y + reach); row++) {
    for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(WIDTH, x + reach); column++) {
      const u = c * (column - x) + s * (row - y) + (width - 1) / 2;
      const v = c * (row - y) - s * (column - x) + (height - 1) / 2;
      if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) continue;
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const at = j * width + i;
      const above = p[at] + (u - i) * (p[at + 1] - p[at]);
      const below = p[at + width] + (u - i) * (p[at + width + 1] - p[at + width]);
      on[row * WIDTH + column] = above + (v - j) * (below - above);
    }
  }
}

const vision = await Vision.make(await read('vision.wasm'));
const poster = drawn(420, 300, 3, 220, 26);
const file = vision.targets.build(poster.pixels, { format: 'gray', width: 420, height: 300, offset: 0, stride: 420, isLimited: false }, { width: 0.6 });
const markers = [7, 9].map((id) => markerPicture(vision.markers.cells('6x6-250', id)));
const room = drawn(WIDTH, HEIGHT, 5, 120, 60).pixels;

/** Pictures of a hand that holds a phone and goes there and back, so that they may be shown in a circle. */
const pictures = Array.from({ length: 48 }, (_, k) => {
  const [swing, next] = [Math.sin((k / 48) * 2 * Math.PI), random(k)];
  const pixels = Float32Array.from(room);
  put(pixels, poster, 210 + 30 * swing, 200 + 12 * swing, 0.75 + 0.05 * swing, 0.06 * swing);
  put(pixels, markers[0], 480 + 30 * swing, 130 + 12 * swing, 1, 0.3 + 0.06 * swing);
  put(pixels, markers[1], 500 + 30 * swing, 350 + 12 * swing, 0.8, -0.4 + 0.06 * swing);
  return Uint8Array.from(pixels, (value) => Math.max(0, Math.min(255, value + (next() + next() - 1) * 6)));
});

const next = random(7);
const places = Array.from({ length: 1000 }, (_, k) => {
  const [distance, azimuth] = [5000 * Math.sqrt(next()), 2 * Math.PI * next()];
  return place(
    EYE.latitude + (distance * Math.cos(azimuth)) / 111_195,
    EYE.longitude + (distance * Math.sin(azimuth)) / 111_195 / Math.cos((EYE.latitude * Math.PI) / 180),
    { id: `${k}`, label: { width: 80 + 80 * next(), height: 34 }, categories: [`category ${k % 8}`] },
  );
});
const on = (/** @type {any} */ anchor, /** @type {string} */ kind, /** @type {string} */ id) =>
  ({ ...place(0, 0, { id, visual: { kind, scale: 'fit' }, ...anchor }), position: undefined });
const marker = (/** @type {number} */ id) => ({ marker: { dictionary: '6x6-250', id, length: 0.1 } });
places.push(
  on(marker(7), 'model', 'model'), on(marker(9), 'image', 'image'), on(marker(9), 'text', 'label'),
  on({ target: { assetID: '31', width: 0.6 } }, 'text', 'poster'),
);

const engine = await Engine.load(await read('sightline.wasm'));
engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 0);
engine.handle({ type: 'camera', width: WIDTH, height: HEIGHT, longSideFieldOfView: 60 }, 0);
engine.handle({ type: 'calendar', decimalYear: 2026.5 }, 0);
engine.handle({ type: 'fix', ...EYE, horizontalAccuracy: 5, verticalAccuracy: 5, course: null, speed: null }, 0);
engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'magnetic' }, 0);
engine.handle({ type: 'open', address: 1 }, 0);
for (let effect; (effect = engine.nextEffect());) {
  if (effect.type === 'request') load(engine, effect.request.id, world(places, { radarRange: 5000 }), 0);
}
vision.watchMarkers({ dictionaries: ['6x6-250'], sides: [], usual: 0.1 });
vision.addPicture(31, file);
vision.watchCodes(true);

const layout = { format: /** @type {const} */ ('gray'), width: WIDTH, height: HEIGHT, offset: 0, stride: WIDTH, isLimited: false };
const orientation = { type: /** @type {const} */ ('orientation'), alpha: 0, beta: 90, gamma: 0, north: /** @type {const} */ ('magnetic') };
const times = { vision: [], observations: [], frame: [] };
const seen = new Map();
let least = Infinity;

/** One picture of the camera and two repaints. */
function step(k, isTimed) {
  const time = 1 + k / 30;
  const pixels = pictures[k % pictures.length];
  for (let reading = 0; reading < 2; reading++) vision.motion(time - 0.02 + reading / 60, [0, Math.cos(k / 7), 0], 0);
  vision.room(pixels.length).set(pixels);
  const start = performance.now();
  const { rows } = vision.look(layout, time, FOCAL);
  const looked = performance.now();
  engine.handle({ type: 'observations', rows, time, width: WIDTH, height: HEIGHT, focal: FOCAL, lens: [] }, time + 0.02);
  const anchors = engine.anchors();
  const told = performance.now();
  least = isTimed ? Math.min(least, anchors.items.filter(({ opacity }) => opacity > 0).length) : Infinity;
  const frames = [];
  for (let repaint = 0; repaint < 2; repaint++) {
    const begin = performance.now();
    orientation.alpha = (k * 0.4 + repaint * 0.2) % 360;
    engine.handle(orientation, time + 0.02 + repaint / 60);
    engine.makeFrame(time + 0.02 + repaint / 60);
    while (engine.nextEffect());
    frames.push(performance.now() - begin);
  }
  if (!isTimed) return;
  times.vision.push(looked - start);
  times.observations.push(told - looked);
  times.frame.push(...frames);
  for (let row = 0; row < rows.length; row += OBSERVATION) {
    const name = rows[row] === 2 ? 'code' : `${['marker', 'picture', 'code', 'wall'][rows[row]]} ${rows[row + 2]}`;
    seen.set(name, (seen.get(name) ?? 0) + (rows[row + 3] < 2 ? 1 : 0));
  }
}

let k = 0;
for (; k < FRAMES.warm; k++) step(k, false);
for (; k < FRAMES.warm + FRAMES.timed; k++) step(k, true);
console.log(`node ${process.version}, ${FRAMES.timed} pictures of ${WIDTH} × ${HEIGHT}, 1,000 places`);
report('Together/vision', times.vision, GOAL.vision);
report('Together/observations', times.observations, GOAL.observations);
report('Together/frame', times.frame, GOAL.frame);
console.log(`seen: ${[...seen].map(([name, count]) => `${name} in ${count}`).join(', ')}; on anchors at the least ${least} of 4`);
for (const name of ['marker 7', 'marker 9', 'picture 31']) failed ||= (seen.get(name) ?? 0) < 0.98 * FRAMES.timed;

globalThis.gc?.();
const before = { vision: vision.instance.memory.buffer.byteLength, engine: engine.memoryBytes, heap: process.memoryUsage().heapUsed };
for (const end = k + FRAMES.still; k < end; k++) step(k, false);
globalThis.gc?.();
const grown = { vision: vision.instance.memory.buffer.byteLength - before.vision, engine: engine.memoryBytes - before.engine };
const heap = (process.memoryUsage().heapUsed - before.heap) / 1024;
console.log(`Together/memory/${FRAMES.still} frames: vision +${grown.vision} bytes of ${before.vision}, engine +${grown.engine} of ${before.engine},`
  + ` JavaScript heap ${globalThis.gc ? `${heap >= 0 ? '+' : ''}${heap.toFixed(0)} KB` : 'not measured (--expose-gc)'}  goal +0 bytes`);
failed ||= grown.vision !== 0 || grown.engine !== 0;
if (failed) {
  console.error('a goal was missed');
  process.exitCode = 1;
}
