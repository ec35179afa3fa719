// Recovery codes, which are shown only once: to copy, to save, or to write down.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { announce, toast } from '../ui/toast.js';
import { button, copyText } from './forms.js';

/**
 * The file they are saved in.
 * @param {string[]} codes
 * @param {{ heading: string, note: string }} words
 */
export const codesFile = (codes, { heading, note }) => `${heading}\n${note}\n\n${codes.join('\n')}\n`;

/**
 * @param {string[]} codes
 * @param {{ name: string, isNew: boolean }} options `name` of the account; `isNew`: the second factor was set up just now
 * @param {() => void} done
 */
export function recoveryCodesSection(codes, { name, isNew }, done) {
  const list = h('ol', { class: 'recovery-codes', id: 'recovery-codes', translate: false }, ...codes.map((code) => h('li', {}, h('code', {}, code))));
  const copy = async () => {
    if (await copyText(codes.join('\n'), list)) toast(t('accounts.codesCopied'), { key: 'copied' });
    else toast(t('accounts.copyByHand'), { key: 'copied' });
  };
  const save = () => {
    const words = { heading: t('accounts.codesFile', { server: location.host, name }), note: t('accounts.codesOnce') };
    const url = URL.createObjectURL(new Blob([codesFile(codes, words)], { type: 'text/plain' }));
    h('a', { href: url, download: `sightline-${name.replace(/[^\w.-]+/g, '_')}.txt` }).click();
    // The browser reads it after this turn.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    announce(t('accounts.codesSaved'));
  };
  return h(
    'section',
    { class: 'account-form', id: 'recovery' },
    localized(h('h2'), 'accounts.codes'),
    isNew && localized(h('p', { id: 'factor-set' }), 'accounts.factorSet'),
    localized(h('p', {}), 'accounts.codesText'),
    list,
    h('div', { class: 'actions' },
      button('accounts.copy', () => void copy(), { id: 'recovery-copy' }),
      button('accounts.saveFile', save, { id: 'recovery-save' })),
    localized(h('p', { class: 'form-note' }), 'accounts.codesOnce'),
    button('accounts.codesKept', done, { class: 'button primary', id: 'recovery-done' }),
  );
}
