// How old the camera's picture is, by what a browser says of its frames.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureAge } from '../app/device/picture-age.js';

/** A video as far as this needs one; `frame` shows the next picture. */
function video(knows = true) {
  return {
    paused: false,
    videoWidth: 1280,
    callback: /** @type {Function | null} */ (null),
    cancelled: 0,
    ...(knows
      ? {
        requestVideoFrameCallback(callback) {
          this.callback = callback;
          return 7;
        },
        cancelVideoFrameCallback(handle) {
          this.cancelled = handle;
        },
      }
      : {}),
    frame(now, metadata) {
      this.callback?.(now, metadata);
    },
  };
}
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} for ${expected}`);

test('the age counts from the capture, and grows until the next picture', () => {
  const one = video();
  const age = new PictureAge(one);
  one.frame(1000, { captureTime: 955, presentationTime: 998 });
  near(age.at(1000), 0.045);
  near(age.at(1016), 0.061);
  one.frame(1033, { captureTime: 988, presentationTime: 1031 });
  near(age.at(1034), 0.046);
});

test('without a capture time the pipeline is taken to be two frames long', () => {
  const one = video();
  const age = new PictureAge(one);
  near(age.at(900), 0.066);
  one.frame(1000, { presentationTime: 990 });
  near(age.at(1000), 0.076);
  one.frame(1100, {});
  near(age.at(1110), 0.076);
});

test('a capture time of another clock, or of the future, is none', () => {
  for (const captureTime of [-1e6, 1040, 1.7e12]) {
    const one = video();
    const age = new PictureAge(one);
    one.frame(1000, { captureTime, presentationTime: 1000 });
    near(age.at(1000), 0.066);
  }
});

test('a picture that stands still for long is no measure', () => {
  const one = video();
  const age = new PictureAge(one);
  one.frame(1000, { captureTime: 960 });
  near(age.at(5000), 0.066);
});

test('a browser that tells nothing of frames gets the same estimate; a paused video has no age', () => {
  const one = video(false);
  const age = new PictureAge(one);
  near(age.at(1000), 0.066);
  one.paused = true;
  assert.equal(age.at(1000), 0);
  age.close();
});

test('closed, it asks for no more frames', () => {
  const one = video();
  const age = new PictureAge(one);
  age.close();
  assert.equal(one.cancelled, 7);
});

test('what tracking learned of the clock is added', () => {
  const one = video();
  const age = new PictureAge(one);
  age.lateness = 0.02;
  near(age.at(900), 0.086);
  one.frame(1000, { captureTime: 955 });
  near(age.at(1000), 0.065);
  age.lateness = -0.05;
  assert.equal(age.at(1000), 0, 'never of the future');
});
