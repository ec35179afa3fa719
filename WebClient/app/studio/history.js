// Earlier drafts, and copies that could not be joined: looked at, and brought back as a step that can be undone.

import { h } from '../core/dom.js';
import { language, localized, t, tn } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { failure } from '../accounts/forms.js';
import { earlierDraft, keptCopy, removeCopy, worldHistory } from './studio-api.js';

/** @typedef {import('./editor.js').Editor} Editor */

/** @param {Editor} editor */
export async function historyDialog(editor) {
  const { id } = editor.world;
  let answer;
  try {
    answer = await worldHistory(id);
  } catch (error) {
    return void toast(failure(error), { kind: 'warning', key: 'studio' });
  }
  const when = (/** @type {string} */ date) => new Date(date).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
  const bring = (/** @type {() => Promise<import('../types').Dimension>} */ load, /** @type {string} */ name) => async () => {
    try {
      const dimension = await load();
      editor.selected = null;
      editor.draft.edit(() => dimension);
      dialog.close();
      editor.showPanel();
      editor.map.fit();
      toast(t('studio.broughtBack', { name }), { key: 'studio-history', action: { text: t('studio.undo'), run: () => editor.undo() } });
    } catch (error) {
      toast(failure(error), { kind: 'warning', key: 'studio' });
    }
  };
  const copies = answer.copies.map((copy) => {
    const item = h(
      'li',
      { dataset: { copy: String(copy.number) } },
      h('span', { class: 'account-words' }, h('strong', {}, t('studio.copy', { number: copy.number, name: copy.author })),
        h('span', { class: 'form-note' }, `${when(copy.saved)} · ${tn('places', copy.places)}`)),
      h('span', { class: 'actions' },
        localized(h('button', { type: 'button', class: 'button tiny-button', onclick: bring(() => keptCopy(id, copy.number), t('studio.copy', { number: copy.number, name: copy.author })) }), 'studio.bringBack'),
        localized(h('button', { type: 'button', class: 'button tiny-button', onclick: async () => {
          await removeCopy(id, copy.number).then(() => item.remove(), (error) => toast(failure(error), { kind: 'warning' }));
        } }), 'studio.remove')),
    );
    return item;
  });
  const drafts = answer.drafts.map((draft) => h(
    'li',
    { dataset: { version: String(draft.version) } },
    h('span', { class: 'account-words' },
      h('strong', {}, `${t('studio.version', { number: draft.version })}${draft.published ? ` · ${t('studio.isPublished')}` : draft.wasPublished ? ` · ${t('studio.wasPublished')}` : ''}`),
      h('span', { class: 'form-note' }, `${when(draft.saved)} · ${draft.author} · ${tn('places', draft.places)}`)),
    draft.version !== editor.draft.version &&
      localized(h('button', { type: 'button', class: 'button tiny-button', onclick: bring(() => earlierDraft(id, draft.version), t('studio.version', { number: draft.version })) }), 'studio.bringBack'),
  ));
  const dialog = showDialog(
    { title: t('studio.history'), id: 'history-dialog', class: 'wide-sheet' },
    copies.length > 0 && localized(h('h3', {}), 'studio.copies'),
    copies.length > 0 && h('ul', { class: 'account-list' }, ...copies),
    copies.length > 0 && localized(h('h3', {}), 'studio.drafts'),
    h('ul', { class: 'account-list', id: 'history-list' }, ...drafts),
  );
}
