// Markers as the page has them: WebAssembly under Node, through the page's own binding, on drawn pictures.
//
//   node Benchmarks/wasm/markers.mjs [FRAME.pgm…]
//
// Binary PGM files in place of the drawn pictures, for frames with known markers. It exits with 1 when a goal is missed:
// 3 ms to find markers at 640x480, 6 ms at 1280x720.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Vision } from '../../WebClient/engine/vision.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  .trimEnd().split('\n').at(-1);
const path = join(folder, 'vision.wasm');
const module = await WebAssembly.compile(readFileSync(path));
const vision = await Vision.make(module);
const { markers } = vision;
const GOAL = { 640: 3, 1280: 6 };
let failed = false;

function report(name, milliseconds, goal) {
  const sorted = milliseconds.slice().sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  if (goal !== undefined && at(0.5) > goal) failed = true;
  const spread = `(${at(0.05).toFixed(3)} … ${at(0.95).toFixed(3)})`;
  console.log(`${name.padEnd(40)} ${at(0.5).toFixed(3)} ms  ${spread}${goal ? `  goal ${goal} ms` : ''}`);
}

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Blocks, a slope, noise, and four turned markers; `shift` moves the markers. */
function scene(width, height, shift = 0) {
  const next = random(77);
  const unit = width / 640;
  const blocks = Array.from({ length: 60 }, () =>
    [next() * width, next() * height, 5 + 60 * next(), 5 + 60 * next(), 40 + 170 * next()]);
  const level = new Float32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) level[y * width + x] = 90 + (60 * x) / width;
  for (const [cx, cy, w, h, value] of blocks) {
    for (let y = Math.max(0, Math.ceil(cy - h)); y < Math.min(height, cy + h); y++) {
      for (let x = Math.max(0, Math.ceil(cx - w)); x < Math.min(width, cx + w); x++) level[y * width + x] = value;
    }
  }
  [22, 40, 75, 130].forEach((pixels, k) => {
    const side = pixels * unit;
    const [cx, cy] = [(90 + 150 * k) * unit + shift, (110 + 80 * k) * unit];
    const [c, s] = [Math.cos(0.4 * (k + 1)), Math.sin(0.4 * (k + 1))];
    const cells = markers.cells('6x6-250', 10 * k + 3);
    for (let y = Math.max(0, Math.floor(cy - side)); y < Math.min(height, cy + side); y++) {
      for (let x = Math.max(0, Math.floor(cx - side)); x < Math.min(width, cx + side); x++) {
        let sum = 0;
        for (let q = 0; q < 9; q++) {
          const [dx, dy] = [x + ((q % 3) - 1) / 3 - cx, y + (Math.floor(q / 3) - 1) / 3 - cy];
          const column = Math.floor((((c * dx + s * dy) / side + 0.5) * 8)) - 1;
          const row = Math.floor((((c * dy - s * dx) / side + 0.5) * 8)) - 1;
          if (row < -2 || column < -2 || row > 7 || column > 7) sum += level[y * width + x];
          else if (row < -1 || column < -1 || row > 6 || column > 6) sum += 210;
          else sum += cells[row]?.[column] ? 210 : 35;
        }
        level[y * width + x] = sum / 9;
      }
    }
  });
  return Uint8Array.from(level, (value) => value + (next() + next() + next() - 1.5) * 4);
}

function fromFile(file) {
  const bytes = readFileSync(file);
  const [, width, height, , rest] = /^P5\s+(\d+)\s+(\d+)\s+(\d+)\s([\s\S]*)$/.exec(bytes.toString('latin1')) ?? [];
  if (!rest) throw new Error(`${file}: no binary PGM file`);
  return { width: Number(width), height: Number(height), pixels: new Uint8Array(Buffer.from(rest, 'latin1')) };
}

function layoutOf(width, height) {
  return { format: 'gray', width, height, offset: 0, stride: width, isLimited: false };
}

/** Looks for markers of these dictionaries, and knows nothing of earlier pictures. */
function begin(dictionaries) {
  vision.reset();
  vision.watchMarkers({ dictionaries, sides: [], usual: 0.05 });
}

function time(body) {
  const start = performance.now();
  body();
  return performance.now() - start;
}

const files = process.argv.slice(2);
if (files.length > 0) {
  const all = {};
  for (const { width, height, pixels } of files.map(fromFile)) {
    const runs = Array.from({ length: 7 }, () => {
      begin(['6x6-250', 'apriltag-36h11']);
      vision.room(pixels.length).set(pixels);
      return time(() => vision.observe(layoutOf(width, height), 0, 500));
    });
    // The first runs compile.
    (all[width] ??= []).push(Math.min(...runs));
  }
  for (const [width, times] of Object.entries(all)) report(`Markers/detect/${width} (${times.length} frames)`, times, GOAL[width]);
} else {
  for (const [width, height] of [[640, 480], [1280, 720], [1920, 1080]]) {
    const pixels = scene(width, height);
    let found = [];
    const runs = Array.from({ length: 80 }, () => {
      // A picture by itself is one of a pipeline that has just begun.
      begin(['6x6-250']);
      vision.room(pixels.length).set(pixels);
      return time(() => (found = vision.observe(layoutOf(width, height), 0, 500)));
    });
    report(`Markers/detect/${width}x${height}`, runs.slice(20), GOAL[width]);
    console.log(`  ${found.length} of 4 markers found`);
    const frames = Array.from({ length: 8 }, (_, k) => scene(width, height, 2 * k));
    let least = 4;
    begin(['6x6-250']);
    const follow = Array.from({ length: 96 }, (_, k) => {
      // There and back, without a jump.
      const frame = frames[k % 14 < 8 ? k % 14 : 14 - (k % 14)];
      vision.room(frame.length).set(frame);
      return time(() => (least = Math.min(least, vision.observe(layoutOf(width, height), k / 30, 500).length)));
    });
    report(`Markers/track/${width}x${height}`, follow.slice(20));
    console.log(`  ${least} of 4 markers followed at the least`);
  }
}
process.exit(failed ? 1 : 0);
