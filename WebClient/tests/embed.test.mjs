// What pages hand to a tracker, checked; matrices of the display; the words of the element.

import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.document ??= /** @type {any} */ ({ baseURI: 'https://example.org/page/', addEventListener() {} });
globalThis.HTMLVideoElement ??= /** @type {any} */ (class {});
const { contentOf, needsGeoid, readDescription } = await import('../embed/anchors.js');
const { cover, coveringProjection, cssMatrix } = await import('../embed/display-matrix.js');
const { languageOf } = await import('../embed/texts.js');
const { readOptions } = await import('../embed/options.js');

const marker = { dictionary: '6x6-250', id: 3, size: 0.06 };

test('what is right is taken as it is', () => {
  assert.deepEqual(readDescription({ marker }), { kind: 'marker', ...marker });
  assert.equal(readDescription({ picture: { src: 'a.png', physicalWidth: 0.3 } }).src, 'https://example.org/page/a.png');
  assert.deepEqual(readDescription({ code: {} }), { kind: 'code', text: undefined });
});

test('what is wrong is said with its field, and with what to do', () => {
  const wrong = /** @type {[any, string][]} */ ([
    [null, 'anchor'], [{}, 'anchor'], [{ marker, code: {} }, 'anchor'], [{ marker: 7 }, 'marker'], [{ marker: null }, 'marker'],
    [{ marker: { ...marker, dictionary: 'no' } }, 'marker.dictionary'], [{ marker: { ...marker, id: 1.5 } }, 'marker.id'],
    [{ marker: { ...marker, id: -1 } }, 'marker.id'], [{ marker: { ...marker, size: NaN } }, 'marker.size'],
    [{ marker: { ...marker, size: '0.06' } }, 'marker.size'], [{ place: { latitude: 91, longitude: 0 } }, 'place.latitude'],
    [{ place: { latitude: 1, longitude: Infinity } }, 'place.longitude'], [{ place: { latitude: 1, longitude: 1, height: 1e9 } }, 'place.height'],
    [{ place: { latitude: 1, longitude: 1, heightOver: 'roof' } }, 'place.heightOver'],
    [{ place: { latitude: 1, longitude: 1, heightOver: 'toString' } }, 'place.heightOver'],
    [{ picture: { physicalWidth: 1 } }, 'picture.src'], [{ picture: { src: 'file:///etc', physicalWidth: 1 } }, 'picture.src'],
    [{ picture: { src: 'a.png' } }, 'picture.physicalWidth'], [{ code: { text: 5 } }, 'code.text'],
  ]);
  for (const [given, where] of wrong) {
    assert.throws(() => readDescription(given), (/** @type {any} */ error) => error.where === where && /give/.test(error.message), where);
  }
});

test('a place without a height stands at the eye; one over the sea needs the geoid', () => {
  const flat = readDescription({ place: { latitude: 48, longitude: 10 } });
  assert.equal(contentOf(0, flat, '')?.altitudeMode, 'eye');
  assert.equal(needsGeoid(flat), false);
  const high = readDescription({ place: { latitude: 48, longitude: 10, height: 500, heightOver: 'sea' } });
  assert.equal(contentOf(0, high, '')?.altitudeMode, 'seaLevel');
  assert.equal(contentOf(0, high, '')?.position?.altitude, 500);
  assert.equal(needsGeoid(high), true);
});

test('options are checked', () => {
  assert.throws(() => readOptions({}), /say what is looked for/);
  assert.throws(() => readOptions({ geo: /** @type {any} */ ('yes') }), /options\.geo/);
  assert.throws(() => readOptions({ geo: true, radius: -1 }), /options\.radius/);
  assert.throws(() => readOptions({ geo: true, video: /** @type {any} */ ({}) }), /options\.video/);
  assert.equal(readOptions({ geo: true, base: 'wasm' }).base, 'https://example.org/page/wasm/');
});

test('a picture covers the view as object-fit does', () => {
  assert.deepEqual(cover({ width: 400, height: 400 }, { width: 800, height: 400 }), { scale: 1, left: 200, top: 0 });
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const clip = coveringProjection(identity, { width: 400, height: 400 }, { width: 800, height: 400 });
  // What is at the view's edge is in the middle of half of the picture.
  assert.deepEqual([clip[0], clip[5]], [2, 1]);
});

test('an element lies in the plane of its anchor', () => {
  // A camera whose picture is two metres wide at a distance of one; the anchor two metres away, its y up, the camera's down.
  const projection = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0, -0.1, 0];
  const cameraFromAnchor = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 2, 1];
  const text = cssMatrix(projection, cameraFromAnchor, { width: 200, height: 200 }, { width: 50, height: 100 }, 1) ?? '';
  const m = text.slice(9, -1).split(',').map(Number);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [px, py, w] = [0, 1, 3].map((row) => m[row] * x + m[row + 4] * y + m[row + 12]);
    return [px / w, py / w].map((value) => Math.round(value * 1e4) / 1e4);
  };
  // One metre wide at two metres: 50 pixels, and twice as high.
  assert.deepEqual([at(0, 0), at(50, 0), at(50, 100)], [[75, 50], [125, 50], [125, 150]]);
  const behind = [...cameraFromAnchor.slice(0, 14), -2, 1];
  assert.equal(cssMatrix(projection, behind, { width: 200, height: 200 }, { width: 50, height: 100 }, 1), null);
});

test('the element speaks the first language that it has words in', () => {
  assert.equal(languageOf(['pt-BR', 'de-AT', 'en']), 'de');
  assert.equal(languageOf(['xx']), 'en');
  assert.equal(languageOf([]), 'en');
});
