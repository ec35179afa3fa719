// Models and markers through the WebAssembly build and the page's bindings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Instance } from '../../WebClient/engine/instance.js';
import { MARKER_DICTIONARY } from '../../WebClient/engine/layout.js';
import { Markers } from '../../WebClient/engine/markers.js';
import { ATTRIBUTE, ModelFailure, ModelReader } from '../../WebClient/engine/models.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { engineBytes, modelsBytes, visionBytes } from './build.mjs';

const module = await WebAssembly.compile(modelsBytes());
const vision = await WebAssembly.compile(visionBytes());
const mill = new Uint8Array(readFileSync(new URL('../../Fixtures/demo/assets/windmill.glb', import.meta.url)));

test('a model arrives whole', async () => {
  const reader = await ModelReader.make(module);
  const model = reader.read(mill);
  const { bounds, drawn, primitives, materials, textures, images, durations, omissions } = model.description;
  assert.ok(Math.abs(bounds.low[1]) < 1e-9 && Math.abs(bounds.high[0] - 0.04) < 1e-3 && bounds.high[1] > 0.1);
  assert.deepEqual([drawn.length, primitives.length, materials.length, omissions.length], [2, 7, 6, 0]);
  assert.deepEqual(durations, [8]);
  assert.deepEqual(textures, [{ image: 0, wrapU: 0, wrapV: 1, isNearest: false }]);
  assert.equal(images[0].type, 'image/png');
  assert.deepEqual([...images[0].data.subarray(1, 4)], [0x50, 0x4e, 0x47]);
  assert.deepEqual(materials[1].baseColor.map((v) => Math.round(v * 100)), [16, 42, 12, 100]);
  assert.equal(materials[0].baseColorTexture.texture, 0);
  assert.ok(materials[4].isDoubleSided && !materials[0].isDoubleSided && materials[5].metallic === 1);
  primitives.forEach((primitive, index) => {
    const indices = model.attribute(index, ATTRIBUTE.indices);
    const positions = model.attribute(index, ATTRIBUTE.position);
    assert.equal(positions.length, 3 * primitive.vertexCount);
    assert.ok(indices.every((value) => value < primitive.vertexCount));
    assert.equal(model.attribute(index, ATTRIBUTE.tangent), null);
    const normals = model.attribute(index, ATTRIBUTE.normal);
    for (let k = 0; k < normals.length; k += 3) {
      assert.ok(Math.abs(Math.hypot(normals[k], normals[k + 1], normals[k + 2]) - 1) < 1e-5);
    }
  });
  // The sails after a quarter turn: their x axis points down.
  const sails = drawn.findIndex(({ node }) => node === 1);
  const at = model.pose(0, 2).slice(17 * sails, 17 * sails + 17);
  assert.ok(Math.abs(at[0]) < 1e-9 && Math.abs(at[1] + 1) < 1e-9);
  assert.deepEqual([at[12], at[13], at[14]].map((v) => Math.round(v * 1e4)), [0, 660, 225]);
  assert.equal(at[16], 0);
  model.shed();
  assert.equal(model.attribute(0, ATTRIBUTE.position), null);
  assert.ok(Math.abs(model.pose(0, 0)[17 * sails] - 1) < 1e-9, 'its movement stays');
  model.release();
});

test('a refused file says what and where, and the reader goes on', async () => {
  const reader = await ModelReader.make(module);
  const faults = [
    [new Uint8Array([1, 2, 3, 4]), { code: 'notGLB', part: 'file' }],
    [mill.slice(0, 9000), { code: 'truncated', part: 'file', offset: 8 }],
    [changed('"POSITION":', '"POSITION":7'), { code: 'reference', part: 'mesh', property: 'POSITION' }],
    [changed('"path":"rotation"', '"path":"rotatiom"'), { code: 'value', part: 'animation', index: 0, subindex: 0, property: 'path' }],
  ];
  for (const [bytes, expected] of faults) {
    assert.throws(() => reader.read(bytes), (error) => {
      assert.ok(error instanceof ModelFailure, String(error));
      for (const [key, value] of Object.entries(expected)) assert.equal(error[key], value, `${key}: ${error.message}`);
      return true;
    });
  }
  assert.equal(reader.read(mill).description.primitives.length, 7);
});

/** The windmill with a word of its text replaced. */
function changed(from, to) {
  const view = new DataView(mill.buffer, mill.byteOffset);
  const count = view.getUint32(12, true);
  let text = new TextDecoder().decode(mill.subarray(20, 20 + count)).replace(from, to);
  while (text.length % 4) text += ' ';
  const rest = mill.subarray(20 + count);
  const out = new Uint8Array(20 + text.length + rest.length);
  out.set(mill.subarray(0, 20));
  out.set(new TextEncoder().encode(text), 20);
  out.set(rest, 20 + text.length);
  new DataView(out.buffer).setUint32(8, out.length, true);
  new DataView(out.buffer).setUint32(12, text.length, true);
  return out;
}

/** A picture with an upright marker: grey levels, and the pixel of its left upper corner. */
function picture(markers, dictionary, id, cell, width, height, left, top) {
  const pixels = new Uint8Array(width * height).fill(210);
  const inside = markers.cells(dictionary, id);
  const n = inside.length + 2;
  for (let y = 0; y < n * cell; y++) {
    for (let x = 0; x < n * cell; x++) {
      const [row, column] = [Math.floor(y / cell) - 1, Math.floor(x / cell) - 1];
      pixels[(top + y) * width + left + x] = inside[row]?.[column] ? 210 : 30;
    }
  }
  return pixels;
}

test('every dictionary has its codes', async () => {
  const markers = await Markers.make(vision);
  assert.equal(markers.instance.call.sl_marker_dictionary_count(), MARKER_DICTIONARY.length);
  const counts = Object.fromEntries(MARKER_DICTIONARY.map((name) => [name, markers.count(name)]));
  assert.equal(counts['6x6-250'], 250);
  assert.equal(counts['apriltag-36h11'], 587);
  assert.equal(counts['aruco-original'], 1024);
  for (const name of MARKER_DICTIONARY) {
    const size = Number(/^(\d)x/.exec(name)?.[1] ?? (/(16|25|36)h/.exec(name) ? Math.sqrt(Number(/(16|25|36)h/.exec(name)[1])) : 5));
    assert.equal(markers.cells(name, 0).length, size, name);
  }
  // The first code of 4x4: rows 1011 0101 0011 0010.
  const rows = markers.cells('4x4-50', 0).map((row) => row.map(Number).join(''));
  assert.deepEqual(rows, ['1011', '0101', '0011', '0010']);
  assert.equal(markers.count('nothing'), 0);
});

test('a marker is found in every layout of a picture, with its pose', async () => {
  const eye = await Vision.make(vision);
  const [width, height, cell] = [320, 240, 12];
  const gray = picture(eye.markers, '6x6-250', 7, cell, width, height, 150, 60);
  const limited = gray.map((level) => Math.round(16 + (level * 219) / 255));
  const color = new Uint8Array(4 * width * height);
  gray.forEach((level, k) => color.set([level, level, level, 255], 4 * k));
  const padded = new Uint8Array(16 + 352 * height).fill(99);
  for (let y = 0; y < height; y++) padded.set(gray.subarray(y * width, (y + 1) * width), 16 + 352 * y);
  for (const [bytes, layout] of [
    [gray, { format: 'gray', offset: 0, stride: width, isLimited: false }],
    [limited, { format: 'gray', offset: 0, stride: width, isLimited: true }],
    [padded, { format: 'gray', offset: 16, stride: 352, isLimited: false }],
    [color, { format: 'rgba', offset: 0, stride: 4 * width, isLimited: false }],
    [color, { format: 'bgra', offset: 0, stride: 4 * width, isLimited: false }],
  ]) {
    eye.reset();
    eye.watchMarkers({ dictionaries: ['6x6-250', '5x5-100'], sides: [{ dictionary: '6x6-250', id: 7, side: 0.1 }], usual: 0 });
    eye.room(bytes.length).set(bytes);
    const found = eye.observe({ ...layout, width, height }, 0, 400);
    assert.equal(found.length, 1);
    const [marker] = found;
    assert.deepEqual([marker.kind, marker.dictionary, marker.id, marker.width], ['marker', '6x6-250', 7, 0.1]);
    const edge = [149.5, 59.5, 149.5 + 8 * cell, 59.5 + 8 * cell];
    const expected = [[edge[0], edge[1]], [edge[2], edge[1]], [edge[2], edge[3]], [edge[0], edge[3]]];
    marker.corners.forEach(([x, y], k) => assert.ok(Math.hypot(x - expected[k][0], y - expected[k][1]) < 0.3));
    // Straight ahead: 96 pixels at a focal length of 400 are 0.1 m at 0.4167 m.
    const [x, y, z] = marker.pose.translation;
    assert.ok(Math.abs(z - 0.1 * 400 / 96) < 0.003 && Math.abs(x - (197.5 - 159.5) / 400 * z) < 0.001, String([x, y, z]));
    assert.ok(Math.abs(Math.abs(marker.pose.rotation[1]) - 1) < 0.01);
  }
  assert.throws(() => eye.look({ format: 'gray', width: 4000, height: 4000, offset: 0, stride: 4000, isLimited: false }, 1, 0), RangeError);
  // Of unknown size: found, without a pose.
  eye.watchMarkers({ dictionaries: ['6x6-250'], sides: [], usual: 0 });
  eye.room(gray.length).set(gray);
  const [unknown] = eye.observe({ format: 'gray', width, height, offset: 0, stride: width, isLimited: false }, 2, 400);
  assert.deepEqual([unknown.id, unknown.width, unknown.pose], [7, 0, null]);
});

test('an instance does not disturb another', async () => {
  const [a, b] = await Promise.all([Instance.make(module), Instance.make(module)]);
  assert.notEqual(a.memory, b.memory);
});
