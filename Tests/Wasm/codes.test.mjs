// QR codes through the WebAssembly build and the page's bindings: made natively, drawn, read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Codes } from '../../WebClient/engine/codes.js';
import { madeCodes, visionBytes } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const codes = await Codes.make(module);
const made = madeCodes();
const modulesOf = (text, level = 'M') => made.find((code) => code.text === text && code.level === level).rows
  .map((row) => Array.from(row, (module) => module === '#'));

/** The code drawn into a grey picture: `at(u, v)` gives the place of module coordinates in pixels. */
function draw(modules, width, height, { x, y, side, turn = 0, isInverted = false, isMirrored = false }) {
  const size = modules.length;
  const pixels = new Uint8Array(width * height).fill(isInverted ? 30 : 210);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  for (let py = 0; py < height; py += 1) {
    for (let px = 0; px < width; px += 1) {
      let dark = 0;
      for (let k = 0; k < 9; k += 1) {
        const [dx, dy] = [px + ((k % 3) - 1) / 3 - x, py + (Math.floor(k / 3) - 1) / 3 - y];
        let u = Math.floor(((c * dx + s * dy) / side + 0.5) * size);
        const v = Math.floor(((c * dy - s * dx) / side + 0.5) * size);
        if (isMirrored) u = size - 1 - u;
        if (modules[v]?.[u]) dark += 1;
      }
      const level = 210 - 20 * dark;
      pixels[py * width + px] = isInverted ? 240 - level : level;
    }
  }
  return pixels;
}

function read(pixels, width, height) {
  codes.room(pixels.length).set(pixels);
  return codes.detect({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false });
}

test('texts of all kinds are read', () => {
  assert.ok(made.length > 30);
  for (const { text, level } of made) {
    const modules = modulesOf(text, level);
    const side = 4 * modules.length;
    const size = side + 60;
    const found = read(draw(modules, size, size, { x: size / 2, y: size / 2, side }), size, size);
    assert.equal(found.length, 1, `${level} ${text.slice(0, 20)}`);
    assert.equal(found[0].text, text);
    assert.ok('LMQH'.indexOf(found[0].level) >= 'LMQH'.indexOf(level));
    assert.equal(modules.length, 17 + 4 * found[0].version);
    const [low, high] = [(size - side) / 2, (size + side) / 2];
    const expected = [[low, low], [high, low], [high, high], [low, high]];
    // Not a third of a module.
    found[0].corners.forEach(([x, y], k) => assert.ok(Math.hypot(x - expected[k][0], y - expected[k][1]) < 1.3, `${x} ${y}`));
  }
});

test('turned, mirrored and light on dark; two in one picture', () => {
  const modules = modulesOf('sightline:tour/otter');
  for (let step = 0; step < 8; step += 1) {
    const turn = (step * Math.PI) / 4 + 0.1;
    const [found] = read(draw(modules, 320, 240, { x: 150, y: 118, side: 120, turn }), 320, 240);
    assert.equal(found?.text, 'sightline:tour/otter', `turned by ${turn}`);
    const corner = [150 + 60 * (-Math.cos(turn) + Math.sin(turn)), 118 + 60 * (-Math.sin(turn) - Math.cos(turn))];
    assert.ok(Math.hypot(found.corners[0][0] - corner[0], found.corners[0][1] - corner[1]) < 1, 'its own top left comes first');
  }
  const [mirrored] = read(draw(modules, 240, 240, { x: 120, y: 120, side: 130, isMirrored: true }), 240, 240);
  assert.ok(mirrored.isMirrored && mirrored.text === 'sightline:tour/otter');
  const inverted = draw(modules, 240, 240, { x: 120, y: 120, side: 130, isInverted: true });
  assert.ok(read(inverted, 240, 240)[0].isInverted);
  const both = draw(modules, 480, 240, { x: 120, y: 120, side: 130 });
  const second = draw(modulesOf('the other'), 480, 240, { x: 350, y: 120, side: 140, turn: 0.3 });
  const texts = read(both.map((value, k) => Math.min(value, second[k])), 480, 240).map(({ text }) => text).sort();
  assert.deepEqual(texts, ['sightline:tour/otter', 'the other']);
});

test('no code, no answer; a picture that is too small, a room that is too small', () => {
  assert.deepEqual(read(new Uint8Array(640 * 480).fill(128), 640, 480), []);
  assert.deepEqual(read(new Uint8Array(1), 1, 1), []);
  codes.room(100);
  assert.throws(() => codes.detect({ format: 'rgba', width: 1000, height: 1000, offset: 0, stride: 4000, isLimited: false }), RangeError);
  assert.throws(() => codes.detect({ format: 'gray', width: 10, height: 10, offset: -5, stride: 10, isLimited: false }), RangeError);
});
