// Signing in and out, one-time links, one's own account, and the operators' list of accounts.

import { h, icon } from '../core/dom.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import {
  acceptLink, AccountError, changePassword, onSession, openLink, refreshSession, send, session, signIn, signOut,
} from './account-api.js';

/**
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 * @typedef {import('../parts.js').Opening} Opening
 * @typedef {import('./account-api.js').Account} Account
 */

export class AccountPage {
  #life = new AbortController();
  /** The link that is being used: it opens nothing any more. */
  #used = '';

  /** @param {Opening} opening */
  constructor(opening) {
    this.opening = opening;
    this.main = h('main', { class: 'account-main' });
    this.element = h(
      'div',
      { class: 'page account-page', id: 'account-page' },
      h(
        'header',
        { class: 'part-head' },
        labelled(h('a', { class: 'round plain', href: '#/' }, icon('back')), 'common.back'),
        localized(h('h1'), 'accounts.title'),
      ),
      this.main,
    );
    document.body.append(this.element);
    onLanguage(() => this.#show(), this.#life.signal);
    onSession(() => this.#show(), this.#life.signal);
    void this.#begin();
  }

  /** @param {Opening} opening */
  follow(opening) {
    this.opening = opening;
    void this.#begin();
    return true;
  }

  async #begin() {
    try {
      await refreshSession();
    } catch (error) {
      this.#fail(error);
    }
    this.#show();
  }

  #show() {
    const [kind, token] = this.opening.path;
    if (kind === 'link' && token) return token === this.#used ? undefined : void this.#link(token);
    const known = session();
    if (!known) return this.main.replaceChildren(localized(h('p', { role: 'status' }), 'accounts.waiting'));
    if (known.account) this.#own(known.account);
    else this.#signIn(known.needsFirstAccount ?? false);
  }

  // Signing in

  /** @param {boolean} isNew whether the server has no account yet */
  #signIn(isNew) {
    const name = field('accounts.name', { autocomplete: 'username', id: 'account-name', autocapitalize: 'off', spellcheck: false });
    const password = field('accounts.password', { type: 'password', autocomplete: 'current-password', id: 'account-password' });
    const code = codeField();
    const message = h('p', { class: 'form-message', role: 'alert' });
    const form = h(
      'form',
      { class: 'account-form', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void attempt(form, message, async () => {
          await code.ask(() => signIn(name.input.value, password.input.value, code.value()));
          this.#onward();
        });
      } },
      localized(h('h2'), 'accounts.signIn'),
      isNew && localized(h('p', { class: 'form-note' }), 'accounts.first'),
      name.row,
      password.row,
      code.row,
      message,
      localized(h('button', { type: 'submit', class: 'button primary', id: 'account-sign-in' }), 'accounts.signIn'),
      localized(h('p', { class: 'form-note' }), 'accounts.how'),
    );
    // The code belongs to one account: another name is asked anew.
    name.input.addEventListener('input', code.hide);
    this.main.replaceChildren(form);
    name.input.focus();
  }

  /** Goes on to where signing in was asked for. */
  #onward() {
    const next = this.opening.query.get('next');
    if (next && /^#\/[\w/?=&.%-]*$/.test(next)) location.hash = next;
    else location.hash = '#/studio';
  }

  // One-time links

  /** @param {string} token */
  async #link(token) {
    this.main.replaceChildren(localized(h('p', { role: 'status' }), 'accounts.waiting'));
    let found;
    try {
      found = await openLink(token);
    } catch (error) {
      this.main.replaceChildren(
        h('p', { class: 'form-message', role: 'alert', id: 'account-link-failed' }, failure(error)),
        localized(h('a', { class: 'button', href: '#/account' }), 'accounts.signIn'),
      );
      return;
    }
    const { role, name: given } = found;
    const name = field('accounts.name', { autocomplete: 'username', id: 'account-name', autocapitalize: 'off', spellcheck: false });
    if (given) Object.assign(name.input, { value: given, readOnly: true });
    const password = field('accounts.newPassword', { type: 'password', autocomplete: 'new-password', id: 'account-password', minLength: 12 });
    const again = field('accounts.again', { type: 'password', autocomplete: 'new-password', id: 'account-again' });
    const code = codeField();
    const message = h('p', { class: 'form-message', role: 'alert' });
    const form = h(
      'form',
      { class: 'account-form', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (password.input.value !== again.input.value) return void (message.textContent = t('accounts.differ'));
        void attempt(form, message, async () => {
          this.#used = token;
          try {
            await code.ask(() => acceptLink(token, name.input.value, password.input.value, code.value()));
          } catch (error) {
            this.#used = '';
            throw error;
          }
          location.hash = '#/studio';
        });
      } },
      localized(h('h2'), given ? 'accounts.setPassword' : role === 'operator' ? 'accounts.makeOperator' : 'accounts.make'),
      name.row,
      password.row,
      localized(h('p', { class: 'form-note' }), 'accounts.passwordHint'),
      again.row,
      code.row,
      message,
      localized(h('button', { type: 'submit', class: 'button primary', id: 'account-accept' }), 'accounts.accept'),
    );
    this.main.replaceChildren(form);
    (given ? password : name).input.focus();
  }

  // One's own account

  /** @param {Account} account */
  #own(account) {
    const known = session();
    const room = known?.quota ? Math.round(((known.bytes ?? 0) / known.quota.bytes) * 100) : 0;
    this.main.replaceChildren(
      h(
        'section',
        { class: 'account-form' },
        h('h2', { id: 'account-who' }, account.name),
        h('p', { class: 'form-note' }, t(account.role === 'operator' ? 'accounts.operator' : 'accounts.author')),
        h('p', { class: 'form-note' }, t('accounts.room', { part: room, size: Math.round((known?.quota?.bytes ?? 0) / 1048576) })),
        h('progress', { max: 100, value: room, 'aria-label': t('accounts.roomLabel') }),
        h(
          'div',
          { class: 'actions' },
          localized(h('a', { class: 'button primary', href: '#/studio' }), 'accounts.toStudio'),
          localized(h('button', { type: 'button', class: 'button', id: 'account-sign-out', onclick: () => this.#leave(false) }), 'accounts.signOut'),
          localized(h('button', { type: 'button', class: 'button', onclick: () => this.#leave(true) }), 'accounts.signOutAll'),
        ),
      ),
      this.#passwordForm(),
    );
    if (account.role === 'operator') void this.#accounts(account);
  }

  /** @param {boolean} everywhere */
  async #leave(everywhere) {
    try {
      await signOut(everywhere);
    } catch (error) {
      this.#fail(error);
    }
  }

  #passwordForm() {
    const present = field('accounts.present', { type: 'password', autocomplete: 'current-password' });
    const next = field('accounts.newPassword', { type: 'password', autocomplete: 'new-password', minLength: 12 });
    const message = h('p', { class: 'form-message', role: 'alert' });
    const form = h(
      'form',
      { class: 'account-form', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void attempt(form, message, async () => {
          await changePassword(present.input.value, next.input.value);
          form.reset();
          toast(t('accounts.changed'));
        });
      } },
      localized(h('h2'), 'accounts.change'),
      present.row,
      next.row,
      localized(h('p', { class: 'form-note' }), 'accounts.passwordHint'),
      message,
      localized(h('button', { type: 'submit', class: 'button' }), 'accounts.change'),
    );
    return form;
  }

  // For operators

  /** @param {Account} self */
  async #accounts(self) {
    const list = h('ul', { class: 'account-list', id: 'account-list' });
    const invite = (/** @type {Account['role']} */ role, /** @type {TextKey} */ key) =>
      localized(h('button', { type: 'button', class: 'button', dataset: { invite: role }, onclick: () => void this.#showLink('/api/v1/accounts', { role }) }), key);
    this.main.append(
      h('section', { class: 'account-form' }, localized(h('h2'), 'accounts.all'), list,
        h('div', { class: 'actions' }, invite('author', 'accounts.inviteAuthor'), invite('operator', 'accounts.inviteOperator'))),
    );
    try {
      const { accounts } = await (await send('GET', '/api/v1/accounts')).json();
      list.replaceChildren(...accounts.map((/** @type {Account} */ account) => this.#account(account, self)));
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * @param {Account} account
   * @param {Account} self
   */
  #account(account, self) {
    const change = (/** @type {TextKey} */ key, /** @type {object} */ json) =>
      localized(h('button', { type: 'button', class: 'button tiny-button', onclick: async () => {
        try {
          await send('PATCH', `/api/v1/accounts/${account.id}`, { json });
          this.#show();
        } catch (error) {
          this.#fail(error);
        }
      } }), key);
    const role = t(account.role === 'operator' ? 'accounts.operatorShort' : 'accounts.authorShort');
    return h(
      'li',
      { dataset: { account: account.name } },
      h('span', { class: 'account-words' }, h('strong', {}, account.name),
        h('span', { class: 'form-note' }, account.active ? role : `${role} · ${t('accounts.closed')}`)),
      account.id !== self.id && h(
        'span',
        { class: 'actions' },
        localized(h('button', { type: 'button', class: 'button tiny-button', onclick: () => void this.#showLink(`/api/v1/accounts/${account.id}/reset`, {}) }), 'accounts.reset'),
        account.role === 'author' ? change('accounts.promote', { role: 'operator' }) : change('accounts.demote', { role: 'author' }),
        account.active ? change('accounts.close', { active: false }) : change('accounts.reopen', { active: true }),
      ),
    );
  }

  /**
   * @param {string} path
   * @param {object} json
   */
  async #showLink(path, json) {
    try {
      const { link, expires } = await (await send('POST', path, { json })).json();
      const text = h('input', { type: 'text', class: 'field', readOnly: true, value: link, id: 'account-link' });
      showDialog(
        { title: t('accounts.linkTitle'), class: 'small-sheet' },
        h('p', {}, t('accounts.linkText', { time: new Date(expires).toLocaleString(document.documentElement.lang) })),
        text,
        localized(h('button', { type: 'button', class: 'button primary', onclick: async () => {
          text.select();
          await navigator.clipboard?.writeText(link).then(() => toast(t('share.copied')), () => undefined);
        } }), 'accounts.copy'),
      );
      text.select();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    toast(failure(error), { kind: 'warning', key: 'account' });
  }

  state() {
    return { account: session()?.account?.name ?? null };
  }

  close() {
    this.#life.abort();
    this.element.remove();
  }
}

/**
 * @param {unknown} error
 * @returns {string} a sentence for people
 */
export function failure(error) {
  if (!(error instanceof AccountError)) throw error;
  return error.status === 0 ? t('accounts.network') : error.detail;
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} message
 * @param {() => Promise<void>} work
 */
async function attempt(form, message, work) {
  const button = form.querySelector('button[type=submit]');
  message.textContent = '';
  button?.toggleAttribute('disabled', true);
  try {
    await work();
  } catch (error) {
    message.textContent = failure(error);
  } finally {
    button?.toggleAttribute('disabled', false);
  }
}

/**
 * @param {TextKey} key
 * @param {Record<string, any>} props
 */
function field(key, props) {
  const input = h('input', { type: 'text', class: 'field', required: true, ...props });
  return { input, row: h('label', { class: 'form-row' }, localized(h('span'), key), input) };
}

/** A field for the code of the second factor: hidden until the server asks for one, for most accounts have none. */
function codeField() {
  const { input, row } = field('accounts.code', {
    id: 'account-code', autocomplete: 'one-time-code', autocapitalize: 'off', spellcheck: false, maxLength: 64, required: false,
  });
  row.append(localized(h('span', { class: 'form-note' }), 'accounts.codeHint'));
  const show = (/** @type {boolean} */ shown) => {
    row.hidden = !shown;
    input.required = shown;
    if (!shown) input.value = '';
  };
  show(false);
  return {
    row,
    hide: () => show(false),
    value: () => input.value.trim() || undefined,
    /** @param {() => Promise<unknown>} work a request that may be refused for want of a code */
    async ask(work) {
      try {
        await work();
      } catch (error) {
        const isAsked = error instanceof AccountError && error.code === 'account.second-factor';
        const isWrong = error instanceof AccountError && error.code === 'account.code';
        if (isAsked || isWrong) {
          show(true);
          // A code is taken once, so what was typed is of no more use.
          input.value = '';
          input.focus();
        }
        // What the server says here is for programs.
        if (isAsked) throw new AccountError(error.status, error.code, t('accounts.codeWanted'));
        throw error;
      }
    },
  };
}
