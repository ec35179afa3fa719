// The page that says what is stored of those who play, for how long, and how to have it deleted.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { pageFrame } from './frame.js';

const PARTS = /** @type {const} */ (['who', 'what', 'where', 'rounding', 'phone', 'long', 'see', 'delete', 'others']);

/**
 * @param {() => void} back
 * @returns {import('../parts.js').Page}
 */
export function showPrivacy(back) {
  const frame = pageFrame('tours-privacy', t('tours.privacyTitle'), back);
  frame.main.classList.add('tour-prose');
  for (const part of PARTS) {
    frame.main.append(
      h('h2', {}, t(`tours.privacy.${part}`)),
      h('p', {}, t(`tours.privacy.${part}Text`)),
    );
  }
  return { close: () => frame.element.remove() };
}
