// The pixels of a picture at an address, as targets are made of them.

import { stillOf } from '../app/vision/still.js';

/** Longest side of the pictures that targets are made of, pixels: more shows no more to a phone's camera. */
const LONGEST = 960;

/** @param {string} address */
export async function stillAt(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status}: see whether the address is right`);
  let bitmap;
  try {
    bitmap = await createImageBitmap(await response.blob());
  } catch {
    throw new Error('that is no picture: give PNG, JPEG or WebP');
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const still = stillOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  bitmap.close();
  return still;
}
