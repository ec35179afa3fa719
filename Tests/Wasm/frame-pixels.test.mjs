// A camera's frame in every layout that browsers copy: the engine sees the same picture, whatever the order of the bytes, the
// place of the first plane, the length of a row and the range of the luminance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FramePixels } from '../../WebClient/app/vision/frame-pixels.js';
import { Vision } from '../../WebClient/engine/vision.js';
import { visionBytes } from './build.mjs';

const module = await WebAssembly.compile(visionBytes());
const [width, height] = [161, 119];
const CELL = 11;
const [left, top] = [31, 17];
const ID = 17;

const LAYOUTS = [
  ['I420', 1], ['I420A', 1], ['I422', 1], ['I444', 1], ['NV12', 1], ['RGBA', 4], ['RGBX', 4], ['BGRA', 4], ['BGRX', 4],
];

/** @param {import('../../WebClient/engine/markers.js').Markers} markers grey levels of a picture of one marker, dark blue on pale yellow for what has colours */
function levels(markers) {
  const cells = markers.cells('6x6-250', ID);
  const light = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < 8 * CELL; y++) {
    for (let x = 0; x < 8 * CELL; x++) {
      const [row, column] = [Math.floor(y / CELL) - 1, Math.floor(x / CELL) - 1];
      light[(top + y) * width + left + x] = cells[row]?.[column] ? 1 : 0;
    }
  }
  return light;
}

/**
 * A frame as browsers make them, as far as it is used here.
 * @param {Uint8Array} light
 * @param {string} format
 * @param {number} bytesInPixel
 * @param {{ fullRange: boolean | null, offset: number, padding: number, rotation?: number }} how
 */
function frameOf(light, format, bytesInPixel, { fullRange, offset, padding, rotation = 0 }) {
  const stride = width * bytesInPixel + padding;
  // In 16 to 235 the same two levels as 40 and 200 of 0 to 255.
  const [dark, pale] = fullRange ? [40, 200] : [16 + Math.round(40 * 219 / 255), 16 + Math.round(200 * 219 / 255)];
  const frame = {
    format, codedWidth: width, codedHeight: height, displayWidth: width, displayHeight: height, rotation,
    visibleRect: { width, height }, colorSpace: { fullRange }, isClosed: false,
    allocationSize: () => offset + stride * height + 77,
    /** @param {Uint8Array} bytes */
    async copyTo(bytes) {
      assert.equal(bytes.length, frame.allocationSize());
      // What is no pixel misleads whoever reads it.
      for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 97) & 255;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = offset + y * stride + x * bytesInPixel;
          const isLight = light[y * width + x];
          if (bytesInPixel === 1) bytes[at] = isLight ? pale : dark;
          else {
            const [red, green, blue] = isLight ? [250, 240, 120] : [0, 10, 250];
            bytes.set(format.startsWith('BGR') ? [blue, green, red] : [red, green, blue], at);
          }
        }
      }
      return [{ offset, stride }, { offset: 0, stride: 1 }];
    },
    close() { frame.isClosed = true; },
  };
  return frame;
}

for (const [format, bytesInPixel] of LAYOUTS) {
  for (const fullRange of bytesInPixel === 1 ? [true, false, null] : [true]) {
    test(`${format}${bytesInPixel === 1 ? `, full range ${fullRange}` : ''}: rows of odd length, first plane not at the start`, async () => {
      const vision = await Vision.make(module);
      const pixels = new FramePixels(vision);
      const light = levels(vision.markers);
      for (const [offset, padding] of [[0, 0], [13, 7], [256, 95]]) {
        const frame = frameOf(light, format, bytesInPixel, { fullRange, offset, padding });
        const { layout, path } = await pixels.place(frame);
        assert.equal(path, 'frame');
        assert.ok(frame.isClosed);
        assert.equal(layout.isLimited, bytesInPixel === 1 && fullRange !== true);
        vision.reset();
        vision.watchMarkers({ dictionaries: ['6x6-250'], sides: [], usual: 0 });
        const found = vision.observe(layout, 0, 0);
        assert.equal(found.length, 1);
        assert.equal(found[0].id, ID);
        const [x, y] = found[0].corners[0];
        assert.ok(Math.hypot(x - left + 0.5, y - top + 0.5) < 0.05, `${x}, ${y}`);
      }
    });
  }
}

test('levels of limited range are stretched before they are looked at', async () => {
  const pixels = new FramePixels(await Vision.make(module));
  const light = new Uint8Array(width * height).fill(1);
  const { layout } = await pixels.place(frameOf(light, 'NV12', 1, { fullRange: false, offset: 5, padding: 3 }));
  assert.deepEqual(layout, { format: 'gray', width, height, offset: 5, stride: width + 3, isLimited: true });
});

test('a turned frame and a format that is not known are painted, and closed all the same', async () => {
  const vision = await Vision.make(module);
  const painted = [];
  globalThis.OffscreenCanvas = class {
    constructor(w, h) { [this.width, this.height] = [w, h]; }
    getContext() {
      return {
        canvas: this,
        drawImage: (frame) => painted.push(frame.format),
        getImageData: (_x, _y, w, h) => ({ data: new Uint8ClampedArray(4 * w * h).fill(9) }),
      };
    }
  };
  try {
    const pixels = new FramePixels(vision);
    const light = new Uint8Array(width * height);
    for (const [format, rotation] of [['NV12', 90], ['I420P10', 0], [null, 0]]) {
      const frame = frameOf(light, String(format), 1, { fullRange: true, offset: 0, padding: 0, rotation });
      frame.format = format;
      const { layout, path } = await pixels.place(frame);
      assert.equal(path, 'painted');
      assert.deepEqual(layout, { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false });
      assert.ok(frame.isClosed);
    }
    assert.deepEqual(painted, ['NV12', 'I420P10', null]);
  } finally {
    delete globalThis.OffscreenCanvas;
  }
});
