// What belongs to an account, as a list for those who are to decide about it.

import { bytes } from '../core/format.js';
import { h } from '../core/dom.js';
import { localized, t, tn } from '../core/i18n.js';

/**
 * @typedef {import('./own-api.js').Belongings} Belongings
 * @typedef {import('./own-api.js').Thing} Thing
 */

/** So many titles stand open; more are opened by need. */
const OPEN_TITLES = 6;

/** @param {Belongings} found */
export const isEmpty = ({ worlds, posters, tours, files }) => worlds.length + posters.length + tours.length + files === 0;

/**
 * How much it is, one phrase for each kind of thing; kinds that are not there are left out.
 * @param {Belongings} found
 * @returns {{ words: string, things: Thing[] }[]}
 */
export function belongingsWords({ worlds, posters, tours, publishedWorlds, runs, files, bytes: size }) {
  const kinds = [];
  if (worlds.length) {
    const published = publishedWorlds ? `, ${tn('accounts.published', publishedWorlds)}` : '';
    kinds.push({ words: tn('accounts.worlds', worlds.length) + published, things: worlds });
  }
  if (posters.length) kinds.push({ words: tn('accounts.posters', posters.length), things: posters });
  if (tours.length) kinds.push({ words: tn('accounts.tours', tours.length), things: tours });
  if (runs) kinds.push({ words: tn('accounts.runs', runs), things: [] });
  if (files) kinds.push({ words: tn('accounts.files', files, { size: bytes(size) }), things: [] });
  return kinds;
}

/** @param {Belongings} found */
export function belongingsList(found) {
  if (isEmpty(found)) return localized(h('p', { id: 'belongings' }), 'accounts.hasNothing');
  return h('ul', { class: 'belongings', id: 'belongings' }, ...belongingsWords(found).map(({ words, things }) =>
    h('li', {}, things.length
      ? h('details', { open: things.length <= OPEN_TITLES }, h('summary', {}, words),
        h('ul', {}, ...things.map(({ title }) => h('li', {}, title || t('accounts.untitled')))))
      : words)));
}
