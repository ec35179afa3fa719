// Buildings through the page's binding: what stands behind a house is told as hidden, whatever numbers come.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildingsPayload } from '../../WebClient/app/recording/buildings.js';
import { Buildings } from '../../WebClient/engine/buildings.js';
import { Engine } from '../../WebClient/engine/engine.js';
import { Places } from '../../WebClient/engine/places.js';
import { engineBytes } from './build.mjs';
import { load, place, world } from './worlds.mjs';

const ULM = { latitude: 48.3984, longitude: 9.9915 };
const METRE = 1 / 111_195;
const at = (north, east) => ({ latitude: ULM.latitude + north * METRE, longitude: ULM.longitude + (east * METRE) / Math.cos(0.84472) });

/** Somebody who looks north on places 100 m away: one straight ahead, one to the right, one before the house. */
async function looking(spots = [[100, 0], [100, 40], [25, -6]], more = {}) {
  const engine = await Engine.load(engineBytes());
  engine.handle({ type: 'display', width: 844, height: 390, screenAngle: 0 }, 1);
  engine.handle({ type: 'open', address: 4 }, 1);
  engine.handle({ type: 'fix', ...ULM, altitude: 480, horizontalAccuracy: 3, verticalAccuracy: 3 }, 1);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 1);
  let request;
  for (let effect; (effect = engine.nextEffect());) request ??= effect.request;
  load(engine, request.id, world(spots.map(([north, east]) => {
    const { latitude, longitude } = at(north, east);
    return place(latitude, longitude, { altitudeMode: 'eye', ...more });
  })), 1);
  return engine;
}

/** A house of so many metres, 20 m deep. */
function house(engine, [south, west, north, east], top, bottom = 0) {
  const places = engine.part(Places);
  const ring = [[south, west], [south, east], [north, east], [north, west]].flatMap(([y, x]) => {
    const point = places.onMap(at(y, x));
    return [point.x, point.y];
  });
  return { top, bottom, rings: [ring] };
}

test('what stands behind a house is hidden, what stands beside or before it is seen', async () => {
  const engine = await looking();
  const buildings = engine.part(Buildings);
  engine.makeFrame(1.1);
  assert.equal(buildings.hidden().size, 0);
  assert.equal(buildings.set([house(engine, [40, -15, 60, 12], 15)], 1.2), 1);
  engine.makeFrame(1.3);
  assert.deepEqual([...buildings.hidden()], [[0, 'hidden']]);
  // A roof on posts hides nothing that stands below it.
  assert.equal(buildings.set([house(engine, [40, -15, 60, 12], 15, 12)], 1.4), 1);
  engine.makeFrame(1.5);
  assert.equal(buildings.hidden().size, 0);
  assert.equal(buildings.set([house(engine, [40, -15, 60, 12], 15)], 1.6), 1);
  buildings.labels('leaveOut', 1.7);
  const features = Array.from(engine.makeFrame(1.8).items, ({ feature }) => feature);
  assert.deepEqual(features.sort(), [1, 2]);
  assert.equal(buildings.set([], 1.9), 0);
  assert.equal(engine.makeFrame(2).items.length, 3);
});

test('a stop at the back of a house is behind it, and in a hall it is the hall', async () => {
  const found = [];
  for (const kind of [undefined, 'stop']) {
    // A step behind the house, a step before it, and in it.
    const engine = await looking([[61, 0], [39, 5], [50, -5]], { kind });
    const buildings = engine.part(Buildings);
    buildings.set([house(engine, [40, -15, 60, 12], 15)], 1.2);
    engine.makeFrame(1.3);
    found.push([...buildings.hidden()]);
  }
  assert.deepEqual(found, [[], [[0, 'hidden']]]);
});

test('what is out of view is told too', async () => {
  const engine = await looking();
  const buildings = engine.part(Buildings);
  buildings.set([house(engine, [40, -15, 60, 12], 15)], 1.2);
  engine.handle({ type: 'orientation', alpha: 180, beta: 90, gamma: 0, north: 'trueNorth' }, 1.3);
  const frame = engine.makeFrame(1.4);
  assert.equal(frame.items.length, 0);
  assert.equal(frame.arrows.reduce((sum, { count }) => sum + count, 0), 3);
  assert.deepEqual([...buildings.hidden()], [[0, 'hidden']]);
});

test('a recording hears of buildings what the engine made of them', async () => {
  const engine = await looking();
  const buildings = engine.part(Buildings);
  const one = house(engine, [40, -15, 60, 12], 15, 3);
  buildings.set([one, { ...one, rings: [one.rings[0], one.rings[0]] }], 1.2);
  const { count, numbers } = buildings.told;
  assert.equal(count, 2);
  assert.deepEqual([...numbers.slice(0, 4)], [15, 3, 1, 4]);
  const corners = [[40, -15], [40, 12], [60, 12], [60, -15]].flatMap(([north, east]) => Object.values(at(north, east)));
  assert.ok(corners.every((value, k) => Math.abs(value - numbers[4 + k]) < 1e-9), `${numbers}`);
  const payload = buildingsPayload(buildings.told);
  // Two numbers of things, then of each building one, two heights, its rings, and of each ring its corners.
  assert.equal(payload.length, 4 + 2 * (4 + 16 + 4) + 3 * (4 + 4 * 16));
  const view = new DataView(payload.buffer);
  assert.deepEqual([0, 4, 24, 28].map((at) => view.getUint32(at, true)), [2, 1, 1, 4]);
  assert.deepEqual([8, 16, 32, 40].map((at) => view.getFloat64(at, true)), [3, 15, numbers[4], numbers[5]]);
  assert.equal(buildings.set([{ top: 5, bottom: 0, rings: [] }], 1.3), -1);
  assert.equal(buildings.told.count, 2);
});

test('numbers that are no buildings change nothing, and none ends the engine', async () => {
  const engine = await looking();
  const buildings = engine.part(Buildings);
  const good = house(engine, [40, -15, 60, 12], 15);
  assert.equal(buildings.set([good], 1.2), 1);
  assert.equal(buildings.set([{ top: 5, bottom: 0, rings: [] }], 1.3), -1);
  engine.makeFrame(1.4);
  assert.equal(buildings.hidden().size, 1);
  for (const odd of [NaN, Infinity, -Infinity, 1e308, -1e308, -1, 0, 0.5]) {
    for (const change of [{ top: odd }, { bottom: odd }, { rings: [good.rings[0].map(() => odd)] }, { rings: [[odd, odd]] }]) {
      assert.equal(buildings.set([{ ...good, ...change }], 2), 1);
      engine.makeFrame(2.1);
    }
  }
  const many = Array.from({ length: 400_000 }, () => good);
  assert.equal(buildings.set(many, 3), -1, 'more than there is room for');
  buildings.labels(/** @type {any} */ ('nothing'), 3.1);
  engine.makeFrame(3.2);
});
