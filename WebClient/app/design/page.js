// `/#/design`: every part that the pages share, in all its states, for whoever changes how they look. Not in the menu; fetched only
// when it is opened. What stands here is the real thing: a part that looks wrong here looks wrong everywhere.

import { h, icon } from '../core/dom.js';
import { schemeOf } from '../core/appearance.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { segmented } from '../controls/segmented.js';
import { asked, buttons, chips, fields, files, maps, messages, switches } from './controls.js';
import { emptiness, gate, places, sheet } from './panels.js';
import { ofView, radar, status } from './scene.js';
import { colours, layers, movement, sizes } from './tokens.js';

/**
 * @typedef {import('../core/i18n.js').AreaKey} AreaKey
 * @typedef {'auto' | 'dark' | 'light'} Choice
 */

/** @type {[AreaKey, () => (Node | null)[]][]} */
const SECTIONS = [
  ['design.colours', colours], ['design.sizes', sizes], ['design.layers', layers], ['design.movement', movement],
  ['design.buttons', buttons], ['design.fields', fields], ['design.switches', switches], ['design.chips', chips], ['design.files', files],
  ['design.map', maps], ['design.messages', messages], ['design.questions', asked], ['design.view', ofView], ['design.radar', radar],
  ['design.status', status], ['design.places', places], ['design.sheet', sheet], ['design.gate', gate], ['design.empty', emptiness],
];

export class DesignPage {
  #life = new AbortController();
  #scheme = /** @type {Choice} */ ('auto');
  main = h('div', { class: 'design-sections' });

  /** @param {import('../parts.js').Opening} opening */
  constructor({ leave }) {
    const still = h('input', { type: 'checkbox', id: 'design-still', onchange: () => this.element.toggleAttribute('data-still', still.checked) });
    this.element = h('main', { id: 'design-page' },
      h('header', { class: 'design-head' },
        labelled(h('button', { type: 'button', class: 'round small plain', id: 'design-back', onclick: leave }, icon('back')), 'common.back'),
        localized(h('h1'), 'design.title')),
      localized(h('p', { class: 'design-note' }), 'design.intro'),
      h('div', { class: 'design-tools' },
        segmented({
          id: 'design-scheme', label: 'settings.theme', value: this.#scheme,
          options: [{ value: 'auto', text: 'settings.auto' }, { value: 'light', text: 'settings.light' }, { value: 'dark', text: 'settings.dark' }],
          change: (scheme) => {
            this.#scheme = scheme;
            this.#show();
          },
        }),
        h('label', { class: 'choice' }, still, localized(h('span'), 'design.still'))),
      this.main);
    document.body.append(this.element);
    onLanguage(() => this.#show(), this.#life.signal);
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.#show(), { signal: this.#life.signal });
    this.#show();
  }

  #show() {
    document.title = `${t('design.title')} · ${t('app.name')}`;
    this.element.dataset.scheme = this.#scheme === 'auto' ? schemeOf('design') : this.#scheme;
    // Made anew: what is computed from the tokens is shown beside them.
    this.main.replaceChildren(...SECTIONS.map(([key, make]) =>
      h('section', { class: 'design-section', dataset: { section: key.slice('design.'.length) } }, localized(h('h2'), key), ...make())));
  }

  state() {
    return { design: SECTIONS.map(([key]) => key) };
  }

  close() {
    this.#life.abort();
    this.element.remove();
  }
}
