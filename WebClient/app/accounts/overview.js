// One's own account at a glance, with the ways to everything about it; for operators also everybody's.

import { h, icon } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { session, signOut } from './account-api.js';
import { button } from './forms.js';
import { accountsSection } from './operators.js';

/** @typedef {import('./account-api.js').SessionAnswer} SessionAnswer */

/** So few recovery codes are worth a word. */
const FEW_CODES = 3;

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function overview(host) {
  const known = /** @type {SessionAnswer} */ (session());
  const account = /** @type {import('./account-api.js').Account} */ (known.account);
  const room = known.quota ? Math.round(((known.bytes ?? 0) / known.quota.bytes) * 100) : 0;
  const leave = () => void signOut(false).catch(host.fail);
  return {
    element: h(
      'div',
      { class: 'account-steps' },
      h(
        'section',
        { class: 'account-form' },
        h('h2', { id: 'account-who' }, account.name),
        h('p', { class: 'form-note' }, t(account.role === 'operator' ? 'accounts.operator' : 'accounts.author')),
        h('p', { class: 'form-note' }, t('accounts.room', { part: room, size: Math.round((known.quota?.bytes ?? 0) / 1048576) })),
        h('progress', { max: 100, value: room, 'aria-label': t('accounts.roomLabel') }),
        h(
          'div',
          { class: 'actions' },
          localized(h('a', { class: 'button primary', href: '#/studio' }), 'accounts.toStudio'),
          button('accounts.signOut', leave, { id: 'account-sign-out' }),
        ),
      ),
      h(
        'section',
        { class: 'account-form' },
        localized(h('h2'), 'accounts.security'),
        h(
          'ul',
          { class: 'account-ways' },
          way('second-factor', 'lock', 'accounts.factor', factorState(known)),
          way('password', 'edit', 'accounts.change', ''),
          way('sessions', 'phone', 'accounts.sessions', ''),
          way('log', 'list', 'accounts.log', ''),
          way('delete', 'warning', 'accounts.delete', ''),
        ),
      ),
      account.role === 'operator' && accountsSection(host, account),
    ),
  };
}

/**
 * @param {string} name of the view
 * @param {string} symbol
 * @param {import('../core/i18n.js').TextKey} key
 * @param {string} state
 */
function way(name, symbol, key, state) {
  return h('li', {}, h(
    'a',
    { class: 'account-way', href: `#/account/${name}`, id: `to-${name}` },
    icon(symbol),
    h('span', { class: 'account-words' }, localized(h('strong'), key), state && h('span', { class: 'form-note' }, state)),
    icon('go'),
  ));
}

/** @param {SessionAnswer} known */
function factorState({ account, recoveryCodes = 0 }) {
  if (!account?.secondFactor) return t('accounts.factorOff');
  const left = tn('accounts.codesLeft', recoveryCodes);
  return recoveryCodes < FEW_CODES ? `${left} ${t('accounts.codesFew')}` : `${t('accounts.factorOn')} ${left}`;
}
