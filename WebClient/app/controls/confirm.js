// A question before something that cannot be taken back: in the page's own dialog, in its language and look.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';

/**
 * @param {{ title: string, text?: string, action: string, danger?: boolean, until?: AbortSignal }} options `title` is the question, `action` what
 *   the button does; `danger` for what destroys something; `until` closes the question when the page goes that it stands on
 * @returns {Promise<boolean>} whether it is wanted; closing the dialog in any other way means no
 */
export async function confirmDialog({ title, text, action, danger = false, until }) {
  let isWanted = false;
  const go = h('button', {
    type: 'button', class: `button primary${danger ? ' danger' : ''}`, id: 'confirm-yes',
    onclick: () => {
      isWanted = true;
      dialog.close();
    },
  }, action);
  const stay = h('button', { type: 'button', class: 'button', id: 'confirm-no', onclick: () => dialog.close() }, t('common.cancel'));
  const dialog = showDialog({ title, id: 'confirm' }, text ? h('p', {}, text) : null, h('div', { class: 'actions' }, go, stay));
  // What destroys something is not what an Enter out of habit chooses.
  (danger ? stay : go).focus();
  until?.addEventListener('abort', dialog.close, { once: true });
  await dialog.closed;
  return isWanted;
}
