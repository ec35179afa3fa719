// How large a label becomes, without asking the browser's layout: the text is broken here and set with these very breaks.
// All sizes follow the text size of the page; they must agree with styles/labels.css.

const MAX_LINES = 2;

/** In rem. */
const CARD = { text: 11.5, least: 3.6, line: 1.125, meta: 1, font: 0.875, x: 0.625, y: 0.4375, icon: 1.75, gap: 0.5 };
const PILL = { text: 8.5, height: 1.625, font: 0.8125, x: 0.5, icon: 1, gap: 0.3125 };
const ARROW = { text: 7, font: 0.8125, small: 0.6875, height: 2.25, x: 0.625, icon: 1.125, gap: 0.375 };

const context = document.createElement('canvas').getContext('2d');
let rem = 16;
let family = 'system-ui, sans-serif';
/** The screen's shorter side, CSS pixels: turning the phone changes no label. */
let narrow = 390;

/**
 * Takes over the page's fonts (after a change of text size or language).
 * @returns {boolean} whether anything has changed
 */
export function readFonts() {
  const before = `${rem} ${family} ${narrow}`;
  family = getComputedStyle(document.body).fontFamily || 'system-ui, sans-serif';
  rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  // Beyond that no text is cut for want of room.
  narrow = Math.min(innerWidth, innerHeight, 600);
  return before !== `${rem} ${family} ${narrow}`;
}

/** CSS pixels of 1 rem. */
export const remSize = () => rem;

/** No text takes more than this of the screen's width, however large it is. */
const mostWidth = (/** @type {number} */ size) => Math.min(size * rem, narrow * 0.52);

/** @param {number} size rem */
const fontOf = (size) => `600 ${size * rem}px ${family}`;

/** @returns {string} the canvas font of a card's name */
export const labelFont = () => fontOf(CARD.font);

/** @returns {string} the canvas font of a pill's name */
export const pillFont = () => fontOf(PILL.font);

/**
 * The label with everything on it: symbol, name, distance.
 * @param {string} text
 * @returns {{ lines: string[], width: number, height: number }} the box in CSS pixels
 */
export function measureLabel(text) {
  const most = mostWidth(CARD.text);
  const lines = wrap(text, fontOf(CARD.font), most);
  const widest = Math.max(CARD.least * rem, ...lines.map((line) => width(line, fontOf(CARD.font))));
  return {
    lines,
    width: Math.ceil(widest + (CARD.icon + CARD.gap + 2 * CARD.x) * rem),
    height: Math.ceil((lines.length * CARD.line + CARD.meta + 2 * CARD.y) * rem),
  };
}

/**
 * The label with less on it: symbol and name in one line.
 * @param {string} text
 * @returns {{ text: string, width: number, height: number }} the box in CSS pixels
 */
export function measurePill(text) {
  const font = fontOf(PILL.font);
  const line = shorten(first(text), font, Math.min(PILL.text * rem, narrow * 0.45));
  return {
    text: line,
    width: Math.ceil(width(line, font) + (PILL.icon + PILL.gap + 2 * PILL.x) * rem),
    height: Math.ceil(PILL.height * rem),
  };
}

/**
 * An arrow at the rim: a pointer, and a name over a distance.
 * @param {string} main
 * @param {string} more what follows the name and is never cut: how many others there are
 * @param {string} minor
 * @returns {{ text: string, width: number, height: number }} `text`: name and more as they fit; the box in CSS pixels
 */
export function measureArrow(main, more, minor) {
  const font = fontOf(ARROW.font);
  const room = Math.min(ARROW.text * rem, narrow * 0.28) - (more ? width(more, font) : 0);
  const text = shorten(main, font, Math.max(room, 2 * rem)) + more;
  const widest = Math.max(width(text, font), width(minor, `500 ${ARROW.small * rem}px ${family}`));
  return {
    text,
    // In steps, so that a distance that changes does not move the labels around it.
    width: Math.max(44, Math.ceil((widest + (ARROW.icon + ARROW.gap + 2 * ARROW.x) * rem) / 8) * 8),
    height: Math.max(44, Math.ceil(ARROW.height * rem)),
  };
}

/**
 * @param {string} text
 * @param {string} font
 */
function width(text, font) {
  if (!context) return text.length * 8;
  if (context.font !== font) context.font = font;
  return context.measureText(text).width;
}

/** More letters than the lines hold of even the narrowest: what follows need not be looked at. */
const MOST_LETTERS = 400;

/** @param {string} whole */
function bounded(whole) {
  return whole.length > MOST_LETTERS ? `${whole.slice(0, MOST_LETTERS).replace(/[\ud800-\udbff]$/, '')} …` : whole;
}

/** @param {string} text */
function first(text) {
  return bounded(text).split(/\r?\n/).map((line) => line.trim()).find(Boolean) ?? '';
}

/**
 * @param {string} whole
 * @param {string} font
 * @param {number} most
 */
function wrap(whole, font, most) {
  /** @type {string[]} */
  const lines = [];
  for (const paragraph of bounded(whole).split(/\r?\n/)) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const longer = line ? `${line} ${word}` : word;
      if (!line || width(longer, font) <= most) line = longer;
      else {
        lines.push(line);
        line = word;
      }
    }
    if (line) lines.push(line);
    if (lines.length > MAX_LINES) break;
  }
  if (lines.length === 0) return [''];
  const shown = lines.slice(0, MAX_LINES).map((line) => shorten(line, font, most));
  if (lines.length > MAX_LINES) shown[MAX_LINES - 1] = shorten(`${lines[MAX_LINES - 1]} …`, font, most, true);
  return shown;
}

/**
 * @param {string} line
 * @param {string} font
 * @param {number} most CSS pixels
 * @param {boolean} [more] whether something follows that is not shown
 */
function shorten(line, font, most, more = false) {
  if (width(line, font) <= most) return line;
  let text = more ? line.replace(/ …$/, '') : line;
  while (text.length > 1 && width(`${text}…`, font) > most) text = text.slice(0, -1);
  return `${text.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** Room around a picture, CSS pixels. */
const FRAME = 8;

/**
 * A picture in the view: its own size, but never so large that a small phone has no room for it between the bars.
 * @param {number} width natural size
 * @param {number} height
 * @param {number} screen shorter side of the screen
 */
export function measurePicture(width, height, screen) {
  const limit = Math.max(64, screen * 0.3);
  const scale = Math.min(1, limit / Math.max(width, height, 1));
  return {
    width: Math.max(24, Math.round(width * scale)) + FRAME,
    height: Math.max(24, Math.round(height * scale)) + FRAME,
  };
}
