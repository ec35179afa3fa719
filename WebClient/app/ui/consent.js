// Questions about other websites, and the list of what was answered: whether a host may hear where this phone is, and
// whether a page of it may be shown inside a world.

import { consent, consents, noteAsked, onConsent, setConsent, withdrawAll } from '../core/consents.js';
import { h, icon } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { reachOf } from '../core/reach.js';
import { showDialog } from './dialog.js';

/** @typedef {import('../session/session.js').Session} Session */

/** Questions about the position while worlds are open: a stranger could name another host at every refresh. */
const MOST_QUESTIONS = 3;

/**
 * Hosts that a session has asked about.
 * @type {WeakMap<Session, Set<string>>}
 */
const asked = new WeakMap();

/**
 * Asks whether a host may be told where the phone is; nothing when that was answered, or is being asked.
 * @param {Session} session
 * @param {string} host
 */
export function askPosition(session, host) {
  noteAsked('position', host);
  const known = asked.get(session) ?? new Set();
  asked.set(session, known);
  if (consent('position', host) !== 'unknown' || known.has(host) || known.size >= MOST_QUESTIONS) return;
  known.add(host);
  const later = localized(h('button', { type: 'button', class: 'button', id: 'consent-later' }), 'consent.later');
  const allow = localized(h('button', { type: 'button', class: 'button primary', id: 'consent-allow' }), 'consent.allow');
  const dialog = showDialog(
    { title: t('consent.positionTitle'), class: 'small-sheet', id: 'consent' },
    h('p', { class: 'leave-address' }, h('strong', {}, host)),
    h('p', {}, t('consent.positionText')),
    reachNote(host),
    h('p', { class: 'setting-hint' }, t('consent.positionWithout')),
    h('p', { class: 'setting-hint' }, t('consent.kept')),
    h('div', { class: 'actions' }, later, allow),
  );
  let isAllowed = false;
  allow.addEventListener('click', () => {
    isAllowed = true;
    dialog.close();
  });
  later.addEventListener('click', dialog.close);
  // Who closes the sheet, by whatever way, has not allowed anything; but leaving the world is no answer.
  void dialog.closed.then(() => {
    if (isAllowed || !session.closed.aborted) setConsent('position', host, isAllowed);
  });
  // The name of the website stands at the top: it is what the question is about.
  later.focus({ preventScroll: true });
  dialog.element.scrollTop = 0;
}

/**
 * A sentence on addresses that are not on the internet.
 * @param {string} host
 */
function reachNote(host) {
  const reach = reachOf(host);
  if (reach === 'public') return null;
  return h('p', { class: 'consent-warning' }, icon('warning'),
    h('span', {}, t(reach === 'device' ? 'consent.device' : 'consent.network')));
}

/**
 * What stands in the place of a foreign page until it may be shown.
 * @param {string} host
 * @param {{ show: () => void, later: () => void }} answer
 * @returns {HTMLElement}
 */
export function frameQuestion(host, answer) {
  noteAsked('frames', host);
  return h('div', { class: 'consent-card', role: 'group' },
    // The host first: it is what has to be seen, however low the screen.
    h('p', { class: 'consent-host' }, host),
    localized(h('strong', { class: 'consent-title' }), 'consent.frameTitle'),
    localized(h('p', {}), 'consent.frameText'),
    reachNote(host),
    h('div', { class: 'actions' },
      localized(h('button', { type: 'button', class: 'button', dataset: { consent: 'later' }, onclick: answer.later }), 'consent.later'),
      localized(h('button', { type: 'button', class: 'button primary', dataset: { consent: 'allow' }, onclick: answer.show }), 'consent.allow')));
}

/**
 * What stands in the place of a foreign page that no frame can show.
 * @param {string} host
 * @param {{ open: () => void, later: () => void }} answer
 * @returns {HTMLElement}
 */
export function frameLink(host, answer) {
  return h('div', { class: 'consent-card', role: 'group' },
    h('p', { class: 'consent-host' }, host),
    localized(h('p', {}), 'consent.frameImpossible'),
    h('div', { class: 'actions' },
      localized(h('button', { type: 'button', class: 'button', onclick: answer.later }), 'common.close'),
      localized(h('button', { type: 'button', class: 'button primary', onclick: answer.open }), 'common.open')));
}

/** The list of hosts with what they are allowed. */
export function showConsents() {
  const list = h('ul', { class: 'consents' });
  const none = localized(h('p', { class: 'setting-hint' }), 'consent.none');
  const all = localized(h('button', { type: 'button', class: 'button', id: 'consents-withdraw', onclick: withdrawAll }), 'consent.withdrawAll');
  const show = () => {
    const hosts = consents();
    const focused = document.activeElement?.id;
    list.replaceChildren(...hosts.map(({ host, position, frames }, index) => h('li', { dataset: { host } },
      h('strong', { class: 'consent-host' }, host),
      reachNote(host),
      choice(`consent-position-${index}`, 'consent.position', position === 'allowed', (on) => setConsent('position', host, on)),
      choice(`consent-frames-${index}`, 'consent.frames', frames === 'allowed', (on) => setConsent('frames', host, on)))));
    none.hidden = hosts.length > 0;
    all.hidden = !hosts.some(({ position, frames }) => position === 'allowed' || frames === 'allowed');
    if (focused?.startsWith('consent-')) document.getElementById(focused)?.focus();
  };
  const life = new AbortController();
  onConsent(show, life.signal);
  show();
  const dialog = showDialog(
    { title: t('consent.title'), id: 'consents-dialog' },
    h('p', {}, t('consent.text')), none, list, all,
  );
  onLanguage(dialog.close, life.signal);
  void dialog.closed.then(() => life.abort());
}

/**
 * @param {string} id
 * @param {'consent.position' | 'consent.frames'} key
 * @param {boolean} isOn
 * @param {(on: boolean) => void} change
 */
function choice(id, key, isOn, change) {
  const input = h('input', { type: 'checkbox', id, checked: isOn, onchange: () => change(input.checked) });
  return h('label', { class: 'choice' }, input, localized(h('span'), key));
}
