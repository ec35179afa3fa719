// A question for the password, and for the code where there is a second factor: for what a session alone is not enough.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { codeField, form, presentPassword } from './forms.js';
import { hasFactor } from './own-api.js';

/** @typedef {import('../core/i18n.js').TextKey} TextKey */

/**
 * The fields of the proof, for forms that stand on a page.
 */
export function proofFields() {
  const password = presentPassword('proof-password');
  const code = codeField({ id: 'proof-code', isShown: hasFactor() });
  return {
    rows: [password.row, code.row],
    focus: () => password.input.focus(),
    /**
     * @template T
     * @param {(password: string, code?: string) => Promise<T>} work
     */
    ask: (work) => code.ask(() => work(password.input.value, code.value())),
  };
}

/**
 * @template T
 * @param {{ title: TextKey, text: TextKey, send: TextKey, isDangerous?: boolean }} words
 * @param {AbortSignal} until closes the dialog
 * @param {(password: string, code?: string) => Promise<T>} work may throw what the server refuses; the dialog stays then
 * @param {(result: T) => void} done called when the dialog is closed: under it nothing can get the focus
 */
export function askProof(words, until, work, done) {
  const proof = proofFields();
  const dialog = showDialog(
    { title: t(words.title), id: 'proof', class: 'small-sheet' },
    h('p', {}, t(words.text)),
    form(
      { class: 'form-rows', send: words.send, id: 'proof-send', isDangerous: words.isDangerous },
      async () => {
        const result = await proof.ask(work);
        dialog.close();
        done(result);
      },
      ...proof.rows,
    ),
  );
  until.addEventListener('abort', dialog.close);
  proof.focus();
}
