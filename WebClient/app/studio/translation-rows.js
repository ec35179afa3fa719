// The same texts in other languages.

import { h } from '../core/dom.js';
import { language, languages, localized, t } from '../core/i18n.js';
import { areaRow, button, selectRow, textRow } from './form.js';

/**
 * @typedef {import('../types').Wording} Wording
 * @typedef {import('./editor.js').Editor} Editor
 */

/** @param {string} code */
export const languageName = (code) => new Intl.DisplayNames([language()], { type: 'language' }).of(code) ?? code;

/** What a world may be written in, beside the languages of the interface. */
const MORE = ['ar', 'bg', 'cs', 'da', 'el', 'fi', 'hr', 'hu', 'it', 'ja', 'ko', 'nb', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'tr', 'uk'];

/** @returns {[string, string][]} codes with their names in the user's language, sorted */
export function languageOptions() {
  const codes = [...new Set([...languages().map(({ code }) => code), ...MORE])];
  return codes.map((code) => /** @type {[string, string]} */ ([code, languageName(code)]))
    .sort((a, b) => a[1].localeCompare(b[1], language()));
}

/**
 * @param {Editor} editor
 * @param {Record<string, Wording> | undefined} translations
 * @param {(translations: Record<string, Wording> | undefined) => void} change
 * @param {('title' | 'text' | 'summary')[]} members
 * @returns {Node[]}
 */
export function translationRows(editor, translations, change, members) {
  let now = translations ?? {};
  const own = editor.draft.dimension.language;
  const keys = /** @type {const} */ ({ title: 'studio.title', text: 'studio.label', summary: 'studio.text' });
  const put = (/** @type {string} */ code, /** @type {Wording | undefined} */ wording) => {
    const next = { ...now };
    if (wording) next[code] = wording;
    else delete next[code];
    now = next;
    change(Object.keys(next).length ? next : undefined);
  };
  const sections = Object.entries(now).map(([code, wording]) =>
    h(
      'fieldset',
      { lang: code, dataset: { language: code } },
      h('legend', {}, languageName(code)),
      ...members.map((member) => (member === 'summary' ? areaRow : textRow)(keys[member], wording[member], (text) => {
        const all = { ...now[code], [member]: text };
        if (!text) delete all[member];
        put(code, all);
      })),
      button('studio.removeLanguage', () => {
        put(code, undefined);
        editor.showPanel();
      }),
    )
  );
  const free = languageOptions().filter(([code]) => !(code in now) && code !== own);
  const add = selectRow('studio.addLanguage', '', [['', t('studio.choose')], ...free], (code) => {
    if (!code) return;
    put(code, {});
    editor.showPanel();
  });
  return own ? [...sections, add] : [localized(h('p', { class: 'form-note' }), 'studio.languageFirst'), ...sections, add];
}
