// What went wrong, as a sentence in the reader's language; the server's own words, which name line and reason but speak
// English, are for whoever wants to know more.

import { t } from '../core/i18n.js';

/**
 * @typedef {import('../session/session.js').Failure} Failure
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 */

/** The codes of the server's answers that have a sentence of their own. */
const CODES = /** @type {Record<string, TextKey>} */ ({
  'world.unknown': 'fail.code.unknown',
  'open.address-refused': 'fail.code.private',
  'document.unreadable': 'fail.malformed',
  'osm.off': 'fail.code.off',
  'osm.topic': 'fail.code.off',
  'osm.position': 'fail.code.position',
  'osm.busy': 'fail.code.busy',
  'server.rate': 'fail.code.busy',
  'server.starting': 'fail.code.starting',
});

/** @param {Pick<Failure, 'reason' | 'code' | 'withheldFrom'>} failure */
export function failureText({ reason, code, withheldFrom }) {
  const key = CODES[code ?? ''];
  const text = key ? t(key) : reason.kind === 'status' ? t('fail.status', { status: reason.status }) : t(`fail.${reason.kind}`);
  // Some worlds are made for where somebody stands, and are nothing without it.
  return withheldFrom && (reason.kind === 'status' || reason.kind === 'malformed')
    ? `${text} ${t('fail.withheld', { host: withheldFrom })}`
    : text;
}
