// What every WebAssembly file has instead of a C library's: its memory, and elementary functions, measured against whole numbers of
// 400 bits.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { engineBytes, root } from './build.mjs';

const NAMES = ['malloc', 'free', 'posix_memalign', 'exp', 'exp2', 'log', 'pow', 'sin', 'cos'];

/** The functions alone, in a file of their own. */
function linked() {
  engineBytes();
  const linker = join(dirname(realpathSync(execFileSync('which', ['swiftc'], { encoding: 'utf8' }).trim())), 'wasm-ld');
  const library = ['/usr/lib/wasm32-wasi', '/usr/share/wasi-sysroot/lib/wasm32-wasi'].map((folder) => join(folder, 'libc.a')).find(existsSync);
  const folder = mkdtempSync(join(tmpdir(), 'support-'));
  try {
    const file = join(folder, 'support.wasm');
    execFileSync(linker, ['--no-entry', '--export-memory', '--stack-first', '--initial-memory=1048576', '--max-memory=16777216',
      ...NAMES.map((name) => `--export=${name}`), '-o', file, join(root, '.build-wasm/release/libsupport.a'), library]);
    return new WebAssembly.Module(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const support = linked();
const fresh = () => /** @type {any} */ (new WebAssembly.Instance(support, {}).exports);
const c = fresh();

function dice(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// MARK: Memory

test('memory that is handed out is nobody else\'s, is aligned, and comes together again', () => {
  const { malloc, free, posix_memalign: aligned, memory } = fresh();
  const random = dice(11);
  const answer = malloc(4);
  /** @type {{ at: number, size: number, mark: number }[]} */
  const taken = [];
  let most = 0;
  for (let step = 0; step < 40_000; step++) {
    if (taken.length < 300 && random() < 0.52) {
      const size = Math.floor(2 ** (random() * (random() < 0.02 ? 19 : 11)));
      let at = 0;
      const alignment = random() < 0.2 ? 16 << Math.floor(random() * 9) : 16;
      if (alignment === 16 && random() < 0.5) at = malloc(size);
      else if (aligned(answer, alignment, size) === 0) at = new Uint32Array(memory.buffer)[answer / 4];
      assert.ok(at > 0 && at % alignment === 0 && at + size <= memory.buffer.byteLength);
      const mark = step % 251;
      new Uint8Array(memory.buffer, at, size).fill(mark);
      taken.push({ at, size, mark });
    } else if (taken.length > 0) {
      const [{ at, size, mark }] = taken.splice(Math.floor(random() * taken.length), 1);
      assert.ok(new Uint8Array(memory.buffer, at, size).every((value) => value === mark));
      free(at);
    }
    most = Math.max(most, taken.reduce((sum, { size }) => sum + size, 0));
  }
  assert.ok(memory.buffer.byteLength < 2 * most + 2 ** 20, `${memory.buffer.byteLength} for ${most}`);
  for (const { at } of taken) free(at);
  const before = memory.buffer.byteLength;
  assert.ok(malloc(before - 200_000) > 0);
  assert.equal(memory.buffer.byteLength, before);
});

test('large blocks that come and go do not make the memory grow; what it cannot have is refused', () => {
  const { malloc, free, posix_memalign: aligned, memory } = fresh();
  for (let k = 0; k < 1000; k++) {
    const [a, b] = [malloc(1_400_000 + k), malloc(500_000)];
    free(a);
    free(b);
  }
  assert.ok(memory.buffer.byteLength < 2_500_000, `${memory.buffer.byteLength}`);
  for (const size of [17_000_000, 2 ** 28 + 1, 2 ** 31, 2 ** 32 - 1]) {
    assert.equal(malloc(size), 0);
    assert.notEqual(aligned(1024, 32, size), 0);
  }
  const last = malloc(100);
  free(last);
  assert.throws(() => free(last), WebAssembly.RuntimeError);
});

// MARK: Elementary functions

const BITS = 400n;
const ONE = 1n << BITS;
const times = (/** @type {bigint} */ a, /** @type {bigint} */ b) => (a * b) >> BITS;

/** A double as a whole number of 2^-400. */
function exact(/** @type {number} */ value) {
  let [number, exponent] = [value, 0];
  while (!Number.isInteger(number)) [number, exponent] = [number * 2, exponent + 1];
  return (BigInt(number) << BITS) >> BigInt(exponent);
}

function artanh(/** @type {bigint} */ s) {
  const square = times(s, s);
  let [sum, power] = [0n, s];
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = times(power, square);
  }
  return sum;
}
const LN2 = 2n * artanh(ONE / 3n);
const arccot = (/** @type {bigint} */ n) => {
  let [sum, power, sign] = [0n, ONE / n, 1n];
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += (sign * power) / k;
    [power, sign] = [power / (n * n), -sign];
  }
  return sum;
};
const PI = 16n * arccot(5n) - 4n * arccot(239n);

/** e^x as a mantissa of 2^-400 in 1 … 2 and an exponent. */
function trueExp(/** @type {bigint} */ x) {
  const whole = (x - (((x % LN2) + LN2) % LN2)) / LN2;
  const rest = x - whole * LN2;
  let [sum, term] = [0n, ONE];
  for (let n = 1n; term !== 0n; n++) {
    sum += term;
    term = times(term, rest) / n;
  }
  return { mantissa: sum, exponent: Number(whole) };
}

function trueLog(/** @type {number} */ x) {
  let exponent = 0;
  while (x >= 2) [x, exponent] = [x / 2, exponent + 1];
  while (x < 1) [x, exponent] = [x * 2, exponent - 1];
  const m = exact(x);
  return BigInt(exponent) * LN2 + 2n * artanh(((m - ONE) << BITS) / (m + ONE));
}

/** The distance of a double from mantissa · 2^exponent, units of its last place. */
function apart(/** @type {number} */ value, /** @type {{ mantissa: bigint, exponent: number }} */ truth) {
  // Where the mantissa is 1 … 2, a unit is 2^-52 of it. Values near the limits are brought near 1 in two exact steps.
  const half = Math.trunc(truth.exponent / 2);
  const difference = exact(value * 2 ** -half * 2 ** (half - truth.exponent)) - truth.mantissa;
  return Math.abs(Number((difference << 80n) >> BITS)) * 2 ** -28;
}

test('exp, exp2 and log are within one unit of the last place', () => {
  const random = dice(5);
  const worst = { exp: 0, exp2: 0, log: 0 };
  for (let k = 0; k < 1500; k++) {
    const x = k % 3 === 0 ? (random() - 0.5) * 1400 : (random() - 0.5) * 2 ** (random() * 8 - 5);
    worst.exp = Math.max(worst.exp, apart(c.exp(x), trueExp(exact(x))));
    worst.exp2 = Math.max(worst.exp2, apart(c.exp2(x), trueExp(times(exact(x), LN2))));
    const y = k % 3 === 0 ? 2 ** ((random() - 0.5) * 2000) * (1 + random()) : 1 + (random() - 0.4) * 2 ** (-random() * 20);
    const truth = trueLog(y);
    const size = Math.floor(Math.log2(Math.abs(Number(truth >> (BITS - 200n)) / 2 ** 200)));
    const shift = BigInt(Math.abs(size));
    worst.log = Math.max(worst.log, apart(c.log(y), { mantissa: size < 0 ? truth << shift : truth >> shift, exponent: size }));
  }
  console.log(worst);
  assert.ok(Math.max(...Object.values(worst)) < 1);
  for (const [x, y] of [[0, 1], [710, Infinity], [-746, 0], [Infinity, Infinity], [-Infinity, 0], [NaN, NaN], [-745, 5e-324], [709.782712893384, Math.exp(709.782712893384)]]) {
    assert.equal(c.exp(x), y);
  }
  for (const [x, y] of [[10, 1024], [-1074, 5e-324], [-1080, 0], [1023, 2 ** 1023], [1024.5, Infinity], [NaN, NaN]]) assert.equal(c.exp2(x), y);
  for (const [x, y] of [[1, 0], [0, -Infinity], [-0, -Infinity], [-1, NaN], [NaN, NaN], [Infinity, Infinity], [5e-324, -744.4400719213812]]) {
    assert.equal(c.log(x), y);
  }
});

test('powers of whole numbers are exact as far as a double is; others within what their logarithm allows', () => {
  for (let n = 0; n <= 22; n++) assert.equal(c.pow(10, n), Number(10n ** BigInt(n)));
  for (let n = -8; n <= 33; n++) assert.equal(c.pow(-3, n), n < 0 ? 1 / Number((-3n) ** BigInt(-n)) : Number((-3n) ** BigInt(n)));
  const ten = times(LN2, ONE) + trueLog(5);
  let worst = 0;
  for (let n = -300; n <= 300; n++) worst = Math.max(worst, apart(c.pow(10, n), trueExp(BigInt(n) * ten)));
  console.log('pow(10, -300 … 300):', worst);
  assert.ok(worst < 16);
  const random = dice(9);
  let share = 0;
  for (let k = 0; k < 500; k++) {
    const [x, y] = [2 ** ((random() - 0.5) * 20), (random() - 0.5) * 60];
    const off = apart(c.pow(x, y), trueExp(times(exact(y), trueLog(x))));
    share = Math.max(share, off / (1 + 2 * Math.abs(y * Math.log(x))));
  }
  console.log('broken exponents, of the allowed:', share);
  assert.ok(share < 1);
  for (const [x, y, z] of [[0, 2, 0], [0, -1, Infinity], [0, 0.5, 0], [2, Infinity, Infinity], [0.5, Infinity, 0], [-8, 1 / 3, NaN], [NaN, 0, 1], [NaN, 1, NaN],
    [1, NaN, 1], [2, 2000, Infinity], [-2, 2001, -Infinity], [Infinity, -0.5, 0], [4, 0.5, 2]]) assert.equal(c.pow(x, y), z, `${x} ** ${y}`);
});

test('sine and cosine of large angles are those of an angle within half a unit of the last place', () => {
  const random = dice(3);
  for (let k = 0; k < 500; k++) {
    const x = 2 ** (20 + random() * 32) * (random() < 0.5 ? -1 : 1);
    const rest = exact(x) % (2n * PI);
    const angle = Number(rest >> 200n) / 2 ** 200;
    const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 52);
    assert.ok(Math.abs(c.sin(x) - Math.sin(angle)) <= unit / 2 + 4e-16, `${x}`);
    assert.ok(Math.abs(c.cos(x) - Math.cos(angle)) <= unit / 2 + 4e-16, `${x}`);
  }
  for (const x of [2 ** 60, -(2 ** 200), 1.7e308]) assert.ok(Math.abs(c.sin(x) ** 2 + c.cos(x) ** 2 - 1) < 1e-12);
  for (const x of [Infinity, NaN]) assert.ok(Number.isNaN(c.sin(x)));
});
