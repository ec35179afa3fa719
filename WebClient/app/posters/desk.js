// The posters that an author brings into the catalogue: a list, and the form of one of them.

import { h, icon } from '../core/dom.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { AccountError, activeAccount, ensureSession, onSession, session } from '../accounts/account-api.js';
import { failure } from '../accounts/forms.js';
import { pictureFor } from './api.js';
import { listDesk, openDesk } from './desk-api.js';
import { PosterForm } from './desk-form.js';

/** @typedef {import('./desk-api.js').DeskPoster} DeskPoster */

export class PosterDesk {
  #life = new AbortController();
  /** @type {PosterForm | null} */
  #form = null;
  /** @type {{ posters: DeskPoster[], limit: number } | null} */
  #list = null;

  /**
   * @param {'mine' | 'new' | 'edit'} kind
   * @param {string | null} id of the poster that is edited
   */
  constructor(kind, id) {
    this.kind = kind;
    this.id = id;
    this.element = h('div', { class: 'poster-desk', id: 'poster-desk' }, localized(h('p', { role: 'status' }), 'accounts.waiting'));
    onSession(() => activeAccount() || this.#signIn(), this.#life.signal);
    onLanguage(() => this.#showList(), this.#life.signal);
    void this.#begin();
  }

  #signIn() {
    location.hash = `#/account?next=${encodeURIComponent(location.hash)}`;
  }

  async #begin() {
    try {
      await ensureSession();
      const account = activeAccount();
      if (this.#life.signal.aborted) return;
      if (!account) return this.#signIn();
      if (this.kind === 'mine') {
        this.#list = await listDesk(account.role === 'operator');
        return this.#showList();
      }
      const opened = this.kind === 'edit' && this.id ? await openDesk(this.id) : null;
      if (this.#life.signal.aborted) return;
      this.#form = new PosterForm(opened);
      this.element.replaceChildren(this.#form.element);
    } catch (error) {
      if (this.#life.signal.aborted) return;
      if (!(error instanceof AccountError)) throw error;
      this.element.replaceChildren(h('p', { role: 'alert' }, failure(error)),
        localized(h('button', { type: 'button', class: 'button', onclick: () => void this.#begin() }), 'common.retry'));
    }
  }

  #showList() {
    if (!this.#list || this.#life.signal.aborted) return;
    const { posters, limit } = this.#list;
    const name = session()?.account?.name;
    const own = posters.filter(({ owner }) => owner === name).length;
    this.element.replaceChildren(
      localized(h('h2'), 'posters.desk'),
      h('div', { class: 'actions' }, h('a', { class: 'button primary', href: '#/posters/new', id: 'desk-new' }, icon('plus'),
        localized(h('span'), 'posters.new'))),
      posters.length ? h('ul', { class: 'desk-list' }, ...posters.map((each) => this.#row(each, name))) : localized(h('p', { class: 'form-note' }), 'posters.deskNone'),
      h('p', { class: 'form-note' }, t('posters.deskCount', { count: own, most: limit })));
  }

  /**
   * @param {DeskPoster} each
   * @param {string | undefined} name of who is signed in
   */
  #row({ poster, owner }, name) {
    const whose = owner === name ? poster.artist : owner ?? t('posters.deskImported');
    return h('li', {}, h('a', { class: 'desk-row', href: `#/posters/edit/${encodeURIComponent(poster.id)}`, dataset: { desk: poster.id } },
      h('img', { src: pictureFor(poster, 120).url, alt: '', loading: 'lazy' }),
      h('span', { class: 'way-words' }, h('strong', {}, poster.title), h('span', {}, whose ?? '')), icon('edit')));
  }

  state() {
    return { view: this.kind, listed: this.#list?.posters.map(({ poster }) => poster.id) ?? null, form: this.#form?.state() ?? null };
  }

  close() {
    this.#life.abort();
    this.#form?.close();
  }
}
