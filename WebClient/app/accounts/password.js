// Changing one's own password.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { changePassword, session } from './account-api.js';
import { form, newPassword, presentPassword } from './forms.js';
import { accountAddress } from './view.js';

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function passwordView(host) {
  const present = presentPassword('password-present');
  const next = newPassword('password-new');
  // Programs that keep passwords have to know whose it is.
  const name = h('input', { type: 'text', autocomplete: 'username', value: session()?.account?.name ?? '', readOnly: true, hidden: true });
  const element = form(
    { send: 'accounts.change', id: 'password-change' },
    async () => {
      await changePassword(present.input.value, next.input.value);
      toast(t('accounts.changed'));
      location.hash = accountAddress(host);
    },
    localized(h('h2'), 'accounts.change'),
    name,
    present.row,
    next.row,
    localized(h('p', { class: 'form-note' }), 'accounts.passwordHint'),
  );
  return { element };
}
