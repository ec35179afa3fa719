// A line of the security log, in words.

import { t } from '../core/i18n.js';

/**
 * @typedef {import('./own-api.js').SecurityEvent} SecurityEvent
 * @typedef {import('./own-api.js').Person} Person
 */

/** Attempts that came to nothing: worth a look when one was not it oneself. */
const FAILURES = new Set(['sign-in-failed', 'code-failed', 'password-refused']);

/** @param {SecurityEvent} event */
export const isFailure = ({ kind }) => FAILURES.has(kind);

/** @param {Person} person */
export const personName = ({ id, name }) => name ?? t('accounts.personGone', { id });

/**
 * What has happened.
 * @param {SecurityEvent} event
 * @param {(id: number) => string | undefined} [nameOf] of accounts that are there
 */
export function eventWords({ kind, detail }, nameOf = () => undefined) {
  const key = `accounts.event.${kind}`;
  const text = t(/** @type {import('../core/i18n.js').TextKey} */ (key));
  // A newer server may write of more than this page knows.
  if (text === key) return kind;
  const more = detailWords(kind, detail ?? '', nameOf);
  return more ? `${text} (${more})` : text;
}

/**
 * @param {string} kind
 * @param {string} detail
 * @param {(id: number) => string | undefined} nameOf
 */
function detailWords(kind, detail, nameOf) {
  if (kind === 'role-changed' || kind === 'invitation-made' || kind === 'account-made') {
    return detail === 'operator' ? t('accounts.operatorShort') : detail === 'author' ? t('accounts.authorShort') : '';
  }
  if (kind === 'sessions-revoked') return detail;
  const heir = /^to (\d+)$/.exec(detail)?.[1];
  if (kind === 'account-deleted' && heir) {
    return t('accounts.handedTo', { name: personName({ id: Number(heir), name: nameOf(Number(heir)) }) });
  }
  return '';
}

/**
 * Whom it happened to, and who did it when that was somebody else; empty when both go without saying.
 * @param {SecurityEvent} event
 * @param {boolean} isAll whether lines of several people stand together
 */
export function peopleWords({ account, actor }, isAll) {
  const parts = [];
  if (isAll && account) parts.push(personName(account));
  if (actor) parts.push(t('accounts.byPerson', { name: personName(actor) }));
  return parts.join(' · ');
}
