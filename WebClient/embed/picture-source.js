// What lies at the address of a picture to be found: its pixels, as targets are made of them, or a target file that was made before.

import { stillOf } from '../app/vision/still.js';

/** Longest side of the pictures that targets are made of, pixels: more shows no more to a phone's camera. */
const LONGEST = 960;

/** With what a file of `sightline target build` begins: SLTG. */
const TARGET = [0x53, 0x4c, 0x54, 0x47];

/** @param {string} address */
export async function pictureAt(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status}: see whether the address is right`);
  const blob = await response.blob();
  const head = new Uint8Array(await blob.slice(0, TARGET.length).arrayBuffer());
  if (TARGET.every((byte, k) => head[k] === byte)) return new Uint8Array(await blob.arrayBuffer());
  let bitmap;
  try {
    bitmap = await createImageBitmap(blob);
  } catch {
    throw new Error('that is no picture: give PNG, JPEG, WebP, or a file of `sightline target build`');
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const still = stillOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  bitmap.close();
  return still;
}
