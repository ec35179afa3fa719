// One-time links: shown once when they are made, listed and revoked while they can be used.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { announce, toast } from '../ui/toast.js';
import { button, copyText } from './forms.js';
import { listLinks, revokeLink } from './operator-api.js';
import { when } from './origin-words.js';
import { fill, focusHeading } from './view.js';

/** @typedef {import('./operator-api.js').OpenLink} OpenLink */

/**
 * @param {import('./operator-api.js').NewLink} made
 * @returns {Promise<void>} settles when the dialog is closed
 */
export function showLink({ link, expires }) {
  const text = h('input', { type: 'text', class: 'field', readOnly: true, value: link, id: 'account-link', 'aria-label': t('accounts.linkTitle') });
  const dialog = showDialog(
    { title: t('accounts.linkTitle'), class: 'small-sheet' },
    h('p', {}, t('accounts.linkText', { time: when(expires) })),
    text,
    button('accounts.copy', async () => toast(t(await copyText(link, text) ? 'share.copied' : 'accounts.copyByHand'), { key: 'copied' }),
      { class: 'button primary' }),
  );
  text.select();
  return dialog.closed;
}

/**
 * @param {import('./view.js').Host} host
 * @returns {{ element: HTMLElement, refresh: () => Promise<void> }}
 */
export function linksSection(host) {
  const heading = localized(h('h2'), 'accounts.links');
  const element = h('section', { class: 'account-form', id: 'account-links' }, heading, localized(h('p', { class: 'form-note' }), 'accounts.linksText'));
  const list = h('ul', { class: 'account-list', id: 'link-list' });
  const none = localized(h('p', { class: 'form-note' }), 'accounts.linksNone');
  const refresh = async () => {
    const links = await listLinks();
    list.replaceChildren(...links.map((link) => row(link, () => void revoke(link.id))));
    none.hidden = links.length > 0;
  };
  const revoke = async (/** @type {number} */ id) => {
    try {
      await revokeLink(id);
      await refresh();
    } catch (error) {
      return host.fail(error);
    }
    focusHeading(heading);
    announce(t('accounts.revoked'));
  };
  fill(host, element, async () => {
    await refresh();
    return [list, none];
  });
  return { element, refresh };
}

/**
 * @param {OpenLink} link
 * @param {() => void} revoke
 */
function row({ id, kind, role, name, creator, made, expires }, revoke) {
  const purpose = kind === 'password'
    ? t('accounts.linkPassword', { name: name ?? '' })
    : t(role === 'operator' ? 'accounts.linkOperator' : 'accounts.linkAuthor');
  const maker = creator ? t('accounts.byPerson', { name: creator }) : t('accounts.commandLine');
  return h(
    'li',
    { dataset: { link: String(id) } },
    h('span', { class: 'account-words' },
      h('strong', {}, purpose),
      h('span', { class: 'form-note' }, `${when(made)} · ${maker}`),
      h('span', { class: 'form-note' }, t('accounts.until', { time: when(expires) }))),
    button('accounts.revoke', revoke, { class: 'button tiny-button', 'aria-label': t('accounts.revokeOf', { purpose }) }),
  );
}
