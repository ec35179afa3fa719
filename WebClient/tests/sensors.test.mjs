// Recording the sensors: figures of streams, and pictures without loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { png } from '../app/sensors/png.js';
import { Rates } from '../app/sensors/rates.js';

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
