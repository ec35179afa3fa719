// Names over the pins that have room for one: buttons, made once for each stop and moved.

import { h, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { lineColors } from './colors.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 * @typedef {{ element: HTMLButtonElement, far: HTMLElement, width: number, height: number }} Label
 */

const MOST_LINES = 5;

/**
 * @param {import('./types').Line[]} lines
 * @param {number} most
 */
export function lineBadges(lines, most) {
  const shown = lines.slice(0, most).map((line) => {
    const { color, text } = lineColors(line);
    const badge = h('span', { class: 'line-badge' }, line.name);
    badge.style.background = color;
    badge.style.color = text;
    return badge;
  });
  if (lines.length > most) shown.push(h('span', { class: 'line-badge more' }, `+${lines.length - most}`));
  return shown;
}

export class PinLabels {
  /** @type {Map<string, Label>} */
  #labels = new Map();
  /** @type {Label[]} in the order of the pins */
  #order = [];

  /**
   * @param {HTMLElement} element
   * @param {(stop: Stop) => void} choose
   */
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
  }

  /**
   * Makes and measures the labels of the stops there are now.
   * @param {Stop[]} stops
   * @returns {Label[]}
   */
  set(stops) {
    const before = this.#labels;
    this.#labels = new Map();
    this.#order = stops.map((stop) => {
      const label = before.get(stop.id) ?? this.#make(stop);
      before.delete(stop.id);
      this.#labels.set(stop.id, label);
      setText(label.far, stop.distance === undefined ? '' : distance(stop.distance));
      label.element.setAttribute('aria-label', t('label.label', { name: stop.name, distance: label.far.textContent ?? '' }));
      return label;
    });
    for (const { element } of before.values()) element.remove();
    for (const label of this.#order) {
      if (label.width) continue;
      label.width = label.element.offsetWidth;
      label.height = label.element.offsetHeight;
    }
    return this.#order;
  }

  /**
   * @param {Stop} stop
   * @returns {Label}
   */
  #make(stop) {
    const far = h('span', { class: 'stop-label-far' });
    const element = h(
      'button',
      { type: 'button', class: 'stop-label', dataset: { stop: stop.id }, onclick: () => this.choose(stop) },
      h('span', { class: 'stop-label-name' }, stop.name),
      h('span', { class: 'stop-label-lines' }, far, ...lineBadges(stop.lines, MOST_LINES)),
    );
    this.element.append(element);
    return { element, far, width: 0, height: 0 };
  }

  /** All are made anew: the language or the fonts have changed. */
  forget() {
    for (const { element } of this.#labels.values()) element.remove();
    this.#labels.clear();
    this.#order = [];
  }

  /**
   * @param {GroundFrame} frame
   * @param {number | null} selected
   */
  draw(frame, selected) {
    for (let k = 0; k < this.#order.length; k++) {
      const { element, width, height } = this.#order[k];
      const pin = frame.pins[k];
      const isShown = Boolean(pin?.hasLabel);
      if (element.classList.contains('shown') !== isShown) element.classList.toggle('shown', isShown);
      if (!isShown) continue;
      const isSelected = k === selected;
      if (element.classList.contains('selected') !== isSelected) element.classList.toggle('selected', isSelected);
      const turn = Math.abs(frame.roll) < 0.002 ? '' : ` rotate(${frame.roll.toFixed(4)}rad)`;
      element.style.transform = `translate(${(pin.labelX - width / 2).toFixed(1)}px, ${(pin.labelY - height / 2).toFixed(1)}px)${turn}`;
    }
  }
}
