// Posters: the catalogue, a poster's own page, what was marked, and the wall. Each at an address of its own.

import { h, icon, loadStyle, makesClips } from '../core/dom.js';
import { labelled, loadTexts, localized } from '../core/i18n.js';
import { decoded } from '../core/router.js';
import { Catalogue } from './catalogue.js';
import { PosterDetail } from './detail.js';
import { TryPage } from './try/try-page.js';

/** @typedef {import('../parts.js').Opening} Opening */
/** @typedef {import('./desk.js').PosterDesk} PosterDesk */
/** @typedef {{ element: HTMLElement, close: () => void, state: () => Record<string, any> }} View */

export class PostersPage {
  /** @type {View | null} */
  #view = null;
  /** Where the list was scrolled to, for the way back from a poster. */
  #scrolled = 0;
  /** @type {Catalogue | null} kept while posters are looked at, so that the list is as it was */
  #catalogue = null;

  /** @param {Opening} opening */
  constructor(opening) {
    this.title = localized(h('h1'), 'start.posters');
    this.back = labelled(h('button', { type: 'button', class: 'round small', id: 'posters-back' }, icon('back')), 'posters.back');
    const marked = labelled(h('a', { class: 'round small', href: '#/posters/favourites', id: 'posters-marked' }, icon('heart')), 'posters.favourites');
    this.clip = labelled(
      h('button', { type: 'button', class: 'round small', id: 'wall-clip', onclick: (/** @type {Event} */ { currentTarget }) => void this.#record(currentTarget) }, icon('clip')),
      'control.clip');
    this.body = h('main', { class: 'posters-body' });
    this.element = h('div', { class: 'posters-page', id: 'posters-page' },
      h('header', { class: 'posters-head' }, this.back, this.title, this.clip, marked), this.body);
    document.body.append(this.element);
    this.#show(opening);
  }

  /** @param {Opening} opening */
  follow(opening) {
    this.#show(opening);
    return true;
  }

  /** @param {Opening} opening */
  #show({ path, query, leave }) {
    if (this.#view === this.#catalogue) this.#scrolled = this.element.scrollTop;
    if (this.#view !== this.#catalogue) this.#view?.close();
    const [kind, id] = path;
    const parent = kind === 'try' && id ? `#/posters/poster/${id}` : kind === 'new' || kind === 'edit' ? '#/posters/mine' : '#/posters';
    this.back.onclick = kind === undefined ? leave : () => (location.hash = parent);
    this.element.classList.toggle('is-trying', kind === 'try');
    if (kind === 'try') this.#view = new TryPage(id ? [decoded(id)] : [], query);
    else if (kind === 'poster' && id) this.#view = new PosterDetail(decoded(id));
    else if (kind === 'mine' || kind === 'new' || (kind === 'edit' && id)) this.#view = this.#desk(kind, id ? decoded(id) : null);
    else if (kind === 'favourites') this.#view = new Catalogue({ isFavourites: true });
    else this.#view = this.#catalogue ??= new Catalogue({ isFavourites: false });
    document.documentElement.dataset.view = kind === 'try' ? 'posters-try' : 'posters';
    this.body.replaceChildren(this.#view.element);
    this.element.scrollTop = this.#view === this.#catalogue ? this.#scrolled : 0;
    if (this.#view instanceof Catalogue) this.#view.lay();
    this.clip.hidden = !makesClips || kind !== 'try';
  }

  /**
   * What only authors need is loaded when one comes.
   * @param {'mine' | 'new' | 'edit'} kind
   * @param {string | null} id
   * @returns {View}
   */
  #desk(kind, id) {
    const element = h('div', {});
    /** @type {PosterDesk | null} */
    let desk = null;
    let isClosed = false;
    void Promise.all([import('./desk.js'), loadTexts('accounts'), loadTexts('studio'), loadStyle('studio')]).then(([module]) => {
      if (isClosed) return;
      desk = new module.PosterDesk(kind, id);
      element.append(desk.element);
    });
    return {
      element,
      state: () => desk?.state() ?? { view: kind },
      close: () => {
        isClosed = true;
        desk?.close();
        // Something may have come, gone or changed.
        this.#catalogue?.again();
      },
    };
  }

  /**
   * A clip of the wall.
   * @param {EventTarget | null} button
   */
  async #record(button) {
    if (!(this.#view instanceof TryPage)) return;
    const { seen, left } = this.#view;
    const { toggleClip } = await import('../ui/clip-button.js');
    await toggleClip(button, seen, left);
  }

  state() {
    return { posters: this.#view?.state() ?? {} };
  }

  close() {
    if (this.#view !== this.#catalogue) this.#view?.close();
    this.#catalogue?.close();
    this.element.remove();
  }
}
