// Worlds in pages of others: which address leads where, what is wrong is said with what to do, and what the page is told of places.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';

const context = { font: '', measureText: (/** @type {string} */ text) => ({ width: text.length * 8 }) };
Object.assign(globalThis, {
  document: { baseURI: 'https://example.org/page/', addEventListener() {}, createElement: () => ({ getContext: () => context }) },
  location: new URL('https://example.org/page/'),
});
const { WorldError, fetchWorld, sourceOf, worldOf } = await import('../embed/world-source.js');
const { documentKind } = await import('../embed/document-kind.js');
const { describePlace, labelsOf, notesOf } = await import('../embed/world-places.js');
const { Content } = await import('../app/session/content.js');

/** @type {Record<string, [number, string, Record<string, string>]>} */
const answers = {
  '/world.json': [200, '{"dimension": {"name": "W", "places": [{"title": "A"}]}}', {}],
  '/list.json': [200, '[1, 2]', {}],
  '/walk.gddf': [200, '<dimension/>', {}],
  '/secret.json': [403, '', {}],
  '/gone.json': [410, '', {}],
  '/broken.json': [502, '', {}],
};
const server = createServer((request, response) => {
  const [status, body, headers] = answers[request.url ?? ''] ?? [404, '', {}];
  response.writeHead(status, headers).end(body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
after(() => server.close());
const own = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;

test('addresses of worlds lead to their content', () => {
  const base = 'https://example.org/page/';
  assert.equal(sourceOf('town.json', base), 'https://example.org/page/town.json');
  assert.equal(sourceOf('https://a.example/#/world/old%20town?view=map', base), 'https://a.example/api/v1/worlds/old%20town');
  assert.equal(sourceOf('https://a.example/worlds/ulm.gddf', base), 'https://a.example/api/v1/worlds/ulm');
  assert.equal(sourceOf(new URL('https://a.example/api/v1/worlds/ulm'), base), 'https://a.example/api/v1/worlds/ulm');
  for (const [wrong, advice] of [
    ['javascript:alert(1)', 'https'], ['file:///etc/passwd', 'https'], ['https://[', 'give the one'], ['https://a.example/#/play/x', '#/world/ID'],
    ['https://a.example/api/v1/osm/water', 'position'],
  ]) {
    assert.throws(() => sourceOf(wrong, base), (/** @type {any} */ error) => error.code === 'world-address' && error.message.includes(advice), wrong);
  }
});

test('what comes is read, or said with what to do', async () => {
  const { signal } = new AbortController();
  assert.equal((await fetchWorld(`${own}/world.json`, signal)).dimension.places[0].pivot, 'BC', 'what is missing is filled in');
  for (const [path, code] of [
    ['none.json', 'world-missing'], ['gone.json', 'world-missing'], ['secret.json', 'world-refused'], ['broken.json', 'world-unreachable'],
    ['list.json', 'world-unreadable'], ['walk.gddf', 'world-unreadable'],
  ]) {
    await assert.rejects(fetchWorld(`${own}/${path}`, signal), (/** @type {any} */ error) => error instanceof WorldError && error.code === code, path);
  }
  await assert.rejects(fetchWorld('http://127.0.0.1:9/x.json', signal), (/** @type {any} */ error) => error.code === 'world-unreachable');
  const ended = new AbortController();
  ended.abort();
  await assert.rejects(fetchWorld(`${own}/world.json`, ended.signal), (/** @type {any} */ error) => !(error instanceof WorldError));
});

test('what a page is told of a place is plain, absolute and safe', () => {
  const answer = worldOf({
    dimension: {
      name: 'W', assets: [{ id: 'p', url: 'pictures/p.png' }], soundURL: 'a.mp3',
      overlays: [{ content: { kind: 'text', text: 'x' } }, { content: { kind: 'html', url: 'https://b.example/', width: 9, height: 9 } }],
      places: [
        { id: 'a', title: ' A ', summary: ' text ', position: { latitude: 48, longitude: 10 }, visual: { kind: 'image', assetID: 'p' }, link: 'more.html' },
        { title: 'B', link: 'javascript:alert(1)', action: { kind: 'webPage', url: 'javascript:alert(1)' }, marker: { dictionary: '6x6-250', id: 1, length: 0.1 } },
      ],
    },
    problems: Array.from({ length: 30 }, (_, k) => ({ severity: 'warning', code: 'c', path: `places[${k}]`, message: 'odd' })),
  }, 'here');
  const content = new Content(answer, { kind: 'url', url: 'https://a.example/town/world.json' });
  const [a, b] = content.places.map((_, index) => describePlace(content, index));
  assert.deepEqual([a.id, a.title, a.text, a.latitude, a.altitude], ['a', 'A', 'text', 48, null]);
  assert.deepEqual([a.picture, a.link], ['https://a.example/town/pictures/p.png', 'https://a.example/town/more.html']);
  assert.deepEqual([b.id, b.link, b.latitude], ['#1', null, null]);
  const notes = notesOf(content);
  assert.equal(notes[0], 'places[0]: odd');
  assert.deepEqual(notes.slice(20), ['10 more findings', '1 pages of others, fixed to the screen, are not shown here']);
  const item = { feature: 0, centerX: 100, centerY: 50, width: 40, height: 20, anchorX: 100, anchorY: 80, distance: 7, opacity: 1, level: 'card', isSelected: false };
  const frame = /** @type {any} */ ({ isValid: true, items: [item, { ...item, feature: 9 }] });
  assert.deepEqual(labelsOf(content, frame).map(({ id, x, y, anchorY }) => [id, x, y, anchorY]), [['a', 80, 40, 80]]);
  assert.deepEqual(labelsOf(content, { ...frame, isValid: false }), []);
});

test('a document of another format is called by its name', () => {
  for (const [text, kind] of [
    ['\uFEFF<?xml version="1.0"?>\n<!-- a -->\n<kml xmlns="http://www.opengis.net/kml/2.2">', 'KML'], ['<dimension version="1.0">', 'GDDF'],
    ['<x:arml xmlns:x="y">', 'ARML'], ['{"type": "FeatureCollection", "features": []}', 'GeoJSON'], ['<!DOCTYPE html><title>', 'a page (HTML)'],
    ['PK\u0003\u0004', 'KMZ or another archive'], ['[1, 2]', ''], ['{"dimension": 1}', ''], ['', ''], ['{"type"', ''], ['<'.repeat(5000), ''],
    [`${'<!---->'.repeat(600)}<kml>`, ''],
  ]) assert.equal(documentKind(text), kind, text.slice(0, 40));
});
