// The second factor: setting it up in three steps, taking it away, and new recovery codes.

import { h } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { refreshSession, session, signOut } from './account-api.js';
import { button, copyText, field, form, presentPassword } from './forms.js';
import { beginFactor, confirmFactor, hasFactor, removeFactor, renewRecoveryCodes } from './own-api.js';
import { askProof } from './proof.js';
import { recoveryCodesSection } from './recovery-codes.js';
import { accountAddress, focusHeading } from './view.js';

/** @typedef {import('./own-api.js').FactorOffer} FactorOffer */

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function secondFactorView(host) {
  const isRequired = session()?.needsSecondFactor ?? false;
  const element = h('div', { class: 'account-steps' });
  let holds = false;

  /** @param {...HTMLElement} sections the next step */
  const step = (...sections) => {
    if (host.signal.aborted) return;
    element.replaceChildren(...sections);
    focusHeading(element.querySelector('h2'));
  };

  /** @param {string[]} codes @param {boolean} isNew whether the second factor was set up just now */
  const showCodes = async (codes, isNew) => {
    holds = true;
    step(recoveryCodesSection(codes, { name: session()?.account?.name ?? '', isNew }, async () => {
      try {
        await refreshSession();
      } catch (error) {
        return host.fail(error);
      }
      holds = false;
      if (isRequired) host.onward();
      else host.show();
    }));
    // The codes stand already: when the network fails now, they stay, and it is asked again with the button.
    await refreshSession().catch(host.fail);
  };

  if (hasFactor()) element.append(state(host, (codes) => void showCodes(codes, false)));
  else {
    element.append(
      passwordStep(isRequired, (offer) => step(scanStep(offer, (codes) => void showCodes(codes, true)))),
      ...(isRequired ? [meanwhile(host)] : []),
    );
  }
  return { element, holds: () => holds };
}

/**
 * What holds now, and what can be done about it.
 * @param {import('./view.js').Host} host
 * @param {(codes: string[]) => void} renewed
 */
function state(host, renewed) {
  const renew = () =>
    askProof({ title: 'accounts.codesNew', text: 'accounts.codesNewText', send: 'accounts.codesNew' }, host.signal, renewRecoveryCodes, renewed);
  const remove = () =>
    askProof({ title: 'accounts.factorRemove', text: 'accounts.factorRemoveText', send: 'accounts.factorRemove', isDangerous: true }, host.signal, removeFactor,
      () => void toast(t('accounts.factorRemoved'), { key: 'account' }));
  return h(
    'section',
    { class: 'account-form' },
    localized(h('h2'), 'accounts.factor'),
    localized(h('p', { id: 'factor-on' }), 'accounts.factorOnText'),
    h('p', { id: 'factor-codes' }, tn('accounts.codesLeft', session()?.recoveryCodes ?? 0)),
    h('div', { class: 'actions' },
      button('accounts.codesNew', renew, { id: 'factor-renew' }),
      button('accounts.factorRemove', remove, { id: 'factor-remove', class: 'button danger' })),
  );
}

/**
 * @param {boolean} isRequired
 * @param {(offer: FactorOffer) => void} done
 */
function passwordStep(isRequired, done) {
  const password = presentPassword('factor-password');
  return form(
    { send: 'accounts.factorBegin', id: 'factor-begin' },
    async () => done(await beginFactor(password.input.value)),
    localized(h('h2'), 'accounts.factorSetUp'),
    isRequired && localized(h('p', { id: 'factor-required' }), 'accounts.factorRequired'),
    localized(h('p', {}), 'accounts.factorText'),
    password.row,
  );
}

/** @param {import('./view.js').Host} host what can be done without a second factor where the server asks for one */
function meanwhile(host) {
  return h(
    'section',
    { class: 'account-form' },
    localized(h('p', { class: 'form-note' }), 'accounts.factorMeanwhile'),
    h('div', { class: 'actions' },
      localized(h('a', { class: 'button', href: accountAddress(host, 'password'), id: 'to-password' }), 'accounts.change'),
      button('accounts.signOut', () => void signOut(false).catch(host.fail), { id: 'account-sign-out' })),
  );
}

/**
 * @param {FactorOffer} offer
 * @param {(codes: string[]) => void} done
 */
function scanStep({ secret, uri, svg }, done) {
  const { input, row } = field('accounts.code', {
    id: 'factor-code', autocomplete: 'one-time-code', inputMode: 'numeric', spellcheck: false, maxLength: 16,
  });
  // In groups it is easier to type; programs skip the blanks.
  const shown = h('code', { class: 'factor-secret', id: 'factor-secret', translate: false }, secret.match(/.{1,4}/g)?.join(' ') ?? secret);
  const copy = async () => toast(t(await copyText(secret, shown) ? 'accounts.secretCopied' : 'accounts.copyByHand'), { key: 'copied' });
  return form(
    { send: 'accounts.factorConfirm', id: 'factor-confirm' },
    async () => {
      const code = input.value;
      // A wrong code is of no more use, and the next one is typed at once.
      input.value = '';
      input.focus();
      done(await confirmFactor(code));
    },
    localized(h('h2'), 'accounts.factorScan'),
    localized(h('p', {}), 'accounts.factorScanText'),
    svg && h('img', { class: 'factor-code', id: 'factor-qr', src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: t('accounts.factorQR') }),
    h('div', { class: 'form-row' }, localized(h('span'), 'accounts.secret'), shown),
    h('div', { class: 'actions' },
      button('accounts.copySecret', () => void copy(), { id: 'factor-copy' }),
      localized(h('a', { class: 'button', href: uri, id: 'factor-open' }), 'accounts.openApp')),
    row,
    localized(h('p', { class: 'form-note' }), 'accounts.factorScanHint'),
  );
}
