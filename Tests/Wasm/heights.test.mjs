// Heights over the sea, the ellipsoid and the ground through the page's binding: where a place is drawn is computed here once more.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Engine } from '../../WebClient/engine/engine.js';
import { UserHeights } from '../../WebClient/engine/user-heights.js';
import { engineBytes } from './build.mjs';
import { load, place, world } from './worlds.mjs';

const GEOID = new Uint8Array(readFileSync(new URL('../../WebClient/data/egm96.geoid', import.meta.url)));
const ULM = { latitude: 48.3984, longitude: 9.9915 };
/** EGM96 there, by the grid's own points around; the file is within 0.3 m of them. */
const RISE = 47.3;
const NORTH = ULM.latitude + 300 / 111_195;

async function showing(places) {
  const engine = await Engine.load(engineBytes());
  engine.handle({ type: 'display', width: 390, height: 844, screenAngle: 0 }, 1);
  engine.handle({ type: 'open', address: 4 }, 1);
  engine.handle({ type: 'locationUnavailable', reason: 'missing' }, 1);
  engine.handle({ type: 'orientation', alpha: 0, beta: 90, gamma: 0, north: 'trueNorth' }, 1);
  let request;
  for (let effect; (effect = engine.nextEffect());) request ??= effect.request;
  load(engine, request.id, world(places), 1);
  return engine;
}

const at = (altitude, altitudeMode, more = {}) =>
  place(NORTH, ULM.longitude, { position: { latitude: NORTH, longitude: ULM.longitude, altitude }, altitudeMode, ...more });
const fix = (altitude, altitudeDatum) =>
  ({ type: 'fix', ...ULM, altitude, altitudeDatum, horizontalAccuracy: 5, verticalAccuracy: altitude === null ? null : 3 });

/** How much higher than the eye the only place is drawn, metres. */
function above(engine, time) {
  const frame = engine.makeFrame(time);
  const focal = frame.width / 2 / Math.tan(frame.horizontalFieldOfView / 2);
  assert.equal(frame.items.length, 1);
  return ((422 - frame.items[0].anchorY) * 300) / focal;
}

test('a phone over the ellipsoid and a place over the sea agree by the geoid', async () => {
  const engine = await showing([at(510, 'seaLevel')]);
  engine.handle(fix(480 + RISE, 'ellipsoid'), 1);
  assert.ok(Math.abs(above(engine, 1.1)) < 0.5, 'at eye level as long as nobody knows better');
  assert.deepEqual(engine.part(UserHeights).read(), { altitude: 480 + RISE, datum: 'ellipsoid', geoid: null, ground: null });
  engine.handle({ type: 'geoid', bytes: GEOID }, 1.2);
  assert.ok(Math.abs(above(engine, 1.3) - 30) < 0.8, `${above(engine, 1.3)} m`);
  const { altitude, datum, geoid } = engine.part(UserHeights).read();
  assert.equal(datum, 'seaLevel');
  assert.ok(Math.abs(altitude - 480) < 0.5 && Math.abs(geoid - RISE) < 0.5);
});

test('what is no geoid changes nothing', async () => {
  const engine = await showing([at(510, 'seaLevel')]);
  engine.handle(fix(480, 'ellipsoid'), 1);
  const damaged = GEOID.slice();
  damaged[5000] ^= 1;
  for (const bytes of [new Uint8Array(0), GEOID.slice(0, 7), GEOID.slice(0, -1), damaged, new Uint8Array(2e6)]) {
    engine.handle({ type: 'geoid', bytes }, 1.1);
    assert.equal(engine.part(UserHeights).read().geoid, null);
  }
  assert.ok(!engine.isDead);
});

test('the ground stands in for an altitude, and what is over the ground follows it', async () => {
  const engine = await showing([at(undefined, 'seaLevel')]);
  engine.handle(fix(null, undefined), 1);
  assert.deepEqual(engine.part(UserHeights).read(), { altitude: null, datum: null, geoid: null, ground: null });
  engine.handle({ type: 'ground', ...ULM, altitude: 478 }, 1);
  assert.deepEqual(engine.part(UserHeights).read(), { altitude: 479.5, datum: 'seaLevel', geoid: null, ground: 478 });
  assert.ok(Math.abs(above(engine, 1.1)) < 0.5);
  engine.handle({ type: 'featureGround', feature: 0, height: 508 }, 1.2);
  assert.ok(Math.abs(above(engine, 1.3) - 30) < 0.5);
  engine.handle({ type: 'ground', ...ULM, altitude: null }, 1.4);
  assert.equal(engine.part(UserHeights).read().datum, null);
});
