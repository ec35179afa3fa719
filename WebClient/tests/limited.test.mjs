// Answers are read up to a limit, whatever they say of their length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedBlob } from '../app/net/limited.js';

/** An answer that goes on for as long as it is read. */
function endless(/** @type {Record<string, string>} */ headers = {}) {
  const seen = { pulls: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      seen.pulls += 1;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel() {
      seen.isCancelled = true;
    },
  }, { highWaterMark: 0 });
  return { seen, response: new Response(body, { headers }) };
}

test('what fits is read whole, with its media type', async () => {
  const blob = await limitedBlob(new Response(new Uint8Array(1000), { headers: { 'content-type': 'audio/mpeg' } }), 1000);
  assert.deepEqual([blob.size, blob.type], [1000, 'audio/mpeg']);
});

test('of what says that it is longer nothing is read', async () => {
  const { seen, response } = endless({ 'content-length': '1000000' });
  await assert.rejects(limitedBlob(response, 5000));
  assert.deepEqual(seen, { pulls: 0, isCancelled: true });
});

test('what is longer than it says is not read to its end', async () => {
  for (const headers of [undefined, { 'content-length': '10' }]) {
    const { seen, response } = endless(headers);
    await assert.rejects(limitedBlob(response, 5000));
    assert.deepEqual(seen, { pulls: 6, isCancelled: true });
  }
});
