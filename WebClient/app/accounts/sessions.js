// Where one is signed in, and ending that.

import { h } from '../core/dom.js';
import { localized, t } from '../core/i18n.js';
import { announce } from '../ui/toast.js';
import { signOut } from './account-api.js';
import { button } from './forms.js';
import { deviceWords, when } from './origin-words.js';
import { endOtherSessions, endSession, listSessions } from './own-api.js';
import { fill, focusHeading } from './view.js';

/** @typedef {import('./own-api.js').OwnSession} OwnSession */

/**
 * @param {import('./view.js').Host} host
 * @returns {import('./view.js').View}
 */
export function sessionsView(host) {
  const heading = localized(h('h2'), 'accounts.sessions');
  const element = h('section', { class: 'account-form' }, heading, localized(h('p', { class: 'form-note' }), 'accounts.sessionsText'));
  const list = h('ul', { class: 'account-list', id: 'session-list' });
  const others = button('accounts.endOthers', () => void end(endOtherSessions), { id: 'sessions-end-others' });
  const everywhere = button('accounts.signOutAll', () => void signOut(true).catch(host.fail), { id: 'sessions-end-all' });

  const load = async () => {
    const sessions = await listSessions();
    list.replaceChildren(...sessions.map((each) => row(each, () => void end(() => endSession(each.id)))));
    others.hidden = sessions.length < 2;
  };

  /** @param {() => Promise<unknown>} work */
  const end = async (work) => {
    try {
      await work();
      await load();
    } catch (error) {
      return host.fail(error);
    }
    // The button is gone with its line.
    focusHeading(heading);
    announce(t('accounts.ended'));
  };

  fill(host, element, async () => {
    await load();
    return [list, h('div', { class: 'actions' }, others, everywhere)];
  });
  return { element };
}

/**
 * @param {OwnSession} each
 * @param {() => void} end
 */
function row({ id, current, device, network, created, used }, end) {
  const name = deviceWords(device);
  return h(
    'li',
    { dataset: { session: String(id), current: String(current) } },
    h('span', { class: 'account-words' },
      h('strong', {}, name),
      current && localized(h('span', { class: 'account-badge' }), 'accounts.thisSession'),
      h('span', { class: 'form-note' }, network && t('accounts.fromNetwork', { network })),
      h('span', { class: 'form-note' }, t('accounts.sessionTimes', { first: when(created), last: when(used) }))),
    !current && button('accounts.end', end, { class: 'button tiny-button', 'aria-label': t('accounts.endOf', { device: name }) }),
  );
}
