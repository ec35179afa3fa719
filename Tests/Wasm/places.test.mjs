// Places on the ground and on the web's map, and the phone that is led by hand, through the WebAssembly build and the page's
// bindings, against formulas of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine } from '../../WebClient/engine/engine.js';
import { Places } from '../../WebClient/engine/places.js';
import { engineBytes } from './build.mjs';
import { load, place, world } from './worlds.mjs';

globalThis.location ??= { origin: 'https://here.example' };
globalThis.localStorage ??= { getItem: () => null, setItem: () => undefined };
const { VirtualPhone } = await import('../../WebClient/app/device/virtual-phone.js');
const { tileAddresses } = await import('../../WebClient/app/offline/offline.js');
const { TourGround } = await import('../../WebClient/app/tours/ground.js');

const engine = await Engine.load(engineBytes());
const places = engine.part(Places);
const RADIAN = Math.PI / 180;
const ODD = [NaN, Infinity, -Infinity, 1e308, -1e308, 91, -720, 0];
const near = (a, b, within) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b} ± ${within}`);

/** A generator with a seed. */
function random(seed) {
  let state = seed;
  return (least, most) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return least + (state / 2 ** 32) * (most - least);
  };
}

/** Radii of curvature of WGS84 along the meridian and across it, metres. */
function radii(latitude) {
  const [a, e2] = [6_378_137, 0.00669437999014];
  const w = 1 - e2 * Math.sin(latitude * RADIAN) ** 2;
  return [(a * (1 - e2)) / w ** 1.5, a / Math.sqrt(w)];
}

test('a short way leads where the curvature of the ellipsoid says', () => {
  const next = random(1);
  for (let k = 0; k < 500; k++) {
    const [latitude, longitude, heading] = [next(-80, 80), next(-179, 179), next(-360, 360)];
    const [forward, right] = [next(-100, 100), next(-100, 100)];
    const end = places.moved({ latitude, longitude }, heading, forward, right);
    const [s, c] = [Math.sin(heading * RADIAN), Math.cos(heading * RADIAN)];
    const [meridian, across] = radii(latitude);
    near((end.latitude - latitude) * RADIAN * meridian, forward * c - right * s, 0.01);
    near((end.longitude - longitude) * RADIAN * across * Math.cos(latitude * RADIAN), forward * s + right * c, 0.02);
  }
});

test('the virtual phone walks metres, across the date line too', async () => {
  const phone = new VirtualPhone(() => engine);
  assert.equal(phone.places, null, 'before it is wanted');
  await VirtualPhone.prepare();
  phone.place({ latitude: 0, longitude: 179.9999, heading: 90, altitude: 5 });
  phone.walk(100, 0, 2);
  near(phone.pose.longitude, -180 + 100 / (RADIAN * 6_378_137) - 0.0001, 1e-9);
  assert.equal(phone.pose.altitude, 7);
  phone.place({ latitude: 89.99, heading: 0 });
  phone.walk(600, 0);
  assert.equal(phone.pose.latitude, 89.99);
});

test('what is dragged stays under the finger, and the heading does not whirl near the vertical', async () => {
  const fresh = await Engine.load(engineBytes());
  const hand = fresh.part(Places);
  assert.deepEqual(hand.dragTurn(10, 10, 0), { heading: 0, pitch: 0 }, 'before there is a display');
  assert.deepEqual([...hand.beside(1)], [NaN, NaN]);
  fresh.handle({ type: 'display', width: 400, height: 800, screenAngle: 0 }, 1);
  fresh.handle({ type: 'camera', width: 400, height: 800, longSideFieldOfView: 60 }, 1);
  const focal = 400 / Math.tan(30 * RADIAN);
  near(hand.dragTurn(-10, 0, 0).heading, 10 / focal / RADIAN, 1e-9);
  near(hand.dragTurn(-10, 20, 60).heading, 20 / focal / RADIAN, 1e-9);
  near(hand.dragTurn(-10, 20, 60).pitch, 20 / focal / RADIAN, 1e-9);
  near(hand.dragTurn(-10, 0, 89).heading, 10 / 0.35 / focal / RADIAN, 1e-9);
  const [x, y] = hand.beside(-10);
  near(x, 200 - focal * Math.tan(10 * RADIAN), 1e-9);
  near(y, 400, 1e-9);
  for (const odd of ODD) {
    const { heading, pitch } = hand.dragTurn(odd, odd, odd);
    assert.ok(Number.isFinite(heading) && Number.isFinite(pitch), `${odd}`);
    hand.beside(odd);
    hand.viewpoint({ latitude: odd, longitude: odd });
    hand.moved({ latitude: odd, longitude: odd }, odd, odd, odd);
  }
  assert.ok(!fresh.isDead);
});

test('the phone begins where most places are in its picture', async () => {
  const fresh = await Engine.load(engineBytes());
  const hand = fresh.part(Places);
  fresh.handle({ type: 'display', width: 400, height: 800, screenAngle: 0 }, 1);
  fresh.handle({ type: 'camera', width: 400, height: 800, longSideFieldOfView: 60 }, 1);
  assert.equal(hand.viewpoint(null), null, 'without a world');
  fresh.handle({ type: 'open', address: 4 }, 1);
  fresh.handle({ type: 'locationUnavailable', reason: 'missing' }, 1);
  fresh.handle({ type: 'orientationUnavailable', reason: 'missing' }, 1);
  let request;
  for (let effect; (effect = fresh.nextEffect());) if (effect.type === 'request') ({ request } = effect);
  const north = Array.from({ length: 12 }, (_, k) => place(48.01 + k * 0.0005, 10 + (k - 6) * 0.0003, {
    position: { latitude: 48.01 + k * 0.0005, longitude: 10 + (k - 6) * 0.0003, altitude: 500 }, altitudeMode: 'ellipsoid',
  }));
  load(fresh, request.id, world(north), 1);
  const start = hand.viewpoint({ latitude: 48, longitude: 10 });
  assert.ok(Math.min(start.heading, 360 - start.heading) <= 10, `heading ${start.heading}`);
  assert.deepEqual([start.latitude, start.longitude, start.altitude, start.altitudeDatum], [48, 10, 501.7, 'ellipsoid']);
  const free = hand.viewpoint(null);
  assert.ok(fresh.distance(free.latitude, free.longitude, 48.0127, 10) < 900);
});

test('the web’s map: positions, their tiles, and back', () => {
  const next = random(2);
  for (let k = 0; k < 500; k++) {
    const [latitude, longitude] = [next(-85, 85), next(-180, 180)];
    const { x, y, side } = places.onMap({ latitude, longitude });
    near(x, (longitude + 180) / 360, 1e-12);
    near(y, (1 - Math.log(Math.tan(latitude * RADIAN) + 1 / Math.cos(latitude * RADIAN)) / Math.PI) / 2, 1e-12);
    near(side, 40_075_016.6856 * Math.cos(latitude * RADIAN), 1e-3);
    const back = places.position(x, y);
    near(back.latitude, latitude, 1e-10);
    near(back.longitude, longitude, 1e-10);
  }
  near(places.onMap({ latitude: 90, longitude: 0 }).y, 0, 1e-12);
  near(places.onMap({ latitude: -90, longitude: 0 }).y, 1, 1e-12);
});

test('tiles are kept of what is within 250 m', () => {
  const source = { url: '{z}/{x}/{y}', zooms: [14, 15, 16, 17] };
  const at = { latitude: 52.0907, longitude: 5.1214 };
  const kept = new Set(tileAddresses(source, [at], places));
  for (let east = -240; east <= 240; east += 60) {
    for (let north = -240; north <= 240; north += 60) {
      const point = places.moved(at, 0, north, east);
      for (const zoom of [14, 15, 16, 17]) {
        const phi = point.latitude * RADIAN;
        const x = Math.floor(((point.longitude + 180) / 360) * 2 ** zoom);
        const y = Math.floor(((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * 2 ** zoom);
        assert.ok(kept.has(`${zoom}/${x}/${y}`), `${zoom}/${x}/${y}`);
      }
    }
  }
  assert.ok(kept.size < 40, String(kept.size));
});

test('areas: inside, outside, across the date line; fewer than three corners bound nothing', () => {
  const ground = new TourGround();
  ground.engine = () => engine;
  for (const [latitude, longitude] of [[52, 4], [-17, 179.999]]) {
    const border = [[0, 0], [0, 0.002], [0.002, 0.002], [0.002, 0]].map(([north, east]) => {
      const shifted = longitude + east;
      return { latitude: latitude + north, longitude: shifted > 180 ? shifted - 360 : shifted };
    });
    const at = (north, east, horizontalAccuracy = 5) => ({ latitude: latitude + north, longitude: longitude + east, horizontalAccuracy });
    near(places.distanceToBorder(at(0.001, 0.0005), border), -0.0005 * 111_195 * Math.cos(latitude * RADIAN), 0.05);
    near(places.distanceToBorder(at(-0.001, 0.001), border), 111.195, 0.05);
    assert.ok(!ground.hasLeft(at(0.001, 0.001), border));
    assert.ok(ground.hasLeft(at(-0.0005, 0.001), border));
    assert.ok(!ground.hasLeft(at(-0.0001, 0.001, 20), border));
    assert.ok(!ground.hasLeft(at(50, 0), border.slice(2)));
    assert.ok(ground.isAt(at(0.00026, 0), { position: border[0], radius: 30 }));
    assert.ok(!ground.isAt(at(0.0004, 0), { position: border[0], radius: 30 }));
  }
  const many = Array.from({ length: 300 }, (_, k) => ({ latitude: Math.sin(k / 47.7465), longitude: Math.cos(k / 47.7465) }));
  near(places.distanceToBorder({ latitude: 0, longitude: 0 }, many), -111_195, 30);
  for (const odd of ODD) {
    places.distanceToBorder({ latitude: odd, longitude: odd }, many);
    places.distanceToBorder({ latitude: 1, longitude: 1 }, ODD.map((other) => ({ latitude: odd, longitude: other })));
    places.onMap({ latitude: odd, longitude: odd });
    places.position(odd, odd);
  }
  assert.ok(!engine.isDead);
});

test('a lens means something as far as the picture does not fold', () => {
  const next = random(3);
  for (let k = 0; k < 200; k++) {
    const terms = [next(-0.6, 0.6), next(-0.4, 0.4), next(-0.2, 0.2)];
    const [k1, k2, k3] = terms;
    let expected = 4;
    for (let step = 399; step >= 0; step--) {
      const r2 = step / 100;
      if (1 + 3 * k1 * r2 + 5 * k2 * r2 ** 2 + 7 * k3 * r2 ** 3 < 0.1) expected = r2;
    }
    near(places.lensReach(terms), expected, 0.0100001);
  }
  assert.equal(places.lensReach([]), 4);
});
