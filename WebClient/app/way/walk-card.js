// The way on foot in words: how far and how long, whether there are steps, and what to do one after the other.

import { h, loadStyle, setText } from '../core/dom.js';
import { distance } from '../core/format.js';
import { loadTexts, localized, onLanguage, t, tn } from '../core/i18n.js';
import { walkingTime } from './walking-time.js';

/**
 * @typedef {import('./walk.js').Walk} Walk
 * @typedef {import('../net/foot.js').Instruction} Instruction
 */

/** @param {Instruction} instruction */
export function instructionText({ action, turn, name, steps, metres }) {
  const parts = [
    action === 'walk' ? t(`walk.turn.${turn ?? 'straight'}`) : t(`walk.${action === 'steps' ? 'takeSteps' : action}`),
    action !== 'arrive' && name ? name : '',
  ].filter(Boolean);
  const amounts = [
    action.startsWith('steps') && steps > 0 ? tn('walk.steps', steps) : '',
    action !== 'arrive' && metres >= 1 ? distance(metres) : '',
  ].filter(Boolean);
  return parts.join(': ') + (amounts.length ? ` (${amounts.join(', ')})` : '');
}

export class WalkCard {
  /**
   * @param {Walk} walk
   * @param {AbortSignal} closed
   */
  constructor(walk, closed) {
    this.walk = walk;
    this.summary = h('summary', {});
    this.list = h('ol', { class: 'walk-steps' });
    this.avoid = h('input', { type: 'checkbox', id: 'walk-avoid', checked: walk.avoidsSteps, onchange: () => walk.avoidSteps(this.avoid.checked) });
    this.credit = h('p', { class: 'credits' });
    this.element = h('details', { class: 'walk', id: 'walk', hidden: true }, this.summary, this.list,
      h('label', { class: 'walk-avoid' }, this.avoid, localized(h('span'), 'walk.avoid')), this.credit);
    void loadStyle('way');
    void loadTexts('walk').then(() => {
      walk.on('change', () => this.#show());
      onLanguage(() => this.#show(), closed);
      this.#show();
    });
  }

  #show() {
    const { route, attribution } = this.walk;
    this.element.hidden = !route;
    if (!route) return;
    const parts = [distance(route.metres), t('walk.time', { time: walkingTime(route.seconds) })];
    if (route.hasSteps) parts.push(tn('walk.steps', route.steps));
    else parts.push(t('walk.noSteps'));
    setText(this.summary, parts.join(' · '));
    this.list.replaceChildren(...route.instructions.map((one) => h('li', {}, instructionText(one))));
    setText(this.credit, attribution);
  }
}
