// Short messages at the top: said once to screen readers, gone by themselves unless there is something to decide.

import { find, h, icon } from '../core/dom.js';
import { labelled, localized } from '../core/i18n.js';

const SHOWN_MS = 6000;

/**
 * @param {string} text
 * @param {{ kind?: 'info' | 'warning', action?: { text: string, run: () => void }, key?: string, details?: string }} [options]
 *   `details`: what only some want to read; `key`: a new message with the same key takes the old one's place
 * @returns {() => void} closes it
 */
export function toast(text, options = {}) {
  const stack = find('#toasts', HTMLElement);
  if (options.key) stack.querySelector(`[data-key="${CSS.escape(options.key)}"]`)?.remove();
  const element = h(
    'div',
    { class: `toast ${options.kind ?? 'info'}`, dataset: options.key ? { key: options.key } : {} },
    icon(options.kind === 'warning' ? 'warning' : 'info'),
    h('span', { class: 'toast-text' }, text, details(options.details)),
  );
  const close = () => element.remove();
  if (options.action) {
    const { run, text: label } = options.action;
    element.append(h('button', {
      type: 'button',
      class: 'toast-action',
      onclick: () => {
        close();
        run();
      },
    }, label));
  }
  element.append(
    labelled(
      h('button', { type: 'button', class: 'round small plain', onclick: close }, icon('close')),
      'common.dismiss',
    ),
  );
  stack.append(element);
  while (stack.children.length > 3) stack.firstElementChild?.remove();
  if (!options.action) setTimeout(close, SHOWN_MS);
  return close;
}

/**
 * A long text that is there for whoever opens it.
 * @param {string | undefined} text
 */
export function details(text) {
  return text ? h('details', { class: 'more-details' }, localized(h('summary'), 'common.details'), h('p', {}, text)) : null;
}

/** @param {string} key */
export function closeToast(key) {
  document.querySelector(`#toasts [data-key="${CSS.escape(key)}"]`)?.remove();
}

/** How long a text can be come upon by who goes through the page; it was said at once. */
const SAID_MS = 10_000;
let forget = 0;

/**
 * Tells screen readers something that others see.
 * @param {string} text
 */
export function announce(text) {
  const live = find('#live', HTMLElement);
  if (live.textContent !== text) live.textContent = text;
  clearTimeout(forget);
  forget = window.setTimeout(() => (live.textContent = ''), SAID_MS);
}
