// World tracking beside vision: nothing depends on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBSERVATION_ROW, OBSERVATION_STATE } from '../engine/layout.js';
import { readObservations } from '../engine/observations.js';
import { ExtendedTracking } from '../app/vision/extended-tracking.js';

/** @param {string} state */
function row(state) {
  const v = new Float64Array(OBSERVATION_ROW.length);
  v.set([0, 3, 7]);
  Object.assign(v, { [OBSERVATION_ROW.state]: OBSERVATION_STATE.indexOf(state), [OBSERVATION_ROW.hasPose]: 1, [OBSERVATION_ROW.width]: 0.1 });
  return v;
}

/** A tracking with a worker that does what the test says. */
async function made() {
  /** @type {any} */
  const worker = { orders: [], ended: false, postMessage: (/** @type {any} */ order) => worker.orders.push(order), terminate: () => (worker.ended = true) };
  const setup = { engine: () => undefined, label: () => '', learned: () => undefined, markers: null };
  const tracking = new ExtendedTracking(setup, async () => /** @type {any} */ ({}), () => worker);
  const say = (/** @type {any} */ data) => worker.onmessage({ data });
  const seen = (/** @type {number} */ time, /** @type {Float64Array} */ rows) => say({ kind: 'seen', tracked: { time, rows, state: 'metric' } });
  const sightOf = (/** @type {number} */ time, state = 'tracked') => {
    const rows = row(state);
    return /** @type {any} */ ({ rows, observations: readObservations(rows), focal: 500, lens: [], time });
  };
  const follow = (/** @type {number} */ time, state = 'tracked', rate = [0, 0, 0]) => {
    /** @type {any} */
    const moment = { time, turning: [{ time, rate, force: [0, 9.8, 0], angle: 0 }], tilt: null, fieldOfView: 65 };
    return tracking.follow({ image: { clone: () => ({}) }, width: 4, height: 4, time, moment }, sightOf(time, state));
  };
  assert.equal(follow(0.5, 'tracked', [NaN, NaN, NaN]), null);
  assert.equal(tracking.state().state, 'off', 'no sensors');
  assert.equal(follow(0.6), null);
  await new Promise((done) => setTimeout(done));
  return { worker, tracking, say, seen, follow, sightOf };
}

test('pictures are handed on once the worker is ready, and answers belong to their pictures', async () => {
  const { worker, tracking, say, seen, follow } = await made();
  assert.equal(follow(1), null, 'not ready yet');
  say({ kind: 'ready' });
  const first = follow(2);
  assert.deepEqual([worker.orders[1].kind, worker.orders[1].time, worker.orders[1].seen.focal], ['frame', 2, 500]);
  tracking.rest();
  assert.equal(await first, null);
  const second = follow(3);
  seen(2, row('carried'));
  let isTold = false;
  void second?.then(() => (isTold = true));
  await new Promise((done) => setTimeout(done));
  assert.equal(isTold, false, 'the answer to the picture before');
  seen(3, row('carried'));
  assert.equal((await second)?.time, 3);
  assert.equal(tracking.state().carried, 1);
  tracking.close();
});

test('when it fails, what was carried on is lost, once', async () => {
  const { worker, tracking, say, seen, follow, sightOf } = await made();
  const warn = console.warn;
  console.warn = () => {};
  say({ kind: 'ready' });
  const first = follow(1);
  seen(1, row('carried'));
  await first;
  const second = follow(2);
  say({ kind: 'failed', text: 'a trap' });
  console.warn = warn;
  assert.equal(await second, null);
  assert.ok(worker.ended && tracking.state().state === 'off');
  const states = () => tracking.complete(sightOf(2, 'carried'), null).observations.map(({ state }) => state);
  assert.deepEqual(states(), ['carried', 'lost'], 'what vision still carries on counts');
  assert.deepEqual(states(), ['carried']);
  assert.equal(follow(3), null);
  assert.equal(tracking.state().state, 'off', 'not at once');
});

test('after a failure it begins again a while later, three times in all', async () => {
  const { worker, tracking, say, seen, follow } = await made();
  const warn = console.warn;
  console.warn = () => {};
  let time = 1;
  for (const left of ['off', 'off', 'failed']) {
    const late = worker.onmessage;
    say({ kind: 'ready' });
    const first = follow(time);
    seen(time, row('carried'));
    assert.equal((await first)?.time, time);
    const second = follow(time + 1);
    say({ kind: 'failed', text: 'a trap' });
    assert.equal(await second, null);
    assert.equal(tracking.state().state, left);
    // What a worker still says that was ended changes nothing.
    late({ data: { kind: 'ready' } });
    assert.equal(tracking.state().state, left);
    assert.equal(follow(time + 10.9), null);
    assert.equal(tracking.state().state, left);
    time += 12;
    assert.equal(follow(time), null);
    await new Promise((done) => setTimeout(done));
    assert.equal(tracking.state().state, left === 'off' ? 'starting' : 'failed');
    time += 1;
  }
  console.warn = warn;
});

test('nothing to carry on for a minute: it rests until something is seen', async () => {
  const { tracking, say, seen, follow } = await made();
  say({ kind: 'ready' });
  const first = follow(1);
  seen(1, new Float64Array(0));
  await first;
  const later = follow(50, 'lost');
  seen(50, new Float64Array(0));
  assert.ok(await later);
  assert.equal(follow(62, 'lost'), null);
  assert.equal(tracking.state().state, 'resting');
  const again = follow(63);
  seen(63, new Float64Array(0));
  assert.ok(await again && tracking.state().state === 'running');
  tracking.close();
});
