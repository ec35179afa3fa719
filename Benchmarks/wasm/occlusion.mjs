// What is hidden behind buildings, natively and in WebAssembly under Node, in one run: 1,000 places among 5,000 walls within 500 m, judged after
// a step of the eye.
//
//   node Benchmarks/wasm/occlusion.mjs
//
// Natively it is the module's own call for all places (`Occlusion --speed`, 6 points of the eye). In WebAssembly it is the engine that pages load:
// what buildings add to the frame after a position, as the difference between the medians of two engines that are told the same in turn, one with
// the buildings and one without. It exits with 1 when a goal is missed.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Buildings } from '../../WebClient/engine/buildings.js';
import { Engine } from '../../WebClient/engine/engine.js';
import { Places } from '../../WebClient/engine/places.js';
import { load, place, world } from '../../Tests/Wasm/worlds.mjs';

const GOAL = { native: 1, wasm: 3 };
const EYE = { latitude: 48.3984, longitude: 9.9915 };
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const run = (command, words, options = {}) => execFileSync(command, words, {
  cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options,
});

const folder = mkdtempSync(join(tmpdir(), 'sightline-occlusion-'));
const file = join(folder, 'town.json');
const native = run('swift', ['run', '-c', 'release', '--package-path', 'Benchmarks', 'Occlusion', '--speed', '--town', file], {
  env: { ...process.env, SIGHTLINE_CORE_ONLY: '1' },
});
const town = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });
process.stdout.write(native);
const bytes = readFileSync(join(run(join(root, 'Scripts/build-wasm'), []).trimEnd().split('\n').at(-1), 'sightline.wasm'));

/** Degrees of so many metres east and north of the eye's first place. */
const at = (east, north) => ({
  latitude: EYE.latitude + north / 111_195,
  longitude: EYE.longitude + east / 111_195 / Math.cos((EYE.latitude * Math.PI) / 180),
});
const pairs = (numbers) => Array.from({ length: numbers.length / 2 }, (_, k) => at(numbers[2 * k], numbers[2 * k + 1]));

async function open(withBuildings) {
  const engine = await Engine.load(bytes);
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 0);
  engine.handle({ type: 'camera', width: 720, height: 1280, longSideFieldOfView: 66 }, 0);
  engine.handle({ type: 'setRadius', radius: 2000 }, 0);
  engine.handle({ type: 'fix', ...EYE, altitude: null, horizontalAccuracy: 8, verticalAccuracy: null }, 0);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 0);
  engine.handle({ type: 'open', address: 1 }, 0);
  let id = 0;
  for (let effect; (effect = engine.nextEffect());) if (effect.type === 'request') id = effect.request.id;
  load(engine, id, world(pairs(town.places[0]).map(({ latitude, longitude }) => place(latitude, longitude))), 0);
  while (engine.nextEffect());
  if (withBuildings) {
    const places = engine.part(Places);
    const buildings = town.prisms.map(([top, bottom, ...corners]) => ({
      top, bottom, rings: [pairs(corners).flatMap((corner) => { const { x, y } = places.onMap(corner); return [x, y]; })],
    }));
    if (engine.part(Buildings).set(buildings, 0) !== buildings.length) throw new Error('the engine does not take the buildings');
  }
  return engine;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const engines = [await open(true), await open(false)];
const times = [[], []];
let hidden = 0;
let frame;
const steps = pairs(town.steps[0]);
for (let round = 0; round < 4; round++) {
  steps.forEach((step, k) => {
    const time = 1 + round * steps.length + k;
    // In turn, so that what else the machine does meets both.
    for (const one of k % 2 ? [0, 1] : [1, 0]) {
      // Fast enough for what is shown to be at the step at once.
      engines[one].handle({ type: 'fix', ...step, altitude: null, horizontalAccuracy: 8, verticalAccuracy: null, speed: 250 }, time);
      engines[one].handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, time);
      const start = performance.now();
      const made = engines[one].makeFrame(time + 0.9);
      if (round > 0) times[one].push(performance.now() - start);
      while (engines[one].nextEffect());
      if (one === 0) frame = made;
    }
    hidden += engines[0].part(Buildings).hidden().size;
  });
}
const [withThem, without] = times.map(median);
const added = withThem - without;
const nativeMedian = Number(/judge\/\S+-6-points {2}([\d.]+) ms/.exec(native)?.[1] ?? NaN);
console.log(`node ${process.version}: ${frame.candidateCount} places, ${town.prisms.length} prisms, ${hidden} labels not seen whole in ${4 * steps.length} frames`);
console.log(`WebAssembly, a frame after a step: ${withThem.toFixed(3)} ms with buildings, ${without.toFixed(3)} ms without`);
console.log(`what is hidden: ${added.toFixed(3)} ms in WebAssembly (goal ${GOAL.wasm}), ${nativeMedian.toFixed(3)} ms natively (goal ${GOAL.native}): ${(added / nativeMedian).toFixed(2)} times`);
if (!(hidden > 0 && added <= GOAL.wasm && nativeMedian <= GOAL.native)) {
  console.error('a goal was missed');
  process.exitCode = 1;
}
