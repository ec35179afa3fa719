// The form of the world itself, and the list of its places.

import { h, icon } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { changeWorld } from './content.js';
import { areaRow, button, checkRow, group, numberRow, selectRow, textRow } from './form.js';
import { soundRows } from './sound-rows.js';
import { languageOptions, translationRows } from './translation-rows.js';

/** @typedef {import('./editor.js').Editor} Editor */

/** Places that are listed at once; more are found by the filter. */
const LISTED = 300;

/** @param {Editor} editor */
export function placesPanel(editor) {
  const { places } = editor.draft.dimension;
  const list = h('ul', { class: 'place-list', id: 'place-list' });
  const show = (/** @type {string} */ wanted) => {
    const words = wanted.trim().toLocaleLowerCase();
    const found = places.filter((place) => !words || `${place.title} ${place.categories.join(' ')}`.toLocaleLowerCase().includes(words));
    list.replaceChildren(...found.slice(0, LISTED).map((place) => h('li', {}, h(
      'button',
      { type: 'button', class: 'place-item', dataset: { place: place.id ?? '' }, onclick: () => editor.select(place.id ?? null, true) },
      h('span', { class: 'place-dot', style: `--hue:${editor.hueOf(place)}` }),
      h('span', { class: 'place-words' }, h('span', {}, place.title || t('card.unnamed')),
        place.categories.length > 0 && h('span', { class: 'form-note' }, place.categories.join(', ')),
        place.followsUser && localized(h('span', { class: 'form-note' }), 'studio.onUser'),
        !place.position && !place.marker && !place.target && !place.followsUser && localized(h('span', { class: 'form-note bad' }), 'studio.nowhere')),
      icon('go'),
    ))));
  };
  const filter = h('input', { type: 'search', class: 'field', id: 'place-filter', placeholder: t('studio.findPlace'), 'aria-label': t('studio.findPlace'), oninput: () => show(filter.value) });
  show('');
  return h(
    'div',
    { class: 'panel-body' },
    h('p', { class: 'form-note', role: 'status' }, tn('places', places.length)),
    places.length > 8 && filter,
    list,
    places.length === 0 && localized(h('p', { class: 'panel-empty' }), 'studio.noPlaces'),
    button('studio.addPlace', () => editor.startAdding(), { id: 'studio-add', class: 'button primary' }),
  );
}

/** @param {Editor} editor */
export function worldPanel(editor) {
  const { draft } = editor;
  const { dimension } = draft;
  const change = (/** @type {Partial<import('../types').Dimension>} */ values, /** @type {string} */ key = '') =>
    draft.edit((now) => changeWorld(now, values), key && `world ${key}`);
  return h(
    'div',
    { class: 'panel-body', id: 'world-panel' },
    textRow('studio.worldTitle', dimension.name, (name) => change({ name }, 'name'), { id: 'world-title-field', maxLength: 200 }),
    areaRow('studio.worldText', dimension.summary, (summary) => change({ summary: summary || undefined }, 'summary'), { rows: 3 }),
    textRow('studio.attribution', dimension.attribution, (attribution) => change({ attribution: attribution || undefined }, 'attribution')),
    selectRow('studio.language', dimension.language ?? '', [['', t('studio.choose')], ...languageOptions()], (code) => {
      change({ language: code || undefined });
      editor.showPanel();
    }, { id: 'world-language' }),
    group('studio.languages', Boolean(dimension.translations), ...translationRows(editor, dimension.translations, (translations) => change({ translations }, 'translations'), ['title', 'summary'])),
    group('studio.sound', Boolean(dimension.soundURL), ...soundRows(editor, dimension.soundURL, (soundURL) => {
      change({ soundURL });
      editor.showPanel();
    }, 'world-sound')),
    group('studio.radar', false,
      checkRow('studio.radarShown', dimension.radarAvailable, (radarAvailable) => change({ radarAvailable })),
      numberRow('studio.radarRange', dimension.radarRange, (radarRange) => change({ radarRange }, 'radar'), { min: 1, optional: true }, 'studio.radarRangeHint')),
    group('studio.refresh', dimension.refreshIntervalSeconds > 0 || dimension.refreshDistance > 0,
      numberRow('studio.refreshTime', dimension.refreshIntervalSeconds, (seconds) => change({ refreshIntervalSeconds: seconds ?? 0 }, 'interval'), { min: 0 }, 'studio.refreshHint'),
      numberRow('studio.refreshDistance', dimension.refreshDistance, (metres) => change({ refreshDistance: metres ?? 0 }, 'distance'), { min: 0 })),
    h('div', { class: 'actions panel-actions' },
      button('studio.import', () => editor.importFile(), { id: 'studio-import' }),
      button('studio.export', () => editor.exportFile(), { id: 'studio-export' }),
      button('studio.history', () => void editor.showHistory(), { id: 'studio-history' }),
      editor.world.mayShare && button('studio.members', () => editor.showMembers(), { id: 'studio-members' }),
      editor.world.mayShare && button('studio.removeWorld', () => editor.removeWorld(), { id: 'studio-remove' })),
  );
}
