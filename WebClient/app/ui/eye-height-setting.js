// The row in which the reader says how far the phone is above the ground: what stands on it is drawn that far below.

import { h } from '../core/dom.js';
import { shortLength } from '../core/format.js';
import { loadTexts, localized } from '../core/i18n.js';
import { EYE_HEIGHTS, eyeHeight, setEyeHeight } from '../session/eye-height.js';

/** @returns {Promise<HTMLElement[]>} */
export async function eyeHeightSetting() {
  await loadTexts('ground');
  const chooser = h('select', {
    class: 'select', id: 'settings-eye-height', onchange: () => setEyeHeight(Number(chooser.value)),
  }, ...EYE_HEIGHTS.map((metres) => h('option', { value: String(metres) }, shortLength(metres))));
  chooser.value = String(eyeHeight());
  return [
    h('label', { class: 'setting' }, localized(h('span'), 'ground.eyeHeight'), chooser),
    localized(h('p', { class: 'setting-hint' }), 'ground.eyeHeightHint'),
  ];
}
