// Deleting somebody else's account, for operators: what belongs to it, and who takes that over.

import { confirmDialog } from '../controls/confirm.js';
import { h } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { belongingsList, belongingsWords } from './belongings.js';
import { button } from './forms.js';
import { deleteAccount } from './operator-api.js';

/**
 * @typedef {import('./account-api.js').Account} Account
 * @typedef {import('./own-api.js').Belongings} Belongings
 */

/**
 * @param {import('./view.js').Host} host
 * @param {Account} account
 * @param {Account[]} accounts
 * @param {Belongings} found
 */
export function removalForm(host, account, accounts, found) {
  // Who cannot sign in could do nothing with it.
  const heirs = accounts.filter(({ id, active }) => active && id !== account.id);
  const heir = h(
    'select',
    { class: 'select', id: 'removal-heir' },
    h('option', { value: '' }, t('accounts.heirNobody')),
    ...heirs.map(({ id, name }) => h('option', { value: String(id) }, t('accounts.heir', { name }))),
  );
  const remove = async () => {
    const chosen = heirs.find(({ id }) => String(id) === heir.value);
    const title = t('accounts.deleteThis');
    if (!await confirmDialog({ title, text: consequence(account, chosen, found), action: title, danger: true, until: host.signal })) return;
    try {
      await deleteAccount(account.id, chosen?.id ?? null);
    } catch (error) {
      return host.fail(error);
    }
    toast(t('accounts.personDeleted', { name: account.name }), { key: 'account' });
    location.hash = '#/account';
  };
  return h(
    'section',
    { class: 'account-form', id: 'removal' },
    localized(h('h2'), 'accounts.belongings'),
    belongingsList(found),
    found.sharedWorlds > 0 && h('p', { class: 'form-note' }, tn('accounts.shared', found.sharedWorlds)),
    h('label', { class: 'form-row' }, localized(h('span'), 'accounts.heirWho'), heir),
    h('div', { class: 'actions' }, button('accounts.deleteThis', () => void remove(), { id: 'removal-delete', class: 'button danger' })),
  );
}

/**
 * @param {Account} account
 * @param {Account | undefined} heir
 * @param {Belongings} found
 */
function consequence({ name }, heir, found) {
  if (heir) return t('accounts.consequenceHeir', { name, heir: heir.name });
  const things = belongingsWords(found).map(({ words }) => words).join('; ') || t('accounts.hasNothing');
  return t('accounts.consequence', { name, things });
}
