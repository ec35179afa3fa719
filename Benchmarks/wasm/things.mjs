// Things in true size as the page has them: the engine as WebAssembly under Node, through the page's own binding.
//
//   node --expose-gc Benchmarks/wasm/things.mjs
//
// 10,000 places with 100 pictures in true size beside the same places without, frame by frame in turn; and 200 models of 5,000 triangles
// with about 20 before the camera, whose frames must not make the engine's memory grow. It exits with 1 when a goal is missed.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Engine } from '../../WebClient/engine/engine.js';
import { Things } from '../../WebClient/engine/things.js';
import { load, place, world } from '../../Tests/Wasm/worlds.mjs';
import { random } from './drawn.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = execFileSync(join(root, 'Scripts/build-wasm'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  .trimEnd().split('\n').at(-1);
const bytes = readFileSync(join(folder, 'sightline.wasm'));
const EYE = { latitude: 48.3984, longitude: 9.9915, altitude: 480 };
const RADIUS = 5000;
const MOST_RATIO = 1.1;
const MODELS = { count: 200, triangles: 5000 };
let failed = false;

/** A position so many metres away, in a direction. */
function at(distance, azimuth) {
  return {
    latitude: EYE.latitude + (distance * Math.cos(azimuth)) / 111_195,
    longitude: EYE.longitude + (distance * Math.sin(azimuth)) / 111_195 / Math.cos((EYE.latitude * Math.PI) / 180),
  };
}

/** Labels strewn evenly around the eye, 1,000 of them inside the radius, with so many pictures of 2 by 3 m among them. */
function strewn(places, pictures) {
  const next = random(7);
  const edge = RADIUS * Math.sqrt(places / 1000);
  return world(Array.from({ length: places }, (_, k) => {
    const { latitude, longitude } = at(edge * Math.sqrt(next()), 2 * Math.PI * next());
    const isPicture = k < pictures;
    const near = at(20 + 180 * next(), 2 * Math.PI * next());
    return place(latitude, longitude, {
      id: `${k + 1}`, position: { ...(isPicture ? near : { latitude, longitude }), altitude: 480 + 60 * next() }, altitudeMode: 'ellipsoid',
      label: { width: 80 + 80 * next(), height: 34 }, categories: [`category ${k % 8}`],
      ...(isPicture ? { visual: { kind: 'image', assetID: '1' }, size: { width: 2, height: 3 } } : {}),
    });
  }), { radarRange: RADIUS });
}

/** Models of 2 m in a ring around the eye, 15 to 60 m away. */
function ring() {
  const next = random(11);
  return world(Array.from({ length: MODELS.count }, (_, k) => {
    const { latitude, longitude } = at(15 + 45 * next(), (2 * Math.PI * k) / MODELS.count);
    return place(latitude, longitude, {
      id: `${k + 1}`, altitudeMode: 'ground', position: { latitude, longitude },
      visual: { kind: 'model', assetID: '1', xRotation: 0, yRotation: 0, zRotation: 0, scale: 1 }, attitude: { heading: next() * 360 },
    });
  }), { radarRange: 100 });
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
  let request = 0;
  for (let effect; (effect = engine.nextEffect());) if (effect.type === 'request') request = effect.request.id;
  load(engine, request, content, 0);
  while (engine.nextEffect());
  return { engine, things: engine.part(Things) };
}

const orientation = { type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'magnetic' };

/** A phone that is turned slowly: an orientation, the frame with labels and things, a touch that meets nothing. */
function step({ engine, things }, k) {
  const time = k / 60;
  orientation.alpha = (k * 0.2) % 360;
  orientation.beta = 90 + Math.sin(k / 7) * 2;
  engine.handle(orientation, time);
  const frame = engine.makeFrame(time);
  const { count } = things.read(2026.5);
  engine.handle({ type: 'touch', x: 1, y: 1 }, time);
  while (engine.nextEffect());
  return { frame, count };
}

const median = (values) => values.slice().sort((a, b) => a - b)[values.length >> 1];
const timed = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};

const [without, pictures] = [await open(strewn(10_000, 0)), await open(strewn(10_000, 100))];
const times = { without: [], pictures: [] };
let shown = 0;
for (let k = 0; k < 3000; k++) {
  // The one that comes first changes: what the machine does meanwhile hits both.
  const [a, b] = [() => step(without, k), () => (shown += step(pictures, k).count)];
  const pair = k % 2 ? [timed(a), timed(b)] : [timed(b), timed(a)].reverse();
  if (k < 600) continue;
  times.without.push(pair[0]);
  times.pictures.push(pair[1]);
}
const [plain, full] = [median(times.without), median(times.pictures)];
const ratio = full / plain;
console.log(`10,000 places ${plain.toFixed(3)} ms a frame, with 100 pictures in true size ${full.toFixed(3)} ms: ${ratio.toFixed(3)} times`
  + `  goal ${MOST_RATIO}; ${(shown / 3000).toFixed(1)} pictures before the camera`);
failed ||= ratio > MOST_RATIO || shown === 0;

const models = await open(ring());
for (let k = 0; k < MODELS.count; k++) {
  models.engine.handle({ type: 'modelTriangles', feature: k, count: MODELS.triangles }, 1);
  models.engine.handle({ type: 'modelBounds', feature: k, low: [-1, 0, -1], high: [1, 2, 1] }, 1);
}
for (let k = 60; k < 2460; k++) step(models, k);
const before = models.engine.memoryBytes;
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed;
const frames = [];
let drawn = 0;
for (let k = 2460; k < 12_460; k++) frames.push(timed(() => (drawn += step(models, k).count)));
globalThis.gc?.();
const grown = models.engine.memoryBytes - before;
console.log(`${MODELS.count} models of ${MODELS.triangles} triangles: ${median(frames).toFixed(3)} ms a frame, `
  + `${(drawn / frames.length).toFixed(1)} before the camera; over ${frames.length} frames the engine's memory grew by ${grown} bytes, the heap by `
  + `${globalThis.gc ? `${((process.memoryUsage().heapUsed - heap) / 1024).toFixed(0)} KB` : 'an unknown amount (--expose-gc)'}  goal 0`);
failed ||= grown !== 0 || drawn === 0;
process.exitCode = failed ? 1 : 0;
