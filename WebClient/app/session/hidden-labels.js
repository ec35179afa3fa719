// What becomes of labels of what stands behind houses: the reader's choice, kept on this phone.

import { load, save } from '../core/storage.js';

/** @typedef {'dim' | 'roofLine' | 'leaveOut'} HiddenLabels */

export const HIDDEN_LABELS = /** @type {const} */ (['dim', 'roofLine', 'leaveOut']);

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {HiddenLabels} */
export function hiddenLabels() {
  const kept = /** @type {string} */ (load('hiddenLabels', 'dim'));
  return HIDDEN_LABELS.find((one) => one === kept) ?? 'dim';
}

/** @param {HiddenLabels} value */
export function setHiddenLabels(value) {
  save('hiddenLabels', value === 'dim' ? undefined : value);
  for (const listener of listeners) listener();
}

/**
 * @param {() => void} listener told of another choice
 * @param {AbortSignal} closed
 */
export function onHiddenLabels(listener, closed) {
  listeners.add(listener);
  closed.addEventListener('abort', () => listeners.delete(listener));
}
