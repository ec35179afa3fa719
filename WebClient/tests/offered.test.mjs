// What another page has is set down by "Place it here" as large as it is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.location = /** @type {any} */ ({ hash: '', origin: 'https://here.example', href: 'https://here.example/' });
const look = { model: async () => new Uint8Array() };
const { offerOf, offerPoster, placeHere, takeOffered } = await import('../app/place/offered.js');
const { placeOf } = await import('../app/place/things.js');

test('a model keeps its scale and how it is turned', () => {
  const visual = { kind: 'model', assetID: 'm', scale: 2.5, xRotation: 90, yRotation: 0, zRotation: -30 };
  const offered = offerOf('Mill', { visual }, look);
  assert.equal(offered?.title, 'Mill');
  assert.deepEqual(offered?.kind, { posture: 'standing', height: 0.3, width: null, scale: 2.5, rotation: [90, 0, -30], look });
  const { assetID: _, ...known } = visual;
  assert.deepEqual(placeOf(1, offered.kind).visual, known);
});

test('a picture has to have a size; a label is nothing to set down', () => {
  const visual = { kind: 'image', assetID: 'p' };
  assert.equal(offerOf('Sign', { visual, size: { width: 0.7 } }, look)?.kind.width, 0.7);
  for (const place of [{ visual }, { visual, size: { height: 2 } }, { visual: { kind: 'text', text: 'here' }, size: { width: 1 } }]) {
    assert.equal(offerOf('Sign', place, look), null);
  }
});

test('a poster has the width of its first size, and is brought once', () => {
  const offered = offerPoster({ title: 'Fish', sizes: [{ width: 300, height: 400 }, { width: 600, height: 800 }] }, async () => new Blob());
  assert.equal(offered.kind.width, 0.3);
  placeHere(offered);
  assert.equal(location.hash, '#/place');
  assert.equal(takeOffered(), offered);
  assert.equal(takeOffered(), null);
});
