// Pictures without loss: PNG, made by the browser's own compression, of grey levels or of colours.

import { crc32 } from '../recording/format.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Each byte less the one before it in its row: cameras' pictures are half as large then. */
const SUB = 1;
/** How PNG calls what a pixel has. */
const COLOUR = { 1: 0, 3: 2 };

/**
 * @param {Uint8Array} pixels row by row, without gaps
 * @param {number} width
 * @param {number} height
 * @param {1 | 3} channels grey, or red, green and blue
 */
export async function png(pixels, width, height, channels) {
  const length = width * channels;
  const rows = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * length, y * (length + 1) + 1];
    rows[to - 1] = SUB;
    for (let x = 0; x < length; x++) rows[to + x] = pixels[from + x] - (x < channels ? 0 : pixels[from + x - channels]);
  }
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 8);
  head.setUint8(9, COLOUR[channels]);
  const parts = [Uint8Array.from(SIGNATURE), part('IHDR', new Uint8Array(head.buffer)), part('IDAT', data), part('IEND', new Uint8Array(0))];
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of parts) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

/**
 * @param {string} name
 * @param {Uint8Array} data
 */
function part(name, data) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
