// The recorder's bytes. That a whole recording is understood by the native reader is tested in Tests/Browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND, SIGNATURE, crc32, encodeEvent, worldPayload } from '../app/recording/format.js';
import { Recorder } from '../app/recording/recorder.js';

const text = (value) => new TextEncoder().encode(value);

async function bytesOf(recorder) {
  return new Uint8Array(await recorder.finish().arrayBuffer());
}

/** The chunks of a recording, their checksums verified. */
function chunks(bytes) {
  assert.deepEqual([...bytes.subarray(0, 8)], [...SIGNATURE]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  let at = 8;
  while (at < bytes.length) {
    const length = view.getUint32(at, true);
    assert.equal(view.getUint16(at + 6, true), 0);
    assert.equal(view.getUint32(at + 20, true), crc32(bytes.subarray(at, at + 20)));
    const payload = bytes.subarray(at + 24, at + 24 + length);
    assert.equal(view.getUint32(at + 16, true), crc32(payload));
    found.push({ kind: view.getUint16(at + 4, true), time: view.getFloat64(at + 8, true), payload });
    at += 24 + length;
  }
  assert.equal(at, bytes.length);
  return found;
}

const begin = (positions) => new Recorder({ positions, time: 1, created: new Date(0) });
const fix = { type: 'fix', latitude: 48.4, longitude: 10, altitude: null, horizontalAccuracy: 5, verticalAccuracy: null };
const world = {
  radarRange: 1000, radarAvailable: true, refreshIntervalSeconds: 0, refreshDistance: 0, refreshAddress: null,
  features: [{
    key: 2 ** 52 + 1, latitude: 48.4, longitude: 10, altitude: 0, altitudeDatum: 'eye', east: 0, north: 0, up: 0,
    kind: 'text', trueSize: false, width: 120, height: 32, pivotX: 0.5, pivotY: 1, category: 3, showInRadar: true,
    visibilityRadius: 0, action: { kind: 'webPage', address: 4 }, focusOverlays: [0],
  }],
  overlays: [{ key: 7, hidden: true, action: { kind: 'refresh' } }],
};
const names = { title: 'Ulm', texts: ['Münster'], addresses: [[4, 'https://example.org/']] };

test('the checksum is the one of gzip', () => assert.equal(crc32(text('123456789')), 0xcbf43926));

test('a recording is a header, what happened, and an end mark with their number', async () => {
  const recorder = begin(true);
  recorder.event({ type: 'touch', x: 1, y: 2 }, 2);
  recorder.tick(2.5);
  const found = chunks(await bytesOf(recorder));
  assert.deepEqual(found.map(({ kind }) => kind), [KIND.header, KIND.touch, KIND.tick, KIND.end]);
  assert.deepEqual(found.map(({ time }) => time), [1, 2, 2.5, 2.5]);
  assert.deepEqual([...found[1].payload], [0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40]);
  assert.deepEqual([...found[3].payload], [3, 0, 0, 0, 0, 0, 0, 0]);
  const header = new TextDecoder().decode(found[0].payload);
  assert.match(header, /created.*1970-01-01T00:00:00\.000Z.*positions.*kept.*writer/s);
});

test('nothing that tells a place is kept unless it was agreed to', async () => {
  for (const positions of [false, true]) {
    const recorder = begin(positions);
    recorder.event(fix, 1);
    recorder.world(1, world, names, 1);
    recorder.picture(2, 2, new Uint8Array([1]), 1);
    recorder.event({ type: 'orientation', alpha: 1, beta: 2, gamma: 3, north: 'magnetic' }, 1);
    const bytes = await bytesOf(recorder);
    const kinds = chunks(bytes).map(({ kind }) => kind);
    const private_ = [KIND.fix, KIND.world, KIND.picture];
    assert.deepEqual(kinds, [KIND.header, ...(positions ? private_ : []), KIND.orientation, KIND.end]);
    assert.equal(new TextDecoder('latin1').decode(bytes).includes('example.org'), positions);
  }
});

test('motion has only what the device has', () => {
  const rate = { x: 1, y: 2, z: 3 };
  assert.equal(encodeEvent({ type: 'motion', angularVelocity: rate, specificForce: rate }).payload.length, 49);
  const { payload } = encodeEvent({ type: 'motion', angularVelocity: null, specificForce: rate });
  assert.equal(payload.length, 25);
  assert.equal(payload[0], 2);
});

test('every event has a kind of its own', () => {
  const events = [
    { type: 'orientation', alpha: 0, beta: 0, gamma: 0, north: 'arbitrary' },
    { type: 'orientationQuaternion', w: 1, x: 0, y: 0, z: 0, north: 'trueNorth' },
    { type: 'orientationWithCompass', alpha: 0, beta: 0, gamma: 0, heading: 0, accuracy: 0 },
    { type: 'orientationUnavailable', reason: 'denied' }, { type: 'motion' }, fix,
    { type: 'locationUnavailable', reason: 'timedOut' }, { type: 'display', width: 1, height: 1, screenAngle: 90 },
    { type: 'camera', width: 1, height: 1, longSideFieldOfView: 65 }, { type: 'calendar', decimalYear: 2026 },
    { type: 'open', address: 0 }, { type: 'failed', request: 1, reason: { kind: 'status', status: 404 } },
    { type: 'refreshByHand' }, { type: 'labelSize', feature: 0, width: 1, height: 1 },
    { type: 'occupied', rectangles: [{ x: 0, y: 0, width: 390, height: 60 }], arrows: [{ width: 80, height: 44 }] },
    { type: 'touch', x: 0, y: 0 },
    { type: 'press', feature: 0 }, { type: 'pressOverlay', overlay: 0 }, { type: 'select', feature: null },
    { type: 'toggleCluster', cluster: 1 }, { type: 'setRadius', radius: 1 }, { type: 'setCategories', mask: 2n ** 64n - 1n }, { type: 'setEyeHeight', height: 0.9 },
    { type: 'setFrozen', frozen: true }, { type: 'pictureAge', seconds: 0.1 },
    { type: 'dragWorld', fromX: 0, fromY: 0, toX: 1, toY: 1 }, { type: 'pointAtPlace', latitude: 1, longitude: 2 },
    { type: 'pointAtFeature', feature: 3 }, { type: 'pointAtBody', body: 'moon' }, { type: 'forgetHeadingCorrections' },
    {
      type: 'restoreHeadingCorrection',
      correction: { angle: 1, deviation: 2, latitude: 3, longitude: 4, decimalYear: null },
    }, { type: 'suspend' }, { type: 'resume' },
  ];
  const kinds = events.map((event) => encodeEvent(event).kind);
  assert.ok(kinds.every((kind) => Number.isInteger(kind)), String(kinds));
  assert.equal(new Set(kinds).size, events.length);
});

test('a world has its names', () => {
  const payload = worldPayload(1, world, names);
  const found = new TextDecoder('latin1').decode(payload);
  assert.ok(found.includes('Ulm') && found.includes('https://example.org/'));
  // Request, title, head, count, feature (record of 154 bytes), text, overlays, focus, addresses.
  assert.equal(new DataView(payload.buffer).getUint32(0, true), 1);
  assert.equal(payload[11] + payload[12] * 256, 29);
});

test('a long recording is kept in pieces', async () => {
  const recorder = begin(true);
  const jpeg = new Uint8Array(300_000).fill(7);
  for (let k = 0; k < 10; k++) recorder.picture(640, 480, jpeg, k);
  const found = chunks(await bytesOf(recorder));
  assert.equal(found.filter(({ kind, payload }) => kind === KIND.picture && payload.length === 300_009).length, 10);
});

test('rules of what is shown when stand at the end, behind none or more things and lines', () => {
  const plain = worldPayload(3, world, names);
  const rules = [{ feature: 0, nearest: 5, scaling: [10, Infinity, 0.5], selection: 2, group: -1 }];
  const bytes = worldPayload(3, { ...world, rules }, names);
  assert.deepEqual([...bytes.subarray(0, plain.length)], [...plain]);
  const tail = new DataView(bytes.buffer, bytes.byteOffset + plain.length, bytes.length - plain.length);
  // Things, paths, corners, styles; then one rule of 41 bytes.
  assert.deepEqual([0, 4, 8, 12, 16].map((at) => tail.getUint32(at, true)), [0, 0, 0, 0, 1]);
  assert.equal(tail.getUint16(20, true), 41);
  assert.deepEqual([26, 34, 42, 50].map((at) => tail.getFloat64(at, true)), [5, 10, Infinity, 0.5]);
  assert.deepEqual([tail.getUint8(58), tail.getInt32(59, true), tail.byteLength], [2, -1, 63]);
});

test('what places say of it is given to the engine', async () => {
  const { Rules } = await import('../engine/rules.js');
  /** @type {number[][]} */
  const told = [];
  new Rules({ sl_world_rule: (...values) => told.push(values) }).give(/** @type {any} */ ([
    {}, { display: { visibleFrom: 5, shownWhile: 'unselected', feature: 'a' } }, { display: { feature: 'b' } },
    { display: { scaling: { near: 10, factor: 0.5 }, feature: 'a', shownWhile: 'selected' } },
  ]));
  assert.deepEqual(told, [[1, 5, NaN, Infinity, 1, 2, 0], [2, 0, NaN, Infinity, 1, 0, 1], [3, 0, 10, Infinity, 0.5, 1, 0]]);
});
