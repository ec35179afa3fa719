// What hangs on the wall, as a shop's basket: what it costs together, and the way to each poster's shop.

import { h, icon } from '../../core/dom.js';
import { language, localized, t, tn } from '../../core/i18n.js';
import { showDialog } from '../../ui/dialog.js';
import { leaveFor } from '../../ui/share.js';
import { moneyText, priceText, sizeText } from '../api.js';

/**
 * @typedef {import('../api.js').Poster} Poster
 * @typedef {{ poster: Poster, size: number }} OnWall `size`: which of the poster's sizes
 */

/**
 * What the posters cost together.
 * @param {OnWall[]} hung
 * @returns {{ sums: { amount: number, currency: string }[], unpriced: number }} one sum for each currency, the first one first; `unpriced`: how many
 *   posters name no price for the size that hangs there
 */
export function wallSum(hung) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  let unpriced = 0;
  for (const { poster, size } of hung) {
    const { amount, currency } = poster.sizes[size]?.price ?? {};
    if (!currency || !Number.isFinite(Number(amount))) unpriced += 1;
    else sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
  }
  return { sums: [...sums].map(([currency, amount]) => ({ amount, currency })), unpriced };
}

/** @param {OnWall[]} hung */
function sumText(hung) {
  const { sums, unpriced } = wallSum(hung);
  const list = new Intl.ListFormat(language(), { type: 'unit' }).format(sums.map(({ amount, currency }) => moneyText(amount, currency)));
  return [list, sums.length > 0 && unpriced > 0 && tn('posters.unpriced', unpriced)].filter(Boolean).join(' + ');
}

/**
 * One line: how many hang there, what they cost, and the way to the shop.
 * @param {OnWall[]} hung
 * @returns {HTMLElement | null} null where nothing can be bought
 */
export function shopRow(hung) {
  const isSold = hung.some(({ poster }) => poster.shop);
  const sum = sumText(hung);
  if (!isSold && !sum) return null;
  const open = () => (hung.length === 1 && hung[0].poster.shop ? leaveFor(hung[0].poster.shop) : showBasket(hung));
  return h('div', { class: 'wall-shop' },
    h('span', { id: 'wall-sum' }, [hung.length > 1 && tn('posters.count', hung.length), sum].filter(Boolean).join(' · ')),
    isSold && h('button', { type: 'button', class: 'button primary tiny-button', id: 'wall-shop', onclick: open }, icon('link'), localized(h('span'), 'posters.shop')));
}

/**
 * Every poster with what it is and costs; shops are different pages, and each is left for by a tap of its own.
 * @param {OnWall[]} hung
 */
function showBasket(hung) {
  const sum = sumText(hung);
  showDialog({ title: t('posters.onWall'), id: 'wall-basket' },
    h('ul', { class: 'basket' }, ...hung.map(({ poster, size }) => h('li', {},
      h('span', { class: 'way-words' }, h('strong', {}, poster.title), h('span', {}, sizeText(poster.sizes[size]))),
      h('span', { class: 'poster-price' }, priceText(poster.sizes[size])),
      poster.shop && h('button', {
        type: 'button', class: 'button tiny-button', 'aria-label': `${t('posters.shop')}: ${poster.title}`, onclick: () => leaveFor(poster.shop ?? ''),
      }, icon('link'), localized(h('span'), 'posters.shop'))))),
    Boolean(sum) && h('p', { class: 'basket-sum' }, localized(h('span'), 'posters.together'), h('strong', { class: 'poster-price' }, sum)));
}
