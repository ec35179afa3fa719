// What is kept on the device may be damaged, and addresses may be anything: the page goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, value),
  removeItem: (key) => void stored.delete(key),
});
globalThis.location = /** @type {any} */ ({ origin: 'https://here.example', href: 'https://here.example/' });
const { parseRoute, formatRoute, isWorldAddress, decoded } = await import('../app/core/router.js');
const { readCalibration } = await import('../app/markers/calibration-file.js');
const { meaningOf } = await import('../app/scan/meaning.js');
const { favourites } = await import('../app/transit/favourites.js');
const { Draft: TourDraft } = await import('../app/tours/draft.js');

const GARBAGE = ['null', '1', '-1e308', '"x"', '""', '[]', '[null]', '[[]]', '{}', '{"a":null}', 'true', '{', '[1,', '\u0000', ''];

test('addresses after the # with broken escapes and extreme numbers', () => {
  const pieces = ['%', '%%', '%E0%A4%A', '%00', '%ff', '%C0%80', '../..', '__proto__', 'a'.repeat(20_000), '\u202e', '?', '&', '#', '=', '1e999'];
  for (const a of pieces) {
    for (const form of [`#/world/${a}`, `#/open?url=${a}`, `#/play/${a}?lat=${a}`, `#/osm/${a}?with=url:${a}&at=${a},${a}&facing=${a}&size=${a}`, `#/${a}/${a}?time=${a}`, `#${a}`]) {
      const route = parseRoute(form);
      formatRoute(route);
      for (const value of Object.values(route.pose)) assert.ok(value === undefined || Number.isFinite(value));
    }
    assert.equal(typeof decoded(a), 'string');
  }
});

test('what was open last may be anything', () => {
  for (const text of GARBAGE) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      continue;
    }
    assert.equal(isWorldAddress(value), false, text);
  }
  for (const odd of [{ kind: 'url' }, { kind: 'url', url: 7 }, { kind: 'world' }, { kind: 'x', id: 'a' }, { kind: 'world', id: '' }, []]) assert.equal(isWorldAddress(odd), false);
  assert.ok(isWorldAddress({ kind: 'url', url: 'https://a.example' }) && isWorldAddress({ kind: 'world', id: 'a' }));
});

test('calibration files that are none', () => {
  const sound = { width: 1280, height: 720, intrinsics: [1000, 1000, 640, 360], distortion: [0, 0, 0, 0, 0] };
  const fieldOfView = (/** @type {{ width: number, height: number, focal: number }} */ { width, height, focal }) =>
    (360 / Math.PI) * Math.atan(Math.max(width, height) / 2 / focal);
  const lensReach = () => 4;
  assert.ok(readCalibration(JSON.stringify(sound), fieldOfView, lensReach));
  for (const text of GARBAGE) assert.equal(readCalibration(text, fieldOfView, lensReach), null, text);
  for (const odd of [1e308, -1, 0, NaN, Infinity, 'x', null, [], {}, 1e-320]) {
    for (const key of Object.keys(sound)) {
      for (const value of [odd, [odd, odd, odd, odd], [odd, odd, odd, odd, odd]]) {
        const found = readCalibration(JSON.stringify({ ...sound, [key]: value }), fieldOfView, lensReach);
        if (found) assert.ok(Number.isFinite(found.degrees) && found.lens.every(Number.isFinite), `${key}: ${odd}`);
      }
    }
  }
});

test('codes may say anything', () => {
  const texts = [
    '', ' ', 'javascript:alert(1)', 'data:text/html,x', 'sightline:', 'sightline://', 'sightline:world/%', 'sightline://%/x', 'http://', 'https://a.example:99999/',
    'https://here.example/#/world/%ZZ', 'https://here.example/worlds/%ZZ.gddf', 'gamaray:', 'gamaray:///x', 'intent://x#Intent;end', 'WIFI:S:x;;', 'a'.repeat(8000), '\u0000\u202e',
  ];
  for (const text of texts) {
    const meaning = meaningOf(text, new URL('https://here.example/'));
    if (meaning.kind === 'link') assert.ok(!/^(javascript|data|intent|blob|file):/.test(meaning.url), text);
    if (meaning.kind === 'here') assert.ok(meaning.url.startsWith('https://here.example/'), text);
  }
});

test('damaged lists of what somebody marked are empty ones', () => {
  for (const text of GARBAGE) {
    stored.set('sightline.transit.favourites', text);
    assert.deepEqual(favourites(), [], text);
  }
});

test('a damaged copy of a tour does not keep the designer from opening', () => {
  const tour = { title: 'T', order: 'free', stations: [], border: [], rounds: 1, showsVerdict: true, showsScore: true, triesCost: 0, rounding: 0, keepDays: 7 };
  for (const text of [...GARBAGE, '{"version":1}', '{"version":1,"tour":null}', '{"version":1,"tour":{"stations":7}}']) {
    stored.set('sightline.tour.t', text);
    assert.equal(new TourDraft(/** @type {any} */ ({ id: 't', version: 1, tour })).tour.title, 'T', text);
  }
});
