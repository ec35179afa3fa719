// An address that leads to nothing: a world that is not here, or a page that does not exist.

import { h, icon } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';

/**
 * @param {import('../core/i18n.js').TextKey} title
 * @param {string} address as it was asked for
 * @returns {import('../parts.js').Page}
 */
export function openMissing(title, address) {
  const life = new AbortController();
  const text = h('p', { class: 'missing-text' });
  const heading = localized(h('h1', { tabIndex: -1 }), title);
  const page = h('main', { id: 'missing', class: 'page missing' }, icon('search'), heading, text,
    h('a', { class: 'button primary large', href: '#/' }, localized(h('span'), 'missing.start')));
  const say = () => (text.textContent = t('missing.text', { address }));
  say();
  onLanguage(say, life.signal);
  document.title = `${t(title)} · ${t('app.name')}`;
  document.body.append(page);
  heading.focus();
  return {
    state: () => ({ missing: address }),
    close: () => {
      life.abort();
      page.remove();
    },
  };
}
