// How large a label becomes, without asking the layout engine: the text is broken here and set with these very breaks.

const MAX_TEXT_WIDTH = 200;
const MAX_LINES = 3;
/** Must agree with .label in styles/ar.css. */
const PADDING = { x: 12, y: 7 };
const LINE = 18;
const META = 16;
const META_MIN_WIDTH = 58;

const context = document.createElement('canvas').getContext('2d');
let font = '600 14px system-ui, sans-serif';

/** Takes over the page's fonts (after a change of text size or language). */
export function readFonts() {
  const family = getComputedStyle(document.body).fontFamily || 'system-ui, sans-serif';
  font = `600 14px ${family}`;
}

/** @returns {string} the canvas font of a label's name */
export const labelFont = () => font;

/**
 * @param {string} text
 * @returns {{ lines: string[], width: number, height: number }} the box in CSS pixels
 */
export function measureLabel(text) {
  const lines = wrap(text);
  const widest = Math.max(META_MIN_WIDTH, ...lines.map(width));
  return {
    lines,
    width: Math.ceil(widest) + PADDING.x * 2,
    height: lines.length * LINE + META + PADDING.y * 2,
  };
}

/** @param {string} text */
function width(text) {
  if (!context) return text.length * 8;
  context.font = font;
  return context.measureText(text).width;
}

/** More letters than three lines hold of even the narrowest: what follows need not be looked at. */
const MOST_LETTERS = 400;

/** @param {string} whole */
function wrap(whole) {
  const text = whole.length > MOST_LETTERS ? `${whole.slice(0, MOST_LETTERS).replace(/[\ud800-\udbff]$/, '')} …` : whole;
  /** @type {string[]} */
  const lines = [];
  for (const paragraph of text.split(/\r?\n/)) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const longer = line ? `${line} ${word}` : word;
      if (!line || width(longer) <= MAX_TEXT_WIDTH) line = longer;
      else {
        lines.push(line);
        line = word;
      }
    }
    if (line) lines.push(line);
    if (lines.length > MAX_LINES) break;
  }
  if (lines.length === 0) return [''];
  const shown = lines.slice(0, MAX_LINES).map((line) => shorten(line));
  if (lines.length > MAX_LINES) shown[MAX_LINES - 1] = shorten(`${lines[MAX_LINES - 1]} …`, true);
  return shown;
}

/**
 * @param {string} line
 * @param {boolean} [more] whether something follows that is not shown
 */
function shorten(line, more = false) {
  if (width(line) <= MAX_TEXT_WIDTH) return line;
  let text = more ? line.replace(/ …$/, '') : line;
  while (text.length > 1 && width(`${text}…`) > MAX_TEXT_WIDTH) text = text.slice(0, -1);
  return `${text.trimEnd()}…`;
}

/** Longest side of a picture in the view, CSS pixels: its own size, but never more than a third of the screen. */
const FRAME = 8;

/**
 * @param {number} width natural size
 * @param {number} height
 * @param {number} screen shorter side of the screen
 */
export function measurePicture(width, height, screen) {
  const limit = Math.max(64, screen * 0.36);
  const scale = Math.min(1, limit / Math.max(width, height, 1));
  return {
    width: Math.max(24, Math.round(width * scale)) + FRAME,
    height: Math.max(24, Math.round(height * scale)) + FRAME,
  };
}
