// Somebody else's account, for operators: a new password, role, second factor, and its end.

import { confirmDialog } from '../controls/confirm.js';
import { bytes } from '../core/format.js';
import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { AccountError, session } from './account-api.js';
import { button } from './forms.js';
import { showLink } from './links.js';
import { belongingsOf, changeAccount, listAccounts, removeFactorOf, resetLink } from './operator-api.js';
import { accountWords } from './operators.js';
import { when } from './origin-words.js';
import { removalForm } from './removal.js';
import { fill, focusHeading } from './view.js';

/**
 * @typedef {import('./account-api.js').Account} Account
 * @typedef {import('./view.js').Host} Host
 */

/**
 * @param {Host} host
 * @param {number} id
 * @returns {import('./view.js').View}
 */
export function personView(host, id) {
  const element = h('div', { class: 'account-steps' });
  const loading = h('section', { class: 'account-form' }, localized(h('h2'), 'accounts.all'));
  element.append(loading);
  fill(host, loading, async () => {
    const accounts = await listAccounts();
    const account = accounts.find((each) => each.id === id && id !== session()?.account?.id);
    if (!account) throw new AccountError(404, 'account.unknown', t('accounts.personUnknown'));
    const found = await belongingsOf(id);
    const facts = factsSection(host, account);
    element.replaceChildren(facts, removalForm(host, account, accounts, found));
    focusHeading(facts.querySelector('h2'));
    return [];
  });
  return { element };
}

/**
 * @param {Host} host
 * @param {Account} given
 */
function factsSection(host, given) {
  let account = given;
  const heading = h('h2', { id: 'person-name' }, account.name);
  const facts = h('p', { id: 'person-facts', role: 'status' });
  const actions = h('div', { class: 'actions' });

  /** @param {() => Promise<void>} work */
  const run = (work) => async () => {
    try {
      await work();
      show();
    } catch (error) {
      host.fail(error);
    }
  };
  /** @param {{ role?: Account['role'], active?: boolean }} wanted */
  const change = (wanted) => run(async () => {
    account = { ...account, ...await changeAccount(account.id, wanted) };
  });
  const reset = () => resetLink(account.id).then((made) => void showLink(made), host.fail);
  const removeFactor = async () => {
    const title = t('accounts.factorTake');
    const text = t('accounts.factorTakeText', { name: account.name });
    if (!await confirmDialog({ title, text, action: title, danger: true, until: host.signal })) return;
    await run(async () => {
      await removeFactorOf(account.id);
      account = { ...account, secondFactor: false };
      toast(t('accounts.factorTaken'), { key: 'account' });
    })();
  };

  const show = () => {
    const focused = document.activeElement?.id;
    facts.textContent = accountWords(account);
    actions.replaceChildren(
      button('accounts.reset', () => void reset(), { id: 'person-reset' }),
      account.role === 'author'
        ? button('accounts.promote', change({ role: 'operator' }), { id: 'person-role' })
        : button('accounts.demote', change({ role: 'author' }), { id: 'person-role' }),
      account.active
        ? button('accounts.close', change({ active: false }), { id: 'person-active' })
        : button('accounts.reopen', change({ active: true }), { id: 'person-active' }),
      ...(account.secondFactor ? [button('accounts.factorTake', removeFactor, { id: 'person-factor' })] : []),
      localized(h('a', { class: 'button', href: `#/account/log?account=${account.id}`, id: 'person-log' }), 'accounts.log'),
    );
    if (!focused?.startsWith('person-')) return;
    const same = document.getElementById(focused);
    if (same) same.focus();
    else focusHeading(heading);
  };
  show();
  return h(
    'section',
    { class: 'account-form' },
    heading,
    facts,
    h('p', { class: 'form-note' }, t('accounts.since', { time: when(account.created) }), ' ',
      account.signedIn ? t('accounts.lastSignIn', { time: when(account.signedIn) }) : t('accounts.neverSignedIn'), ' ',
      t('accounts.uses', { size: bytes(account.bytes ?? 0) })),
    actions,
  );
}
