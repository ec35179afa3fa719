// Names over the pins that have room for one: buttons, made once for each stop and moved.

import { h, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { t } from '../core/i18n.js';
import { lineColors } from './colors.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('../../engine/ground.js').GroundFrame} GroundFrame
 * @typedef {import('../../engine/types').Rectangle} Rectangle
 * @typedef {import('../../engine/buildings.js').Visibility} Visibility
 * @typedef {{ x: number, y: number, least: number }} Point where the middle of a label may stand, and how far up it may go
 * @typedef {{ element: HTMLButtonElement, far: HTMLElement, width: number, height: number }} Label
 */

const MOST_LINES = 5;
/** Points between a label that is lifted and the next one. */
const GAP = 4;

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
   * @param {(Visibility | undefined)[]} visibilities of stops, in their order; none for those that are seen
   * @param {{ leavesOut: boolean, raised: (k: number, height: number) => Point | null }} hidden what becomes of labels of
   *   hidden stops: whether there are none, and where the middle of one stands that is lifted onto the roofs
   */
  draw(frame, selected, visibilities, { leavesOut, raised }) {
    /** @type {Rectangle[]} */
    const taken = [];
    /** @type {number[]} */
    const hidden = [];
    for (let k = 0; k < this.#order.length; k++) {
      const { element, width, height } = this.#order[k];
      const pin = frame.pins[k];
      const visibility = visibilities[k];
      const isShown = Boolean(pin?.hasLabel) && !(leavesOut && visibility === 'hidden' && k !== selected);
      if (element.dataset.visibility !== visibility) {
        if (visibility) element.dataset.visibility = visibility;
        else delete element.dataset.visibility;
      }
      if (element.classList.contains('shown') !== isShown) element.classList.toggle('shown', isShown);
      if (!isShown) continue;
      const isSelected = k === selected;
      if (element.classList.contains('selected') !== isSelected) element.classList.toggle('selected', isSelected);
      if (visibility === 'hidden') {
        hidden.push(k);
        continue;
      }
      this.#move(k, pin.labelX, pin.labelY, frame.roll);
      taken.push({ x: pin.labelX - width / 2, y: pin.labelY - height / 2, width, height });
    }
    // The nearest stand on the roofs, others over them; those that have no room there stay at their pins.
    for (const k of hidden) {
      const { width, height } = this.#order[k];
      const { labelX: pinX, labelY: pinY } = frame.pins[k];
      const at = raised(k, height);
      // A pin may be higher than the roofs.
      const y = at && at.y < pinY ? roomAbove(at, width, height, taken) : null;
      const [labelX, labelY] = at && y !== null ? [at.x, y] : [pinX, pinY];
      this.#move(k, labelX, labelY, frame.roll);
      taken.push({ x: labelX - width / 2, y: labelY - height / 2, width, height });
    }
  }

  /**
   * @param {number} k
   * @param {number} x of the middle
   * @param {number} y
   * @param {number} roll
   */
  #move(k, x, y, roll) {
    const { element, width, height } = this.#order[k];
    const turn = Math.abs(roll) < 0.002 ? '' : ` rotate(${roll.toFixed(4)}rad)`;
    element.style.transform = `translate(${(x - width / 2).toFixed(1)}px, ${(y - height / 2).toFixed(1)}px)${turn}`;
  }
}

/**
 * How far up a label has to go to lie over nothing.
 * @param {{ x: number, y: number, least: number }} at of its middle; the least y that it may have
 * @param {number} width
 * @param {number} height
 * @param {import('../../engine/types').Rectangle[]} taken
 * @returns {number | null} null where there is no room
 */
export function roomAbove({ x, y, least }, width, height, taken) {
  let free = y;
  for (let tries = 0; tries <= taken.length && free >= least; tries++) {
    const other = taken.find((box) => Math.abs(box.x + box.width / 2 - x) < (box.width + width) / 2 + GAP &&
      Math.abs(box.y + box.height / 2 - free) < (box.height + height) / 2 + GAP - 0.01);
    if (!other) return free;
    free = other.y - GAP - height / 2;
  }
  return null;
}
