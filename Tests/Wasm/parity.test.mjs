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
  markers: 1e-9, vision: 1e-9, anchors: 1e-8, planes: 1e-12 };
const MATRIX_TOLERANCE = 2.5e-7;
/** Where the clip matrix stands in a frame. */
const MATRIX = { first: 39, last: 54 };
/** Where matrices of single precision stand in the anchors: the head's, and of each item. */
const ANCHORS = { head: { first: 3, last: 18 }, headLength: 19, anchor: 15, item: 28, itemMatrix: 12 };
/**
 * Pictures are followed in single precision, and sums in another order (fused multiply and add) make a hundredth of a pixel of a
 * corner; their poses, and those of walls by a picture, follow. By where a number stands in a row: whole ones are equal.
 */
const PICTURE = { corners: 0.01, other: 2e-3 };
const ROW = 27;
const WHOLE = [0, 1, 2, 3, 15, 16, 18];

/** @param {BufferSource} bytes */
async function exportsOf(bytes) {
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(bytes), { env: { sl_host_log() {} } });
  return exports;
}

const exports = await exportsOf(engineBytes());
const vision = await exportsOf(visionBytes());
const lines = parityLines();
/** @type {Record<string, { lines: any[], largest: number, matrix: number, picture: number, numbers: number }>} */
const cases = {};
for (const line of lines) {
  if (line.case) cases[line.case] = { lines: [], largest: 0, matrix: 0, picture: 0, numbers: 0 };
  else Object.values(cases).at(-1).lines.push(line);
}

after(() => {
  for (const [name, { largest, matrix, picture, numbers }] of Object.entries(cases)) {
    console.log(`${name}: ${numbers} numbers, largest difference ${largest.toExponential(1)}`
      + (matrix ? `, of matrices ${matrix.toExponential(1)}` : '') + (picture ? `, of pictures ${picture.toExponential(1)}` : ''));
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
    const pixels = Buffer.from(line.picture, 'base64');
    new Uint8Array(vision.memory.buffer, vision.sl_picture(pixels.length), pixels.length).set(pixels);
    return;
  }
  if (line.walls) {
    put(vision, vision.sl_vision_walls_in(...line.counts), line.walls);
    vision.sl_vision_walls(line.counts[0]);
    return;
  }
  if (line.observations) {
    put(exports, exports.sl_observations_in(args[1]), line.observations);
    exports.sl_observations(...args);
    return;
  }
  if (line.survey) {
    put(exports, exports.sl_survey_in(), line.survey);
    exports.sl_survey(...args);
    return;
  }
  if (line.plane) return void put(exports, exports.sl_plane_values(), line.plane);
  const side = line.call in vision ? vision : exports;
  const answer = side[line.call](...args);
  if (!line.result) return;
  const actual = READ.has(line.call) ? values(side, answer, line.result.length)
    : line.call === 'sl_next_effect' ? [answer, ...values(exports, exports.sl_effect_values(), line.result.length - 1)] : [answer];
  line.result.forEach((expected, k) => {
    const [kind, tolerance] = toleranceOf(name, line, k);
    const difference = differenceOf(actual[k], expected);
    run.numbers += 1;
    run[kind] = Math.max(run[kind], difference);
    assert.ok(difference <= tolerance, `${where}(${line.args}): value ${k} is ${actual[k]}, natively ${expected}`);
  });
}

/** Functions that answer where their values are. */
const READ = new Set(['sl_frame', 'sl_vision_values', 'sl_anchors', 'sl_plane_values']);

/**
 * How far a number may be off, and under what its largest difference is noted.
 * @returns {['largest' | 'matrix' | 'picture', number]}
 */
function toleranceOf(name, line, k) {
  if (line.call === 'sl_frame' && k >= MATRIX.first && k <= MATRIX.last) return ['matrix', MATRIX_TOLERANCE];
  if (line.call === 'sl_plane_values' && line.result.length === 16) return ['matrix', MATRIX_TOLERANCE];
  if (line.call === 'sl_anchors') {
    const item = k - ANCHORS.headLength - line.result[0] * ANCHORS.anchor;
    const isMatrix = item < 0 ? k >= ANCHORS.head.first && k <= ANCHORS.head.last : item % ANCHORS.item >= ANCHORS.itemMatrix;
    if (isMatrix) return ['matrix', MATRIX_TOLERANCE];
  }
  if (line.call === 'sl_vision_values') {
    const [row, at] = [Math.floor(k / ROW) * ROW, k % ROW];
    if (WHOLE.includes(at)) return ['largest', 0];
    // Pictures, and the wall that is known by one: its width is half of its own.
    const isPicture = line.result[row] === 1 || (line.result[row] === 3 && line.result[row + 2] === 5);
    if (isPicture) return ['picture', at >= 4 && at < 12 ? PICTURE.corners : PICTURE.other];
  }
  return ['largest', TOLERANCE[name]];
}

/** @param {WebAssembly.Exports} side @param {number} start @param {(number | null)[]} numbers */
function put(side, start, numbers) {
  assert.ok(start > 0);
  new Float64Array(side.memory.buffer, start, numbers.length).set(numbers.map((value) => value ?? NaN));
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
