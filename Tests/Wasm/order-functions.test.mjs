// Functions that are alike come next to each other in a WebAssembly file, and do what they did.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from './build.mjs';

/** Constants without a pattern: the same for the same seed. */
function constants(seed, count) {
  let state = seed >>> 0;
  return Array.from({ length: count }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) | 0);
}

test('functions that are alike are put together, and calls still find them', () => {
  // Six kinds of 12 kB each, in turn: a whole round lies beyond gzip's window.
  const [kinds, copies] = [6, 3];
  const names = Array.from({ length: kinds * copies }, (_, index) => `f${index}`);
  const functions = names.map((name, index) => {
    const sum = constants(index % kinds + 1, 2000).map((value) => `(local.set 0 (i32.xor (i32.mul (local.get 0) (i32.const 31)) (i32.const ${value})))`);
    // Each calls the one before it and is in the table, so that both kinds of reference are there.
    return `(func $${name} (export "${name}") (param i32) (result i32) ${sum.join(' ')}
      (i32.add (i32.const ${index}) ${index ? `(call $f${index - 1} (local.get 0))` : '(local.get 0)'}))`;
  });
  const text = `(module (type $t (func (param i32) (result i32))) (table ${names.length} funcref)
    (elem (i32.const 0) ${names.map((name) => `$${name}`).join(' ')})
    ${functions.join('\n')}
    (func (export "byTable") (param i32) (param i32) (result i32) (call_indirect (type $t) (local.get 1) (local.get 0))))`;
  const folder = mkdtempSync(join(tmpdir(), 'order-functions-test-'));
  try {
    const [source, before, after] = ['module.wat', 'before.wasm', 'after.wasm'].map((name) => join(folder, name));
    writeFileSync(source, text);
    execFileSync('wasm-as', [source, '-o', before]);
    execFileSync(process.execPath, [join(root, 'Scripts/wasm-support/order-functions.mjs'), before, after, '--enable-simd']);
    const files = [before, after].map((path) => readFileSync(path));
    const [one, other] = files.map((bytes) => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);
    assert.deepEqual(Object.keys(other), Object.keys(one));
    names.forEach((name, index) => {
      assert.equal(other[name](index), one[name](index));
      assert.equal(other.byTable(index, 7), one[name](7));
    });
    const [long, short] = files.map((bytes) => gzipSync(bytes, { level: 9 }).length);
    assert.ok(short < 0.5 * long, `${short} of ${long} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
