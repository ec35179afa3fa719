// Radius and categories: the same bar under the view, the map and the list.

import { find, h, setText } from '../core/dom.js';
import { range } from '../core/format.js';
import { localized, onLanguage, t } from '../core/i18n.js';
import { categoryHue } from '../session/content.js';
import { stepsTo } from './radius-steps.js';

/** @typedef {import('../session/session.js').Session} Session */

const ALL = 0xffff_ffff_ffff_ffffn;

export class Filters {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.slider = find('#radius', HTMLInputElement);
    this.value = find('#radius-value', HTMLElement);
    this.chips = find('#categories', HTMLElement);
    this.slider.min = '0';
    this.slider.step = '1';
    this.slider.addEventListener('input', this.#slide);
    session.on('world', () => this.#build());
    session.on('filter', () => this.#show());
    onLanguage(() => this.#build(), session.closed);
    this.#build();
  }

  /**
   * What the slider's stops mean, metres.
   * @type {number[]}
   */
  #steps = [];

  #slide = () => {
    const metres = this.#steps[Number(this.slider.value)];
    if (metres !== undefined) this.session.setRadius(metres);
  };

  #build() {
    const categories = this.session.content?.categories ?? [];
    this.chips.hidden = categories.length < 2;
    const all = localized(
      h('button', {
        type: 'button',
        class: 'chip',
        dataset: { category: 'all' },
        onclick: () => this.session.setCategories(ALL),
      }),
      'filter.all',
    );
    this.chips.replaceChildren(
      all,
      ...categories.map((category) => {
        const chip = h(
          'button',
          {
            type: 'button',
            class: 'chip',
            dataset: { category: String(category.number), name: category.name },
            onclick: () => this.#toggle(category.number),
          },
          h('i', { class: 'dot' }),
          category.name || t('filter.none'),
        );
        chip.style.setProperty('--hue', String(categoryHue(category.number)));
        chip.classList.toggle('other', category.number === 0);
        return chip;
      }),
    );
    this.#show();
  }

  /**
   * The first tap on a category shows it alone: that is what people look for. Further taps add and take away.
   * @param {number} number
   */
  #toggle(number) {
    const bit = 1n << BigInt(number);
    const mask = this.session.categoryMask;
    const next = mask === ALL ? bit : mask ^ bit;
    this.session.setCategories(next === 0n ? ALL : next);
  }

  #show() {
    const mask = this.session.categoryMask;
    for (const chip of this.chips.children) {
      if (!(chip instanceof HTMLElement)) continue;
      const on = chip.dataset.category === 'all'
        ? mask === ALL
        : mask !== ALL && ((mask >> BigInt(chip.dataset.category ?? 0)) & 1n) === 1n;
      chip.setAttribute('aria-pressed', String(on));
    }
    const text = range(this.session.radius);
    setText(this.value, text);
    this.slider.setAttribute('aria-valuetext', t('filter.radiusValue', { distance: text }));
    const { radius, reach } = this.session;
    if (this.#steps.at(-1) !== reach) {
      this.#steps = stepsTo(reach);
      this.slider.max = String(this.#steps.length - 1);
    }
    const at = this.#steps.findIndex((metres) => metres >= radius);
    this.slider.value = String(at < 0 ? this.#steps.length - 1 : at);
    this.slider.style.setProperty('--part', `${((Number(this.slider.value) / Math.max(1, this.#steps.length - 1)) * 100).toFixed(1)}%`);
  }
}
