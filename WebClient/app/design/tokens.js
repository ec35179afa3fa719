// The custom properties of styles/tokens.css as they are just now: colours, sizes, layers, movement. Their names are read from the
// style sheet, so that a new one is here by itself.

import { h } from '../core/dom.js';
import { row } from './sample.js';

/** @returns {string[]} names of the custom properties of the page, in their order in the style sheet */
function names() {
  const found = new Set();
  for (const sheet of document.styleSheets) {
    if (!sheet.href?.endsWith('/styles/tokens.css')) continue;
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule)) continue;
      for (const name of rule.style) if (name.startsWith('--')) found.add(name);
    }
  }
  return [...found];
}

const NO_COLOUR = /^--(font|type|space|radius|touch|safe|shadow|z|quick|calm|ease)/;

/** @param {RegExp} kind */
const some = (kind) => names().filter((name) => kind.test(name));

/**
 * @param {string} name
 * @param {Node} look
 */
const token = (name, look) => h('div', { class: 'design-token', dataset: { token: name } }, look, h('code', {}, name), value(name));

/**
 * What it is where this stands; known once it stands there.
 * @param {string} name
 */
function value(name) {
  const element = h('small');
  requestAnimationFrame(() => (element.textContent = getComputedStyle(element).getPropertyValue(name).trim()));
  return element;
}

/** @param {Record<string, string>} style @param {string} [kind] */
function look(style, kind = '') {
  const element = h('span', { class: `design-look ${kind}`, 'aria-hidden': 'true' });
  for (const [name, text] of Object.entries(style)) element.style.setProperty(name, text);
  return element;
}

export const colours = () => [row(...names().filter((name) => !NO_COLOUR.test(name)).map((name) => token(name, look({ background: `var(${name})` }, 'colour'))))];

export function sizes() {
  return [
    row(...some(/^--type/).map((name) => token(name, h('span', { class: 'design-look', style: '', 'aria-hidden': 'true' }, letters(name))))),
    row(...some(/^--(space|touch)/).map((name) => token(name, look({ width: `var(${name})` }, 'bar')))),
    row(...some(/^--radius/).map((name) => token(name, look({ 'border-radius': `var(${name})` }, 'corner')))),
    row(...some(/^--shadow/).map((name) => token(name, look({ 'box-shadow': `var(${name})` }, 'corner')))),
  ];
}

/** @param {string} name */
function letters(name) {
  const element = h('span', {}, 'Aa');
  element.style.fontSize = `var(${name})`;
  return element;
}

/** Each layer lies on the one before. */
export function layers() {
  const list = some(/^--z/);
  return [h('ol', { class: 'design-layers' }, ...list.map((name, index) => {
    const item = h('li', { dataset: { token: name } }, h('code', {}, name), ' ', value(name));
    item.style.setProperty('--step', String(index));
    return item;
  }))];
}

export const movement = () => [row(...some(/^--(quick|calm|ease)/).map((name) =>
  token(name, look(name === '--ease' ? { 'transition-timing-function': `var(${name})`, 'transition-duration': '1s' } : { 'transition-duration': `var(${name})` }, 'moving'))))];
