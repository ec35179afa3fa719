// The figures of the page: of each stream its rate, its jitter and its delay; and what world tracking has learned of clock and lens.

import { h, setText } from '../core/dom.js';
import { language, localized, t } from '../core/i18n.js';
import { STREAMS } from './streams.js';

/**
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 * @typedef {import('./streams.js').Stream} Stream
 */

/** @type {Record<Stream, TextKey>} */
const NAMES = { picture: 'sensors.camera', motion: 'sensors.motion', orientation: 'sensors.orientation', fix: 'sensors.fix' };
const FACTS = /** @type {const} */ (['size', 'offset', 'focal', 'row', 'lost', 'label', 'browser']);

export class Figures {
  /** @type {import('../../engine/odometry.js').Tracked | null} */
  tracked = null;
  #size = '';
  /** @type {Record<string, HTMLElement[]>} */
  #cells = Object.fromEntries(STREAMS.map((name) => [name, [0, 1, 2].map(() => h('td'))]));
  /** @type {Record<string, HTMLElement>} */
  #facts = Object.fromEntries(FACTS.map((name) => [name, h('dd', { id: `sensors-${name}` })]));
  element = h('div', { class: 'sensors-figures', tabIndex: 0, role: 'region', 'aria-labelledby': 'sensors-caption' },
    h('table', {},
      localized(h('caption', { id: 'sensors-caption' }), 'sensors.figures'),
      h('thead', {}, h('tr', {}, h('td'), ...['sensors.rate', 'sensors.jitter', 'sensors.delay'].map((key) =>
        localized(h('th', { scope: 'col' }), /** @type {TextKey} */ (key))))),
      h('tbody', {}, ...STREAMS.map((name) => h('tr', {}, localized(h('th', { scope: 'row' }), NAMES[name]), ...this.#cells[name])))),
    h('dl', {}, ...FACTS.flatMap((name) => [localized(h('dt'), /** @type {TextKey} */ (`sensors.${name}`)), this.#facts[name]])));

  /** @param {import('../vision/camera-odometry.js').TrackedSight} sight */
  see({ tracked, width, height }) {
    this.tracked = tracked;
    this.#size = `${width} × ${height}`;
  }

  /**
   * @param {import('./streams.js').SensorStreams} streams
   * @param {{ lost: number, camera: string }} device
   */
  show(streams, { lost, camera }) {
    for (const { name, clock } of streams.figures) {
      const [first, second, third] = this.#cells[name];
      setText(first, clock ? `${number(clock.rate, 1)} Hz` : '–');
      setText(second, clock ? `${number(1000 * clock.jitter, 1)} / ${number(1000 * clock.most, 1)} ms` : '–');
      setText(third, clock ? `${number(1000 * clock.delay, 1)} ms` : '–');
    }
    const { tracked } = this;
    const isLearned = tracked?.state === 'metric' || tracked?.state === 'uncertainScale';
    const tell = (/** @type {string} */ name, /** @type {string} */ text) => setText(this.#facts[name], text || '–');
    tell('size', this.#size);
    tell('offset', isLearned ? `${number(1000 * tracked.timeOffset, 1)} ms` : '');
    tell('focal', isLearned ? t('sensors.pixels', { n: number(tracked.focal, 0), percent: number(100 * tracked.focalDeviation, 1) }) : '');
    tell('row', isLearned ? `${number(1e6 * tracked.rowTime, 1)} µs` : '');
    tell('lost', number(lost, 0));
    tell('label', camera);
    tell('browser', navigator.userAgent);
  }
}

/**
 * @param {number} value
 * @param {number} digits
 */
const number = (value, digits) => value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
