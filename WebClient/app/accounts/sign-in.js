// Signing in with name and password.

import { h } from '../core/dom.js';
import { localized } from '../core/i18n.js';
import { session, signIn } from './account-api.js';
import { codeField, field, form, nameField } from './forms.js';

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function signInView(host) {
  const name = nameField('account-name');
  const password = field('accounts.password', { type: 'password', autocomplete: 'current-password', id: 'account-password' });
  const code = codeField();
  /** Whether it is on its way: what comes next is decided when it is done. */
  let isSending = false;
  const element = form(
    { send: 'accounts.signIn', id: 'account-sign-in' },
    async () => {
      isSending = true;
      try {
        await code.ask(() => signIn(name.input.value, password.input.value, code.value()));
      } finally {
        isSending = false;
      }
      host.onward();
    },
    localized(h('h2'), 'accounts.signIn'),
    // The server has no account yet.
    session()?.needsFirstAccount && localized(h('p', { class: 'form-note' }), 'accounts.first'),
    name.row,
    password.row,
    code.row,
  );
  element.append(localized(h('p', { class: 'form-note' }), 'accounts.how'));
  // The code belongs to one account: another name is asked anew.
  name.input.addEventListener('input', code.hide);
  return { element, focus: () => name.input.focus(), holds: () => isSending };
}
