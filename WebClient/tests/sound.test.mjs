// Whatever a stranger's world holds, what the page goes on with can be drawn: types, bounds, texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { line, soundWorld } from '../app/session/sound.js';

const place = (/** @type {any} */ more = {}) => ({
  title: 'T', position: { latitude: 48, longitude: 10, altitude: 500 }, altitudeMode: 'seaLevel', offset: { east: 1, north: 2, up: 3 },
  visual: { kind: 'text', text: 'T' }, pivot: 'BC', showInRadar: true, showOnFocus: [], categories: ['c'], metadata: { a: 'b' }, ...more,
});
const world = (/** @type {any} */ more = {}) => ({
  world: { id: 'w' }, problems: [],
  dimension: {
    name: 'N', radarRange: 1000, radarAvailable: true, relativeAltitude: false, refreshIntervalSeconds: 0, refreshDistance: 0,
    assets: [{ id: 'a', url: '/assets/x' }], places: [place()], overlays: [], ...more,
  },
});
const sound = (/** @type {any} */ more) => /** @type {import('../app/types').WorldAnswer} */ (soundWorld(world(more)));
const ODD = [1e308, -1e308, Infinity, -Infinity, NaN, 5e-324, 2 ** 53, 'x', '1', null, undefined, true, {}, [], [1], { valueOf: 1 }];

test('an ordinary world stays as it is', () => {
  const shapes = [{ kind: 'area', parts: [[[10, 48], [10.1, 48], [10, 48.1, 3]]] }];
  const full = place({
    id: 'p', summary: 'عربي', shapes, shapeStyle: { stroke: '#ff0000', width: 3, fillOpacity: 0.5 }, action: { kind: 'dimension', url: 'x.gddf' },
    marker: { dictionary: 'd', id: 3, length: 0.1 }, target: { assetID: 'a', width: 0.2 }, link: 'https://a.example/', phone: '+49 731',
    visual: { kind: 'model', assetID: 'a', xRotation: 10, yRotation: 0, zRotation: 350, scale: 2 }, visibilityRadius: 100,
  });
  const overlays = [{ id: 'o', x: 1, y: 2, pivot: 'TL', hidden: false, content: { kind: 'html', url: 'https://a.example/', width: 200, height: 100 } }];
  const before = world({ places: [full], overlays });
  const wanted = JSON.parse(JSON.stringify(before));
  assert.deepEqual(JSON.parse(JSON.stringify(soundWorld(before))), wanted);
});

test('an overlay counts from a point of the screen that there is, or from its top left corner', () => {
  const overlay = (/** @type {any} */ anchor) =>
    sound({ overlays: [{ x: 1, y: 2, pivot: 'TL', anchor, hidden: false, content: { kind: 'text', text: 't', width: 0 } }] }).dimension.overlays[0].anchor;
  for (const known of ['TL', 'CC', 'BR']) assert.equal(overlay(known), known);
  for (const odd of [...ODD, 'LT', 'tl', 'TLL', '']) assert.equal(overlay(odd), undefined);
});

test('what is no world is none', () => {
  for (const odd of [null, undefined, 7, 'x', [], {}, { dimension: null }, { dimension: [] }, { dimension: {} }, { dimension: { places: {} } }]) {
    assert.equal(soundWorld(odd), null);
  }
  assert.deepEqual(sound({ places: [], assets: null, overlays: undefined }).dimension.assets, []);
});

/** @param {any} value @param {string} path */
function finite(value, path) {
  if (typeof value === 'number') assert.ok(Number.isFinite(value) && Math.abs(value) <= 1e9, `${path}: ${value}`);
  else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) finite(inner, `${path}.${key}`);
}

test('every number, and every thing in the place of a number, comes out finite and within bounds', () => {
  for (const odd of ODD) {
    const answer = sound({
      radarRange: odd, refreshIntervalSeconds: odd, refreshDistance: odd, name: odd, summary: odd, attribution: odd, language: odd, refreshURL: odd,
      assets: [odd, { id: odd, url: odd }, { id: 'a', url: 'u' }],
      places: [
        odd,
        place({
          position: { latitude: odd, longitude: odd, altitude: odd }, offset: { east: odd, north: odd, up: odd }, visibilityRadius: odd, pivot: odd,
          altitudeMode: odd, categories: odd, showOnFocus: odd, metadata: odd, title: odd, action: odd, link: odd, phone: odd, translations: odd,
          marker: { dictionary: 'd', id: odd, length: odd, facing: odd, tilt: odd, roll: odd }, target: { assetID: 'a', width: odd },
          visual: { kind: 'model', assetID: 'a', xRotation: odd, yRotation: odd, zRotation: odd, scale: odd },
          shapes: [{ kind: odd, parts: [[[odd, odd], [odd, 1, odd], [1, 1], [2, 2]]] }, odd],
          shapeStyle: { stroke: odd, width: odd, strokeOpacity: odd, fillOpacity: odd, fill: odd },
        }),
        place({ visual: odd, offset: odd, position: odd, marker: odd, target: odd, shapes: odd, shapeStyle: odd }),
      ],
      overlays: [odd, { content: odd }, ...['text', 'image', 'html'].map((kind) => ({
        id: odd, x: odd, y: odd, pivot: odd, hidden: odd, action: { kind: 'dimension', url: odd },
        content: { kind, text: odd, assetID: 'a', url: 'u', width: odd, height: odd },
      }))],
    });
    finite(answer.dimension, String(odd));
    assert.ok(answer.dimension.places.length >= 2 && answer.dimension.overlays.length === 3);
    for (const entry of answer.dimension.places) {
      assert.match(entry.pivot, /^[TCB][LCR]$/);
      assert.equal(typeof entry.title, 'string');
      for (const name of entry.categories) assert.equal(typeof name, 'string');
    }
  }
});

test('lists and texts end', () => {
  const long = 'x'.repeat(1_000_000);
  const answer = sound({
    name: long, summary: long, overlays: Array.from({ length: 5000 }, () => ({ x: 0, y: 0, pivot: 'TL', hidden: false, content: { kind: 'text', text: long, width: 1 } })),
    places: [place({
      title: long, summary: long, categories: Array(1000).fill(long), metadata: Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`k${k}`, long])),
      visual: { kind: 'text', text: long }, phone: long, link: long, showOnFocus: Array(1000).fill('a'),
      shapes: Array.from({ length: 1000 }, () => ({ kind: 'line', parts: [Array.from({ length: 5000 }, (_, k) => [k / 100, 1])] })),
    })],
  });
  assert.equal(answer.dimension.overlays.length, 300);
  assert.ok(JSON.stringify(answer.dimension.places).length < 8e6);
  assert.ok((answer.dimension.name?.length ?? 0) <= 501);
  const corners = answer.dimension.places[0].shapes?.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.length, 0) ?? 0;
  assert.ok(corners <= 200_000 && corners > 100_000, String(corners));
});

test('a title reads as it is written', () => {
  assert.equal(line('bank\u202Emoc.live\u202C \u2066x\u2069\u0000\u0007', 500), 'bankmoc.live x');
  assert.equal(line('עברית \u200F!', 500), 'עברית \u200F!');
  const { places } = sound({ places: [place({ title: 'a\u202Eb', summary: 'one\ntwo\u202D', categories: ['\u2067c'] })] }).dimension;
  assert.deepEqual([places[0].title, places[0].summary, places[0].categories], ['ab', 'one\ntwo', ['c']]);
});

test('a colour is a colour, and no address', () => {
  for (const stroke of ['url(https://evil.example/a.svg#b)', 'red;x:y', 'var(--a)', 'rgb(1,2,3)}', '#12345678901', '']) {
    assert.equal(sound({ places: [place({ shapeStyle: { stroke } })] }).dimension.places[0].shapeStyle?.stroke, undefined, stroke);
  }
  for (const stroke of ['#f00', '#FF000080', 'red']) {
    assert.equal(sound({ places: [place({ shapeStyle: { stroke } })] }).dimension.places[0].shapeStyle?.stroke, stroke);
  }
});

test('half a character is not left at the end of a text that was cut', () => {
  const { name } = sound({ name: `${'x'.repeat(499)}😀😀` }).dimension;
  assert.equal(name, `${'x'.repeat(499)}…`);
});
