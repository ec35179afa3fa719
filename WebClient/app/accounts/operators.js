// Everybody's accounts, for operators: the list, and links for new ones.

import { h, icon } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { button } from './forms.js';
import { linksSection, showLink } from './links.js';
import { inviteLink, listAccounts } from './operator-api.js';
import { fill } from './view.js';

/** @typedef {import('./account-api.js').Account} Account */

/**
 * @param {import('./view.js').Host} host
 * @param {Account} self
 */
export function accountsSection(host, self) {
  const list = h('ul', { class: 'account-ways', id: 'account-list' });
  const links = linksSection(host);
  const invite = (/** @type {Account['role']} */ role) => async () => {
    try {
      const made = await inviteLink(role);
      void showLink(made);
      await links.refresh();
    } catch (error) {
      host.fail(error);
    }
  };
  const section = h('section', { class: 'account-form' }, localized(h('h2'), 'accounts.all'));
  fill(host, section, async () => {
    list.replaceChildren(...(await listAccounts()).map((account) => row(account, self)));
    return [list];
  });
  section.append(h('div', { class: 'actions' },
    button('accounts.inviteAuthor', invite('author'), { dataset: { invite: 'author' } }),
    button('accounts.inviteOperator', invite('operator'), { dataset: { invite: 'operator' } })));
  return h('div', { class: 'account-steps' }, section, links.element);
}

/**
 * @param {Account} account
 * @param {Account} self
 */
function row(account, self) {
  const isSelf = account.id === self.id;
  const words = h('span', { class: 'account-words' }, h('strong', {}, account.name), h('span', { class: 'form-note' }, accountWords(account, isSelf)));
  return h('li', { dataset: { account: account.name } }, isSelf
    ? h('span', { class: 'account-way' }, words)
    : h('a', { class: 'account-way', href: `#/account/person/${account.id}` }, words, icon('go')));
}

/**
 * Role and state of an account.
 * @param {Account} account
 * @param {boolean} [isSelf]
 */
export function accountWords({ role, active, secondFactor }, isSelf = false) {
  const parts = [t(role === 'operator' ? 'accounts.operatorShort' : 'accounts.authorShort')];
  if (isSelf) parts.push(t('accounts.you'));
  if (!active) parts.push(t('accounts.closed'));
  if (secondFactor) parts.push(t('accounts.withFactor'));
  return parts.join(' · ');
}
