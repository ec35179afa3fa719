// Departures in words and numbers, in the language in use.

import { language, onLanguage, t } from '../core/i18n.js';
import { wallClock } from './clock.js';

/**
 * @typedef {import('./types').Departure} Departure
 * @typedef {import('./types').Forecast} Forecast
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./clock.js').ServerClock} ServerClock
 */

/** Minutes up to which a departure is told by how long it takes, and not by the clock. */
const SOON = 60;

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();
onLanguage(() => formats.clear());

/**
 * @param {number} value
 * @param {'second' | 'minute' | 'hour'} unit
 * @param {'short' | 'long'} unitDisplay
 */
function amount(value, unit, unitDisplay) {
  const key = `${unit} ${unitDisplay}`;
  let format = formats.get(key);
  if (!format) {
    formats.set(key, format = new Intl.NumberFormat(language(), {
      style: 'unit', unit, unitDisplay, maximumFractionDigits: 0,
    }));
  }
  return format.format(value);
}

/**
 * "3 min"
 * @param {number} count
 * @param {'short' | 'long'} [display]
 */
export function minutes(count, display = 'short') {
  return amount(count, 'minute', display);
}

/**
 * How old something is: "12 s", "4 min".
 * @param {number} seconds
 */
export function age(seconds) {
  if (seconds < 90) return amount(Math.max(0, Math.round(seconds)), 'second', 'short');
  if (seconds < 5400) return amount(Math.round(seconds / 60), 'minute', 'short');
  return amount(Math.round(seconds / 3600), 'hour', 'short');
}

/**
 * @param {Departure} departure
 * @returns {string | null} when it really leaves, as far as is known
 */
export const leaves = (departure) => departure.expected ?? departure.scheduled;

/**
 * When a departure leaves, large on the board: "Now", "3 min", "14:05".
 * @param {Departure} departure
 * @param {ServerClock} clock
 */
export function due(departure, clock) {
  const time = leaves(departure);
  if (!time) return '–';
  const left = Math.floor(clock.until(time) / 60);
  if (left >= SOON) return wallClock(time);
  const text = left < 1 ? t('transit.now') : minutes(left);
  return departure.approximate && left >= 1 ? t('transit.about', { time: text }) : text;
}

/**
 * How late it is, if that is worth saying.
 * @param {Departure} departure
 * @returns {{ text: string, kind: 'late' | 'early' | 'onTime' } | null}
 */
export function punctuality({ delay, state }) {
  if (delay === null || delay === undefined || state === 'cancelled' || state === 'skipped') return null;
  const late = Math.round(delay / 60);
  if (late > 0) return { kind: 'late', text: t('transit.late', { time: minutes(late) }) };
  if (late < 0) return { kind: 'early', text: t('transit.early', { time: minutes(-late) }) };
  return { kind: 'onTime', text: t('transit.onTime') };
}

/**
 * Where the data of a board come from and how old they are.
 * @param {Forecast} forecast
 * @param {number} since seconds since the answer came
 */
export function sourceLine(forecast, since) {
  const source = SOURCES[forecast.source] ?? forecast.source;
  const state = t(`transit.state.${forecast.stale ? 'stale' : forecast.state}`);
  if (forecast.age === null) return `${state} · ${source}`;
  return `${state} · ${source} · ${t('transit.age', { time: age(forecast.age + since) })}`;
}

/**
 * Names of formats are names in every language.
 * @type {Record<string, string>}
 */
const SOURCES = { gtfs: 'GTFS', 'gtfs-rt': 'GTFS Realtime', siri: 'SIRI', json: 'JSON' };

/**
 * About how long it takes on foot: streets are a quarter longer than the straight line, at 4.8 km/h.
 * @param {number} metres in a straight line
 */
export function onFoot(metres) {
  return minutes(Math.max(1, Math.round((metres * 1.25) / 80)));
}

const WAYS = /** @type {const} */ ([
  'transit.way.ahead', 'transit.way.aheadRight', 'transit.way.right', 'transit.way.behindRight', 'transit.way.behind',
  'transit.way.behindLeft', 'transit.way.left', 'transit.way.aheadLeft',
]);

/**
 * Which way something is for somebody who looks in a direction.
 * @param {number} bearing radians clockwise from north
 * @param {number} heading likewise
 */
export function way(bearing, heading) {
  const eighth = Math.round((bearing - heading) / (Math.PI / 4));
  return t(WAYS[((eighth % 8) + 8) % 8]);
}

/**
 * What is said aloud of a departure.
 * @param {Departure} departure
 * @param {ServerClock} clock
 */
export function spoken(departure, clock) {
  const { line, headsign } = departure;
  const time = leaves(departure);
  if (departure.state === 'cancelled') return t('transit.say.cancelled', { line, headsign, time: time ? wallClock(time) : '' });
  if (departure.state === 'skipped') return t('transit.say.skipped', { line, headsign, time: time ? wallClock(time) : '' });
  const left = time ? Math.floor(clock.until(time) / 60) : NaN;
  if (left < 1) return t('transit.say.now', { line, headsign });
  if (left < SOON) return t('transit.say.in', { line, headsign, time: minutes(left, 'long') });
  return t('transit.say.at', { line, headsign, time: time ? wallClock(time) : '' });
}

/**
 * What a group of departures is chosen by: a line in a direction.
 * @param {{ lineId: string, headsign: string }} departure
 */
export const directionKey = ({ lineId, headsign }) => `${lineId}\n${headsign}`;
