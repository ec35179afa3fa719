// What the account page is made of: one view at a time, each with an address of its own.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { button, failure } from './forms.js';

/**
 * What a view may do with the page.
 * @typedef {{
 *   signal: AbortSignal, query: URLSearchParams, show: () => void, onward: () => void, fail: (error: unknown) => void
 * }} Host `signal`: when the view is closed; `show`: shows the view of this address anew; `onward`: goes to where signing
 *   in was asked for
 *
 * @typedef {{ element: HTMLElement, focus?: () => void, holds?: () => boolean }} View
 *   `focus`: where typing begins, else the first heading is read out; `holds`: whether it stays when the session changes:
 *   it is at work, or shows what is shown only once
 */

/**
 * A section that needs an answer of the server before it can be shown.
 * @param {Host} host
 * @param {HTMLElement} section what is before the answer; what is made of the answer comes after it
 * @param {() => Promise<HTMLElement[]>} load
 */
export function fill(host, section, load) {
  const status = localized(h('p', { role: 'status', class: 'form-note' }), 'accounts.waiting');
  section.append(status);
  const begin = async () => {
    try {
      const parts = await load();
      if (!host.signal.aborted) status.replaceWith(...parts);
    } catch (error) {
      if (host.signal.aborted) return;
      status.replaceChildren(failure(error), ' ', button('common.retry', () => {
        status.textContent = t('accounts.waiting');
        void begin();
      }, { class: 'button tiny-button' }));
    }
  };
  void begin();
}

/**
 * The address of a view that keeps in mind where signing in was asked for.
 * @param {Host} host
 * @param {string} [name] of the view; without one the overview
 */
export function accountAddress({ query }, name) {
  const next = query.get('next');
  return `#/account${name ? `/${name}` : ''}${next ? `?next=${encodeURIComponent(next)}` : ''}`;
}

/**
 * Gives the focus to a heading, so that screen readers say where one is now.
 * @param {Element | null} heading
 */
export function focusHeading(heading) {
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus();
}
