// Models of a page: how they are set on their anchor, and what is said of files that are none; HTML that follows an anchor.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';

globalThis.document ??= /** @type {any} */ ({ baseURI: 'https://example.org/page/', addEventListener() {} });
globalThis.location ??= /** @type {any} */ (new URL('https://example.org/page/'));
const { anchorFromModel, reachOf } = await import('../embed/model-pose.js');
const { MOST_BYTES, fetchModel, modelErrorOf } = await import('../embed/model-file.js');
const { ModelFailure } = await import('../engine/models.js');
const { anchorTransform } = await import('../embed/display-matrix.js');
const { cssFollow } = await import('../embed/css-bridge.js');
const { Emitter } = await import('../app/core/emitter.js');

/** Where a point of the model is on its anchor. */
const at = (/** @type {ArrayLike<number>} */ m, /** @type {number[]} */ [x, y, z]) =>
  [0, 1, 2].map((row) => Math.round((m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]) * 1e5) / 1e5 + 0);

test('a model stands out of a print, its front to the lower edge; at a place it is upright and looks south', () => {
  const m = anchorFromModel({});
  assert.deepEqual([at(m, [1, 0, 0]), at(m, [0, 1, 0]), at(m, [0, 0, 1])], [[1, 0, 0], [0, 0, 1], [0, -1, 0]]);
});

test('scale, position and turns are in the axes of glTF', () => {
  const m = anchorFromModel({ scale: '2', position: '0.1, 0.2 0.3' });
  assert.deepEqual(at(m, [0, 0, 0]), [0.1, -0.3, 0.2]);
  assert.deepEqual(at(m, [0, 1, 0]), [0.1, -0.3, 2.2]);
  // About x first: what was up is to the front; about y then: to the right.
  assert.deepEqual(at(anchorFromModel({ rotation: '90 90 0' }), [0, 1, 0]), [1, 0, 0]);
  assert.deepEqual(at(anchorFromModel({ rotation: '0 0 90' }), [1, 0, 0]), [0, 0, 1]);
  // On a wall a figure stands upright when it is turned back: up is the print's own y.
  assert.deepEqual(at(anchorFromModel({ rotation: '-90 0 0' }), [0, 1, 0]), [0, 1, 0]);
  assert.deepEqual(at(anchorFromModel({}, { isUpright: true }), [0, 1, 0]), [0, 1, 0], 'on a surface, its front to the viewer');
});

test('at a place the front looks to the heading, clockwise from north', () => {
  const front = (/** @type {string} */ heading) => at(anchorFromModel({ heading }, { hasNorth: true }), [0, 0, 1]);
  assert.deepEqual([front('0'), front('90'), front('180'), front('-90')], [[0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0]]);
  assert.deepEqual(at(anchorFromModel({ heading: '90', position: '1 2 3' }, { hasNorth: true }), [0, 0, 0]), [1, -3, 2]);
});

test('attributes that are wrong are said with what to do', () => {
  const wrong = /** @type {[any, string][]} */ ([
    [{ scale: '0' }, 'model.scale'], [{ scale: '1 2' }, 'model.scale'], [{ scale: 'big' }, 'model.scale'], [{ rotation: '90' }, 'model.rotation'],
    [{ rotation: '1 2 x' }, 'model.rotation'], [{ position: '1,,2' }, 'model.position'], [{ position: '0 0 1e9' }, 'model.position'],
    [{ heading: '90' }, 'model.heading'],
  ]);
  for (const [given, where] of wrong) {
    assert.throws(() => anchorFromModel(given), (/** @type {any} */ error) => error.where === where && /give/.test(error.message), where);
  }
  assert.doesNotThrow(() => anchorFromModel({ scale: '', rotation: null, position: ' ' }));
});

test('how far a model reaches', () => {
  const m = anchorFromModel({ scale: '10', position: '0 30 0' }, { hasNorth: true });
  assert.ok(Math.abs(reachOf(m, { low: [-1, 0, 0], high: [1, 1, 0] }) - Math.hypot(10, 40)) < 1e-4);
});

// Files

const server = createServer((request, response) => {
  if (request.url === '/no.glb') response.writeHead(404).end();
  else if (request.url === '/long.glb') response.writeHead(200, { 'content-length': MOST_BYTES + 1 }).end('x');
  else if (request.url === '/endless.glb') {
    response.writeHead(200);
    const part = Buffer.alloc(1 << 22);
    const more = () => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  } else response.writeHead(200).end(Buffer.from([1, 2, 3]));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
after(() => (server.closeAllConnections(), server.close()));
const base = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;

test('a file comes whole, and what cannot be had is said', async () => {
  const { signal } = new AbortController();
  const fault = (/** @type {string} */ path) => fetchModel(base + path, signal).then(() => 'none', ({ code }) => code);
  assert.deepEqual([...await fetchModel(`${base}/a.glb`, signal)], [1, 2, 3]);
  assert.equal(await fault('/no.glb'), 'model-missing');
  assert.equal(await fault('/long.glb'), 'model-too-large');
  assert.equal(await fault('/endless.glb'), 'model-too-large', 'without a length it is read no further than it may be');
  assert.equal(await fetchModel('http://127.0.0.1:1/a.glb', signal).catch(({ code }) => code), 'model-unreachable');
});

test('what the engine says of a file is said with what to do', () => {
  const of = (/** @type {any} */ code) => modelErrorOf(new ModelFailure(code, 'mesh', 0, -1, 'indices', 40));
  assert.deepEqual([of('notGLB').code, of('limit').code, of('reference').code], ['model-not-glb', 'model-too-large', 'model-invalid']);
  assert.match(of('reference').message, /reference: mesh0 indices, byte 40/);
  assert.equal(modelErrorOf(new Error('no')).code, 'engine');
});

// HTML

const projection = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0, -0.1, 0];
const print = /** @type {any} */ ({
  kind: 'marker', isVisible: true, opacity: 1, size: 0.5, screen: { x: 10, y: 20 }, cameraFromAnchor: [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 2, 1],
});
const frame = { projection, width: 200, height: 200 };

test('an element follows prints in their plane, places upright, and nothing that is not seen', () => {
  const element = { width: 50, height: 100 };
  const scaleOf = (/** @type {number} */ width) => Number(anchorTransform(frame, print, element, width)?.slice(9).split(',')[0]);
  assert.match(anchorTransform(frame, print, element) ?? '', /^matrix3d/);
  assert.ok(Math.abs(scaleOf(1) / scaleOf(0.5) - 2) < 1e-6);
  assert.equal(anchorTransform(frame, { ...print, kind: 'place' }, element), 'translate(-15.0px, -30.0px)');
  assert.equal(anchorTransform(frame, { ...print, isVisible: false }, element), null);
  assert.equal(anchorTransform(frame, { ...print, size: null }, element), null, 'nobody knows how wide it is');
});

test('cssFollow shows, hides, and leaves the element as it was', () => {
  const style = /** @type {any} */ ({ cssText: 'color: red' });
  const tracker = /** @type {any} */ (new Emitter());
  const stop = cssFollow(tracker, print, /** @type {any} */ ({ style, offsetWidth: 50, offsetHeight: 50 }), { width: 0.4 });
  assert.equal(style.visibility, 'hidden');
  tracker.emit('frame', frame);
  assert.equal(style.visibility, 'visible');
  assert.match(style.transform, /^matrix3d/);
  tracker.emit('lost', print);
  assert.equal(style.visibility, 'hidden');
  stop();
  style.transform = '';
  tracker.emit('frame', frame);
  assert.deepEqual([style.transform, style.cssText], ['', 'color: red']);
  assert.throws(() => cssFollow(tracker, print, /** @type {any} */ ({ style }), { width: -1 }), /width/);
});
