// Numbers that a stranger or a broken sensor may give: the engine answers every one of them and never stops.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine } from '../../WebClient/engine/engine.js';
import { Ground } from '../../WebClient/engine/ground.js';
import { ModelReader } from '../../WebClient/engine/models.js';
import { Plane } from '../../WebClient/engine/plane.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { engineBytes, modelsBytes, visionBytes } from './build.mjs';
import { load, place } from './worlds.mjs';

const module = await WebAssembly.compile(engineBytes());
const ODD = [
  0, -0, 1, -1, 0.5, 89.999999, 90, -90, 91, 180, -180, 360, 1e3, 1e5, 1e7, 6.4e6, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64,
  1e15, 1e19, 1e38, 1e154, 1e300, 1.7976931348623157e308, -1e300, 5e-324, 1e-300, Infinity, -Infinity, NaN,
];

/** A generator with a seed: what fails once fails again. */
function dice(/** @type {number} */ seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    odd: () => ODD[Math.floor(next() * ODD.length)],
    of: (/** @type {any[]} */ list) => list[Math.floor(next() * list.length)],
  };
}

/** @param {ReturnType<typeof dice>} random @param {number} share of the numbers that are odd */
function world(random, share) {
  const odd = (/** @type {number} */ usual) => (random.next() < share ? random.odd() : usual);
  const url = (/** @type {number} */ usual) => `${odd(usual)}`;
  const size = () => ({ width: odd(80), height: odd(40) });
  const parts = () => Array.from({ length: Math.floor(random.next() * 3) }, () => Array.from(
    { length: Math.floor(random.next() * 20) }, () => [odd(10 + random.next() / 50), odd(48.4 + random.next() / 50), odd(500)]));
  const marker = () => ({ marker: { dictionary: random.of(['6x6-250', 'odd']), id: odd(7), length: odd(0.2) } });
  const places = Array.from({ length: 1 + Math.floor(random.next() * 30) }, (_, k) => place(0, 0, {
    ...(random.next() < 0.8 ? { id: random.of(['', `${k}`, '1', '\ud800']) } : {}),
    position: { latitude: odd(48.4 + (random.next() - 0.5) / 50), longitude: odd(10 + (random.next() - 0.5) / 50), altitude: odd(500) },
    altitudeMode: random.of(['eye', 'ground', 'ellipsoid', 'seaLevel', 'nowhere']),
    offset: { east: odd(0), north: odd(0), up: odd(0) }, label: size(), compact: size(),
    pivot: random.of(['BC', 'TL', 'CR', '']), categories: random.of([[], [''], [`c${odd(k)}`], ['a']]), visibilityRadius: odd(0),
    action: random.of([undefined, { kind: 'refresh' }, { kind: 'dimension', url: url(1) }, { kind: 'webPage', url: url(2) }]),
    showOnFocus: random.of([[], ['one'], ['two', 'one', 'nobody', '']]), visual: {
      kind: random.of(['text', 'image', 'model', 'odd']), xRotation: odd(0), yRotation: odd(30), zRotation: odd(0), scale: random.of([odd(1), 'fit']),
    },
    ...random.of([{}, {}, { target: { assetID: url(31), width: odd(0.5) } }, marker(), { marker: { ...marker().marker, facing: odd(180), tilt: odd(0), roll: odd(0) } }]),
    ...(random.next() < 0.2 ? { shapes: [{ kind: random.of(['line', 'area']), parts: parts() }] } : {}),
  }));
  return {
    radarRange: odd(1000), radarAvailable: true, refreshIntervalSeconds: odd(0), refreshDistance: odd(0),
    ...(random.next() < 0.5 ? { refreshURL: url(0) } : {}), places,
    overlays: [{ id: 'one', hidden: false, action: { kind: 'dimension', url: url(1) } }, { hidden: true, action: { kind: 'refresh' } }, { id: '', hidden: true }],
  };
}

/** Anchors of every kind by numbers that may be none. */
const ANCHORS = (/** @type {() => number} */ v) => [
  { kind: 'marker', dictionary: '6x6-250', id: v() }, { kind: 'picture', id: v() }, { kind: 'code', hash: `${v()}:${v()}` }, { kind: 'wall', id: v() },
];

const EVENTS = (/** @type {() => number} */ v, /** @type {any} */ random) => [
  { type: 'orientation', alpha: v(), beta: v(), gamma: v(), north: 'trueNorth' },
  { type: 'orientationQuaternion', w: v(), x: v(), y: v(), z: v(), north: 'trueNorth' },
  { type: 'orientationWithCompass', alpha: v(), beta: v(), gamma: v(), heading: v(), accuracy: v() },
  { type: 'motion', angularVelocity: { x: v(), y: v(), z: v() }, specificForce: { x: v(), y: v(), z: v() }, magneticField: { x: v(), y: v(), z: v() } },
  { type: 'fix', latitude: v(), longitude: v(), altitude: v(), horizontalAccuracy: v(), verticalAccuracy: v(), course: v(), speed: v() },
  { type: 'display', width: v(), height: v(), screenAngle: v() }, { type: 'camera', width: v(), height: v(), longSideFieldOfView: v() },
  { type: 'setLevel', right: v(), top: v() }, { type: 'setLevel', right: v() / 1e3, top: 0.01 }, { type: 'pictureAge', seconds: v() },
  { type: 'path', pictureTime: v(), x: v(), y: v(), z: v(), qw: v(), qx: v(), qy: v(), qz: v(), yawDeviation: v(), state: random.next() < 0.9 ? 'metric' : 'lost' },
  { type: 'path', pictureTime: v(), x: 0, y: v(), z: 0, qw: 0.7, qx: 0.7, qy: 0, qz: 0, yawDeviation: 0, state: 'metric' }, { type: 'calendar', decimalYear: v() }, { type: 'openBeside', world: v(), address: v() }, { type: 'closeWorld', world: v() },
  { type: 'hideWorld', world: v(), hidden: random.next() < 0.5 }, { type: 'failed', request: v(), reason: { kind: 'status', status: v() } },
  { type: 'labelSize', feature: v(), width: v(), height: v() },
  { type: 'occupied', rectangles: [{ x: v(), y: v(), width: v(), height: v() }], arrows: [{ width: v(), height: v() }] },
  { type: 'touch', x: v(), y: v() }, { type: 'press', feature: v() }, { type: 'pressOverlay', overlay: v() },
  { type: 'select', feature: v() }, { type: 'toggleCluster', cluster: v() }, { type: 'setRadius', radius: v() }, { type: 'setEyeHeight', height: v() },
  { type: 'dragWorld', fromX: v(), fromY: v(), toX: v(), toY: v() }, { type: 'pointAtPlace', latitude: v(), longitude: v(), altitude: v(), x: v(), y: v() },
  { type: 'pointAtFeature', feature: v(), x: v(), y: v() }, { type: 'pointAtBody', body: 'moon', x: v(), y: v() },
  { type: 'restoreHeadingCorrection', correction: { angle: v(), deviation: v(), latitude: v(), longitude: v(), decimalYear: v() } },
  { type: 'survey', anchor: random.of(ANCHORS(v)), survey: random.next() < 0.2 ? null : { latitude: v(), longitude: v(), altitude: v(), facing: v(), tilt: v(), roll: v(), size: v() } },
  { type: 'observations', rows: Float64Array.from({ length: 27 * Math.floor(4 * random.next()) }, (_, k) => (k % 27 === 0 ? random.of([0, 1, 2, 3, v()]) : k % 27 === 3 ? random.of([0, 1, 2, 3, v()]) : v())), time: v(), width: random.of([480, v()]), height: random.of([640, v()]), focal: random.of([500, v()]), lens: random.of([[], [v(), v(), v()]]) },
  { type: 'modelBounds', feature: v(), low: [v(), v(), v()], high: [v(), v(), v()] },
  { type: 'suspend' }, { type: 'resume' }, { type: 'refreshByHand' }, { type: 'setFrozen', frozen: random.next() < 0.5 }, { type: 'forgetHeadingCorrections' },
];

/** A marker and a picture that lie before the camera, and the wall that they hang on. */
const seen = () => ({
  type: 'observations', time: 1, width: 480, height: 640, focal: 500, lens: [],
  rows: Float64Array.from([[0, 11, 7], [1, 0, 31], [3, 0, 31]].flatMap((anchor) => [
    ...anchor, 1, 220, 300, 260, 300, 260, 340, 220, 340, 0.3, 0.9, 0.2, -1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 2.5, 0.1,
  ])),
});

/** An engine with a phone that stands and looks north. */
async function phone() {
  const engine = await Engine.load(module, { log: () => undefined });
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 0);
  engine.handle({ type: 'camera', width: 720, height: 1280, longSideFieldOfView: 65 }, 0);
  engine.handle({ type: 'calendar', decimalYear: 2026.5 }, 0);
  engine.handle({ type: 'fix', latitude: 48.4, longitude: 10, altitude: 480, horizontalAccuracy: 5, verticalAccuracy: 3, course: null, speed: null }, 0.1);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 0.1);
  engine.handle({ type: 'open', address: 0 }, 0.2);
  return engine;
}

/** @param {Engine} engine @param {number} time @param {() => any} make */
function serve(engine, time, make) {
  for (let most = 0; most < 50; most++) {
    const effect = engine.nextEffect();
    if (!effect) return;
    if (effect.type === 'request') load(engine, effect.request.id, make(), time);
  }
}

/** @param {Engine} engine @param {number} time */
function look(engine, time) {
  engine.makeFrame(time);
  engine.paths();
  engine.anchors();
  engine.status();
  engine.headingCorrections();
}

for (const [name, share] of /** @type {[string, number][]} */ ([['one number in twenty', 0.05], ['every other number', 0.5]])) {
  test(`worlds with odd numbers are drawn: ${name}`, async () => {
    let engine = await phone();
    let anchored = 0;
    for (let round = 0; round < 300; round++) {
      const random = dice(round * 7919 + 1);
      const time = 1 + round;
      try {
        engine.handle({ type: 'refreshByHand' }, time);
        engine.advance(time + 0.1);
        serve(engine, time + 0.2, () => world(random, share));
        for (const beta of [90, 45, 0, 135]) {
          engine.handle({ type: 'orientation', alpha: random.next() * 360, beta, gamma: 0, north: 'trueNorth' }, time + 0.3);
          engine.handle({ ...seen(), time: time + 0.3 }, time + 0.35);
          look(engine, time + 0.4);
          anchored += engine.anchors().items.length;
        }
        engine.handle({ type: 'touch', x: 195, y: 400 }, time + 0.5);
        engine.handle({ type: 'select', feature: 0 }, time + 0.5);
        look(engine, time + 0.6);
        serve(engine, time + 0.7, () => world(random, share));
      } catch (error) {
        throw new Error(`round ${round}`, { cause: error });
      }
      assert.ok(!engine.isDead);
      if (round % 50 === 49) engine = await phone();
    }
    assert.ok(anchored > 500, `${anchored}`);
  });
}

test('events with odd numbers are taken', async () => {
  let engine = await phone();
  for (let round = 0; round < 1500; round++) {
    const random = dice(round * 104729 + 3);
    const share = random.of([0.1, 0.5, 1]);
    const value = () => (random.next() < share ? random.odd() : random.next() * 100);
    const event = random.of(EVENTS(value, random));
    try {
      engine.handle(event, random.next() < 0.05 ? random.odd() : 10 + round / 10);
      look(engine, 10 + round / 10 + 0.05);
      serve(engine, 10 + round / 10 + 0.06, () => world(random, 0.1));
    } catch (error) {
      throw new Error(`round ${round}: ${JSON.stringify(event)}`, { cause: error });
    }
    if (round % 40 === 39) engine = await phone();
  }
});

test('positions, bodies and the ground take odd numbers', async () => {
  const engine = await phone();
  const ground = engine.part(Ground);
  for (let round = 0; round < 3000; round++) {
    const random = dice(round * 31 + 5);
    const v = random.odd;
    engine.distance(v(), v(), v(), v());
    engine.bearing(v(), v(), v(), v());
    engine.body(random.of(['sun', 'moon']), v(), v(), v());
    engine.declination(v(), v(), v(), v());
  }
  assert.ok(ground && !engine.isDead);
});

test('vision takes odd numbers', async () => {
  const vision = await Vision.make(await WebAssembly.compile(visionBytes()));
  const layout = { format: 'gray', width: 160, height: 120, offset: 0, stride: 160, isLimited: false };
  const cells = vision.markers.cells('6x6-250', 7);
  const pixels = Uint8Array.from({ length: 160 * 120 }, (_, k) => {
    const [column, row] = [Math.floor(((k % 160) - 40) / 8), Math.floor((Math.floor(k / 160) - 25) / 8)];
    if (column < 0 || row < 0 || column > 7 || row > 7) return 200;
    return cells[row - 1]?.[column - 1] ? 200 : 40;
  });
  let count = 0;
  for (let round = 0; round < 600; round++) {
    const random = dice(round * 433 + 7);
    const odd = (/** @type {number} */ usual) => (random.next() < 0.2 ? random.odd() : usual);
    try {
      if (round % 20 === 0) vision.reset();
      vision.watchMarkers({
        dictionaries: random.of([['6x6-250'], ['6x6-250', '4x4-50', 'odd'], []]), sides: [{ dictionary: random.of(['6x6-250', 'odd']), id: odd(7), side: odd(0.1) }], usual: odd(0.05),
      });
      vision.setLens(random.of([[], [odd(0.1), odd(0), odd(0), odd(0), odd(0)]]));
      vision.watchCodes(random.next() < 0.5);
      vision.watchWalls(Array.from({ length: Math.floor(3 * random.next()) }, () => ({
        id: odd(1), scale: odd(1), members: [{ kind: 'marker', dictionary: random.of(['6x6-250', 'odd']), id: odd(7), center: [odd(0), odd(0)] }, { kind: 'picture', id: odd(3), center: [odd(0), odd(0)] }],
      })));
      for (let k = 0; k < 3; k++) vision.motion(odd(round + k / 100), [odd(1), odd(1), odd(1)], odd(90));
      vision.removePicture(odd(1));
      vision.focal(odd(640), odd(480), odd(60));
      vision.room(pixels.length).set(pixels);
      const time = odd(round / 10);
      // Far beyond, no later picture would be newer.
      if (!Number.isFinite(time)) assert.throws(() => vision.look(layout, time, 150), RangeError);
      else if (time < 1e3) count += vision.observe(layout, time, odd(150)).length;
    } catch (error) {
      throw new Error(`round ${round}`, { cause: error });
    }
  }
  assert.ok(count > 100, `${count}`);
});

test('planes take odd numbers', async () => {
  const plane = await Plane.make(module);
  for (let round = 0; round < 3000; round++) {
    const random = dice(round * 97 + 3);
    const odd = (/** @type {number} */ usual) => (random.next() < 0.3 ? random.odd() : usual);
    const view = { width: odd(960), height: odd(540), focal: odd(750) };
    plane.at({ rotation: [odd(0), odd(1), odd(0), odd(0)], translation: [odd(0), odd(0), odd(1.5)], error: 0 }, view);
    const place = { x: odd(0), y: odd(0), turn: odd(0) };
    plane.pixel([odd(0), odd(0)]);
    plane.point([odd(480), odd(270)]);
    plane.upright({ beta: odd(90), gamma: odd(0) }, odd(0));
    plane.corners(place, odd(1), odd(1));
    plane.isOn(place, odd(1), odd(1), [odd(0), odd(0)]);
    plane.matrix(place, odd(1), odd(0));
    plane.clip(view);
  }
});

for (const [name, bytes] of /** @type {[string, () => Uint8Array][]} */ ([
  ['the session', engineBytes], ['what looks into pictures', visionBytes], ['what reads models', modelsBytes],
])) {
  test(`the raw functions take any number: ${name}`, async () => {
    const WHOLE = [0, 1, -1, 2, 7, 100, 65_536, 250_001, 1_000_000, 2 ** 30, 2 ** 31 - 1, -(2 ** 31)];
    const compiled = await WebAssembly.compile(bytes());
    for (let round = 0; round < 400; round++) {
      const random = dice(round * 613 + 11);
      const instance = await WebAssembly.instantiate(compiled, { env: { sl_host_log: () => undefined } });
      /** @type {[string, number[]][]} */
      const calls = [];
      // With room that was never made, sizes that do not fit and pieces that do not exist.
      const names = Object.keys(instance.exports).filter((name) => typeof instance.exports[name] === 'function' && name.startsWith('sl_'));
      for (let k = 0; k < 12; k++) {
        const call = random.of(names);
        const values = Array.from({ length: 10 }, () => (random.next() < 0.5 ? random.of(WHOLE) : random.odd()));
        calls.push([call, values]);
        try {
          /** @type {any} */ (instance.exports[call])(...values);
        } catch (error) {
          throw new Error(`round ${round}: ${JSON.stringify(calls)}`, { cause: error });
        }
      }
    }
  });
}

test('models that are none are refused', async () => {
  const models = await ModelReader.make(await WebAssembly.compile(modelsBytes()));
  const glb = (/** @type {any} */ json, /** @type {number} */ bytes = 0) => {
    const text = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
    const padded = Math.ceil(text.length / 4) * 4;
    const data = new Uint8Array(20 + padded + (bytes ? 8 + bytes : 0)).fill(32, 20, 20 + padded);
    const view = new DataView(data.buffer);
    [0x46546c67, 2, data.length, padded, 0x4e4f534a].forEach((value, k) => view.setUint32(4 * k, value, true));
    data.set(text, 20);
    // The times of the animation, which have to rise.
    if (bytes >= 12) [0, 1, 2].forEach((value, k) => view.setFloat32(28 + padded + 4 * k, value, true));
    if (bytes) [bytes, 0x004e4942].forEach((value, k) => view.setUint32(20 + padded + 4 * k, value, true));
    return data;
  };
  const base = () => ({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0, translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }], materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1], metallicFactor: 1 } }],
    accessors: [{ bufferView: 0, byteOffset: 0, componentType: 5126, count: 3, type: 'VEC3' }, { bufferView: 1, byteOffset: 0, componentType: 5123, count: 3, type: 'SCALAR' }, { bufferView: 2, componentType: 5126, count: 3, type: 'SCALAR' }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 36, byteStride: 12 }, { buffer: 0, byteOffset: 36, byteLength: 6 }, { buffer: 0, byteLength: 12 }], buffers: [{ byteLength: 44 }],
    animations: [{ samplers: [{ input: 2, output: 0 }], channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }] }],
  });
  models.read(glb(base(), 44));
  /** Replaces one number somewhere by an odd one. @param {any} value @param {ReturnType<typeof dice>} random */
  const spoil = (value, random) => {
    const places = /** @type {[any, string][]} */ ([]);
    const walk = (/** @type {any} */ one) => {
      for (const [key, inner] of Object.entries(one)) {
        if (inner && typeof inner === 'object') walk(inner);
        places.push([one, key]);
      }
    };
    walk(value);
    const [owner, key] = random.of(places);
    owner[key] = random.of([...ODD.filter(Number.isFinite), 'x', null, [], {}, [0], [1e308, 1e308, 1e308]]);
    return value;
  };
  let refused = 0;
  for (let round = 0; round < 1500; round++) {
    const random = dice(round * 271 + 1);
    let json = base();
    for (let k = 0; k < 1 + round % 3; k++) json = spoil(json, random);
    const bytes = glb(json, random.of([0, 4, 44, 44, 44]));
    if (random.next() < 0.3) bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
    try {
      const model = models.read(bytes);
      for (const time of ODD) model.pose(random.of([0, -1, 7]), time);
      model.release();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || !/Failure/.test(/** @type {Error} */ (error).constructor.name)) {
        throw new Error(`round ${round}: ${JSON.stringify(json)}`, { cause: error });
      }
      refused += 1;
    }
  }
  assert.ok(refused > 100, String(refused));
});
