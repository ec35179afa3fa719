// Targets as the page has them: WebAssembly under Node, through the page's own binding.
//
//   node Benchmarks/wasm/targets.mjs [--target PICTURE.pgm --frames FOLDER]
//
// `track` is a frame in which the one target is followed, `search` one in which it is looked for in vain or found, both from the
// picture in the room to the results as JavaScript objects, at 640 × 480. Without arguments poster and frames are drawn here: a
// poster that moves, turns and comes nearer, then a room of boxes without it. With them, frames are a folder's *.pgm in
// the order of their names. Exits with 1 when a goal is missed.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Vision } from '../../WebClient/engine/vision.js';
import { drawn, random } from './drawn.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  .trimEnd().split('\n').at(-1);
const path = join(folder, 'vision.wasm');
const module = await WebAssembly.compile(readFileSync(path));
const GOAL = { track: 2.5, search: 25, build: 200 };

let failed = false;
function report(name, milliseconds, goal) {
  if (!milliseconds.length) return console.log(`${name.padEnd(28)} none`);
  const sorted = milliseconds.slice().sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(2);
  if (goal !== undefined && sorted[sorted.length >> 1] > goal) failed = true;
  return console.log(`${name.padEnd(28)} ${at(0.5)} ms  (${at(0.05)} … ${at(0.95)}, ${sorted.length} frames)`
    + (goal ? `  goal ${goal} ms` : ''));
}

/** The picture turned, scaled and moved over a room of boxes, with noise; the room alone without `place`. */
function scene(picture, place, seed) {
  const room = drawn(640, 480, 5, 160, 70);
  const next = random(seed);
  const noisy = (value) => Math.max(0, Math.min(255, value + (next() + next() - 1) * 5));
  const pixels = room.pixels.map(noisy);
  if (!place) return pixels;
  const { x, y, scale, angle } = place;
  const [c, s] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const { width, height, pixels: p } = picture;
  for (let row = 0; row < 480; row++) {
    for (let column = 0; column < 640; column++) {
      const u = c * (column - x) + s * (row - y) + (width - 1) / 2;
      const v = c * (row - y) - s * (column - x) + (height - 1) / 2;
      if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) continue;
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const at = j * width + i;
      const above = p[at] + (u - i) * (p[at + 1] - p[at]);
      const below = p[at + width] + (u - i) * (p[at + width + 1] - p[at + width]);
      pixels[row * 640 + column] = noisy(above + (v - j) * (below - above));
    }
  }
  return pixels;
}

/** @param {string} file */
function pgm(file) {
  const bytes = readFileSync(file);
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 64).toString('latin1'));
  if (!head) throw new Error(`${file}: a PGM file of the kind P5 with 255 levels is wanted`);
  return { width: +head[1], height: +head[2], pixels: new Uint8Array(bytes.subarray(head[0].length)) };
}

function given() {
  const value = (name) => process.argv[process.argv.indexOf(name) + 1];
  if (!process.argv.includes('--target') || !process.argv.includes('--frames')) return null;
  const folder = value('--frames');
  const names = readdirSync(folder).filter((name) => name.endsWith('.pgm')).sort();
  return { picture: pgm(value('--target')), frames: names.map((name) => pgm(join(folder, name))) };
}

function made() {
  const picture = drawn(420, 300, 3, 220, 26);
  const frames = [];
  for (let k = 0; k < 150; k++) {
    const place = { x: 250 + k, y: 220 + 20 * Math.sin(k / 9), scale: 0.6 + 0.004 * k, angle: k / 60 };
    frames.push({ width: 640, height: 480, pixels: scene(picture, place, k) });
  }
  for (let k = 0; k < 60; k++) frames.push({ width: 640, height: 480, pixels: scene(picture, null, 1000 + k) });
  return { picture, frames };
}

const layout = ({ width, height }) => ({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false });
const { picture, frames } = given() ?? made();
console.log(`node ${process.version}, ${frames.length} frames`);

const { targets } = await Vision.make(module);
const builds = [];
let file = new Uint8Array();
for (let k = 0; k < 6; k++) {
  const start = performance.now();
  file = targets.build(picture.pixels, layout(picture), { name: 'poster' });
  builds.push(performance.now() - start);
}
const others = Array.from({ length: 19 }, (_, k) => targets.build(drawn(400, 300, 50 + k, 200, 26).pixels,
  layout({ width: 400, height: 300 }), { name: `other ${k}` }));
report('Targets/build', builds, GOAL.build);
console.log(`${'Targets/file'.padEnd(28)} ${file.length} bytes, ${targets.describe(file).stars.toFixed(1)} stars`);

for (const count of [1, 20]) {
  const vision = await Vision.make(module);
  vision.addPicture(0, file);
  others.slice(0, count - 1).forEach((other, k) => vision.addPicture(k + 1, other));
  const times = { tracked: [], lost: [], found: [], carried: [] };
  for (let round = 0; round < 2; round++) {
    frames.forEach((frame, k) => {
      vision.room(frame.pixels.length).set(frame.pixels);
      const start = performance.now();
      const found = vision.observe(layout(frame), round * 1000 + k / 30, 0);
      const elapsed = performance.now() - start;
      // The first round lets the compiler warm up. What nothing is said of is looked for in vain, as what is lost.
      if (round > 0) times[found.find(({ id }) => id === 0)?.state ?? 'lost'].push(elapsed);
    });
  }
  report(`Targets/track/1-of-${count}`, times.tracked, count === 1 ? GOAL.track : undefined);
  report(`Targets/search/${count}`, [...times.lost, ...times.found], count === 1 ? GOAL.search : undefined);
  if (!times.tracked.length) failed = true;
}
if (failed) {
  console.error('a goal was missed');
  process.exitCode = 1;
}
