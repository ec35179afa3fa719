// The colours of lines: as the operator says, or by the kind of vehicle where a feed has none.

/** Kinds in the order of what a stop is shown as, with the colours most cities know them by. */
const MODES = /** @type {[string, string][]} */ ([
  ['metro', '#f2681f'], ['rail', '#9b5bb0'], ['tram', '#13a06f'], ['ferry', '#1aa7c8'], ['funicular', '#a06a3c'],
  ['cableTram', '#13a06f'], ['monorail', '#b0568b'], ['aerialLift', '#6b7fd7'], ['trolleybus', '#2f7fe0'],
  ['bus', '#2f7fe0'], ['coach', '#5564c8'], ['taxi', '#c99a1b'], ['other', '#7b8894'],
]);
const BY_MODE = new Map(MODES);

/** @param {string} mode */
export const modeColor = (mode) => BY_MODE.get(mode) ?? '#7b8894';

/**
 * @param {string[]} modes
 * @returns {string} the one a stop is shown as
 */
export const mainMode = (modes) => MODES.find(([mode]) => modes.includes(mode))?.[0] ?? 'other';

/** What small text on a colour needs (WCAG 2, level AA). */
const CONTRAST = 4.5;

/**
 * White on nothing is the format's way to say that there is no colour. The operator's colour of the text is taken where it
 * can be read; else black or white, of which one can be read on every colour.
 * @param {{ color?: string | null, textColor?: string | null, mode: string }} line
 * @returns {{ color: string, text: string }}
 */
export function lineColors({ color, textColor, mode }) {
  const isNone = !color || !/^[0-9a-f]{6}$/i.test(color) || (/^f{6}$/i.test(color) && /^0{6}$/.test(textColor ?? '000000'));
  const ground = isNone ? modeColor(mode) : `#${color}`;
  const wanted = !isNone && /^[0-9a-f]{6}$/i.test(textColor ?? '') ? `#${textColor}` : '#ffffff';
  if (contrast(ground, wanted) >= CONTRAST) return { color: ground, text: wanted };
  return { color: ground, text: contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? '#ffffff' : '#000000' };
}

/**
 * @param {string} a "#rrggbb"
 * @param {string} b
 * @returns {number} 1 … 21
 */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} color "#rrggbb" */
function luminance(color) {
  const [r, g, b] = components(color).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * @param {string} color "#rrggbb"
 * @returns {[number, number, number]} 0 … 1
 */
export function components(color) {
  const value = parseInt(color.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
