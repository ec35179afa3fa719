// Numbers for people, in the language in use.

import { language, onLanguage, t } from './i18n.js';
import { load, save } from './storage.js';

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();
onLanguage(() => formats.clear());

/** @typedef {'metric' | 'imperial'} Units */

/** @type {Units} */
let chosen = /** @type {string} */ (load('units', 'metric')) === 'imperial' ? 'imperial' : 'metric';

/** What lengths are told in. */
export const units = () => chosen;

/** @param {Units} value whoever shows a length has to be told of the change */
export function setUnits(value) {
  chosen = value;
  save('units', value === 'metric' ? undefined : value);
}

/** International foot and mile of 1959, metres. */
const FOOT = 0.3048;
const MILE = 1609.344;

/**
 * @param {'centimeter' | 'meter' | 'kilometer' | 'inch' | 'foot' | 'mile' | 'degree'} unit
 * @param {number} digits
 */
function unit(unit, digits) {
  const key = unit + digits;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language(), {
      style: 'unit',
      unit,
      unitDisplay: unit === 'degree' ? 'narrow' : 'short',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}

/**
 * Rounded as far as a phone's position can be believed, so that the text does not flicker.
 * @param {number} metres
 */
export function distance(metres) {
  if (!Number.isFinite(metres)) return '–';
  if (chosen === 'imperial') {
    const feet = metres / FOOT;
    if (feet < 300) return unit('foot', 0).format(Math.round(feet));
    if (feet < 995) return unit('foot', 0).format(Math.round(feet / 10) * 10);
    return unit('mile', metres < 9.95 * MILE ? 1 : 0).format(metres / MILE);
  }
  if (metres < 100) return unit('meter', 0).format(Math.round(metres));
  if (metres < 995) return unit('meter', 0).format(Math.round(metres / 10) * 10);
  if (metres < 9950) return unit('kilometer', 1).format(metres / 1000);
  return unit('kilometer', 0).format(Math.round(metres / 1000));
}

/**
 * A setting rather than a measurement: "5 km", "2.5 km".
 * @param {number} metres
 */
export function range(metres) {
  if (chosen === 'imperial') return metres < 995 * FOOT ? unit('foot', 0).format(metres / FOOT) : unit('mile', 1).format(metres / MILE);
  if (metres < 1000) return unit('meter', 0).format(metres);
  return unit('kilometer', metres % 1000 === 0 ? 0 : 1).format(metres / 1000);
}

/**
 * A length within reach: "84 cm", "1.32 m".
 * @param {number} metres
 */
export function shortLength(metres) {
  if (chosen === 'imperial') return metres < FOOT ? unit('inch', 0).format(metres / FOOT * 12) : unit('foot', 1).format(metres / FOOT);
  return metres < 0.995 ? unit('centimeter', 0).format(metres * 100) : unit('meter', 2).format(metres);
}

/** @param {number} metres */
export function height(metres) {
  return chosen === 'imperial' ? unit('foot', 0).format(Math.round(metres / FOOT)) : unit('meter', 0).format(Math.round(metres));
}

/**
 * @param {number} degrees
 * @param {number} [digits] behind the point
 */
export function degrees(degrees, digits = 0) {
  return unit('degree', digits).format(degrees);
}

/** @param {number} seconds */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** @param {number} count */
export function bytes(count) {
  const large = count >= 1e6;
  const name = large ? 'megabyte' : 'kilobyte';
  let format = formats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(language(), { style: 'unit', unit: name, maximumFractionDigits: large ? 1 : 0 });
    formats.set(name, format);
  }
  return format.format(count / (large ? 1e6 : 1e3));
}

/** @param {number} value */
export function integer(value) {
  let format = formats.get('integer');
  if (!format) formats.set('integer', format = new Intl.NumberFormat(language()));
  return format.format(value);
}

/** The points of the compass, clockwise from north. */
export const COMPASS_POINTS = /** @type {const} */ ([
  'compass.n',
  'compass.ne',
  'compass.e',
  'compass.se',
  'compass.s',
  'compass.sw',
  'compass.w',
  'compass.nw',
]);

/**
 * "NE 43°"
 * @param {number} radians clockwise from north
 */
export function bearing(radians) {
  const value = ((Math.round((radians * 180) / Math.PI) % 360) + 360) % 360;
  return `${compassPoint(radians)} ${value}°`;
}

/** @param {number} radians clockwise from north */
export function compassPoint(radians) {
  const eighth = ((Math.round(radians / (Math.PI / 4)) % 8) + 8) % 8;
  return t(COMPASS_POINTS[eighth]);
}
