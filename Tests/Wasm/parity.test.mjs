// The same calls natively and in WebAssembly must give the same answers. Whole numbers (indices, counts, enumerations)
// must be equal; the others may differ by what two C libraries differ in the last bits of sine and arc tangent.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { engineBytes, parityLines, visionBytes } from './build.mjs';

/**
 * Largest difference allowed, relative for numbers above 1. Largest seen, glibc 2.36 on x86-64 against wasi-libc in V8:
 * geodesy 4e-16, declination 4e-15, compass 3e-16, random 6e-10, motion 4e-16, walk 7e-8 (the eye glides from fix to fix
 * by way of geocentric coordinates, in whose last digits a nanometre is, and a place a few metres away shows it). Entries of the clip matrix are single precision, in which one rounding is 6e-8.
 */
const TOLERANCE = { geodesy: 1e-14, declination: 1e-13, walk: 5e-7, compass: 1e-12, motion: 1e-9, random: 1e-8,
  markers: 1e-9 };
const MATRIX_TOLERANCE = 2.5e-7;
/** Where the clip matrix stands in a frame. */
const MATRIX = { first: 39, last: 54 };

/** @param {BufferSource} bytes */
async function exportsOf(bytes) {
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(bytes), { env: { sl_host_log() {} } });
  return exports;
}

const exports = await exportsOf(engineBytes());
const vision = await exportsOf(visionBytes());
const lines = parityLines();
/** @type {Record<string, { lines: any[], largest: number, matrix: number, numbers: number }>} */
const cases = {};
for (const line of lines) {
  if (line.case) cases[line.case] = { lines: [], largest: 0, matrix: 0, numbers: 0 };
  else Object.values(cases).at(-1).lines.push(line);
}

after(() => {
  for (const [name, { largest, matrix, numbers }] of Object.entries(cases)) {
    console.log(`${name}: ${numbers} numbers, largest difference ${largest.toExponential(1)}`
      + (matrix ? `, of the matrix ${matrix.toExponential(1)}` : ''));
  }
});

assert.deepEqual(Object.keys(cases), Object.keys(TOLERANCE));
for (const [name, run] of Object.entries(cases)) {
  test(`native and WebAssembly agree: ${name}`, () => {
    exports.sl_reset();
    run.lines.forEach((line, index) => compare(name, run, line, `${name}, line ${index + 1}: ${line.call}`));
    assert.ok(run.numbers > 300, 'the case compares something');
  });
}

function compare(name, run, line, where) {
  const args = line.args?.map((value) => value ?? NaN);
  if (line.world) {
    const start = exports.sl_world_begin(...line.counts);
    new Float64Array(exports.memory.buffer, start, line.world.length).set(line.world.map((value) => value ?? NaN));
    const units = new Uint16Array(exports.memory.buffer, exports.sl_world_texts(), line.texts.length);
    for (let k = 0; k < units.length; k++) units[k] = line.texts.charCodeAt(k);
    exports.sl_world_compile(args[1]);
    exports.sl_world_loaded(...args);
    return;
  }
  if (line.occupied) {
    const values = new Float64Array(exports.memory.buffer, exports.sl_occupied_values_in(), line.occupied.length);
    values.set(line.occupied.map((value) => value ?? NaN));
    exports.sl_occupied(...args);
    return;
  }
  if (line.picture) {
    new Uint8Array(vision.memory.buffer, vision.sl_picture(line.picture.length), line.picture.length).set(line.picture);
    return;
  }
  const side = line.call in vision ? vision : exports;
  const answer = side[line.call](...args);
  if (!line.result) return;
  const actual = line.call === 'sl_frame' ? values(exports, answer, line.result.length)
    : line.call === 'sl_next_effect' ? [answer, ...values(exports, exports.sl_effect_values(), line.result.length - 1)]
      : line.call === 'sl_marker_values' ? values(vision, answer, line.result.length) : [answer];
  line.result.forEach((expected, k) => {
    const isMatrix = line.call === 'sl_frame' && k >= MATRIX.first && k <= MATRIX.last;
    const difference = differenceOf(actual[k], expected);
    run.numbers += 1;
    run[isMatrix ? 'matrix' : 'largest'] = Math.max(run[isMatrix ? 'matrix' : 'largest'], difference);
    assert.ok(difference <= (isMatrix ? MATRIX_TOLERANCE : TOLERANCE[name]),
      `${where}(${line.args}): value ${k} is ${actual[k]}, natively ${expected}`);
  });
}

function values(side, start, count) {
  return Array.from(new Float64Array(side.memory.buffer, start, count));
}

/** Infinity when only one of both is a number. */
function differenceOf(actual, expected) {
  if (expected === null) return Number.isFinite(actual) ? Infinity : 0;
  const difference = Math.abs(actual - expected) / Math.max(1, Math.abs(expected));
  return Number.isNaN(difference) ? Infinity : difference;
}
