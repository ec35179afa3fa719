// Requests of operators about accounts and one-time links.

import { send } from './account-api.js';

/**
 * @typedef {import('./account-api.js').Account} Account
 * @typedef {import('./own-api.js').Belongings} Belongings
 * @typedef {{ id: number, kind: 'account' | 'password', role: Account['role'], name?: string, creator?: string, made: string,
 *   expires: string }} OpenLink without `creator` it was made on the command line
 * @typedef {{ link: string, expires: string }} NewLink
 */

/** @returns {Promise<Account[]>} */
export async function listAccounts() {
  return (await (await send('GET', '/api/v1/accounts')).json()).accounts;
}

/**
 * @param {number} id
 * @param {{ role?: Account['role'], active?: boolean }} change
 * @returns {Promise<Account>}
 */
export async function changeAccount(id, change) {
  return (await send('PATCH', `/api/v1/accounts/${id}`, { json: change })).json();
}

/**
 * @param {number} id
 * @returns {Promise<Belongings>}
 */
export async function belongingsOf(id) {
  return (await send('GET', `/api/v1/accounts/${id}`)).json();
}

/**
 * @param {number} id
 * @param {number | null} heir who gets what is the account's; without one it is deleted
 */
export const deleteAccount = (id, heir) =>
  send('DELETE', `/api/v1/accounts/${id}`, { json: heir === null ? {} : { transferTo: heir } });

/** @param {number} id */
export const removeFactorOf = (id) => send('DELETE', `/api/v1/accounts/${id}/second-factor`);

/**
 * @param {Account['role']} role
 * @returns {Promise<NewLink>}
 */
export async function inviteLink(role) {
  return (await send('POST', '/api/v1/accounts', { json: { role } })).json();
}

/**
 * @param {number} id
 * @returns {Promise<NewLink>}
 */
export async function resetLink(id) {
  return (await send('POST', `/api/v1/accounts/${id}/reset`, { json: {} })).json();
}

/** @returns {Promise<OpenLink[]>} */
export async function listLinks() {
  return (await (await send('GET', '/api/v1/invitations')).json()).invitations;
}

/** @param {number} id */
export const revokeLink = (id) => send('DELETE', `/api/v1/invitations/${id}`);
