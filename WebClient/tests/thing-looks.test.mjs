// Which files of things are kept, and which go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Looks } from '../app/things/looks.js';

/** Draws a frame of these keys, reading what is not there; answers what was read. */
function frame(/** @type {Looks} */ looks, /** @type {string[]} */ keys, /** @type {string[]} */ deleted, bytes = 1) {
  looks.begin();
  const read = keys.filter((key) => !looks.take(key));
  for (const key of read) {
    Object.assign(looks.add(key), { state: 'ready', bytes, drawable: { delete: () => deleted.push(key) } });
    looks.take(key);
  }
  return read;
}

test('what was drawn longest ago goes first, and is read again when it is in view', () => {
  const looks = new Looks(3, 1000);
  /** @type {string[]} */
  const deleted = [];
  for (const key of ['a', 'b', 'c', 'a', 'd']) frame(looks, [key], deleted);
  assert.deepEqual(looks.shrink(), ['b']);
  assert.deepEqual(deleted, ['b']);
  assert.equal(looks.all.length, 3);
  assert.deepEqual(frame(looks, ['a', 'b', 'c', 'd'], deleted), ['b']);
  assert.deepEqual(looks.shrink(), [], 'all of them are drawn');
  assert.deepEqual(looks.shrink(), []);
  frame(looks, ['b'], deleted);
  assert.deepEqual(looks.shrink(), ['a']);
});

test('bytes count as files do', () => {
  const looks = new Looks(200, 100);
  /** @type {string[]} */
  const deleted = [];
  for (const key of ['a', 'b', 'c']) frame(looks, [key], deleted, 60);
  assert.deepEqual(looks.shrink(), ['a', 'b']);
});

test('what is being read, or could not be, is not counted', () => {
  const looks = new Looks(1, 1000);
  looks.add('reading');
  looks.add('broken').state = 'failed';
  frame(looks, ['a'], []);
  looks.begin();
  assert.deepEqual(looks.shrink(), []);
  looks.clear();
  assert.equal(looks.all.length, 0);
});

test('walking through a world of many models, as many are kept as there may be', () => {
  const looks = new Looks(20, 1e9);
  /** @type {string[]} */
  const deleted = [];
  for (let step = 0; step < 500; step += 1) {
    frame(looks, Array.from({ length: 8 }, (_, k) => `model ${step + k}`), deleted);
    looks.shrink();
    assert.ok(looks.all.length <= 20, `${looks.all.length} at ${step}`);
  }
  assert.equal(new Set(deleted).size, deleted.length);
});
