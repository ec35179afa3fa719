// Departures in words, gestures, addresses: what needs no browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, beforeEach, test } from 'node:test';

const root = new URL('..', import.meta.url);
let i18n, words, clockModule, gestures, colors, route;
let milliseconds = 0;

before(async () => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });
  globalThis.document = { documentElement: {}, querySelectorAll: () => [] };
  globalThis.fetch = async (url) => {
    const name = String(url).split('/languages/')[1];
    return { ok: true, json: async () => JSON.parse(readFileSync(new URL(`languages/${name}`, root), 'utf8')) };
  };
  Object.defineProperty(globalThis, 'performance', { value: { now: () => milliseconds }, configurable: true });
  i18n = await import('../app/core/i18n.js');
  await i18n.startLanguage();
  await i18n.loadTexts('transit');
  words = await import('../app/transit/words.js');
  clockModule = await import('../app/transit/clock.js');
  gestures = await import('../app/transit/gestures.js');
  colors = await import('../app/transit/colors.js');
  route = await import('../app/transit/route.js');
});

let clock;
beforeEach(async () => {
  milliseconds = 1000;
  clock = new clockModule.ServerClock();
  clock.set('2022-02-22T08:00:00+02:00');
  await i18n.useLanguage('en');
});

const departure = (more) => ({
  line: '4', lineId: 'hsl:4', headsign: 'Munkkiniemi', scheduled: '2022-02-22T08:05:00+02:00', expected: null, delay: null,
  state: 'scheduled', ...more,
});

test('minutes are counted from the clock of the server, which runs on', () => {
  assert.equal(words.due(departure(), clock), '5 min');
  milliseconds += 61_000;
  assert.equal(words.due(departure(), clock), '3 min');
  milliseconds += 200_000;
  assert.equal(words.due(departure(), clock), 'Now');
  assert.equal(clock.now(), Date.parse('2022-02-22T06:04:21Z'));
});

test('the prediction counts where there is one, and the platform’s own clock is shown beyond an hour', () => {
  assert.equal(words.due(departure({ expected: '2022-02-22T08:09:30+02:00' }), clock), '9 min');
  assert.equal(words.due(departure({ scheduled: '2022-02-22T09:30:00+02:00' }), clock), '09:30');
  assert.equal(words.due(departure({ approximate: true }), clock), 'about 5 min');
  assert.equal(clockModule.wallClock('2022-02-23T00:30:00+02:00'), '00:30');
});

test('delays are said in whole minutes, and not for what does not run', () => {
  assert.deepEqual(words.punctuality(departure({ delay: 190 })), { kind: 'late', text: '3 min late' });
  assert.deepEqual(words.punctuality(departure({ delay: -70 })), { kind: 'early', text: '1 min early' });
  assert.deepEqual(words.punctuality(departure({ delay: 20 })), { kind: 'onTime', text: 'on time' });
  assert.equal(words.punctuality(departure({ delay: null })), null);
  assert.equal(words.punctuality(departure({ delay: 300, state: 'cancelled' })), null);
});

test('every language has its own forms for minutes, ways and what is read aloud', async () => {
  const said = {};
  for (const code of ['en', 'sv', 'fr', 'de', 'nl', 'es', 'zh']) {
    await i18n.useLanguage(code);
    said[code] = [
      words.minutes(3), words.spoken(departure(), clock), words.way(Math.PI / 2, 0), i18n.tn('transit.stops', 1),
      i18n.tn('transit.stops', 12), words.spoken(departure({ state: 'cancelled' }), clock),
    ].join(' | ').replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ');
  }
  assert.equal(said.sv, '3 min | Linje 4 mot Munkkiniemi om 5 minuter. | till höger | 1 hållplats | 12 hållplatser | '
    + 'Linje 4 mot Munkkiniemi klockan 08:05 är inställd.');
  assert.equal(said.en, '3 min | Line 4 towards Munkkiniemi in 5 minutes. | on the right | 1 stop | 12 stops | '
    + 'Line 4 towards Munkkiniemi at 08:05 is cancelled.');
  assert.equal(said.de, '3 Min. | Linie 4 Richtung Munkkiniemi in 5 Minuten. | rechts | 1 Haltestelle | 12 Haltestellen | '
    + 'Linie 4 Richtung Munkkiniemi um 08:05 fällt aus.');
  assert.equal(new Set(Object.values(said)).size, 7);
});

test('ways are eighths of a turn from where the user faces', () => {
  const degrees = (bearing, heading) => words.way((bearing * Math.PI) / 180, (heading * Math.PI) / 180);
  assert.equal(degrees(10, 350), 'ahead');
  assert.equal(degrees(90, 45), 'ahead on the right');
  assert.equal(degrees(0, 180), 'behind you');
  assert.equal(degrees(350, 80), 'on the left');
  assert.equal(degrees(-170, 150), 'ahead on the right');
});

test('source and age of a board are told in one line', () => {
  const forecast = { state: 'live', source: 'gtfs-rt', age: 12, stale: false };
  assert.equal(words.sourceLine(forecast, 3), 'Live · GTFS Realtime · 15 sec old');
  assert.equal(words.sourceLine({ ...forecast, age: 300, stale: true }, 0), 'Old data: the provider does not answer · GTFS Realtime · 5 min old');
  assert.equal(words.sourceLine({ state: 'scheduled', source: 'gtfs', age: null, stale: false }, 9), 'By the timetable · GTFS');
});

test('three jolts to and fro within a second are a shake; walking, one knock and a drop are none', () => {
  const play = (samples) => {
    const detector = new gestures.ShakeDetector();
    return samples.filter(([time, x]) => detector.add({ x, y: 9.81, z: 0 }, time)).length;
  };
  const shake = Array.from({ length: 40 }, (_, k) => [k * 0.025, 28 * Math.sin(k * 0.9)]);
  assert.equal(play(shake), 1);
  assert.equal(play([...shake, ...shake.map(([time, x]) => [time + 4.5, x])]), 2);
  assert.equal(play(Array.from({ length: 200 }, (_, k) => [k * 0.02, 4 * Math.sin(k * 0.25)])), 0);
  assert.equal(play([[0, 0], [0.02, 40], [0.04, 42], [0.06, 38], [0.5, 0]]), 0);
  assert.equal(play(shake.map(([time, x]) => [time * 12, x]).slice(0, 30)), 0);
});

test('colours of a feed are used, and those of the kind of vehicle where it has none', () => {
  assert.deepEqual(colors.lineColors({ color: '00985F', textColor: 'FFFFFF', mode: 'tram' }), { color: '#00985F', text: '#000000' });
  assert.deepEqual(colors.lineColors({ color: '007AC9', textColor: 'FFFFFF', mode: 'bus' }), { color: '#007AC9', text: '#FFFFFF' });
  // Every colour an operator may choose, and every one of ours, can be read.
  for (let value = 0; value < 0x1000000; value += 0x10307) {
    const { color, text } = colors.lineColors({ color: value.toString(16).padStart(6, '0'), textColor: '808080', mode: 'bus' });
    assert.ok(colors.contrast(color, text) >= 4.5, `${text} on ${color}`);
  }
  for (const mode of ['metro', 'tram', 'rail', 'bus', 'ferry', 'taxi', 'other']) {
    const { color, text } = colors.lineColors({ mode });
    assert.ok(colors.contrast(color, text) >= 4.5, mode);
  }
  assert.equal(colors.lineColors({ color: 'FFFFFF', textColor: '000000', mode: 'metro' }).color, colors.modeColor('metro'));
  assert.equal(colors.lineColors({ color: 'red', textColor: '', mode: 'unknown' }).color, colors.modeColor('other'));
  assert.equal(colors.mainMode(['bus', 'metro', 'tram']), 'metro');
  assert.equal(colors.mainMode([]), 'other');
});

test('addresses say where the virtual phone stands, and nonsense in them is left out', () => {
  const at = (text) => ({ ...new route.TransitRoute(new URLSearchParams(text)) });
  assert.deepEqual(at('virtual=1&lat=60.17&lon=24.94&heading=10&pitch=-20&view=map&stop=hsl:1'), {
    shown: 'map', stop: 'hsl:1', isVirtual: true, latitude: 60.17, longitude: 24.94, heading: 10, pitch: -20,
  });
  assert.deepEqual(at('lat=91&lon=&pitch=x&view=tables'), {
    shown: 'view', stop: '', isVirtual: false, latitude: undefined, longitude: undefined, heading: undefined, pitch: undefined,
  });
});

test('a label that is lifted stands over those that are there, or nowhere', async () => {
  const { roomAbove } = await import('../app/transit/labels.js');
  const box = (x, y) => ({ x: x - 50, y: y - 20, width: 100, height: 40 });
  const at = { x: 100, y: 200, least: 20 };
  assert.equal(roomAbove(at, 100, 40, []), 200);
  assert.equal(roomAbove(at, 100, 40, [box(300, 200), box(100, 300)]), 200);
  // Two over each other, 4 points apart.
  assert.equal(roomAbove(at, 100, 40, [box(120, 190), box(60, 150)]), 106);
  assert.equal(roomAbove({ ...at, least: 120 }, 100, 40, [box(120, 190), box(60, 150)]), null);
});

test('stops are given to the engine as such', async () => {
  globalThis.location = { origin: 'https://example.org' };
  const { layerOf } = await import('../app/transit/layer.js');
  const { dimension } = layerOf([{ id: 'a', name: 'Square', lat: 60, lon: 25, lines: [] }], []);
  const { countsOf, writeNumbers } = await import('../engine/world.js');
  const { CONTENT_HEAD, CONTENT_PLACE_ROW, VISUAL_KIND } = await import('../engine/layout.js');
  const numbers = new Float64Array(1000);
  assert.equal(countsOf(dimension).places, 1);
  writeNumbers(numbers, 0, { dimension, address: () => null, label: () => ({}), picture: () => 0 }, false);
  assert.equal(VISUAL_KIND[numbers[CONTENT_HEAD.length + CONTENT_PLACE_ROW.visual]], 'stop');
});
