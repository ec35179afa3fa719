// When and where from, as the server notes it, in words.

import { language, t } from '../core/i18n.js';

/** @param {string} time ISO 8601 */
export const when = (time) => new Date(time).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Browser and system.
 * @param {string} device such as `Firefox/Android`; empty when neither is known
 */
export function deviceWords(device) {
  if (!device) return t('accounts.deviceUnknown');
  // The server's program itself.
  return device === 'sightline' ? t('accounts.commandLine') : device.replace('/', ', ');
}

/**
 * @param {{ device: string, network: string }} origin
 */
export const originWords = ({ device, network }) =>
  network ? `${deviceWords(device)} · ${t('accounts.fromNetwork', { network })}` : deviceWords(device);
