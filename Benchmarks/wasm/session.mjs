// The engine as the page has it: WebAssembly under Node, through the page's own binding.
//
//   node --expose-gc Benchmarks/wasm/session.mjs
//
// Names, sizes and phone are those of the native `Session` benchmarks. `frame` is everything between two repaints: an
// orientation event, the frame, reading it into JavaScript objects, a touch that meets nothing, the effects.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Engine } from '../../WebClient/engine/engine.js';
import { load, place, world as contentOf } from '../../Tests/Wasm/worlds.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  .trimEnd().split('\n').at(-1);
const path = join(folder, 'sightline.wasm');
const bytes = readFileSync(path);
const GOAL = { frame: 3, place: 20, gzip: 192_000 };
const EYE = { latitude: 48.3984, longitude: 9.9915, altitude: 480 };
const RADIUS = 5000;

let failed = false;
function report(name, milliseconds, goal) {
  const sorted = milliseconds.slice().sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(3);
  const median = sorted[sorted.length >> 1];
  if (goal !== undefined && median > goal) failed = true;
  console.log(`${name.padEnd(40)} ${median.toFixed(3)} ms  (${at(0.05)} … ${at(0.95)})${goal ? `  goal ${goal} ms` : ''}`);
  return median;
}

/** Numbers that repeat. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Places strewn evenly around the eye, so many of them inside the radius. */
function world(places, inRadius) {
  const next = random(7);
  const outer = RADIUS * Math.sqrt(places / inRadius);
  const features = Array.from({ length: places }, (_, k) => {
    const distance = outer * Math.sqrt(next());
    const azimuth = 2 * Math.PI * next();
    const latitude = EYE.latitude + (distance * Math.cos(azimuth)) / 111_195;
    const longitude = EYE.longitude + (distance * Math.sin(azimuth)) / 111_195 / Math.cos((EYE.latitude * Math.PI) / 180);
    return place(latitude, longitude, {
      id: `${k + 1}`, position: { latitude, longitude, altitude: 480 + 60 * next() }, altitudeMode: 'ellipsoid',
      label: { width: 80 + 80 * next(), height: 34 }, categories: [`category ${k % 8}`],
    });
  });
  return contentOf(features, { radarRange: RADIUS, refreshURL: '1' });
}

function request(engine) {
  let id = 0;
  for (let effect; (effect = engine.nextEffect());) if (effect.type === 'request') id = effect.request.id;
  return id;
}

async function open(content) {
  const engine = await Engine.load(bytes);
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 0);
  engine.handle({ type: 'camera', width: 720, height: 1280, longSideFieldOfView: 66 }, 0);
  engine.handle({ type: 'calendar', decimalYear: 2026.5 }, 0);
  engine.handle({ type: 'setRadius', radius: RADIUS }, 0);
  engine.handle({ type: 'fix', ...EYE, horizontalAccuracy: 5, verticalAccuracy: 5 }, 0);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'magnetic' }, 0);
  engine.handle({ type: 'open', address: 1 }, 0);
  load(engine, request(engine), content, 0);
  request(engine);
  return engine;
}

const orientation = { type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'magnetic' };
const touch = { type: 'touch', x: 1, y: 1 };

/** A phone in a hand: turning slowly, trembling a little. */
function step(engine, k) {
  const time = k / 60;
  orientation.alpha = (k * 0.2) % 360;
  orientation.beta = 90 + Math.sin(k / 7) * 2;
  orientation.gamma = Math.sin(k / 11);
  engine.handle(orientation, time);
  const frame = engine.makeFrame(time);
  engine.handle(touch, time);
  while (engine.nextEffect());
  return frame;
}

console.log(`node ${process.version}, ${path.replace(`${root}/`, '')}`);
const compressed = gzipSync(bytes, { level: 9 }).length;
console.log(`size${' '.repeat(36)} ${bytes.length} bytes, ${compressed} compressed  goal ${GOAL.gzip}`);
failed ||= compressed > GOAL.gzip;

const medians = [];
for (const places of [1000, 10_000, 100_000]) {
  const content = world(places, 1000);
  const engine = await open(content);
  let frame;
  for (let k = 0; k < 600; k++) frame = step(engine, k);
  const inView = frame.items.length + frame.clusters.reduce((sum, cluster) => sum + cluster.members.length, 0);
  const times = [];
  for (let k = 600; k < 2400; k++) {
    const start = performance.now();
    step(engine, k);
    times.push(performance.now() - start);
  }
  medians.push(report(`Session/frame/${places}-${frame.candidateCount}-${inView}`, times, GOAL.frame));

  const loads = [];
  for (let k = 0; k < 15; k++) {
    engine.handle({ type: 'refreshByHand' }, 50 + k);
    const id = request(engine);
    const start = performance.now();
    load(engine, id, content, 50 + k);
    loads.push(performance.now() - start);
    request(engine);
  }
  report(`Session/loaded/${places}`, loads, places === 10_000 ? GOAL.place : undefined);

  if (places === 10_000) {
    for (let k = 2400; k < 2600; k++) step(engine, k);
    const engineBefore = engine.memoryBytes;
    globalThis.gc?.();
    const heapBefore = process.memoryUsage().heapUsed;
    for (let k = 2600; k < 12_600; k++) step(engine, k);
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed - heapBefore;
    const grown = engine.memoryBytes - engineBefore;
    console.log(`Session/memory/10000 frames${' '.repeat(13)} engine +${grown} bytes of ${engineBefore}, JavaScript heap`
      + ` ${globalThis.gc ? `${heap >= 0 ? '+' : ''}${(heap / 1024).toFixed(0)} KB` : 'not measured (--expose-gc)'}  goal +0 bytes`);
    failed ||= grown !== 0;
  }
}
console.log(`a frame at 100,000 places costs ${(medians[2] / medians[0]).toFixed(2)} × one at 1,000`);
if (failed) {
  console.error('a goal was missed');
  process.exitCode = 1;
}
