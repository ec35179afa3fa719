// Panels: card of a place, rows of the list, the sheet under the view, the readiness list, and what stands where nothing is.

import { h, icon } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { distance } from '../core/format.js';
import { segmented } from '../controls/segmented.js';
import { makeRow, markRows, measureRows, nearestFirst, tellRows } from '../list/row.js';
import { Card } from '../ui/card.js';
import { row, sampleSession, shown } from './sample.js';

const nothing = () => undefined;

/** @param {boolean} isOne whether a row is chosen */
function rows(isOne) {
  const session = sampleSession();
  const made = nearestFirst(/** @type {any} */ ({ ...session, isShown: () => true }), null).map((found) => makeRow(session, found, nothing));
  measureRows(made, session, null);
  tellRows(made, session);
  if (isOne) markRows(made, 1);
  return h('ul', { class: 'list-rows' }, ...made.map((one) => one.row));
}

export function places() {
  const session = sampleSession();
  const cards = [0, 2].map((index) => {
    const element = h('div', { class: 'sheet-card design-card' });
    const card = new Card(element, session, { leave: nothing, share: nothing, lead: nothing, showIn: nothing, view: () => 'ar', range: (place) => session.range(place, null) });
    card.show(index);
    return shown('Card', element);
  });
  return [row(...cards), shown('.list-rows', rows(true))];
}

/** The sheet of the stage itself, at its stops; a copy, for it is not moved here. */
export function sheet() {
  const stops = /** @type {const} */ ([['peek', ''], ['half', 'nearest'], ['half', 'filter']]);
  return stops.map(([stop, part]) => {
    const views = segmented({
      label: 'view.switch', value: 'ar', change: nothing,
      options: [{ value: 'ar', text: 'view.ar', icon: 'ar' }, { value: 'map', text: 'view.map', icon: 'map' }, { value: 'list', text: 'view.list', icon: 'list' }],
    });
    views.classList.add('design-views');
    const slider = h('input', { type: 'range', class: 'slider', min: '1', max: '20', value: '5', 'aria-label': t('filter.radius') });
    slider.style.setProperty('--part', '21%');
    const chip = (/** @type {string} */ name, /** @type {number} */ hue) => {
      const element = h('button', { type: 'button', class: 'chip', 'aria-pressed': 'false' }, h('i', { class: 'dot' }), name);
      element.style.setProperty('--hue', String(hue));
      return element;
    };
    const body = part === 'filter'
      ? h('div', { class: 'design-filter' }, slider, row(chip(t('start.loop1'), 25), chip(t('start.loop2'), 95), chip(t('start.loop3'), 165)))
      : part === 'nearest' ? rows(false) : null;
    return shown(part ? `[data-stop="${stop}"] ${part}` : `[data-stop="${stop}"]`, h('div', { class: 'design-dock', dataset: { stop } },
      h('i', { class: 'design-handle', 'aria-hidden': 'true' }),
      h('div', { class: 'design-dock-row' }, views, h('button', { type: 'button', class: 'chip' }, icon('filter'), `${t('filter.all')} · ${distance(5000)}`)), body));
  });
}

export function gate() {
  const state = (/** @type {string} */ name, /** @type {'camera' | 'location' | 'orientation' | 'secure'} */ check, /** @type {string} */ symbol) => {
    const mark = icon(symbol);
    mark.classList.add('check-mark');
    return h('li', { dataset: { state: name }, class: symbol === 'dots' ? 'idle' : '' }, icon(check === 'camera' ? 'camera' : check === 'location' ? 'location' : check === 'secure' ? 'lock' : 'compass'),
      h('div', { class: 'check-words' },
        h('div', { class: 'check-head' }, h('span', { class: 'check-name' }, t(`check.${check}`)),
          h('span', { class: 'check-state' }, symbol === 'dots' ? '' : t(/** @type {import('../core/i18n.js').TextKey} */ (`check.state.${name}`)))),
        h('p', { class: 'check-text' }, t('design.sample'))), mark);
  };
  return [shown('#readiness', h('ul', { id: 'readiness' }, state('ok', 'secure', 'ok'), state('waiting', 'camera', 'dots'), state('denied', 'location', 'blocked'), state('missing', 'orientation', 'warning')))];
}

export function emptiness() {
  const note = (/** @type {string} */ text, /** @type {Node[]} */ ...actions) => h('div', { class: 'glass design-nothing' }, h('p', {}, text), h('div', { class: 'actions' }, ...actions));
  const button = (/** @type {import('../core/i18n.js').TextKey} */ key, kind = '') => localized(h('button', { type: 'button', class: `button ${kind}` }), key);
  return [row(
    shown('far', note(t('nothing.far', { name: t('app.name'), distance: distance(1_322_000) }), button('nothing.standThere', 'primary'), button('nothing.around'))),
    shown('filtered', note(t('nothing.filtered'), button('nothing.showAll', 'primary'))),
    shown('empty', note(t('nothing.empty'), button('nothing.around'))),
    shown('.start-note.bad', h('div', { class: 'start-note bad' }, icon('warning'), h('p', {}, t('start.worldsFailed')), button('common.retry'))),
    shown('list', h('p', { class: 'setting-hint' }, t('list.none'))),
  )];
}
