// Pixels of anything that can be drawn, for the worker.

/** @typedef {import('./vision-worker.js').Still} Still */

/**
 * @param {CanvasImageSource} image
 * @param {number} width
 * @param {number} height
 * @returns {Still}
 */
export function stillOf(image, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const painter = canvas.getContext('2d', { willReadFrequently: true, alpha: false });
  if (!painter) throw new Error('no canvas');
  painter.drawImage(image, 0, 0, width, height);
  const { data } = painter.getImageData(0, 0, width, height);
  return { pixels: data, layout: { format: 'rgba', width, height, offset: 0, stride: 4 * width, isLimited: false } };
}
