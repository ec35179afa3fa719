// The binding of the page to the engine: what goes in arrives, what comes out is readable, and what happens when it dies.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Engine } from '../../WebClient/engine/engine.js';
import { Instance } from '../../WebClient/engine/instance.js';
import { BINDINGS_HASH } from '../../WebClient/engine/layout.js';
import { engineBytes, modelsBytes, odometryBytes, placesBytes, visionBytes, wallsBytes } from './build.mjs';
import { load, place as placeAt, source, world } from './worlds.mjs';

const bytes = engineBytes();
const ULM = { latitude: 48.3984, longitude: 9.9915 };
const METRE = 1 / 111_195;

/** A phone held upright, looking in a direction, degrees clockwise from north. */
function looking(heading) {
  return { type: 'orientation', alpha: (360 - heading) % 360, beta: 90, gamma: 0, north: 'trueNorth' };
}

function fix(latitude = ULM.latitude, longitude = ULM.longitude) {
  return { type: 'fix', latitude, longitude, altitude: 480, horizontalAccuracy: 5, verticalAccuracy: 3 };
}

const place = (north, east, more = {}) =>
  placeAt(ULM.latitude + north * METRE, ULM.longitude + (east * METRE) / Math.cos(0.84472), more);

function effects(engine) {
  const all = [];
  for (let effect; (effect = engine.nextEffect());) all.push(effect);
  return all;
}

/** An engine that is ready, with the request for address 4 under way. */
async function ready(options) {
  const engine = await Engine.load(bytes, options);
  engine.handle({ type: 'calendar', decimalYear: 2026.5 }, 1);
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 1);
  engine.handle({ type: 'open', address: 4 }, 1);
  engine.handle(fix(), 1);
  engine.handle(looking(0), 1);
  return engine;
}

async function showing(content, options) {
  const engine = await ready(options);
  const [{ request }] = effects(engine);
  load(engine, request.id, content, 1);
  effects(engine);
  return engine;
}

test('the files are small and want nothing from the page but their own imports', () => {
  for (const [file, most] of [[bytes, 191_000], [placesBytes(), 47_300], [visionBytes(), 293_500], [wallsBytes(), 14_900], [modelsBytes(), 41_400], [odometryBytes(), 145_400]]) {
    assert.ok(gzipSync(file, { level: 9 }).length < most);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(file));
    assert.ok(imports.every(({ module, name }) => module === 'env' && name.startsWith('sl_host_')));
  }
});

test('loads from bytes, a compiled module and an address, whatever its type says', async () => {
  const types = ['application/wasm', 'application/octet-stream'];
  const server = createServer((request, response) => {
    const type = types[Number(request.url?.slice(1))];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(type ? bytes : 'no');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    for (const source of [bytes, await WebAssembly.compile(bytes), `http://127.0.0.1:${port}/0`, new URL(`http://127.0.0.1:${port}/1`)]) {
      assert.equal((await Engine.load(source)).status().content.reason, 'nothingOpened');
    }
    await assert.rejects(Engine.load(`http://127.0.0.1:${port}/2`), /could not be loaded: 404/);
  } finally {
    server.close();
  }
});

test('a request has all its fields', async () => {
  const engine = await ready();
  const all = effects(engine);
  assert.equal(all.length, 1);
  const { type, request } = all[0];
  assert.equal(type, 'request');
  assert.ok(Math.abs(request.bearing) < 1e-9 && Math.abs(request.pitch) < 1e-6 && Math.abs(request.roll) < 1e-9);
  assert.deepEqual({ ...request, bearing: 0, pitch: 0, roll: 0 }, {
    id: 1, address: 4, event: 'init', source: { kind: 'none' }, ...ULM, altitude: 480, bearing: 0, pitch: 0, roll: 0,
    width: 390, height: 844, world: 0,
  });
  assert.deepEqual(engine.status().content, { reason: 'loading', quality: 'none' });
});

test('unknown position and orientation are null in a request', async () => {
  const engine = await Engine.load(bytes);
  engine.handle({ type: 'open', address: 0 }, 1);
  engine.handle({ type: 'orientationUnavailable', reason: 'denied' }, 1);
  engine.handle({ type: 'locationUnavailable', reason: 'denied' }, 1);
  const [{ request }] = effects(engine);
  assert.deepEqual([request.latitude, request.longitude, request.altitude, request.bearing], [null, null, null, null]);
  assert.deepEqual(engine.status().location, { reason: 'denied', quality: 'none' });
  assert.deepEqual(engine.status().heading, { reason: 'denied', quality: 'none' });
});

test('a world with nothing in range, nothing placed, or nothing at all is drawn as empty', async () => {
  for (const places of [[], [place(900_000, 0)], [{ ...place(0, 0), position: undefined }]]) {
    const engine = await showing(world(places));
    const frame = engine.makeFrame(1.1);
    assert.ok(frame.isValid);
    assert.equal(frame.items.length, 0);
  }
});

test('a place is drawn where geometry says', async () => {
  const engine = await showing(world([place(1000, 0), place(1000, 150), place(-500, 0)]));
  const frame = engine.makeFrame(1);
  assert.ok(frame.isValid);
  // 65° along the long side of 844 points: the focal length, and with it everything on the screen.
  const focal = 422 / Math.tan((32.5 * Math.PI) / 180);
  const ahead = frame.items.find((item) => item.feature === 0);
  const beside = frame.items.find((item) => item.feature === 1);
  assert.ok(Math.abs(ahead.anchorX - 195) < 0.1 && Math.abs(ahead.anchorY - 422) < 0.1);
  assert.ok(Math.abs(beside.anchorX - (195 + focal * 0.15)) < 0.5, `${beside.anchorX}`);
  assert.equal(frame.items.length, 2);
  assert.equal(frame.candidateCount, 3);
  assert.equal(frame.arrows.length, 1);
  assert.deepEqual([frame.arrows[0].count, frame.arrows[0].nearest], [1, 2]);
  const behind = frame.radar.blips.find((blip) => blip.feature === 2);
  assert.ok(Math.abs(behind.x) < 0.01 && Math.abs(behind.y - 0.5) < 0.01, 'y down, half the range');
  assert.deepEqual(engine.status().content, { reason: 'ready', quality: 'good' });
});

test('effects arrive as objects', async () => {
  const engine = await showing(world(
    [place(500, 0, { action: { kind: 'webPage', url: '7' } }), place(500, 9, { action: { kind: 'refresh' } }),
      place(500, 18, { action: { kind: 'dimension', url: '8' } })],
    { refreshURL: '6', refreshIntervalSeconds: 60, overlays: [{ id: 'o', hidden: true, action: { kind: 'refresh' } }] }));
  engine.handle({ type: 'press', feature: 0 }, 2);
  assert.deepEqual(effects(engine), [{ type: 'selectionChanged', feature: 0 }, { type: 'openWebPage', address: 7 }]);
  engine.handle({ type: 'select', feature: null }, 2);
  assert.deepEqual(effects(engine), [{ type: 'selectionChanged', feature: null }]);
  engine.handle({ type: 'pressOverlay', overlay: 0 }, 2);
  const [{ request }] = effects(engine);
  assert.deepEqual([request.event, request.address, request.source], ['refreshOnPress', null, { kind: 'overlay', index: 0 }]);
  engine.handle({ type: 'press', feature: 2 }, 2);
  const next = effects(engine);
  assert.deepEqual(next.map((effect) => effect.type), ['selectionChanged', 'cancel', 'request']);
  assert.equal(next[1].request, request.id);
  engine.handle({ type: 'failed', request: next[2].request.id, reason: { kind: 'status', status: 503 } }, 3);
  assert.deepEqual(effects(engine), [{
    type: 'loadFailed', reason: { kind: 'status', status: 503 }, event: 'init', automaticRefreshStopped: true, world: 0,
  }]);
  assert.deepEqual(engine.status().content, { reason: 'outdated', quality: 'poor' });
});

test('a loaded world says what to remember', async () => {
  for (const [refreshURL, address] of [[undefined, 4], ['9', null]]) {
    const engine = await ready();
    const [{ request }] = effects(engine);
    load(engine, request.id, world([], { refreshURL }), 2);
    assert.deepEqual(effects(engine), [{ type: 'worldChanged', world: 0 }, { type: 'remember', address, world: 0 }]);
  }
});

test('categories above the thirty-first are shown and hidden like the others', async () => {
  const names = Array.from({ length: 63 }, (_, k) => place(-900, 0, { categories: [`${k + 1}`] }));
  const engine = await showing(world([...names, ...[0, 1, 31, 32, 63].map((number, k) =>
    place(400, k * 60 - 120, { categories: number ? [`${number}`] : [] }))]));
  engine.handle({ type: 'setRadius', radius: 600 }, 2);
  const shown = (mask) => {
    engine.handle({ type: 'setCategories', mask }, 2);
    engine.makeFrame(2);
    return engine.makeFrame(2).candidateCount;
  };
  assert.equal(shown(2n ** 64n - 1n), 5);
  assert.equal(shown(1n << 63n), 1);
  assert.equal(shown((1n << 31n) | (1n << 32n)), 2);
  assert.equal(shown(0n), 0);
});

test('overlays appear with the place in focus that names them', async () => {
  const overlays = [{ id: 'one', hidden: false }, { id: 'two', hidden: true }];
  const engine = await showing(world([place(300, 0, { showOnFocus: ['two'] }), place(0, 300)], { overlays }));
  assert.deepEqual(engine.makeFrame(1).overlayVisible, [true, true]);
  assert.equal(engine.makeFrame(1).focused, 0);
  engine.handle(looking(180), 2);
  assert.deepEqual(engine.makeFrame(2).overlayVisible, [true, false]);
});

test('a frame is reused, not made again', async () => {
  const engine = await showing(world([place(500, 0), place(500, 90), place(500, -90)]));
  const frame = engine.makeFrame(1);
  const [first] = frame.items;
  assert.equal(engine.makeFrame(1.1), frame);
  assert.equal(frame.items[0], first);
  engine.handle(looking(180), 2);
  assert.equal(engine.makeFrame(2).items.length, 0);
  engine.handle(looking(0), 3);
  assert.equal(engine.makeFrame(3).items.length, 3);
});

test('freezing holds the picture', async () => {
  const engine = await showing(world([place(500, 0)]));
  engine.handle({ type: 'setFrozen', frozen: true }, 2);
  engine.handle(looking(90), 2);
  assert.ok(engine.makeFrame(2).isFrozen);
  assert.equal(engine.makeFrame(2).items.length, 1);
  engine.handle({ type: 'setFrozen', frozen: false }, 3);
  assert.equal(engine.makeFrame(3).items.length, 0);
});

test('a hundred thousand places; memory grows under the views', async () => {
  const engine = await ready();
  const [{ request }] = effects(engine);
  const before = engine.memoryBytes;
  const features = Array.from({ length: 100_000 }, (_, k) => place((k % 317) * 40 - 6000, Math.floor(k / 317) * 40 - 6000, { id: `${k + 1}` }));
  load(engine, request.id, world(features, { refreshURL: '3' }), 2);
  engine.handle({ type: 'refreshByHand' }, 3);
  const again = effects(engine).find((effect) => effect.type === 'request').request;
  load(engine, again.id, world(features), 4);
  assert.ok(engine.memoryBytes > before, 'the memory grew');
  engine.handle({ type: 'setRadius', radius: 3000 }, 4);
  const frame = engine.makeFrame(4);
  assert.ok(frame.isValid && frame.items.length > 5);
  assert.equal(frame.candidateCount, features.filter(({ position: p }) => engine.distance(ULM.latitude, ULM.longitude, p.latitude, p.longitude) <= 3000).length);
  assert.equal(engine.status().content.reason, 'ready');
});

test('a world that does not fit is refused, and the engine goes on', async () => {
  const engine = await showing(world([place(500, 0)]));
  assert.throws(() => engine.compile(9, source(world(Array.from({ length: 250_001 }, () => place(1, 1))))), /more than the engine takes/);
  assert.equal(engine.makeFrame(2).items.length, 1);
});

test('two thousand frames need no more memory than one', async () => {
  const features = Array.from({ length: 2000 }, (_, k) => place((k % 45) * 60 - 1300, Math.floor(k / 45) * 60 - 1300, { id: `${k + 1}` }));
  const engine = await showing(world(features));
  engine.handle({ type: 'setRadius', radius: 1000 }, 2);
  for (let k = 0; k < 400; k++) {
    engine.handle(looking(k * 0.9), 2 + k / 30);
    engine.makeFrame(2 + k / 30);
  }
  const before = engine.memoryBytes;
  for (let k = 0; k < 2000; k++) {
    engine.handle(looking(k * 0.9), 20 + k / 30);
    if (k % 30 === 0) engine.handle(fix(ULM.latitude + k * 1e-7), 20 + k / 30);
    engine.makeFrame(20 + k / 30);
  }
  assert.equal(engine.memoryBytes, before);
});

test('geodesy for map and list', async () => {
  const engine = await Engine.load(bytes);
  // One degree of the mean sphere.
  assert.ok(Math.abs(engine.distance(0, 0, 0, 1) - 111_195.08) < 0.01);
  assert.ok(Math.abs(engine.bearing(0, 0, 0, 1) - 90) < 1e-12);
  assert.ok(Number.isNaN(engine.bearing(5, 5, 5, 5)));
  // A published test value of the World Magnetic Model 2025: 48 km above 80°N 96°W.
  assert.ok(Math.abs(engine.declination(80, -96, 48_000, 2025) + 29.91) < 0.006);
  assert.ok(Number.isNaN(engine.declination(80, 0, 0, 2031)));
});

test('an event that does not exist is an error, not silence', async () => {
  const engine = await Engine.load(bytes);
  assert.throws(() => engine.handle({ type: 'fixx' }, 1), /no such event/);
});

test('after a trap the engine is dead: told once, and every further call throws', () => {
  let calls = 0;
  const trap = new WebAssembly.RuntimeError('unreachable');
  const instance = {
    exports: {
      memory: new WebAssembly.Memory({ initial: 1 }), sl_bindings_hash: () => BINDINGS_HASH, sl_effect_values: () => 0,
      sl_frame: () => { calls += 1; throw trap; }, sl_status: () => { calls += 1; return 0; },
    },
  };
  const told = [];
  const engine = new Engine(instance, { onTrap: (error) => told.push(error) });
  assert.throws(() => engine.makeFrame(1), (error) => error === trap);
  assert.ok(engine.isDead);
  assert.throws(() => engine.status(), WebAssembly.RuntimeError);
  assert.throws(() => engine.makeFrame(1), /make a new one/);
  assert.deepEqual(told, [trap]);
  assert.equal(calls, 1);
});

test('an overflow of the stack is a trap too', () => {
  const instance = {
    exports: {
      memory: new WebAssembly.Memory({ initial: 1 }), sl_bindings_hash: () => BINDINGS_HASH, sl_effect_values: () => 0,
      sl_frame: () => { throw new RangeError('Maximum call stack size exceeded'); },
    },
  };
  assert.throws(() => new Engine(instance).makeFrame(1), WebAssembly.RuntimeError);
});

test('a file of another description is refused with what to do', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  for (const Part of [Engine, Instance]) {
    assert.throws(() => new Part({ exports: { memory, sl_bindings_hash: () => BINDINGS_HASH + 1 } }), /bindings \d+, .*reload/);
    assert.throws(() => new Part({ exports: { memory } }), /bindings none, .*reload/);
  }
});

test('the files are of the description that the page has', async () => {
  for (const file of [bytes, visionBytes(), wallsBytes()]) {
    const { call } = await Instance.make(await WebAssembly.compile(file));
    assert.equal(call.sl_bindings_hash(), BINDINGS_HASH);
  }
});

test('several worlds are one scene, each with its own requests', async () => {
  const engine = await ready();
  const [{ request: first }] = effects(engine);
  load(engine, first.id, world([place(100, 0, { categories: ['a'] })]), 2);
  effects(engine);
  engine.handle({ type: 'openBeside', world: 3, address: 9 }, 2);
  const [{ request: second }] = effects(engine);
  assert.deepEqual([second.world, second.address], [3, 9]);
  assert.equal(engine.worldStatus(3), 'loading');
  const beside = [place(200, 0, { categories: ['b'] }), place(300, 20, { categories: ['a'], position: undefined })];
  assert.deepEqual(load(engine, second.id, world(beside), 2).categories, [{ number: 2, first: 0, count: 1 }, { number: 1, first: 1, count: 1 }]);
  const [one, other] = engine.shownWorlds();
  assert.deepEqual([one, other], [
    { number: 0, firstPlace: 0, places: 1, firstOverlay: 0, overlays: 0 },
    { number: 3, firstPlace: 1, places: 2, firstOverlay: 0, overlays: 0 },
  ]);
  assert.deepEqual(effects(engine)[0], { type: 'worldChanged', world: 3 });
  assert.deepEqual([engine.worldStatus(0), engine.worldStatus(3), engine.worldStatus(5)], ['ready', 'ready', null]);
  assert.equal(engine.makeFrame(3).candidateCount, 2);
  engine.handle({ type: 'hideWorld', world: 3, hidden: true }, 4);
  assert.equal(engine.makeFrame(4).candidateCount, 1);
  assert.deepEqual(engine.shownWorlds().map(({ number }) => number), [0]);
  engine.handle({ type: 'closeWorld', world: 3 }, 5);
  assert.equal(engine.worldStatus(3), null);
});
