// Rows of a board: one departure, one line that comes every so often, one notice.

import { h, icon } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { wallClock } from './clock.js';
import { lineColors } from './colors.js';
import { due, leaves, minutes, punctuality } from './words.js';

/**
 * @typedef {import('./types').Departure} Departure
 * @typedef {import('./clock.js').ServerClock} ServerClock
 */

/** @param {{ line: string, lineColor: string, textColor: string, mode: string }} of */
export function badge({ line, lineColor, textColor, mode }) {
  const { color, text } = lineColors({ color: lineColor, textColor, mode });
  const element = h('span', { class: 'line-badge big' }, line);
  element.style.background = color;
  element.style.color = text;
  return element;
}

/**
 * @param {string} symbol
 * @param {string} text
 */
function mark(symbol, text) {
  return h('span', { class: 'mark', role: 'img', 'aria-label': text, title: text }, icon(symbol));
}

/**
 * @param {string} kind
 * @param {string} text
 */
const tag = (kind, text) => h('span', { class: `tag ${kind}` }, text);

/**
 * @param {Departure} departure
 * @param {ServerClock} clock
 * @param {Map<string, import('./types').Alert>} alerts
 */
export function departureRow(departure, clock, alerts) {
  const { state, scheduled, expected, platform, wheelchair, lowFloor, pickup } = departure;
  const isOff = state === 'cancelled' || state === 'skipped';
  const late = punctuality(departure);
  const isMoved = scheduled && expected && wallClock(scheduled) !== wallClock(expected);
  const time = leaves(departure);
  const notices = departure.alerts.map((id) => alerts.get(id)?.header).filter(Boolean);
  const isLive = state === 'live' || (state === 'added' && expected !== null);
  return h(
    'li',
    { class: `departure ${state}`, dataset: { state, line: departure.line } },
    badge(departure),
    h(
      'div',
      { class: 'departure-words' },
      h('span', { class: 'headsign' }, departure.headsign, departure.tripName ? h('span', { class: 'trip-name' }, departure.tripName) : null),
      h(
        'span',
        { class: 'departure-facts' },
        // Both times when they differ; the planned one struck out.
        scheduled && (isMoved || isOff)
          ? h('s', { class: 'planned' }, h('span', { class: 'sr-only' }, t('transit.planned')), wallClock(scheduled))
          : null,
        !isOff && time ? h('span', { class: isLive ? 'clock live' : 'clock' }, wallClock(time)) : null,
        state === 'cancelled' ? tag('bad', t('transit.cancelled')) : null,
        state === 'skipped' ? tag('bad', t('transit.skipped')) : null,
        state === 'added' ? tag('good', t('transit.added')) : null,
        late ? tag(late.kind, late.text) : null,
        platform ? tag('platform', t('transit.platform', { name: platform })) : null,
        wheelchair === true ? mark('wheelchair', t('transit.wheelchair')) : null,
        wheelchair === false ? mark('no-wheelchair', t('transit.noWheelchair')) : null,
        lowFloor === true ? mark('low-floor', t('transit.lowFloor')) : null,
        pickup === 'phone' ? tag('note', t('transit.byPhone')) : null,
        pickup === 'driver' ? tag('note', t('transit.askDriver')) : null,
      ),
      notices.length ? h('span', { class: 'departure-notice' }, icon('warning'), notices.join(' · ')) : null,
    ),
    h(
      'span',
      { class: isLive ? 'due live' : 'due' },
      isLive ? h('span', { class: 'pulse', role: 'img', 'aria-label': t('transit.state.live') }) : null,
      isOff ? '–' : due(departure, clock),
    ),
  );
}

/** @param {import('./types').Interval} interval */
export function intervalRow(interval) {
  return h(
    'li',
    { class: 'departure interval' },
    badge(interval),
    h(
      'div',
      { class: 'departure-words' },
      h('span', { class: 'headsign' }, interval.headsign),
      h('span', { class: 'departure-facts' }, t('transit.until', { time: wallClock(interval.to) })),
    ),
    h('span', { class: 'due' }, t('transit.every', { time: minutes(Math.round(interval.headway / 60)) })),
  );
}

/** @param {import('./types').Alert} alert */
export function alertRow({ header, text, url, severity }) {
  return h(
    'li',
    { class: `alert ${severity ?? 'warning'}` },
    icon(severity === 'info' ? 'info' : 'warning'),
    h(
      'details',
      {},
      h('summary', {}, header ?? text ?? ''),
      header && text ? h('p', {}, text) : null,
      url && /^https?:/.test(url) ? h('a', { href: url, rel: 'noreferrer noopener', target: '_blank' }, t('card.openLink')) : null,
    ),
  );
}
