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

/**
 * White on nothing is the format's way to say that there is no colour.
 * @param {{ color?: string | null, textColor?: string | null, mode: string }} line
 * @returns {{ color: string, text: string }}
 */
export function lineColors({ color, textColor, mode }) {
  if (!color || !/^[0-9a-f]{6}$/i.test(color) || (/^f{6}$/i.test(color) && /^0{6}$/.test(textColor ?? '000000'))) {
    return { color: modeColor(mode), text: '#fff' };
  }
  return { color: `#${color}`, text: /^[0-9a-f]{6}$/i.test(textColor ?? '') ? `#${textColor}` : '#fff' };
}

/**
 * @param {string} color "#rrggbb"
 * @returns {[number, number, number]} 0 … 1
 */
export function components(color) {
  const value = parseInt(color.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
