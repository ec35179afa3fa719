// A poster in a list.

import { h, icon, setIcon } from '../core/dom.js';
import { labelled } from '../core/i18n.js';
import { aspectOf, favourites, pictureFor, priceText } from './api.js';

/** @typedef {import('./api.js').Poster} Poster */

/**
 * @param {Poster} poster
 * @param {number} width CSS pixels it will have
 */
export function posterCard(poster, width) {
  const picture = pictureFor(poster, width * Math.min(2, devicePixelRatio || 1));
  const image = h('img', { src: picture.url, alt: '', loading: 'lazy', decoding: 'async', width: picture.width, height: picture.height });
  const frame = h('span', { class: 'poster-picture' }, image);
  frame.style.setProperty('--aspect', String(aspectOf(poster)));
  frame.style.backgroundColor = poster.color;
  const prices = poster.sizes.map(priceText).filter(Boolean);
  return h('div', { class: 'poster-card', role: 'listitem', dataset: { poster: poster.id } },
    h('a', { class: 'poster-link', href: `#/posters/poster/${encodeURIComponent(poster.id)}` }, frame,
      h('span', { class: 'poster-title' }, poster.title),
      h('span', { class: 'poster-facts' }, [poster.artist, prices[0]].filter(Boolean).join(' · '))),
    heart(poster.id));
}

/**
 * Marks a poster, or takes the mark off.
 * @param {string} id
 */
export function heart(id) {
  const sign = icon('heart');
  const button = labelled(h('button', { type: 'button', class: 'round small poster-heart', dataset: { heart: id } }, sign), 'posters.mark');
  const show = () => {
    button.setAttribute('aria-pressed', String(favourites.has(id)));
    setIcon(sign, favourites.has(id) ? 'heart-full' : 'heart');
  };
  button.addEventListener('click', () => {
    favourites.toggle(id);
    show();
  });
  show();
  return button;
}
