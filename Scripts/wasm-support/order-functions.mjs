// Puts functions of a WebAssembly file that are alike next to each other, so that gzip finds in its window what it has seen before.
// Nothing else changes.
//
//   node order-functions.mjs FILE.wasm OUTPUT.wasm FEATURE…
//
// Functions are chosen one by one: next comes the one that has the largest part of its stretches of bytes in common with those before it,
// as far back as gzip's window reaches. Function layout for compression: Hoag, Lee, Mestre and Pupyrev, "Optimizing Function Layout for
// Mobile Applications", LCTES 2023. The features are those that wasm-opt is told (`--enable-simd`).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes of what is compared. */
const STRETCH = 5;
/** Bytes that gzip looks back, less what it needs itself. */
const WINDOW = 32_000;
/** Added to a function's length, so that the shortest, which are like anything, do not always come first. */
const SHORT = 20;
const CODE = 10;

/**
 * @param {Uint8Array} file
 * @returns {Uint8Array[]} the functions' bodies
 */
function bodiesOf(file) {
  let at = 8;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = file[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value >>> 0;
  };
  while (at < file.length) {
    const section = file[at++];
    const size = number();
    if (section !== CODE) {
      at += size;
      continue;
    }
    return Array.from({ length: number() }, () => {
      const length = number();
      at += length;
      return file.subarray(at - length, at);
    });
  }
  return [];
}

/**
 * @param {Uint8Array[]} bodies
 * @returns {number[]} their numbers, in the order that compresses well
 */
function orderOf(bodies) {
  /** @type {Map<number, number>} */
  const numbers = new Map();
  /** @type {number[][]} functions with each stretch */
  const holders = [];
  const stretches = bodies.map((body, index) => {
    const found = new Set();
    for (let at = 0; at + STRETCH <= body.length; at++) {
      const key = body.subarray(at, at + STRETCH).reduce((sum, byte) => sum * 256 + byte, 0);
      let number = numbers.get(key);
      if (number === undefined) numbers.set(key, (number = holders.push([]) - 1));
      found.add(number);
    }
    for (const number of found) holders[number].push(index);
    return [...found];
  });
  const seen = new Int32Array(holders.length);
  const common = new Int32Array(bodies.length);
  /** @type {number[]} */
  const order = [];
  const left = new Set(bodies.keys());
  let [first, held] = [0, 0];
  const count = (/** @type {number} */ index, /** @type {1 | -1} */ change) => {
    held += change * bodies[index].length;
    for (const number of stretches[index]) {
      const before = seen[number];
      seen[number] += change;
      if (before === 0 || seen[number] === 0) for (const holder of holders[number]) common[holder] += change;
    }
  };
  let next = bodies.reduce((longest, body, index) => (body.length > bodies[longest].length ? index : longest), 0);
  while (left.size) {
    left.delete(next);
    order.push(next);
    count(next, 1);
    while (held > WINDOW && first < order.length - 1) count(order[first++], -1);
    let best = -1;
    for (const index of left) {
      const share = common[index] / (stretches[index].length + SHORT);
      if (share > best) [best, next] = [share, index];
    }
  }
  return order;
}

const [source, target, ...features] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'order-functions-'));
try {
  const text = join(folder, 'module.wat');
  execFileSync('wasm-dis', [...features, source, '-o', text]);
  // Every part of the module begins a line with one space; what belongs to it is further in.
  const parts = readFileSync(text, 'utf8').split(/\n(?= \(|\))/);
  const places = [...parts.keys()].filter((index) => parts[index].startsWith(' (func '));
  const functions = places.map((index) => parts[index]);
  const bodies = bodiesOf(readFileSync(source));
  if (bodies.length !== functions.length) throw new Error(`${functions.length} functions as text, ${bodies.length} as code`);
  orderOf(bodies).forEach((index, place) => (parts[places[place]] = functions[index]));
  writeFileSync(text, parts.join('\n'));
  execFileSync('wasm-as', [...features, text, '-o', target]);
} finally {
  rmSync(folder, { recursive: true });
}
