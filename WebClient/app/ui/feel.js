// What a phone lets its holder feel, hear and see when something has happened: beside words, never instead of them.

import { reducedMotion } from '../core/dom.js';
import { load } from '../core/storage.js';

/** @typedef {'arrived' | 'right' | 'wrong' | 'taken'} Moment `taken`: a picture */

const FLASH_MS = 260;
/**
 * Milliseconds of vibration and pause in turn.
 * @type {Record<Moment, number[]>}
 */
const BUZZES = { arrived: [60, 60, 60], right: [40, 50, 40, 50, 120], wrong: [180], taken: [15] };

/**
 * Vibrates where that is possible; browsers refuse it, loudly, before the first tap on the page.
 * @param {number | number[]} pattern milliseconds of vibration and pause in turn
 */
export function buzz(pattern) {
  // Browsers that do not know it do not ask either.
  const { userActivation } = /** @type {{ userActivation?: { hasBeenActive: boolean } }} */ (navigator);
  if (userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

/** Whether the page may sound: the settings say so. */
export const hasSounds = () => load('sounds', true) === true;

/**
 * Vibrates and sounds.
 * @param {Moment} moment
 */
export function celebrate(moment) {
  buzz(BUZZES[moment]);
  if (!hasSounds()) return;
  // Seldom needed, and never for the first picture.
  void import('./sounds.js').then(({ sound }) => sound(moment)).catch(() => undefined);
}

/**
 * A picture was taken of what an element shows.
 * @param {HTMLElement} element
 */
export function flash(element) {
  celebrate('taken');
  if (!reducedMotion()) element.animate?.([{ backgroundColor: '#fff' }, { backgroundColor: 'transparent' }], { duration: FLASH_MS });
}
