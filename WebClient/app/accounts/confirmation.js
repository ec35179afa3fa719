// A question once more before something that cannot be taken back.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { button } from './forms.js';

/**
 * @param {import('../core/i18n.js').TextKey} title says what the button does, too
 * @param {string} text
 * @param {AbortSignal} until closes the question
 * @param {() => Promise<void>} work
 */
export function confirmation(title, text, until, work) {
  const dialog = showDialog(
    { title: t(title), id: 'confirmation', class: 'small-sheet' },
    h('p', {}, text),
    h('div', { class: 'actions' },
      button('accounts.cancel', () => dialog.close(), { id: 'confirm-no' }),
      button(title, () => {
        dialog.close();
        void work();
      }, { id: 'confirm-yes', class: 'button primary danger' })),
  );
  until.addEventListener('abort', dialog.close);
  document.getElementById('confirm-no')?.focus();
}
