// The account page: which view an address and the session lead to. `#/account` is the overview; `second-factor`,
// `password`, `sessions`, `log`, `delete`, `person/ID` and `link/TOKEN` follow it.

import { h, icon } from '../core/dom.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { toast } from '../ui/toast.js';
import { onSession, refreshSession, session } from './account-api.js';
import { deletionView } from './deletion.js';
import { button, failure } from './forms.js';
import { linkView } from './one-time-link.js';
import { overview } from './overview.js';
import { passwordView } from './password.js';
import { personView } from './person.js';
import { secondFactorView } from './second-factor.js';
import { logView } from './security-log.js';
import { sessionsView } from './sessions.js';
import { signInView } from './sign-in.js';
import { focusHeading } from './view.js';

/**
 * @typedef {import('../parts.js').Opening} Opening
 * @typedef {import('./view.js').Host} Host
 * @typedef {import('./view.js').View} View
 */

/** @type {Record<string, (host: Host) => View>} */
const OWN = {
  'second-factor': secondFactorView, password: passwordView, sessions: sessionsView, log: logView, delete: deletionView,
};

export class AccountPage {
  #life = new AbortController();
  #viewLife = new AbortController();
  /** @type {View | null} */
  #shown = null;
  /** Counts questions for the session, so that only the answer to the last one shows a view. */
  #turn = 0;
  #isAsking = false;

  /** @param {Opening} opening */
  constructor(opening) {
    this.opening = opening;
    this.back = h('a', { class: 'round plain' }, icon('back'));
    this.main = h('main', { class: 'account-main' }, localized(h('p', { role: 'status' }), 'accounts.waiting'));
    this.element = h(
      'div',
      { class: 'page account-page', id: 'account-page' },
      h('header', { class: 'part-head' }, this.back, localized(h('h1'), 'accounts.title')),
      this.main,
    );
    this.#leadBack(true);
    document.body.append(this.element);
    onLanguage(() => this.#show(), this.#life.signal);
    onSession(() => this.#isAsking || this.#show(), this.#life.signal);
    void this.#begin();
  }

  /** @param {Opening} opening */
  follow(opening) {
    this.opening = opening;
    // Who goes to another address has done with what was shown once.
    this.#shown = null;
    void this.#begin();
    return true;
  }

  async #begin() {
    const turn = ++this.#turn;
    this.#isAsking = true;
    /** @type {unknown} */
    let failed = null;
    try {
      await refreshSession();
    } catch (error) {
      failed = error;
    }
    if (turn !== this.#turn) return;
    this.#isAsking = false;
    if (this.#life.signal.aborted) return;
    if (failed && !session()) return this.#showFailure(failed);
    if (failed) this.#fail(failed);
    this.#show();
  }

  /** @param {unknown} error why it is not known who is signed in */
  #showFailure(error) {
    this.main.replaceChildren(
      h('p', { role: 'alert' }, failure(error)),
      h('div', { class: 'actions' }, button('common.retry', () => void this.#begin(), { id: 'account-retry' })),
    );
  }

  /**
   * The view for this address and this session.
   * @returns {{ make: ((host: Host) => View) | null, isRoot?: boolean }} `isRoot`: the way back leads out of the account's pages
   */
  #choice() {
    const [kind, id] = this.opening.path;
    const known = session();
    if (kind === 'link' && id) return { make: (host) => linkView(host, id), isRoot: true };
    if (!known) return { make: null, isRoot: true };
    if (!known.account) return { make: signInView, isRoot: true };
    if (known.needsSecondFactor && kind !== 'password') return { make: secondFactorView, isRoot: true };
    if (kind === 'person' && id && known.account.role === 'operator') return { make: (host) => personView(host, Number(id)) };
    const own = kind !== undefined && Object.hasOwn(OWN, kind) ? OWN[kind] : undefined;
    return own ? { make: own } : { make: overview, isRoot: true };
  }

  #show() {
    const { make, isRoot = false } = this.#choice();
    if (session()?.account && this.#shown?.holds?.()) return;
    this.#viewLife.abort();
    this.#viewLife = new AbortController();
    this.#shown = null;
    if (!make) return this.main.replaceChildren(localized(h('p', { role: 'status' }), 'accounts.waiting'));
    const view = make({
      signal: this.#viewLife.signal,
      query: this.opening.query,
      show: () => this.#show(),
      onward: () => this.#onward(),
      fail: (error) => this.#fail(error),
    });
    this.#shown = view;
    this.#leadBack(isRoot);
    this.main.replaceChildren(view.element);
    this.element.scrollTop = 0;
    if (view.focus) view.focus();
    else focusHeading(view.element.querySelector('h2'));
    const heading = view.element.querySelector('h2')?.textContent;
    document.title = [heading, t('accounts.title'), t('app.name')].filter(Boolean).join(' · ');
  }

  /** @param {boolean} isRoot whether the way back leaves the account's pages */
  #leadBack(isRoot) {
    this.back.href = isRoot ? '#/' : '#/account';
    labelled(this.back, isRoot ? 'common.back' : 'accounts.back');
  }

  /** Goes on to where signing in was asked for; who has to set up a second factor first does that here. */
  #onward() {
    if (session()?.needsSecondFactor) return this.#show();
    const next = this.opening.query.get('next');
    location.hash = next && /^#\/[\w/?=&.%-]*$/.test(next) ? next : '#/studio';
  }

  /** @param {unknown} error */
  #fail(error) {
    toast(failure(error), { kind: 'warning', key: 'account' });
  }

  state() {
    return { account: session()?.account?.name ?? null };
  }

  close() {
    this.#life.abort();
    this.#viewLife.abort();
    this.element.remove();
  }
}
