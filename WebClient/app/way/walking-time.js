// How long a way takes on foot.

import { language } from '../core/i18n.js';

/**
 * "7 min", at least one.
 * @param {number} seconds
 */
export function walkingTime(seconds) {
  const format = new Intl.NumberFormat(language(), { style: 'unit', unit: 'minute', unitDisplay: 'short', maximumFractionDigits: 0 });
  return format.format(Math.max(1, Math.round(seconds / 60)));
}
