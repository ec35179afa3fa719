// The phone's own tracking (WebXR): what rays meet, anchors for what was set down, and whether it is offered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HitTests } from '../app/xr/hit-tests.js';
import { PlatformAnchors } from '../app/xr/platform-anchors.js';
import { hasPlatformTracking, openSession, refusalKey } from '../app/xr/support.js';

Object.assign(globalThis, { XRRay: class { constructor(origin, direction) { Object.assign(this, { origin, direction }); } } });
const settled = () => new Promise((done) => setTimeout(done, 0));

/** A session whose rays meet what `met` says of their direction. */
function session(met) {
  const sources = [];
  return {
    sources,
    async requestHitTestSource({ offsetRay: { direction } }) {
      const source = { direction, isCancelled: false, cancel() { this.isCancelled = true; } };
      sources.push(source);
      return source;
    },
    frame: { getHitTestResults: ({ direction }) => met(direction).map((matrix) => ({ getPose: () => ({ transform: { matrix } }) })) },
  };
}

test('a ray is asked for once, answered in the frame that has something, and let go', async () => {
  let there = [];
  const xr = session(() => there);
  const hits = new HitTests(xr, {}, {});
  let directions = 0;
  const answer = hits.ask(() => ((directions += 1), [0, 0, -1]), (pose) => pose?.matrix ?? null);
  hits.answer(xr.frame);
  await settled();
  there = ['a hit'];
  hits.answer(xr.frame);
  assert.equal(await answer, 'a hit');
  assert.equal(directions, 1);
  assert.deepEqual(xr.sources.map(({ direction, isCancelled }) => [direction.z, direction.w, isCancelled]), [[-1, 0, true]]);
  hits.answer(xr.frame);
});

test('where nothing is met the answer is none, after some frames', async () => {
  const xr = session(() => []);
  const hits = new HitTests(xr, {}, {});
  let answered = false;
  const answer = hits.ask(() => [0, 0, -1], (pose) => pose).then((value) => ((answered = true), value));
  hits.answer(xr.frame);
  await settled();
  hits.answer(xr.frame);
  await settled();
  assert.equal(answered, false);
  for (let k = 0; k < 5; k += 1) hits.answer(xr.frame);
  assert.equal(await answer, null);
  assert.ok(xr.sources[0].isCancelled);
});

test('without a pose nothing is asked for, and a session that ends answers everything', async () => {
  const xr = session(() => ['x']);
  const hits = new HitTests(xr, {}, {});
  const answer = hits.ask(() => null, () => 'set');
  for (let k = 0; k < 5; k += 1) hits.answer(xr.frame);
  assert.equal(xr.sources.length, 0);
  hits.close();
  assert.equal(await answer, null);
  assert.equal(await hits.ask(() => [0, 0, -1], () => 'set'), null);
});

test('the ray of the middle follows the display', async () => {
  const xr = session(({ x }) => [`at ${x}`]);
  const hits = new HitTests(xr, {}, {});
  assert.equal(hits.middle(xr.frame, null), null);
  assert.equal(hits.middle(xr.frame, [0, 0, -1]), null);
  await settled();
  assert.deepEqual(hits.middle(xr.frame, [0, 0.00001, -1]), { matrix: 'at 0' });
  assert.equal(xr.sources.length, 1);
  assert.equal(hits.middle(xr.frame, [0.1, 0, -1]), null);
  await settled();
  assert.deepEqual(hits.middle(xr.frame, [0.1, 0, -1]), { matrix: 'at 0.1' });
  assert.deepEqual(xr.sources.map(({ isCancelled }) => isCancelled), [true, false]);
});

/** A frame that makes anchors, each where it was made. */
function anchoring() {
  const tracked = new Set();
  const made = [];
  return {
    made, trackedAnchors: tracked,
    createAnchor: async ({ matrix }) => {
      const anchor = { anchorSpace: { matrix }, isDeleted: false, delete() { this.isDeleted = true; } };
      made.push(anchor);
      tracked.add(anchor);
      return anchor;
    },
    getPose: ({ matrix }) => ({ transform: { matrix } }),
  };
}

test('what a finger holds gets its anchor when it lets go', async () => {
  const frame = anchoring();
  const anchors = new PlatformAnchors({});
  anchors.want(4, { matrix: 'first' });
  assert.deepEqual(anchors.follow(frame, 4), []);
  anchors.want(4, { matrix: 'second' });
  anchors.follow(frame, null);
  await settled();
  assert.deepEqual(anchors.follow(frame, null), [[4, 'second']]);
  frame.trackedAnchors.clear();
  assert.deepEqual(anchors.follow(frame, null), [[4, null]], 'the platform knows it no more');
  assert.equal(frame.made.length, 1);
});

test('an anchor that comes too late is let go, one that is moved too', async () => {
  const frame = anchoring();
  const anchors = new PlatformAnchors({});
  anchors.want(1, { matrix: 'a' });
  anchors.follow(frame, null);
  anchors.remove(1);
  await settled();
  assert.ok(frame.made[0].isDeleted);
  anchors.want(2, { matrix: 'b' });
  anchors.follow(frame, null);
  await settled();
  anchors.want(2, { matrix: 'c' });
  assert.ok(frame.made[1].isDeleted);
});

test('a reset loses what has no anchor', async () => {
  const frame = anchoring();
  const anchors = new PlatformAnchors({});
  anchors.want(1, { matrix: 'a' });
  anchors.follow(frame, null);
  await settled();
  anchors.want(2, { matrix: 'b' });
  assert.deepEqual(anchors.reset(), [2]);
  assert.deepEqual(anchors.follow(frame, null), [[1, 'a']]);
  const plain = new PlatformAnchors({});
  plain.want(3, { matrix: 'c' });
  assert.deepEqual(plain.follow({}, null), [], 'a browser without anchors');
  assert.deepEqual(plain.reset(), [3]);
});

test('it is offered only where the browser has all of it', async () => {
  const set = (xr) => Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { xr } });
  set(undefined);
  assert.equal(await hasPlatformTracking(), false);
  set({ isSessionSupported: async () => true });
  assert.equal(await hasPlatformTracking(), false, 'no layers');
  Object.assign(globalThis, { XRWebGLLayer: class {} });
  assert.equal(await hasPlatformTracking(), true);
  set({ isSessionSupported: async () => { throw new DOMException('policy', 'SecurityError'); } });
  assert.equal(await hasPlatformTracking(), false);
  let asked = null;
  set({ requestSession: async (...values) => ((asked = values), 'session') });
  assert.equal(await openSession('root'), 'session');
  assert.equal(asked[0], 'immersive-ar');
  assert.deepEqual(asked[1], { requiredFeatures: ['local-floor', 'hit-test', 'dom-overlay'], optionalFeatures: ['anchors'], domOverlay: { root: 'root' } });
  assert.equal(refusalKey(new DOMException('no', 'NotAllowedError')), 'place.platformDenied');
  assert.equal(refusalKey(new DOMException('no', 'InvalidStateError')), 'place.platformFailed');
  assert.equal(refusalKey(undefined), 'place.platformFailed');
});
