// One-time links: what one is for, and the account or the password that is made with it.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { acceptLink, AccountError, openLink, session } from './account-api.js';
import { codeField, failure, field, form, nameField, newPassword } from './forms.js';

/**
 * @param {import('./view.js').Host} host
 * @param {string} token
 * @returns {import('./view.js').View}
 */
export function linkView(host, token) {
  /** Whether the link is being used: it opens nothing any more. */
  let isUsed = false;
  const element = h('div', { class: 'account-steps' }, localized(h('p', { role: 'status' }), 'accounts.waiting'));
  const begin = async () => {
    try {
      const { role, name } = await openLink(token);
      if (!host.signal.aborted) show(role, name);
    } catch (error) {
      element.replaceChildren(
        h('p', { class: 'form-message', role: 'alert', id: 'account-link-failed' }, failure(error)),
        localized(h('a', { class: 'button', href: '#/account' }), 'accounts.signIn'),
      );
    }
  };

  /**
   * @param {import('./account-api.js').Account['role']} role
   * @param {string | null} given the name of an account that is there already
   */
  const show = (role, given) => {
    const name = nameField('account-name');
    if (given) Object.assign(name.input, { value: given, readOnly: true });
    const password = newPassword('account-password');
    const again = field('accounts.again', { type: 'password', autocomplete: 'new-password', id: 'account-again' });
    const code = codeField();
    element.replaceChildren(form(
      { send: 'accounts.accept', id: 'account-accept' },
      async () => {
        if (password.input.value !== again.input.value) throw new AccountError(422, 'differ', t('accounts.differ'));
        isUsed = true;
        try {
          await code.ask(() => acceptLink(token, name.input.value, password.input.value, code.value()));
        } catch (error) {
          isUsed = false;
          throw error;
        }
        location.hash = session()?.needsSecondFactor ? '#/account' : '#/studio';
      },
      localized(h('h2'), given ? 'accounts.setPassword' : role === 'operator' ? 'accounts.makeOperator' : 'accounts.make'),
      name.row,
      password.row,
      localized(h('p', { class: 'form-note' }), 'accounts.passwordHint'),
      again.row,
      code.row,
    ));
    (given ? password : name).input.focus();
  };

  void begin();
  return { element, focus: () => undefined, holds: () => isUsed };
}
