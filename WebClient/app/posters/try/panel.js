// What can be done with the poster that is chosen: size, frame, turn, light; and with the wall.

import { h, icon } from '../../core/dom.js';
import { labelled, localized, t } from '../../core/i18n.js';
import { priceText, sizeText } from '../api.js';
import { FRAMES } from './framing.js';
import { shopRow } from './shop.js';

/**
 * @typedef {import('../api.js').Poster} Poster
 * @typedef {{ key: string, poster: Poster, size: number, frame: string, turn: number }} Chosen
 * @typedef {{ size: (index: number) => void, frame: (id: string) => void, turn: (degrees: number) => void,
 *   straighten: () => void, remove: () => void, add: () => void, save: () => void, measure: () => void, again: () => void,
 *   light: (isFitted: boolean) => void, menu: () => void }} Actions
 */

/**
 * @param {Chosen | null} chosen
 * @param {{ isTrueSize: boolean, isLightFitted: boolean, upright: number, hung: import('./shop.js').OnWall[] }} wall
 * @param {Actions} act
 * @returns {HTMLElement[]}
 */
export function panelFor(chosen, { isTrueSize, isLightFitted, upright, hung }, act) {
  const shop = shopRow(hung);
  const wall = h('div', { class: 'wall-buttons' },
    tool('plus', 'posters.add', 'wall-add', act.add),
    tool('camera', 'posters.save', 'wall-save', act.save),
    tool('mouse', 'posters.measure', 'wall-measure', act.measure),
    tool('again', 'posters.again', 'wall-again', act.again),
    tool('menu', 'control.menu', 'wall-menu', act.menu));
  const notes = isTrueSize ? null : h('p', { class: 'wall-note', id: 'wall-guess' }, icon('info'), localized(h('span'), 'posters.guessed'));
  if (!chosen) return [...(notes ? [notes] : []), wall, ...(shop ? [shop] : [])];
  const { poster } = chosen;
  const sizes = h('div', { class: 'wall-choice', role: 'radiogroup', 'aria-label': t('posters.sizes') },
    ...poster.sizes.map((size, index) => chip(`${sizeText(size)}${size.price ? ` · ${priceText(size)}` : ''}`, index === chosen.size, () => act.size(index), { size: index })));
  const frames = h('div', { class: 'wall-choice', role: 'radiogroup', 'aria-label': t('posters.frame') },
    ...FRAMES.map(({ id }) => chip(t(/** @type {any} */ (`posters.frames.${id}`)), id === chosen.frame, () => act.frame(id), { frame: id })));
  const turn = labelled(h('input', {
    type: 'range', class: 'slider', id: 'wall-turn', min: '-45', max: '45', step: '0.5', value: String(clamp(chosen.turn - upright)),
    oninput: () => act.turn(upright + Number(turn.value)),
  }), 'posters.turn');
  const light = h('input', { type: 'checkbox', id: 'wall-light', checked: isLightFitted, onchange: () => act.light(light.checked) });
  return [
    ...(notes ? [notes] : []),
    h('div', { class: 'wall-name' }, h('strong', {}, poster.title),
      tool('close', 'posters.takeDown', 'wall-remove', act.remove)),
    sizes, frames,
    h('div', { class: 'wall-turn' }, turn, tool('north', 'posters.straighten', 'wall-straighten', act.straighten),
      h('label', { class: 'wall-light' }, light, localized(h('span'), 'posters.light'))),
    wall,
    ...(shop ? [shop] : []),
  ];
}

/**
 * @param {string} symbol
 * @param {import('../../core/i18n.js').TextKey} key
 * @param {string} id
 * @param {() => void} run
 */
function tool(symbol, key, id, run) {
  return h('button', { type: 'button', class: 'wall-tool', id, onclick: run }, icon(symbol), localized(h('span'), key));
}

/**
 * @param {string} text
 * @param {boolean} isOn
 * @param {() => void} run
 * @param {Record<string, any>} dataset
 */
function chip(text, isOn, run, dataset) {
  return h('button', { type: 'button', class: 'chip', role: 'radio', 'aria-checked': String(isOn), dataset, onclick: run }, text);
}

/** @param {number} value degrees */
const clamp = (value) => Math.max(-45, Math.min(45, ((value + 540) % 360) - 180));
