// Deleting one's own account: what goes with it, then the proof that it is meant.

import { h } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { belongingsList } from './belongings.js';
import { form } from './forms.js';
import { deleteOwnAccount, ownBelongings } from './own-api.js';
import { proofFields } from './proof.js';
import { fill } from './view.js';

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function deletionView(host) {
  const element = h('div', { class: 'account-steps' });
  const section = h('section', { class: 'account-form' }, localized(h('h2'), 'accounts.delete'), localized(h('p', {}), 'accounts.deleteText'));
  element.append(section);
  fill(host, section, async () => {
    const found = await ownBelongings();
    const proof = proofFields();
    element.append(form(
      { send: 'accounts.deleteNow', id: 'delete-now', isDangerous: true },
      async () => {
        await proof.ask(deleteOwnAccount);
        toast(t('accounts.deleted'), { key: 'account' });
        location.hash = '#/account';
      },
      localized(h('h3'), 'accounts.deleteProof'),
      ...proof.rows,
    ));
    return [
      localized(h('h3'), 'accounts.belongings'),
      belongingsList(found),
      localized(h('p', {}), 'accounts.deleteStays'),
      ...(found.sharedWorlds ? [h('p', {}, tn('accounts.shared', found.sharedWorlds))] : []),
      localized(h('a', { class: 'button', href: '#/studio' }), 'accounts.toStudio'),
    ];
  });
  return { element };
}
