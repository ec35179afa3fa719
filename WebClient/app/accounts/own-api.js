// Requests about one's own account: second factor, sessions, security log, and its end.

import { refreshSession, send, session, signedOut } from './account-api.js';

/**
 * @typedef {{ secret: string, uri: string, svg: string }} FactorOffer
 * @typedef {{ id: number, current: boolean, device: string, network: string, created: string, used: string }} OwnSession
 * @typedef {{ id: number, name?: string }} Person without a name: the account is not there any more
 * @typedef {{ id: number, time: string, kind: string, account?: Person, actor?: Person, device: string, network: string,
 *   detail?: string }} SecurityEvent
 * @typedef {{ id: string, title: string }} Thing
 * @typedef {{ worlds: Thing[], posters: Thing[], tours: Thing[], publishedWorlds: number, runs: number, files: number,
 *   bytes: number, sharedWorlds: number }} Belongings
 */

const FACTOR = '/api/v1/session/second-factor';

/**
 * A secret for an authenticator program; nothing changes before a code confirms it.
 * @param {string} password
 * @returns {Promise<FactorOffer>}
 */
export async function beginFactor(password) {
  return (await send('POST', FACTOR, { json: { password } })).json();
}

/**
 * @param {string} code
 * @returns {Promise<string[]>} the recovery codes
 */
export async function confirmFactor(code) {
  return (await (await send('PUT', FACTOR, { json: { code } })).json()).recoveryCodes;
}

/**
 * @param {string} password
 * @param {string} [code]
 */
export async function removeFactor(password, code) {
  await send('DELETE', FACTOR, { json: { password, code } });
  await refreshSession();
}

/**
 * @param {string} password
 * @param {string} [code]
 * @returns {Promise<string[]>}
 */
export async function renewRecoveryCodes(password, code) {
  return (await (await send('POST', `${FACTOR}/recovery-codes`, { json: { password, code } })).json()).recoveryCodes;
}

/** @returns {Promise<OwnSession[]>} */
export async function listSessions() {
  return (await (await send('GET', '/api/v1/sessions')).json()).sessions;
}

/** @param {number} id */
export const endSession = (id) => send('DELETE', `/api/v1/sessions/${id}`);

export const endOtherSessions = () => send('DELETE', '/api/v1/sessions');

/**
 * @param {{ whose: string, before: number | null }} wanted `whose`: `all`, `own`, or the number of an account
 * @returns {Promise<{ events: SecurityEvent[], next: number | null }>}
 */
export async function readLog({ whose, before }) {
  const query = new URLSearchParams({ limit: '30' });
  if (whose === 'own') query.set('own', '1');
  else if (whose !== 'all') query.set('account', whose);
  if (before !== null) query.set('before', String(before));
  return (await send('GET', `/api/v1/security-log?${query}`)).json();
}

/** @returns {Promise<Belongings>} */
export async function ownBelongings() {
  return (await send('GET', '/api/v1/session/account')).json();
}

/**
 * @param {string} password
 * @param {string} [code]
 */
export async function deleteOwnAccount(password, code) {
  await send('DELETE', '/api/v1/session/account', { json: { password, code } });
  signedOut();
}

/** Whether the account that is signed in has a second factor, as far as the page knows. */
export const hasFactor = () => session()?.account?.secondFactor ?? false;
