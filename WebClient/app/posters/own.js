// Pictures of one's own as posters: kept on this device, never sent anywhere.

import { Emitter } from '../core/emitter.js';
import { keepPicture, keptPictures, numberOf, removePicture } from './kept.js';

/**
 * @typedef {import('./api.js').Poster} Poster
 * @typedef {import('./api.js').PosterSize} PosterSize
 * @typedef {import('./kept.js').KeptPicture} KeptPicture
 */

const SMALLEST = 64;
const LONGEST = 4096;

/**
 * By their identifiers, the oldest first; complete when `ownReady` has settled.
 * @type {Map<string, Poster>}
 */
export const ownPosters = new Map();
/**
 * Told when one came or went.
 * @type {Emitter<{ change: void }>}
 */
export const ownChanges = new Emitter();
/** @type {Map<string, Blob>} */
const blobs = new Map();
/** @type {Promise<void> | null} */
let reading = null;

/** What earlier visits have kept. */
export function ownReady() {
  reading ??= keptPictures().then((pictures) => {
    for (const picture of pictures) if (!ownPosters.has(picture.id)) show(picture);
  });
  return reading;
}

/** @param {string} id @returns {Blob | undefined} */
export const ownBlob = (id) => blobs.get(id);

/** @param {KeptPicture} picture */
function show({ id, title, sizes, width, height, blob }) {
  /** @type {Poster} */
  const poster = {
    id, title, sizes, categories: [], color: '#808080', isOwn: true, pictures: [{ url: URL.createObjectURL(blob), width, height }],
  };
  ownPosters.set(id, poster);
  blobs.set(id, blob);
  return poster;
}

/**
 * A picture of the camera roll as a poster.
 * @param {File} file
 * @returns {Promise<Poster>} rejects when it is no picture
 */
export async function addOwn(file) {
  await ownReady();
  // The browser turns it as the camera noted.
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  if (Math.min(width, height) < SMALLEST) {
    bitmap.close();
    throw new RangeError('too small');
  }
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  if (!blob) throw new RangeError('not drawn');
  const number = 1 + Math.max(0, ...[...ownPosters.keys()].map(numberOf));
  const picture = {
    id: `own-${number}`, title: file.name.replace(/\.[^.]*$/, ''), sizes: ownSizes(width / height), width: canvas.width, height: canvas.height, blob,
  };
  await keepPicture(picture);
  const poster = show(picture);
  ownChanges.emit('change', undefined);
  return poster;
}

/** @param {string} id */
export async function removeOwn(id) {
  const poster = ownPosters.get(id);
  if (!poster) return;
  ownPosters.delete(id);
  blobs.delete(id);
  URL.revokeObjectURL(poster.pictures[0].url);
  await removePicture(id);
  ownChanges.emit('change', undefined);
}

/**
 * Sizes that photographs are printed in, with the picture's own shape.
 * @param {number} aspect
 * @returns {PosterSize[]}
 */
function ownSizes(aspect) {
  return [300, 450, 600, 900].map((long) => {
    const width = Math.round(aspect >= 1 ? long : long * aspect);
    const height = Math.round(aspect >= 1 ? long / aspect : long);
    return { name: `${width / 10} × ${height / 10} cm`, width, height };
  });
}
