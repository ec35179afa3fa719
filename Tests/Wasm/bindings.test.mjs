// That every event of the description crosses, and has a chunk in recordings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KIND } from '../../WebClient/app/recording/events.js';
import { encodeEvent } from '../../WebClient/app/recording/format.js';
import { Engine } from '../../WebClient/engine/engine.js';
import { OBSERVATION_ROW } from '../../WebClient/engine/layout.js';
import { engineBytes, root } from './build.mjs';

const types = readFileSync(join(root, 'WebClient/engine/bindings.d.ts'), 'utf8');
const told = types.slice(types.indexOf('export type EngineEvent'), types.indexOf('export interface DimensionRequest'));
const names = [...told.matchAll(/type: '(\w+)'/g)].map((match) => match[1]);

/** Fields that are numbers, of whatever event. */
const NUMBERS = {
  reason: 'denied', address: 1, world: 1, request: 1, feature: 1, overlay: 1, cluster: 1, screenAngle: 0, width: 1, height: 1,
};
/** What every event has at least, of those that are no numbers. */
const PARTS = {
  failed: { reason: { kind: 'status', status: 404 } }, occupied: { rectangles: [], arrows: [] }, setCategories: { mask: 3n },
  restoreHeadingCorrection: { correction: { angle: 1, deviation: 1, latitude: 1, longitude: 1, decimalYear: null } },
  observations: { rows: new Float64Array(OBSERVATION_ROW.length), time: 1, width: 640, height: 480, focal: 500, lens: [] },
  survey: { anchor: { kind: 'picture', id: 1 }, survey: null }, modelBounds: { low: [0, 0, 0], high: [1, 1, 1] },
  geoid: { bytes: new Uint8Array(200) },
};

test('every event has an export of its own, and a chunk', async () => {
  assert.ok(names.length > 30);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(engineBytes()), { env: { sl_host_log() {} } });
  const called = new Set();
  const watched = Object.fromEntries(Object.entries(exports).map(([name, value]) =>
    [name, typeof value === 'function' ? (...all) => (called.add(name), value(...all)) : value]));
  const engine = new Engine({ exports: watched });
  for (const type of names) {
    called.clear();
    engine.handle({ type, ...PARTS[type] }, 1);
    assert.ok(called.size > 0, type);
    assert.equal(encodeEvent({ type, ...NUMBERS, ...PARTS[type] }).kind, KIND[type], type);
  }
});

test('no export takes more than the engine hands on', async () => {
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(engineBytes()), { env: { sl_host_log() {} } });
  const most = 'abcdefghijkl'.length;
  assert.match(readFileSync(new URL('../../WebClient/engine/engine.js', import.meta.url), 'utf8'), /return value\(a, b, c, d, e, f, g, h, i, j, k, l\);/);
  assert.deepEqual(Object.entries(exports).filter(([, value]) => typeof value === 'function' && value.length > most), []);
});
