// Choosing a poster in a dialog: what was marked first, then the catalogue, searched as one types.

import { h, icon } from '../../core/dom.js';
import { labelled, localized, t } from '../../core/i18n.js';
import { showDialog } from '../../ui/dialog.js';
import { favourites, fetchChosen, fetchPosters, pictureFor, sizeText } from '../api.js';
import { ownPosters, ownReady } from '../own.js';

/**
 * @typedef {import('../api.js').Poster} Poster
 * @typedef {import('../api.js').PosterSize} PosterSize
 */

/**
 * @param {import('../../core/i18n.js').TextKey} title
 * @param {boolean} asksSize whether one of the poster's sizes has to be chosen too
 * @returns {Promise<{ poster: Poster, size: number } | null>} `null` when nothing was chosen
 */
export function pickPoster(title, asksSize) {
  return new Promise((resolve) => {
    let turn = 0;
    const list = h('div', { class: 'picker-list', role: 'list' });
    const status = h('p', { role: 'status' });
    const done = (/** @type {Poster} */ poster, /** @type {number} */ size) => {
      resolve({ poster, size });
      dialog.close();
    };
    /**
     * The dialog asks one thing at a time: which poster, or how large the chosen one is.
     * @param {Poster | null} poster
     */
    const head = (poster) => {
      const heading = dialog.element.querySelector('h2');
      if (heading) heading.textContent = t(poster ? 'posters.whichSize' : title);
      search.hidden = poster !== null;
    };
    const choose = (/** @type {Poster} */ poster) => {
      if (!asksSize || poster.sizes.length === 1) return done(poster, 0);
      // An answer that is still on its way belongs to the list that is left.
      turn += 1;
      head(poster);
      const sizes = poster.sizes.map((size, index) =>
        h('button', { type: 'button', class: 'button', dataset: { size: index }, onclick: () => done(poster, index) }, sizeText(size)));
      const back = h('button', {
        type: 'button', class: 'button', id: 'picker-back',
        onclick: () => {
          head(null);
          list.replaceChildren();
          search.focus();
          void ask();
        },
      }, icon('back'), localized(h('span'), 'common.back'));
      list.replaceChildren(h('p', {}, h('strong', {}, poster.title)), ...sizes, back);
      status.textContent = '';
      sizes[0]?.focus();
    };
    const show = (/** @type {Poster[]} */ posters) => {
      list.replaceChildren(...posters.map((poster) => h('button', {
        type: 'button', class: 'picker-poster', role: 'listitem', 'aria-label': poster.title, dataset: { pick: poster.id }, onclick: () => choose(poster),
      }, h('img', { src: pictureFor(poster, 200).url, alt: '', loading: 'lazy' }), h('span', {}, poster.title))));
      status.textContent = posters.length ? '' : t('posters.none');
    };
    const ask = async () => {
      const mine = ++turn;
      try {
        const words = search.value.trim();
        const [marked, page] = await Promise.all([
          words ? [] : fetchChosen(favourites.ids.slice(0, 24)), fetchPosters({ query: words, limit: 60 }), ownReady(),
        ]);
        if (mine !== turn) return;
        const first = words ? [] : [...ownPosters.values(), ...marked.filter(({ isOwn }) => !isOwn)];
        const known = new Set(first.map(({ id }) => id));
        show([...first, ...page.posters.filter(({ id }) => !known.has(id))]);
      } catch {
        if (mine === turn) status.textContent = t('posters.failed');
      }
    };
    const search = labelled(h('input', { type: 'search', class: 'field', id: 'picker-search', oninput: () => void ask() }), 'posters.search');
    search.placeholder = t('posters.search');
    const dialog = showDialog({ title: t(title), id: 'poster-picker', class: 'picker' }, search, status, list);
    void dialog.closed.then(() => resolve(null));
    void ask();
  });
}
