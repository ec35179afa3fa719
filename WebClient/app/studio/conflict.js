// Two have changed the same: what each wrote, side by side, and a choice for every one of them.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { withValue } from './content.js';

/**
 * @typedef {import('./editor.js').Editor} Editor
 * @typedef {import('./draft.js').Contradiction} Contradiction
 * @typedef {import('./studio-api.js').Conflict} Conflict
 */

/** Members that have a name in the forms. */
const NAMES = /** @type {Record<string, import('../core/i18n.js').TextKey>} */ ({
  title: 'studio.title', name: 'studio.worldTitle', summary: 'studio.text', position: 'studio.where', latitude: 'studio.latitude',
  longitude: 'studio.longitude', altitude: 'studio.altitude', visual: 'studio.look', categories: 'studio.categories', imageURL: 'studio.picture',
  action: 'studio.action', visibilityRadius: 'studio.radius', link: 'studio.link', marker: 'studio.standsOn', translations: 'studio.languages',
  content: 'studio.overlay', text: 'studio.label', phone: 'studio.phone', altitudeMode: 'studio.altitudeMode', x: 'studio.fromLeft', y: 'studio.fromTop',
});

/**
 * @param {Editor} editor
 * @param {Contradiction} contradiction
 * @returns {() => void} closes it
 */
export function showConflict(editor, contradiction) {
  const { conflicts, by } = contradiction;
  /** @type {Map<Conflict, 'mine' | 'theirs'>} */
  const choices = new Map(conflicts.map((conflict) => [conflict, 'mine']));
  const rows = conflicts.map((conflict, index) => {
    const option = (/** @type {'mine' | 'theirs'} */ side) => h(
      'label',
      { class: 'conflict-side' },
      h('input', { type: 'radio', name: `conflict-${index}`, value: side, checked: side === 'mine', onchange: () => choices.set(conflict, side) }),
      h('span', {}, h('strong', {}, side === 'mine' ? t('studio.mine') : t('studio.theirs', { name: by })), h('span', { class: 'conflict-value' }, words(conflict[side]))),
    );
    return h('fieldset', { class: 'conflict', dataset: { path: conflict.path } }, h('legend', {}, describe(editor, conflict.path)), option('mine'), option('theirs'));
  });
  const all = (/** @type {'mine' | 'theirs'} */ side) => {
    for (const [index, conflict] of conflicts.entries()) {
      choices.set(conflict, side);
      const radio = rows[index].querySelector(`input[value="${side}"]`);
      if (radio instanceof HTMLInputElement) radio.checked = true;
    }
  };
  const dialog = showDialog(
    { title: t('studio.conflict'), id: 'studio-conflict', class: 'wide-sheet' },
    h('p', {}, t('studio.conflictText', { name: by, number: contradiction.copy })),
    conflicts.length > 1 && h('div', { class: 'actions' },
      localized(h('button', { type: 'button', class: 'button', onclick: () => all('mine') }), 'studio.allMine'),
      h('button', { type: 'button', class: 'button', onclick: () => all('theirs') }, t('studio.allTheirs', { name: by }))),
    ...rows,
    localized(h('button', { type: 'button', class: 'button primary', id: 'conflict-apply', onclick: () => {
      let result = contradiction.dimension;
      for (const [conflict, side] of choices) if (side === 'mine') result = withValue(result, conflict.path, conflict.mine);
      applied = true;
      dialog.close();
      void editor.draft.resolve(contradiction, result);
    } }), 'studio.apply'),
  );
  let applied = false;
  void dialog.closed.then(() => {
    if (applied || !editor.element.isConnected) return;
    // Closed without a choice: it stays open to be made, and nothing is sent until then.
    editor.status.replaceChildren(localized(h('button', { type: 'button', class: 'button tiny-button', id: 'conflict-again', onclick: () => showConflict(editor, contradiction) }), 'studio.resolve'));
  });
  return () => {
    applied = true;
    dialog.close();
  };
}

/**
 * @param {Editor} editor
 * @param {string} path
 */
function describe(editor, path) {
  const [list, id, ...rest] = path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { dimension } = editor.draft;
  const word = (/** @type {string} */ name) => NAMES[name] ? t(NAMES[name]) : name;
  if (list === 'places') {
    const title = dimension.places.find((place) => place.id === id)?.title ?? id;
    return rest.length ? `${title}: ${rest.map(word).join(', ')}` : title;
  }
  if (list === 'overlays') return `${t('studio.overlay')}: ${rest.length ? rest.map(word).join(', ') : id}`;
  return [list, id, ...rest].filter((part) => part !== undefined).map(word).join(', ');
}

/** @param {any} value */
function words(value) {
  if (value === undefined || value === null) return t('studio.nothing');
  if (typeof value === 'string') return value || t('studio.nothing');
  if (typeof value === 'object' && typeof value.title === 'string') return value.title;
  return JSON.stringify(value, null, 1).replace(/[{}"]/g, '').trim();
}
