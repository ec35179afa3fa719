// The choice of what becomes of labels behind houses: where the server has a map with buildings.

import { segmented } from '../controls/segmented.js';
import { h } from '../core/dom.js';
import { loadTexts, localized } from '../core/i18n.js';
import { fetchSettings } from '../net/settings.js';
import { HIDDEN_LABELS, hiddenLabels, setHiddenLabels } from '../session/hidden-labels.js';

/** @returns {Promise<HTMLElement[]>} */
export async function hiddenSettings() {
  if (!(await fetchSettings()).ground) return [];
  await loadTexts('ground');
  return [
    localized(h('h3', { class: 'setting-name' }), 'ground.hidden'),
    segmented({
      label: 'ground.hidden', value: hiddenLabels(), id: 'settings-hidden', change: setHiddenLabels,
      options: HIDDEN_LABELS.map((value) => ({ value, text: /** @type {const} */ (`ground.${value}`) })),
    }),
  ];
}
