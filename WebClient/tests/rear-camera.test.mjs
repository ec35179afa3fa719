import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainRearCamera } from '../app/device/rear-camera.js';

const named = (/** @type {string[]} */ ...labels) => labels.map((label, k) => ({ id: `id-${k}`, label }));

test('of rear cameras on Android the first is the main one', () => {
  const cameras = named('camera2 2, facing back', 'camera2 1, facing front', 'camera2 0, facing back', 'camera2 3, facing back');
  assert.equal(mainRearCamera('camera2 2, facing back', cameras)?.id, 'id-2');
  assert.equal(mainRearCamera('camera2 3, facing back', cameras)?.id, 'id-2');
  assert.equal(mainRearCamera('camera2 0, facing back', cameras), null);
  // One that is meant for the user is never taken.
  assert.equal(mainRearCamera('camera2 2, facing back', named('camera2 1, facing front', 'camera2 2, facing back')), null);
  assert.equal(mainRearCamera('camera 10, facing back', named('camera 9, facing back', 'camera 10, facing back'))?.id, 'id-0');
});

test('on iOS the usual lens goes before one of another angle', () => {
  const cameras = named('Front Camera', 'Back Ultra Wide Camera', 'Back Camera', 'Back Triple Camera');
  for (const label of ['Back Ultra Wide Camera', 'Back Triple Camera']) assert.equal(mainRearCamera(label, cameras)?.id, 'id-2');
  assert.equal(mainRearCamera('Back Camera', cameras), null);
});

test('where the names say nothing the browser has chosen', () => {
  for (const label of ['', 'Rückkamera', 'camera2 x, facing back', 'camera2 99999999999999999999, facing back', 'HD Webcam']) {
    assert.equal(mainRearCamera(label, named('camera2 0, facing back', 'Back Camera', label)), null, label);
  }
  assert.equal(mainRearCamera('camera2 2, facing back', [{ id: '', label: 'camera2 0, facing back' }]), null, 'without an id it cannot be asked for');
});
