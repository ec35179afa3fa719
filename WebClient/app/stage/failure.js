// What went wrong, as a sentence.

import { t } from '../core/i18n.js';

/** @param {import('../session/session.js').Failure} failure */
export function failureText({ reason, detail, withheldFrom }) {
  const text = plainText(reason, detail);
  // Some worlds are made for where somebody stands, and are nothing without it.
  return withheldFrom && (reason.kind === 'status' || reason.kind === 'malformed')
    ? `${text} ${t('fail.withheld', { host: withheldFrom })}`
    : text;
}

/**
 * @param {import('../../engine/types').FailureReason} reason
 * @param {string | undefined} detail
 */
function plainText(reason, detail) {
  // The server's own sentence names what was wrong and where; it is worth more than ours.
  if (detail && reason.kind !== 'network' && reason.kind !== 'timedOut') return detail;
  return reason.kind === 'status' ? t('fail.status', { status: reason.status }) : t(`fail.${reason.kind}`);
}
