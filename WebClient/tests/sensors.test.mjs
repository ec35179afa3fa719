// Recording the sensors: figures of streams, and pictures without loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { LocationSensor } from '../app/device/location.js';
import { png } from '../app/sensors/png.js';
import { Rates } from '../app/sensors/rates.js';
import { SensorStreams, stampOf } from '../app/sensors/streams.js';

test('rate, jitter and delay of a stream', () => {
  const rates = new Rates();
  assert.equal(rates.figures, null);
  // Every 20 ms, each tenth 4 ms late, 5 ms on its way.
  for (let k = 0; k < 200; k++) {
    const stamp = 0.02 * k + (k % 10 === 9 ? 0.004 : 0);
    rates.add(stamp, stamp + 0.005);
  }
  const { rate, jitter, most, delay } = rates.figures ?? assert.fail();
  assert.ok(Math.abs(rate - 50) < 0.2, `${rate}`);
  assert.ok(jitter < 1e-9 && Math.abs(most - 0.004) < 1e-9 && Math.abs(delay - 0.005) < 1e-9, `${jitter} ${most} ${delay}`);
  assert.equal(rates.count, 200);
});

for (const [channels, colour] of /** @type {const} */ ([[1, 0], [3, 2]])) {
  test(`a PNG of ${channels} channels has the same bytes`, async () => {
    const [width, height] = [7, 5];
    const pixels = Uint8Array.from({ length: width * height * channels }, (_, k) => (k * 89 + (k % 3) * 40) & 255);
    const file = await png(pixels, width, height, channels);
    const view = new DataView(file.buffer);
    assert.deepEqual([view.getUint32(16), view.getUint32(20), file[24], file[25]], [width, height, 8, colour]);
    const at = 8 + 25;
    const length = view.getUint32(at);
    const rows = inflateSync(file.subarray(at + 8, at + 8 + length));
    const read = [];
    for (let y = 0; y < height; y++) {
      const from = y * (width * channels + 1);
      assert.equal(rows[from], 1);
      const row = [];
      for (let x = 0; x < width * channels; x++) row.push((rows[from + 1 + x] + (x < channels ? 0 : row[x - channels])) & 255);
      read.push(...row);
    }
    assert.deepEqual(read, [...pixels]);
  });
}

test('a position has the time when it was taken, and that of its arrival where its clock was set', () => {
  const { timeOrigin } = performance;
  assert.ok(Math.abs(stampOf(timeOrigin + 4200, 5000) - 4.2) < 1e-3);
  for (const wrong of [timeOrigin + 5001, timeOrigin - 6000, timeOrigin + 3_600_000, 0, NaN, Infinity]) assert.equal(stampOf(wrong, 5000), 5);
});

test('fixes are recorded with their own time, and how long they were on their way is told', () => {
  /** @type {((position: object) => void)[]} */
  const watches = [];
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true, value: { userAgent: '', geolocation: { watchPosition: (/** @type {any} */ hear) => watches.push(hear), clearWatch() {} } },
  });
  Object.assign(globalThis, { addEventListener() {} });
  const told = [];
  const streams = new SensorStreams(new AbortController().signal, (event, time) => told.push({ event, time }));
  const sensor = new LocationSensor();
  sensor.on('fix', (fix) => streams.fix(fix));
  sensor.start();
  const coords = { latitude: 48.4, longitude: 10, altitude: null, accuracy: 5, altitudeAccuracy: null, heading: null, speed: null };
  const taken = [];
  for (let k = 0; k < 6; k++) {
    // In a page that has been there for a while: nothing was taken before it.
    const now = performance.now();
    taken.push(now - 800);
    watches[0]({ coords, timestamp: performance.timeOrigin + now - 800 });
  }
  if (before) Object.defineProperty(globalThis, 'navigator', before);
  told.forEach(({ event, time }, k) => {
    assert.ok(Math.abs(1000 * time - taken[k]) < 1, `${time}`);
    assert.deepEqual([event.type, event.latitude, 'timestamp' in event], ['fix', 48.4, false]);
  });
  const fix = streams.figures.find(({ name }) => name === 'fix')?.clock ?? assert.fail();
  assert.ok(told.length === 6 && fix.delay >= 0.799 && fix.delay < 0.9, `${fix.delay}`);
});
