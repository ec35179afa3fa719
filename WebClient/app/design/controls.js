// Controls in all their states: buttons, fields, switch, chips, file field, map buttons, messages, questions.

import { h, icon } from '../core/dom.js';
import { labelled, localized, t } from '../core/i18n.js';
import { confirmDialog } from '../controls/confirm.js';
import { fileField } from '../controls/file-field.js';
import { mapControls } from '../controls/map-controls.js';
import { searchField } from '../controls/search-field.js';
import { segmented } from '../controls/segmented.js';
import { showDialog } from '../ui/dialog.js';
import { toast } from '../ui/toast.js';
import { PICTURE, row, shown } from './sample.js';

/** @typedef {import('../core/i18n.js').TextKey} TextKey */

const nothing = () => undefined;

/**
 * @param {string} kind
 * @param {TextKey} key
 * @param {Record<string, any>} [more]
 */
const button = (kind, key, more = {}) => localized(h('button', { type: 'button', class: kind, ...more }), key);

/** @param {string} kind @param {Record<string, any>} [more] */
const round = (kind, more = {}) => labelled(h('button', { type: 'button', class: kind, ...more }, icon('heart')), 'list.favourite');

export function buttons() {
  const off = { disabled: true };
  const symbol = h('button', { type: 'button', class: 'button' }, icon('print'), localized(h('span'), 'nothing.print'));
  return [
    row(
      shown('.button', button('button', 'common.open')), shown('.primary', button('button primary', 'common.open')),
      shown('.danger', button('button danger', 'design.remove')), shown('.danger.primary', button('button danger primary', 'design.remove')),
      shown('.button > .icon', symbol), shown('.tiny-button', button('button tiny-button', 'common.more')),
    ),
    row(
      shown('.button:disabled', button('button', 'common.open', off)), shown('.primary:disabled', button('button primary', 'common.open', off)),
      shown('.danger:disabled', button('button danger primary', 'design.remove', off)),
    ),
    shown('.button.primary.large', button('button primary large', 'start.look')),
    shown('.actions', h('div', { class: 'actions' }, button('button', 'common.cancel'), button('button primary', 'common.open'))),
    row(
      shown('.round.glass', round('round glass')), shown('.round.small.plain', round('round small plain')),
      shown('.round[aria-pressed]', round('round glass', { 'aria-pressed': 'true' })), shown('.round:disabled', round('round glass', off)),
    ),
  ];
}

/** @param {string} name @param {HTMLElement & { ariaLabel: string | null }} field */
const named = (name, field) => shown(name, labelled(field, 'design.field'));

export function fields() {
  const choice = (/** @type {string} */ type, /** @type {Record<string, any>} */ more) =>
    h('label', { class: 'choice' }, h('input', { type, name: `design-${type}`, ...more }), localized(h('span'), 'list.favourites'));
  const field = (/** @type {Record<string, any>} */ more) => h('input', { type: 'text', class: 'field', ...more });
  const options = () => [h('option', {}, t('settings.metric')), h('option', {}, t('settings.imperial'))];
  const slider = h('input', { type: 'range', class: 'slider', min: '0', max: '10', value: '4' });
  slider.style.setProperty('--part', '40%');
  return [
    row(
      named('.field', field({ placeholder: t('list.search') })), named('.field', field({ value: t('start.loop1') })),
      named('[aria-invalid]', field({ value: t('start.loop1'), 'aria-invalid': 'true' })), named('.field:disabled', field({ value: t('start.loop1'), disabled: true })),
      named('select.select', h('select', { class: 'select' }, ...options())), named('.select:disabled', h('select', { class: 'select', disabled: true }, ...options())),
      named('textarea.field', h('textarea', { class: 'field' }, t('design.sample'))), named('.slider', slider),
    ),
    row(
      shown('.choice', choice('checkbox', {})), shown('.choice:checked', choice('checkbox', { checked: true })),
      shown('.choice:disabled', choice('checkbox', { disabled: true })), shown('.choice radio', choice('radio', { checked: true })),
    ),
    search(),
  ];
}

/** To get to a place on a map; its words are fetched. */
function search() {
  const stand = h('div');
  const life = new AbortController();
  void searchField({ choose: nothing, until: life.signal, known: () => [{ title: t('start.loop1'), latitude: 48.4, longitude: 9.99 }], id: 'design-search' })
    .then((field) => {
      // With whoever looks at something else by now nothing is left of it.
      if (stand.isConnected) stand.append(field);
      else life.abort();
    });
  return shown('.search-field', stand);
}

export function switches() {
  const views = () => segmented({
    label: 'view.switch', value: 'ar', change: nothing,
    options: [{ value: 'ar', text: 'view.ar', icon: 'ar' }, { value: 'map', text: 'view.map', icon: 'map' }, { value: 'list', text: 'view.list', icon: 'list' }],
  });
  const narrow = (/** @type {string} */ width, /** @type {HTMLElement} */ part) => {
    part.style.width = `min(${width}, calc(100vw - 4rem))`;
    return part;
  };
  const off = views();
  for (const one of off.querySelectorAll('button:nth-child(3)')) /** @type {HTMLButtonElement} */ (one).disabled = true;
  return [shown('.segmented', views()), row(shown('≤ 19rem', narrow('17rem', views())), shown('≤ 15rem', narrow('11rem', views())), shown('button:disabled', narrow('20rem', off)))];
}

export function chips() {
  const chip = (/** @type {TextKey} */ key, /** @type {number | null} */ hue, on = false) => {
    const element = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(on) }, hue === null ? null : h('i', { class: 'dot' }), t(key));
    if (hue !== null) element.style.setProperty('--hue', String(hue));
    return element;
  };
  return [row(shown('.chip', chip('filter.all', null)), shown('[aria-pressed]', chip('filter.all', null, true)), ...[25, 95, 165, 235, 305].map((hue) =>
    shown(`--hue: ${hue}`, chip('start.loop3', hue, hue === 235))), shown('.chip > .icon', h('button', { type: 'button', class: 'chip' }, icon('filter'), t('filter.all'))))];
}

export function files() {
  const field = () => fileField({ label: 'design.file', accept: 'image/*', pick: nothing });
  const [empty, full, off] = [field(), field(), field()];
  full.show([{ name: 'lookout-tower-in-the-morning.jpg', size: 482_113, url: PICTURE }, { name: 'windmill.glb', size: 91_240 }]);
  off.setDisabled(true);
  return [row(shown('fileField()', empty), shown('show()', full), shown('setDisabled()', off))];
}

export function maps() {
  const map = { zoomIn: nothing, zoomOut: nothing };
  return [row(
    shown('mapControls()', h('div', { class: 'design-ground' }, mapControls(map))),
    shown('{ north, locate, fit }', h('div', { class: 'design-ground' }, mapControls(map, { north: true, locate: nothing, fit: nothing }))),
    shown('{ north: () => … }', h('div', { class: 'design-ground' }, mapControls(map, { north: nothing }))),
  )];
}

export function messages() {
  const say = (/** @type {'info' | 'warning'} */ kind) => toast(t('design.sample'), {
    kind, key: `design-${kind}`, ...(kind === 'warning' ? { action: { text: t('common.retry'), run: nothing }, details: t('status.content.failed') } : {}),
  });
  return [row(
    shown('toast()', button('button', 'design.say', { id: 'design-toast', onclick: () => say('info') })),
    shown("{ kind: 'warning', action, details }", button('button', 'design.warn', { id: 'design-warning', onclick: () => say('warning') })),
  )];
}

export function asked() {
  const ask = (/** @type {boolean} */ danger) => void confirmDialog({ title: t('record.lose'), text: t('record.loseText'), action: t('design.remove'), danger });
  const open = (/** @type {string} */ kind) => void showDialog({ title: t('settings.title'), class: kind, id: 'design-dialog' },
    h('p', {}, t('design.sample')), h('p', { class: 'setting-hint' }, t('start.lookNote')), h('div', { class: 'actions' }, button('button', 'common.cancel'), button('button primary', 'common.open')));
  return [row(
    shown('confirmDialog()', button('button', 'design.ask', { id: 'design-ask', onclick: () => ask(false) })),
    shown('{ danger }', button('button danger', 'design.ask', { id: 'design-danger', onclick: () => ask(true) })),
    shown('showDialog()', button('button', 'common.open', { id: 'design-open', onclick: () => open('') })),
    shown('.small-sheet', button('button', 'common.open', { onclick: () => open('small-sheet') })),
    shown('.wide-sheet', button('button', 'common.open', { onclick: () => open('wide-sheet') })),
  )];
}
