// The security log: what happened to one's account; operators see everybody's.

import { h, icon } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';
import { announce } from '../ui/toast.js';
import { session } from './account-api.js';
import { eventWords, isFailure, peopleWords } from './event-words.js';
import { button } from './forms.js';
import { listAccounts } from './operator-api.js';
import { originWords, when } from './origin-words.js';
import { readLog } from './own-api.js';
import { fill } from './view.js';

/**
 * @typedef {import('./own-api.js').SecurityEvent} SecurityEvent
 * @typedef {import('./account-api.js').Account} Account
 */

/**
 * @param {import('./view.js').Host} host its query may name an `account`
 * @returns {import('./view.js').View}
 */
export function logView(host) {
  const self = session()?.account;
  const isOperator = self?.role === 'operator';
  let whose = isOperator ? host.query.get('account') ?? 'all' : 'own';
  /** @type {number | null} */
  let next = null;
  /** Counts choices, so that the answer to an earlier one is left out. */
  let turn = 0;
  /** @type {Map<number, string>} */
  let names = new Map();
  const list = h('ol', { class: 'security-log', id: 'security-log' });
  const none = localized(h('p', { class: 'form-note', role: 'status', hidden: true }), 'accounts.logNone');
  const more = button('common.more', () => void add(true), { id: 'log-more', hidden: true });

  /** @param {boolean} isMore whether the user asked for the next page */
  const add = async (isMore) => {
    const mine = ++turn;
    let page;
    try {
      page = await readLog({ whose, before: isMore ? next : null });
    } catch (error) {
      if (!isMore) throw error;
      return host.fail(error);
    }
    if (mine !== turn || host.signal.aborted) return;
    const lines = page.events.map((event) => line(event, whose === 'all', (id) => names.get(id)));
    if (isMore) list.append(...lines);
    else list.replaceChildren(...lines);
    next = page.next;
    more.hidden = next === null;
    none.hidden = list.children.length > 0;
    announce(tn('accounts.logLines', lines.length));
    // The reader goes on where the new lines begin.
    if (isMore) lines[0]?.focus();
  };

  const element = h('section', { class: 'account-form' }, localized(h('h2'), 'accounts.log'), localized(h('p', { class: 'form-note' }), 'accounts.logText'));
  fill(host, element, async () => {
    const accounts = isOperator ? await listAccounts() : [];
    names = new Map(accounts.map(({ id, name }) => [id, name]));
    await add(false);
    const filter = isOperator && self ? [filterRow(accounts, self, whose, (chosen) => {
      whose = chosen;
      add(false).catch(host.fail);
    })] : [];
    return [...filter, list, none, h('div', { class: 'actions' }, more)];
  });
  return { element };
}

/**
 * @param {Account[]} accounts
 * @param {Account} self
 * @param {string} whose
 * @param {(whose: string) => void} choose
 */
function filterRow(accounts, self, whose, choose) {
  const select = h(
    'select',
    { class: 'select', id: 'log-whose', onchange: () => choose(select.value) },
    h('option', { value: 'all' }, t('accounts.logAll')),
    h('option', { value: 'own' }, t('accounts.logOwn')),
    ...accounts.filter(({ id }) => id !== self.id).map(({ id, name }) => h('option', { value: String(id) }, name)),
  );
  select.value = whose;
  return h('label', { class: 'form-row' }, localized(h('span'), 'accounts.logWhose'), select);
}

/**
 * @param {SecurityEvent} event
 * @param {boolean} isAll
 * @param {(id: number) => string | undefined} nameOf
 */
function line(event, isAll, nameOf) {
  const people = peopleWords(event, isAll);
  return h(
    'li',
    { dataset: { kind: event.kind }, class: isFailure(event) ? 'failure' : '', tabIndex: -1 },
    isFailure(event) && icon('warning'),
    h('span', { class: 'account-words' },
      h('strong', {}, eventWords(event, nameOf)),
      people && h('span', {}, people),
      h('span', { class: 'form-note' }, h('time', { dateTime: event.time }, when(event.time)), ` · ${originWords(event)}`)),
  );
}
