// What of the stops near the user fits a search: lines, destinations, departures. No elements here.

import { leaves } from './words.js';

/**
 * @typedef {import('./types').Stop} Stop
 * @typedef {import('./types').Line} Line
 * @typedef {import('./types').Departure} Departure
 * @typedef {{ line: Line | null, headsign: string }} Wanted a line, or where a vehicle goes
 */

/**
 * Small letters without accents and punctuation, with a blank before each word.
 * @param {string} text
 */
export function folded(text) {
  const words = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words ? ` ${words.join(' ')}` : '';
}

/**
 * How well a name fits: 0 when it begins so, 1 when its words do, 2 when the words are somewhere in it; -1 when it does not.
 * @param {string} query
 * @param {string} name
 */
export function rank(query, name) {
  const [wanted, text] = [folded(query), folded(name)];
  if (!wanted) return -1;
  const words = wanted.trim().split(' ');
  if (words.every((word) => text.includes(` ${word}`))) return text.startsWith(` ${words[0]}`) ? 0 : 1;
  return words.every((word) => text.includes(word)) ? 2 : -1;
}

/**
 * @template T
 * @param {string} query
 * @param {Iterable<T>} all
 * @param {(one: T) => string} name
 * @returns {T[]} those that fit, the best first, else as they came
 */
function fitting(query, all, name) {
  return [...all].map((one) => ({ one, fit: rank(query, name(one)) })).filter(({ fit }) => fit >= 0)
    .sort((a, b) => a.fit - b.fit).map(({ one }) => one);
}

/**
 * @param {string} query
 * @param {Line[]} around lines that lie on the ground
 * @param {Stop[]} stops
 * @returns {Line[]} of which each is one once; those that are called exactly so first
 */
export function linesNamed(query, around, stops) {
  const all = new Map([...stops.flatMap(({ lines }) => lines), ...around].map((line) => [line.id, line]));
  // A line is asked for by the beginning of its name: "4" is not 14.
  const found = fitting(query, all.values(), ({ name }) => name).filter(({ name }) => rank(query, name) < 2);
  const isExact = (/** @type {Line} */ { name }) => (folded(name) === folded(query) ? 0 : 1);
  return found.sort((a, b) => isExact(a) - isExact(b));
}

/**
 * @param {string} query
 * @param {Stop[]} boards
 * @returns {{ headsign: string, lines: Line[] }[]} where vehicles go from there, each with the lines that do
 */
export function destinations(query, boards) {
  /** @type {Map<string, Map<string, Line>>} */
  const all = new Map();
  for (const { forecast } of boards) {
    for (const one of [...(forecast?.departures ?? []), ...(forecast?.intervals ?? [])]) {
      if (!one.headsign) continue;
      const lines = all.get(one.headsign) ?? new Map();
      lines.set(one.lineId, { id: one.lineId, name: one.line, mode: one.mode, color: one.lineColor, textColor: one.textColor });
      all.set(one.headsign, lines);
    }
  }
  return fitting(query, all, ([headsign]) => headsign).map(([headsign, lines]) => ({ headsign, lines: [...lines.values()] }));
}

/**
 * What leaves from these stops on a line or towards a destination, in the order of the time; a trip once, from the nearest
 * stop (boards come nearest first).
 * @param {Wanted} wanted
 * @param {Stop[]} boards
 * @param {import('./clock.js').ServerClock} clock
 */
export function departures(wanted, boards, clock) {
  /** @type {Map<string, { stop: Stop, departure: Departure, time: string }>} */
  const trips = new Map();
  for (const stop of boards) {
    for (const departure of stop.forecast?.departures ?? []) {
      const isWanted = wanted.line ? departure.lineId === wanted.line.id : departure.headsign === wanted.headsign;
      const time = leaves(departure);
      if (!isWanted || !time || departure.state === 'cancelled' || departure.state === 'skipped' || clock.until(time) < -30) continue;
      if (!trips.has(departure.trip)) trips.set(departure.trip, { stop, departure, time });
    }
  }
  return [...trips.values()].sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
}
