// Links out of Sightline and links to what is shown in it.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { allowedLink } from '../net/addresses.js';
import { showDialog } from './dialog.js';
import { toast } from './toast.js';

/**
 * @param {string} url
 * @param {string} text
 */
export async function shareLink(url, text) {
  if (navigator.share) {
    try {
      return await navigator.share({ url, title: 'Sightline', text });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    toast(t('share.copied'));
  } catch {
    const field = h('input', { type: 'text', readOnly: true, value: url, class: 'field' });
    showDialog({ title: t('share.copyThis') }, field);
    field.select();
  }
}

/**
 * Asks before anything outside is opened.
 * @param {string} address
 */
export function leaveFor(address) {
  const url = allowedLink(address);
  if (!url) {
    toast(t('leave.refused'), { kind: 'warning' });
    return;
  }
  const where = url.host ? h('strong', {}, url.host) : h('strong', {}, url.protocol);
  const whole = h(
    'p',
    { class: 'leave-address' },
    where,
    url.host ? url.href.slice(url.href.indexOf(url.host) + url.host.length) : url.href.slice(url.protocol.length),
  );
  const go = localized(
    h('a', { class: 'button primary', href: url.href, target: '_blank', rel: 'noopener noreferrer', id: 'leave-open' }),
    'common.open',
  );
  const stay = localized(h('button', { type: 'button', class: 'button', id: 'leave-stay' }), 'common.stay');
  const dialog = showDialog(
    { title: t('leave.title'), class: 'small-sheet', id: 'leave' },
    h('p', {}, t('leave.text')),
    whole,
    h('div', { class: 'actions' }, stay, go),
  );
  stay.addEventListener('click', dialog.close);
  go.addEventListener('click', () => setTimeout(dialog.close));
  go.focus();
}
