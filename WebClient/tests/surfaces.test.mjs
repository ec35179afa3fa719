// Things set down on surfaces: what pages say of them, words for who holds the phone, and hits from the worker to the page; two trackers
// share one worker. The worker here knows one floor, under the lower half of every picture.

import assert from 'node:assert/strict';
import { test } from 'node:test';

Object.assign(globalThis, {
  document: { baseURI: 'https://example.org/', addEventListener() {} }, HTMLVideoElement: class {}, Element: class {}, addEventListener() {}, innerWidth: 1, innerHeight: 1,
  location: { origin: 'null' }, fetch: async () => new Response(), requestAnimationFrame: () => 0, localStorage: { getItem: () => null },
});
WebAssembly.compileStreaming = async () => /** @type {any} */ ({});

/** @type {FakeWorker[]} */
const workers = [];
class FakeWorker {
  /** @type {any[]} */
  orders = [];
  onmessage = /** @type {any} */ (null);
  isOver = false;
  constructor() {
    workers.push(this);
  }

  /** @param {any} order */
  postMessage(order) {
    this.orders.push(order);
    if (order.kind === 'start') queueMicrotask(() => this.onmessage({ data: { kind: 'ready' } }));
    if (order.kind !== 'ask') return;
    const { question: { point: [, y] } } = order;
    const hit = y > 240 ? { surface: y > 400 ? 'floor' : 'guessedFloor', distance: 2, deviation: 0.01, point: [0, 0, 0], normal: [0, 0, 1] } : null;
    queueMicrotask(() => this.onmessage({ data: { kind: 'answer', number: order.number, value: hit } }));
  }

  terminate() {
    this.isOver = true;
  }

  /** @param {string} kind */
  ordered(kind) {
    return this.orders.filter((order) => order.kind === kind);
  }
}
Object.assign(globalThis, { Worker: FakeWorker });

const { readDescription, contentOf } = await import('../embed/anchors.js');
const { Anchor } = await import('../embed/anchor.js');
const { coachingFor } = await import('../embed/coaching.js');
const { readSurfaceLook } = await import('../embed/surface-look.js');
const { surfaceContent } = await import('../embed/surface-content.js');
const { Surfaces } = await import('../embed/surfaces.js');
const { SharedOdometry } = await import('../embed/shared-odometry.js');
const { Emitter } = await import('../app/core/emitter.js');
const { platformHere } = await import('../embed/platform.js');
const { readOptions } = await import('../embed/options.js');

/** A camera as `SharedCamera` is one, with pictures of 640 × 480 pixels. */
function camera() {
  return /** @type {any} */ ({
    video: { videoWidth: 640, videoHeight: 480, requestVideoFrameCallback() {} }, parts: new Set(),
    camera: { state: 'running', label: '', on: () => () => {} },
  });
}

const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1);

/** @param {any} shared */
async function joined(shared) {
  const told = { changes: 0, states: /** @type {string[]} */ ([]), forgotten: /** @type {number[]} */ ([]), ends: 0 };
  /** @type {InstanceType<typeof Surfaces>} */
  const surfaces = new Surfaces({
    // As high as the picture, and narrower: something is cut off on both sides.
    size: () => ({ width: 320, height: 480 }), see() {}, change: () => (told.changes += 1), tell: () => told.states.push(`${surfaces.state} ${surfaces.advice}`),
    forget: (numbers) => (told.forgotten.push(...numbers)), end: () => (told.ends += 1), fail: (_code, error) => assert.fail(String(error)),
  });
  surfaces.join(shared);
  surfaces.watch(true);
  await new Promise((resolve) => setTimeout(resolve));
  return { surfaces, told };
}

/**
 * A picture in which everything is where it was set down.
 * @param {InstanceType<typeof Surfaces>} surfaces
 */
function picture(surfaces, opacity = 1, preview = /** @type {any} */ (null)) {
  const items = surfaces.contents().map((_, feature) => ({ feature: feature + 3, anchor: feature, opacity, cameraFromFeature: opacity ? IDENTITY : null }));
  const anchors = items.map(({ anchor }) => ({ anchor, state: 'tracked' }));
  return surfaces.read(/** @type {any} */ ({ tracked: { preview } }), /** @type {any} */ ({ items, anchors }), 3, Float32Array.of(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0, -0.1, 0));
}

test('an engine that cannot be had is said, and asked for again later', async () => {
  const compile = WebAssembly.compileStreaming;
  WebAssembly.compileStreaming = async () => Promise.reject(new TypeError('404'));
  /** @type {string[]} */
  const faults = [];
  const nothing = () => {};
  const surfaces = new Surfaces({
    size: () => ({ width: 1, height: 1 }), see: nothing, change: nothing, tell: nothing, forget: nothing, end: nothing, fail: (code, error) => faults.push(`${code}: ${error}`),
  });
  const shared = camera();
  surfaces.join(shared);
  surfaces.watch(true);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(faults, ['surfaces: TypeError: 404']);
  assert.deepEqual(await surfaces.hitTest(0, 0), { hit: null, reason: 'starting' });
  surfaces.leave();
  assert.equal(shared.parts.size, 0);
  WebAssembly.compileStreaming = compile;
});

test('what pages say of content on surfaces is checked', () => {
  assert.deepEqual(readSurfaceLook({}), { size: 0.5, facing: 'viewer' });
  for (const [look, where] of /** @type {[any, string][]} */ ([[{ facing: 'down' }, 'surface.facing'], [{ size: NaN }, 'surface.size'], [{ size: -1 }, 'surface.size']])) {
    assert.throws(() => readSurfaceLook(look), (/** @type {any} */ error) => error.where === where && /give/.test(error.message));
  }
  for (const surface of [{}, null, 7, { isReleased: true }]) assert.throws(() => readDescription({ surface }), /give/);
  assert.throws(() => readOptions(/** @type {any} */ ({ surfaces: 'yes' })), /options.surfaces/);
  assert.throws(() => readOptions({ surfaces: true, platform: /** @type {any} */ ('webxr') }), /options.platform.*give/);
  assert.deepEqual([readOptions({ surfaces: true }).surfaces, readOptions({ surfaces: true, platform: true }).platform], [true, true]);
});

test('what stands keeps the engine\'s upright, what lies is turned back to its print', () => {
  assert.equal(surfaceContent({ number: 4, facing: 'viewer' }).visual.xRotation, 0);
  assert.equal(surfaceContent({ number: 4, facing: 'up' }).visual.xRotation, -90);
  assert.deepEqual(surfaceContent({ number: 4, facing: 'up' }).placed, { id: 4, width: 1 });
});

test('one thing is said at a time, the most urgent first', () => {
  const calm = { isWaiting: false, isLost: false, hasReticle: false, isMissed: false };
  const say = (/** @type {any} */ surfaces, /** @type {any} */ advice, more = {}) => coachingFor({ surfaces, advice }, { ...calm, ...more });
  assert.equal(say('tracking', 'none'), '');
  assert.equal(say('idle', 'moreLight'), '');
  assert.equal(say('tracking', 'moreLight'), 'coach.moreLight');
  assert.equal(say('relocalising', 'moveSideways', { isWaiting: true }), 'coach.relocalising');
  assert.equal(say('limited', 'none', { isLost: true }), 'coach.relocalising');
  assert.equal(say('relocalising', 'tooFast'), 'coach.tooFast');
  // What would only help to set something down is no use when that has been done.
  assert.equal(say('limited', 'moveSideways'), '');
  assert.equal(say('limited', 'moveSideways', { isWaiting: true }), 'coach.moveSideways');
  assert.equal(say('starting', 'none', { isWaiting: true }), 'coach.moveSideways');
  assert.equal(say('tracking', 'none', { isWaiting: true }), 'coach.lookAtFloor');
  assert.equal(say('tracking', 'none', { isWaiting: true, hasReticle: true }), 'coach.tap');
  assert.equal(say('tracking', 'none', { isMissed: true }), 'coach.missed');
});

test('a hit settles with the picture that tells where it is; none says why', async () => {
  const { surfaces, told } = await joined(camera());
  const asked = surfaces.hitTest(10, 420, { facing: 'viewer' });
  await new Promise((resolve) => setTimeout(resolve));
  const [worker] = workers.slice(-1);
  const [{ question }] = worker.ordered('ask');
  // The middle of the picture is that of the view.
  assert.deepEqual([question.point, question.posture], [[170, 420], 'standing']);
  assert.equal(told.changes, 1, 'the session has to know it before its picture comes');
  picture(surfaces);
  const { hit } = await asked;
  assert.ok(hit);
  assert.deepEqual([hit.surface, hit.isMeasured, hit.distance, [...hit.cameraFromHit]], ['floor', true, 2, [...IDENTITY]]);
  assert.deepEqual(await surfaces.hitTest(-1, 0), { hit: null, reason: 'outside' });
  surfaces.state = 'tracking';
  assert.deepEqual(await surfaces.hitTest(10, 100), { hit: null, reason: 'nothing' });
  surfaces.state = 'relocalising';
  assert.deepEqual(await surfaces.hitTest(10, 100), { hit: null, reason: 'relocalising' });
  const late = surfaces.hitTest(10, 300);
  await new Promise((resolve) => setTimeout(resolve));
  surfaces.watch(false);
  assert.deepEqual(await late, { hit: null, reason: 'not-running' });
  assert.deepEqual(await surfaces.hitTest(10, 300), { hit: null, reason: 'not-running' });
  surfaces.leave();
  assert.ok(worker.isOver);
  assert.deepEqual([surfaces.state, hit.isReleased], ['idle', true]);
});

/** @param {InstanceType<typeof Surfaces>} surfaces */
async function hitOf(surfaces, y = 420) {
  const asked = surfaces.hitTest(100, y);
  await new Promise((resolve) => setTimeout(resolve));
  picture(surfaces);
  const { hit } = await asked;
  assert.ok(hit);
  return hit;
}

test('an anchor follows its hit, is moved, lost and found again', async () => {
  const { surfaces } = await joined(camera());
  const [first, second] = [await hitOf(surfaces), await hitOf(surfaces, 300)];
  assert.equal(second.isMeasured, false);
  const anchor = new Anchor(0, readDescription({ surface: first, size: 0.4 }), () => {});
  surfaces.take(first);
  assert.equal(contentOf(0, anchor.description, ''), null, 'it is told with the hits');
  assert.throws(() => surfaces.take(first), /give/, 'one hit, one anchor');
  assert.equal(anchor.isVisible, false);
  picture(surfaces)(anchor);
  assert.deepEqual([anchor.state, anchor.isVisible, anchor.distance, anchor.size], ['tracked', true, 2, 0.4]);
  assert.deepEqual(anchor.screen, { x: 160, y: 240 });
  picture(surfaces, 0)(anchor);
  assert.deepEqual([anchor.state, anchor.isVisible, anchor.cameraFromAnchor], ['lost', false, null]);
  surfaces.move(anchor, second);
  picture(surfaces)(anchor);
  assert.deepEqual([anchor.state, anchor.description.hit === second, first.isReleased], ['tracked', true, true]);
  assert.deepEqual(workers[workers.length - 1].ordered('remove').map(({ number }) => number), [first.number]);
  picture(surfaces, 1, { surface: 'guessedFloor', distance: 3 });
  assert.equal(surfaces.reticle?.isMeasured, false);
  surfaces.leave();
  assert.equal(surfaces.reticle, null);
});

test('hits that nobody takes go, the oldest first', async () => {
  const { surfaces } = await joined(camera());
  const hits = [];
  for (let k = 0; k < 6; k++) hits.push(await hitOf(surfaces));
  assert.deepEqual(hits.map(({ isReleased }) => isReleased), [true, true, false, false, false, false]);
  hits[5].release();
  assert.equal(hits[5].isReleased, true);
  surfaces.leave();
});

test('two trackers share one worker, and never their numbers', async () => {
  const shared = camera();
  const before = workers.length;
  const [a, b] = [await joined(shared), await joined(shared)];
  assert.equal(workers.length, before + 1);
  const worker = workers[before];
  const [one, other] = [await hitOf(a.surfaces), await hitOf(b.surfaces)];
  assert.notEqual(one.number, other.number);
  assert.throws(() => b.surfaces.take(one), /another tracker/);
  a.surfaces.leave();
  assert.deepEqual([worker.isOver, one.isReleased, other.isReleased], [false, true, false]);
  // The phone is held another way: tracking began anew.
  worker.onmessage({ data: { kind: 'begun' } });
  assert.deepEqual([other.isReleased, b.told.forgotten], [true, [other.number]]);
  assert.equal(shared.parts.size, 1);
  b.surfaces.leave();
  assert.deepEqual([worker.isOver, shared.parts.size], [true, 0]);
});

/** The phone's own tracking as `PlatformSource` is it, with a floor everywhere. */
class FakePlatform extends Emitter {
  counts = { seen: 0, dropped: 0, paused: 0 };
  /** @type {any[]} */
  orders = [];
  isOver = false;
  display = () => [640, 960];
  async begin() {}
  start() {}
  stop() {}

  /** @param {number} number */
  preview(number) {
    this.orders.push(['preview', number]);
  }

  /** @param {...any} order */
  async place(...order) {
    this.orders.push(['place', ...order]);
    return { surface: 'floor', distance: 1, deviation: 0.01, point: [0, 0, 0], normal: [0, 0, 1] };
  }

  /** @param {number} number */
  remove(number) {
    this.orders.push(['remove', number]);
  }

  close() {
    if (!this.isOver) this.emit('ended', (this.isOver = true));
  }
}

test('the phone\'s own tracking takes the place of the page\'s: points of the display, what it loses, and its end', async () => {
  const shared = camera();
  const { surfaces, told } = await joined(shared);
  const worker = workers[workers.length - 1];
  const platform = new FakePlatform();
  surfaces.use(new SharedOdometry(shared, /** @type {any} */ (platform)));
  assert.deepEqual([worker.isOver, surfaces.isPlatform, shared.parts.size], [true, true, 1]);
  surfaces.watch(false);
  surfaces.watch(true);
  const [kept, gone] = [await hitOf(surfaces), await hitOf(surfaces)];
  // The display is twice as large as the view, as with pictures.
  assert.deepEqual(platform.orders.slice(0, 2), [['preview', 0], ['place', kept.number, [200, 840], 'standing', 0]]);
  surfaces.take(kept);
  surfaces.take(gone);
  platform.emit('forgotten', [gone.number]);
  assert.deepEqual([told.forgotten, platform.orders.at(-1)], [[gone.number], ['remove', gone.number]]);
  // It has no picture of the camera, and nothing to be learned of its lens.
  surfaces.learn(/** @type {any} */ ({ image: null }), /** @type {any} */ (null));
  platform.close();
  assert.equal(told.ends, 1);
  surfaces.leave();
  assert.deepEqual([surfaces.isPlatform, shared.parts.size, told.ends], [false, 0, 1], 'who has left hears of nothing');
});

test('the phone\'s own tracking is asked for where it can be had and nothing else needs pictures; refused, the page\'s begins', async () => {
  const browser = (/** @type {any} */ xr) => Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { xr, languages: ['en'] } });
  browser(undefined);
  assert.equal(await platformHere(), undefined);
  let asked = 0;
  browser({
    isSessionSupported: async () => true,
    requestSession: async () => {
      asked += 1;
      throw new DOMException('refused', 'NotAllowedError');
    },
  });
  Object.assign(globalThis, { XRWebGLLayer: class {}, XRRay: class {} });
  const ask = await platformHere();
  assert.ok(ask);
  const info = console.info;
  console.info = () => {};
  const run = (state = 'idle') => /** @type {any} */ ({ shared: { camera: { state } }, signal: new AbortController().signal });
  const surfaces = /** @type {any} */ ({ isPlatform: false, use: () => assert.fail('there is no session') });
  const options = readOptions({ surfaces: true, platform: true });
  let own = 0;
  const begin = async () => (own += 1);
  assert.equal(ask(run('running'), surfaces, options, begin), null, 'another tracker has the camera');
  assert.equal(ask(run(), surfaces, { ...options, markers: true }, begin), null);
  assert.equal(ask(run(), null, options, begin), null);
  await ask(run(), { ...surfaces, isPlatform: true }, options, begin);
  assert.deepEqual([asked, own], [0, 0], 'after a pause it goes on');
  const refused = ask(run(), surfaces, options, begin);
  assert.equal(asked, 1, 'inside the tap');
  await refused;
  assert.equal(own, 1);
  const stopped = new AbortController();
  const late = ask({ ...run(), signal: stopped.signal }, surfaces, options, begin);
  stopped.abort();
  await late;
  assert.deepEqual([asked, own], [2, 1], 'who has been stopped meanwhile begins nothing');
  console.info = info;
});
