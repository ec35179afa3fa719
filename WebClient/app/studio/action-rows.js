// What a tap does, of places and overlays.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { selectRow, textRow } from './form.js';

/**
 * @typedef {import('../types').Action} Action
 * @typedef {import('./editor.js').Editor} Editor
 */

/**
 * @param {Editor} editor
 * @param {Action | undefined} action
 * @param {(action: Action | undefined) => void} change
 * @param {(action: Action | undefined) => void} rebuild after it the rows are other ones
 * @returns {(Node | false)[]}
 */
export function actionRows(editor, action, change, rebuild) {
  const kinds = /** @type {[string, string][]} */ ([
    ['none', t('studio.doNothing')], ['webPage', t('studio.doPage')], ['dimension', t('studio.doWorld')], ['refresh', t('studio.doRefresh')],
  ]);
  const choose = (/** @type {string} */ kind) => {
    if (kind === 'none') return rebuild(undefined);
    if (kind === 'refresh') return rebuild({ kind });
    rebuild({ kind: kind === 'webPage' ? 'webPage' : 'dimension', url: '' });
  };
  /** @type {HTMLElement[]} */
  const rows = [selectRow('studio.action', action?.kind ?? 'none', kinds, choose, { id: 'action-kind' })];
  if (action?.kind === 'webPage') {
    rows.push(textRow('studio.address', action.url, (url) => change({ kind: 'webPage', url }), { inputMode: 'url', placeholder: 'https://', id: 'action-url' }));
  } else if (action?.kind === 'dimension') {
    rows.push(
      textRow('studio.worldAddress', action.url, (url) => change({ kind: 'dimension', url }), { inputMode: 'url', list: 'studio-worlds', id: 'action-url' }),
      h('datalist', { id: 'studio-worlds' }, ...editor.worlds.map((world) => h('option', { value: `${location.origin}/worlds/${world.id}.gddf` }, world.title))),
    );
  }
  return rows;
}
