// What a phone lets its holder feel.

/**
 * Vibrates where that is possible; browsers refuse it, loudly, before the first tap on the page.
 * @param {number | number[]} pattern milliseconds of vibration and pause in turn
 */
export function buzz(pattern) {
  // Browsers that do not know it do not ask either.
  const { userActivation } = /** @type {{ userActivation?: { hasBeenActive: boolean } }} */ (navigator);
  if (userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}
