// The sheet of open worlds: each can be hidden or closed, another can be opened beside them.

import { h, icon, setText } from '../core/dom.js';
import { loadTexts, t, tn } from '../core/i18n.js';
import { MOST_BESIDE } from '../core/router.js';
import { fetchSettings } from '../net/settings.js';
import { fetchWorlds } from '../net/worlds.js';
import { worldAddress } from '../net/addresses.js';
import { showDialog } from './dialog.js';
import { announce } from './toast.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/worlds.js').OpenWorld} OpenWorld
 * @typedef {import('../types').WorldAddress} WorldAddress
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 */

/**
 * @param {Session} session
 * @param {(first: WorldAddress, also: WorldAddress[]) => void} tell told what is open, after worlds were opened or closed
 */
export async function showWorlds(session, tell) {
  await loadTexts('worlds');
  const changed = () => {
    const [first, ...also] = session.worlds.list.map(({ address }) => address);
    tell(first, also);
  };
  const open = h('ul', { class: 'open-worlds', id: 'open-worlds' });
  const more = h('ul', { class: 'open-worlds', id: 'more-worlds' });
  const note = h('p', { class: 'setting-hint', role: 'status', id: 'worlds-hint' });
  const field = h('input', {
    type: 'text', class: 'field', id: 'worlds-address', inputMode: 'url', autocapitalize: 'off', spellcheck: false,
    placeholder: t('start.addressPlaceholder'), 'aria-describedby': 'worlds-hint',
  });
  const add = (/** @type {WorldAddress} */ address) => {
    if (session.worlds.list.length > MOST_BESIDE) return setText(note, t('worlds.full', { count: MOST_BESIDE + 1 }));
    setText(note, '');
    session.worlds.openBeside(address);
    changed();
  };
  const form = h('form', {
    class: 'address-form',
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = field.value.trim();
      const address = worldAddress(text) ?? (/^[\w-]+(\.[\w-]+)+([/:]|$)/.test(text) ? worldAddress(`https://${text}`) : null);
      field.setAttribute('aria-invalid', String(!address));
      if (!address) return setText(note, t('start.addressBad'));
      field.value = '';
      add(address);
    },
  }, field, h('button', { type: 'submit', class: 'button primary', id: 'worlds-open' }, t('worlds.open')));

  const [known, settings] = await Promise.all([fetchWorlds().catch(() => []), fetchSettings()]);
  const offers = [
    ...known.map(({ id, title, places }) => ({
      address: /** @type {WorldAddress} */ ({ kind: 'world', id }), title: title || t('menu.untitled'), facts: tn('places', places),
    })),
    ...(settings.transit ? [{ address: /** @type {WorldAddress} */ ({ kind: 'transit', id: 'stops' }), title: t('start.transit'), facts: t('worlds.around') }] : []),
    ...(settings.osm?.topics ?? []).map((topic) => ({
      address: /** @type {WorldAddress} */ ({ kind: 'osm', id: topic }),
      title: t(/** @type {TextKey} */ (`worlds.topic.${topic}`)), facts: t('worlds.osm'),
    })),
  ];
  const nameOf = (/** @type {OpenWorld} */ { content, address }) => content?.title ??
    offers.find((offer) => session.worlds.find(offer.address)?.address === address)?.title ??
    (address.kind === 'url' ? address.url : address.id);

  let drawn = '';
  const rows = () => {
    const { list } = session.worlds;
    // Nothing is rebuilt under a finger without need.
    const state = JSON.stringify(list.map((world) => [world.number, world.hidden, session.worldStatus(world.number), nameOf(world),
      world.content?.places.length]));
    if (state === drawn) return;
    drawn = state;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : '';
    open.replaceChildren(...list.map((world) => row(session, world, nameOf(world), list.length > 1, changed)));
    const left = offers.filter(({ address }) => !session.worlds.find(address));
    more.replaceChildren(...left.map(({ address, title, facts }) => h('li', { class: 'open-world' },
      h('span', { class: 'world-words' }, h('span', { class: 'world-title' }, title), h('span', { class: 'world-facts' }, facts)),
      h('button', {
        type: 'button', class: 'button small', id: `add-${address.kind}-${'id' in address ? address.id : ''}`,
        'aria-label': t('worlds.addNamed', { name: title }), onclick: () => add(address),
      }, t('worlds.add')))));
    // What was rebuilt keeps the keyboard's place; a row that is gone hands it on to the sheet.
    if (focused && document.activeElement?.id !== focused) {
      (document.getElementById(focused) ?? open.querySelector('input'))?.focus();
    }
  };
  const dialog = showDialog({ title: t('worlds.title'), class: 'menu-sheet', id: 'worlds-dialog' }, open,
    h('h3', {}, t('worlds.another')), more, form, note);
  rows();
  const off = [session.on('worlds', rows), session.on('status', rows), session.on('failure', rows)];
  void dialog.closed.then(() => off.forEach((stop) => stop()));
  // Behind a sheet no frames are made; how the worlds are is looked at all the same.
  const timer = setInterval(rows, 1000);
  void dialog.closed.then(() => clearInterval(timer));
}

/**
 * @param {Session} session
 * @param {OpenWorld} world
 * @param {string} name
 * @param {boolean} mayClose
 * @param {() => void} changed
 */
function row(session, world, name, mayClose, changed) {
  const { number, content, hidden } = world;
  const status = session.worldStatus(number);
  const shown = h('input', {
    type: 'checkbox', class: 'switch', id: `show-world-${number}`, checked: !hidden,
    onchange: () => {
      session.worlds.hide(number, !shown.checked);
      announce(t(shown.checked ? 'worlds.isShown' : 'worlds.isHidden', { name }));
    },
  });
  shown.setAttribute('aria-label', t('worlds.show', { name }));
  const close = h('button', {
    type: 'button', class: 'round small plain', id: `close-world-${number}`, hidden: !mayClose, title: t('worlds.close', { name }),
    'aria-label': t('worlds.close', { name }),
    onclick: () => {
      session.worlds.close(number);
      announce(t('worlds.isClosed', { name }));
      changed();
    },
  }, icon('close'));
  const facts = [
    content && tn('places', content.places.length),
    status && t(/** @type {TextKey} */ (`worlds.status.${hidden && status === 'ready' ? 'hidden' : status}`)),
    content && refreshText(content.dimension),
  ].filter(Boolean).join(' · ');
  return h('li', { class: 'open-world', dataset: { world: String(number), status: status ?? '' } }, shown,
    h('label', { class: 'world-words', htmlFor: shown.id }, h('span', { class: 'world-title' }, name),
      h('span', { class: 'world-facts' }, facts)), close);
}

/**
 * When a world is fetched again by itself.
 * @param {import('../types').Dimension} dimension
 */
function refreshText({ refreshURL, refreshIntervalSeconds, refreshDistance }) {
  if (!refreshURL) return '';
  return [
    refreshIntervalSeconds > 0 && t('worlds.everySeconds', { seconds: Math.round(refreshIntervalSeconds) }),
    refreshDistance > 0 && t('worlds.everyMetres', { metres: Math.round(refreshDistance) }),
  ].filter(Boolean).join(', ');
}
