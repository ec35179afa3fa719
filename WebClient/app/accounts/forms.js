// Parts of the account pages' forms: fields, messages, and what a refusal says.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { AccountError } from './account-api.js';

/** @typedef {import('../core/i18n.js').TextKey} TextKey */

/**
 * @param {unknown} error
 * @returns {string} a sentence for people
 */
export function failure(error) {
  if (!(error instanceof AccountError)) throw error;
  return error.status === 0 ? t('accounts.network') : error.detail;
}

/** Where a form says what went wrong: read out at once. */
export const messageLine = () => h('p', { class: 'form-message', role: 'alert' });

/**
 * Sends a form, once at a time, and shows why it was refused.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} message
 * @param {() => Promise<void>} work
 */
export async function attempt(form, message, work) {
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
 * A form with one button to send it.
 * @param {{ class?: string, send: TextKey, id?: string, isDangerous?: boolean }} options `id` of the button
 * @param {() => Promise<void>} work may throw what the server refuses
 * @param {...import('../core/dom.js').Child} rows
 */
export function form(options, work, ...rows) {
  const message = messageLine();
  const button = h('button', { type: 'submit', class: `button ${options.isDangerous ? 'danger' : 'primary'}`, id: options.id });
  const element = h(
    'form',
    { class: options.class ?? 'account-form', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      void attempt(element, message, work);
    } },
    ...rows,
    message,
    localized(button, options.send),
  );
  return element;
}

/**
 * @param {TextKey} key
 * @param {Record<string, any>} props
 */
export function field(key, props) {
  const input = h('input', { type: 'text', class: 'field', required: true, ...props });
  return { input, row: h('label', { class: 'form-row' }, localized(h('span'), key), input) };
}

/** @param {string} id */
export const nameField = (id) =>
  field('accounts.name', { autocomplete: 'username', id, autocapitalize: 'off', spellcheck: false });

/** @param {string} id */
export const presentPassword = (id) => field('accounts.present', { type: 'password', autocomplete: 'current-password', id });

/** @param {string} id */
export const newPassword = (id) => field('accounts.newPassword', { type: 'password', autocomplete: 'new-password', id, minLength: 12 });

/**
 * A field for the code of the second factor: hidden until the server asks for one, for most accounts have none.
 * @param {{ id?: string, isShown?: boolean }} options `isShown`: the account is known to have one
 */
export function codeField({ id = 'account-code', isShown = false } = {}) {
  const { input, row } = field('accounts.code', {
    id, autocomplete: 'one-time-code', autocapitalize: 'off', spellcheck: false, maxLength: 64, required: false,
  });
  row.append(localized(h('span', { class: 'form-note' }), 'accounts.codeHint'));
  const show = (/** @type {boolean} */ shown) => {
    row.hidden = !shown;
    input.required = shown;
    if (!shown) input.value = '';
  };
  show(isShown);
  return {
    row,
    hide: () => show(false),
    value: () => input.value.trim() || undefined,
    /**
     * @template T
     * @param {() => Promise<T>} work a request that may be refused for want of a code
     */
    async ask(work) {
      try {
        return await work();
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

/**
 * @param {TextKey} key
 * @param {() => void} run
 * @param {Record<string, any>} [props]
 */
export const button = (key, run, props = {}) =>
  localized(h('button', { type: 'button', class: 'button', onclick: run, ...props }), key);

/**
 * Copies a text, or selects it where the browser does not let pages copy (without encryption none does).
 * @param {string} text
 * @param {HTMLElement} shown the element that shows it
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown instanceof HTMLInputElement) shown.select();
    else getSelection()?.selectAllChildren(shown);
    return false;
  }
}
