// Draws what stands in the page onto a canvas, as it is on the screen: pictures, drawings, boxes and texts, turned as they are turned.
// No browser makes a picture of its own page; and what the page shows is whatever the world, the engine and the language have made of it.

import { roundBox, shortened } from '../core/canvas.js';

/**
 * @typedef {(element: Element) => string | null} Replace the text of a box that stands for an element whose inside nobody may see; null
 *   for all others
 * @typedef {{ scale: number, left: number, top: number }} Fit device pixels of a CSS pixel; where the page's left and upper edge are on
 *   the canvas
 * @typedef {{ c: CanvasRenderingContext2D, fit: Fit, replace: Replace }} Paint
 */

/** Asks whoever draws into a WebGL canvas to draw the same again: what was drawn is gone with the task that drew it. */
export const REDRAW = 'redraw';

/**
 * @param {HTMLCanvasElement} canvas device pixels
 * @param {Element[]} roots in the order in which they lie on each other; what is hidden is left out
 * @param {{ fit: Fit, replace: Replace }} options
 */
export async function paint(canvas, roots, { fit, replace }) {
  const c = canvas.getContext('2d');
  if (!c) return;
  await fetchIcons(roots);
  const state = { c, fit, replace };
  for (const root of roots) paintElement(state, root, 1, new DOMMatrix());
}

/**
 * @param {Paint} state
 * @param {Element} element
 * @param {number} opacity of what it stands in
 * @param {DOMMatrix} turn of what it stands in
 */
function paintElement(state, element, opacity, turn) {
  const style = getComputedStyle(element);
  if (style.display === 'none') return;
  const strength = opacity * Number(style.opacity);
  if (strength < 0.01) return;
  const matrix = style.transform === 'none' ? turn : turn.multiply(new DOMMatrix(style.transform));
  const area = element.getBoundingClientRect();
  const isShown = style.visibility === 'visible' && area.width > 0 && area.height > 0;
  if (isShown) {
    const size = element instanceof HTMLElement
      ? { width: element.offsetWidth, height: element.offsetHeight }
      : { width: parseFloat(style.width) || area.width, height: parseFloat(style.height) || area.height };
    within(state, middleOf(area), matrix, strength, () => paintOwn(state, element, style, size));
  }
  const text = state.replace(element);
  if (text !== null) {
    if (isShown) within(state, middleOf(area), matrix, strength, () => paintStandIn(state, area, text));
    return;
  }
  if (element instanceof SVGElement || element instanceof HTMLCanvasElement || element instanceof HTMLVideoElement) return;
  const isCut = element instanceof HTMLElement && style.overflowX !== 'visible' && style.display !== 'inline';
  if (isCut) {
    if (!area.width || !area.height) return;
    state.c.save();
    cutAt(state, element, style, middleOf(area), matrix);
  }
  for (const node of element.childNodes) {
    if (node instanceof Element) paintElement(state, node, strength, matrix);
    else if (node instanceof Text && style.visibility === 'visible') {
      if (isCut && style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) {
        within(state, middleOf(area), matrix, strength, () => paintBeginning(state, node, element, style));
      } else paintText(state, node, style, strength, matrix);
    }
  }
  if (isCut) state.c.restore();
}

/**
 * Lets nothing be drawn outside an element that cuts what is in it, until the canvas is restored.
 * @param {Paint} state
 * @param {HTMLElement} element
 * @param {CSSStyleDeclaration} style
 * @param {{ x: number, y: number }} middle CSS pixels
 * @param {DOMMatrix} matrix
 */
function cutAt({ c, fit }, { offsetWidth, offsetHeight, clientLeft, clientTop, clientWidth, clientHeight }, style, middle, matrix) {
  put(c, fit, middle, matrix);
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, clientWidth / 2, clientHeight / 2);
  c.beginPath();
  roundBox(c, clientLeft - offsetWidth / 2, clientTop - offsetHeight / 2, clientWidth, clientHeight, radius);
  c.clip();
}

/** @param {DOMRect} area */
const middleOf = (area) => ({ x: area.x + area.width / 2, y: area.y + area.height / 2 });

/**
 * With the origin in the middle of something, turned as it is.
 * @param {Paint} state
 * @param {{ x: number, y: number }} middle CSS pixels
 * @param {DOMMatrix} matrix
 * @param {number} opacity
 * @param {() => void} draw
 */
function within({ c, fit }, middle, matrix, opacity, draw) {
  c.save();
  put(c, fit, middle, matrix);
  c.globalAlpha = opacity;
  draw();
  c.restore();
}

/**
 * Puts the canvas's origin into the middle of something, turned as it is.
 * @param {CanvasRenderingContext2D} c
 * @param {Fit} fit
 * @param {{ x: number, y: number }} middle CSS pixels
 * @param {DOMMatrix} matrix
 */
function put(c, { scale, left, top }, { x, y }, { a, b, c: skew, d }) {
  c.setTransform(scale * a, scale * b, scale * skew, scale * d, left + scale * x, top + scale * y);
}

/**
 * The element without what is in it.
 * @param {Paint} state
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @param {{ width: number, height: number }} size CSS pixels, unturned
 */
function paintOwn({ c }, element, style, { width, height }) {
  const border = style.borderTopStyle === 'none' ? 0 : parseFloat(style.borderTopWidth) || 0;
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) * (style.borderTopLeftRadius.endsWith('%') ? width / 100 : 1) || 0,
    width / 2, height / 2);
  if (visible(style.backgroundColor)) {
    c.beginPath();
    roundBox(c, -width / 2, -height / 2, width, height, radius);
    c.fillStyle = style.backgroundColor;
    c.fill();
  }
  if (border && visible(style.borderTopColor)) {
    c.beginPath();
    roundBox(c, (border - width) / 2, (border - height) / 2, width - border, height - border, Math.max(0, radius - border / 2));
    c.strokeStyle = style.borderTopColor;
    c.lineWidth = border;
    c.stroke();
  }
  if (element instanceof SVGElement) {
    const image = icons.get(iconKey(element, style));
    if (image) c.drawImage(image, -width / 2, -height / 2, width, height);
    return;
  }
  const source = sourceOf(element);
  if (!source) return;
  if (element instanceof HTMLCanvasElement) element.dispatchEvent(new Event(REDRAW));
  const fit = style.objectFit === 'cover' ? Math.max : style.objectFit === 'contain' ? Math.min : null;
  const share = fit?.(width / source.width, height / source.height);
  const [w, h] = share ? [source.width * share, source.height * share] : [width, height];
  c.beginPath();
  c.rect(-width / 2, -height / 2, width, height);
  c.clip();
  c.drawImage(source.image, -w / 2, -h / 2, w, h);
}

/**
 * @param {Element} element
 * @returns {{ image: CanvasImageSource, width: number, height: number } | null}
 */
function sourceOf(element) {
  if (element instanceof HTMLVideoElement) return sized(element, element.videoWidth, element.videoHeight);
  if (element instanceof HTMLCanvasElement) return sized(element, element.width, element.height);
  if (element instanceof HTMLImageElement && element.complete) return sized(element, element.naturalWidth, element.naturalHeight);
  return null;
}

/** @param {CanvasImageSource} image @param {number} width @param {number} height */
const sized = (image, width, height) => (width && height ? { image, width, height } : null);

/** @param {string} color as browsers compute it */
const visible = (color) => color !== 'transparent' && !/^rgba\(.*, 0\)$/.test(color);

/**
 * @param {Paint} state
 * @param {Text} node
 * @param {CSSStyleDeclaration} style of the element it is in
 * @param {number} opacity
 * @param {DOMMatrix} matrix
 */
function paintText(state, node, style, opacity, matrix) {
  for (const { text, area } of linesOf(node)) {
    within(state, middleOf(area), matrix, opacity, () => {
      useLetters(state.c, style);
      paintLine(state.c, style.textTransform === 'uppercase' ? text.toUpperCase() : text, 0, 0);
    });
  }
}

/**
 * The beginning of a line that its element ends with an ellipsis; the origin is in the middle of the element.
 * @param {Paint} state
 * @param {Text} node
 * @param {HTMLElement} element
 * @param {CSSStyleDeclaration} style
 */
function paintBeginning({ c }, { data }, { offsetWidth, offsetHeight, clientLeft, clientTop, clientWidth, clientHeight }, style) {
  const text = data.replace(/\s+/g, ' ').trim();
  if (!text) return;
  const [left, right, top, bottom] = [style.paddingLeft, style.paddingRight, style.paddingTop, style.paddingBottom].map((length) => parseFloat(length) || 0);
  useLetters(c, style);
  const room = clientWidth - left - right;
  const shown = shortened(c, style.textTransform === 'uppercase' ? text.toUpperCase() : text, room);
  const isFromRight = style.direction === 'rtl';
  c.direction = isFromRight ? 'rtl' : 'ltr';
  const begin = clientLeft + left - offsetWidth / 2;
  const half = c.measureText(shown).width / 2;
  paintLine(c, shown, isFromRight ? begin + room - half : begin + half, clientTop + (clientHeight + top - bottom - offsetHeight) / 2);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {CSSStyleDeclaration} style
 */
function useLetters(c, style) {
  c.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  c.fillStyle = style.color;
  c.textAlign = 'center';
  c.textBaseline = 'alphabetic';
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 * @param {number} x its middle
 * @param {number} y
 */
function paintLine(c, text, x, y) {
  const { fontBoundingBoxAscent: up = 0, fontBoundingBoxDescent: down = 0 } = c.measureText(text);
  c.fillText(text, x, y + (up - down) / 2);
}

/**
 * The lines into which the browser has broken a text.
 * @param {Text} node
 * @returns {{ text: string, area: DOMRect }[]}
 */
function linesOf(node) {
  const whole = node.data;
  if (!whole.trim()) return [];
  const range = document.createRange();
  /** @type {{ text: string, area: DOMRect }[]} */
  const lines = [];
  let begin = 0;
  const keep = (/** @type {number} */ end) => {
    const line = whole.slice(begin, end);
    const text = line.replace(/\s+/g, ' ').trim();
    // Blanks at the ends are not drawn and have a width all the same.
    range.setStart(node, begin + line.length - line.trimStart().length);
    range.setEnd(node, end - line.length + line.trimEnd().length);
    const area = range.getBoundingClientRect();
    if (text && area.width) lines.push({ text, area });
    begin = end;
  };
  for (const { index = 0 } of whole.matchAll(/(?<=\s)\S/g)) {
    range.setStart(node, begin);
    range.setEnd(node, index + 1);
    if (range.getClientRects().length > 1) keep(index);
    if (lines.length === MOST_LINES) return lines;
  }
  keep(whole.length);
  return lines;
}

/** Of one text: more has no room on a screen. */
const MOST_LINES = 60;

/**
 * @param {Paint} state
 * @param {DOMRect} area
 * @param {string} text
 */
function paintStandIn({ c }, { width, height }, text) {
  c.fillStyle = '#25313b';
  c.fillRect(-width / 2, -height / 2, width, height);
  c.strokeStyle = 'rgba(255, 255, 255, 0.5)';
  c.strokeRect(-width / 2 + 4, -height / 2 + 4, width - 8, height - 8);
  c.fillStyle = '#ffffff';
  c.font = '500 14px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(text, 0, 0, width - 20);
}

// Icons

/** @param {SVGElement} svg */
const spriteOf = (svg) => svg.querySelector('use')?.getAttribute('href') ?? '';

/**
 * @param {SVGElement} svg
 * @param {CSSStyleDeclaration} style
 */
const iconKey = (svg, style) => `${style.color} ${spriteOf(svg)}`;

/**
 * Those that were painted so far, each in its colour: a clip paints the same ones again and again.
 * @type {Map<string, HTMLImageElement>}
 */
const icons = new Map();
/** @type {Map<string, Promise<Document>>} */
const sprites = new Map();

/**
 * Makes the icons ready that are shown.
 * @param {Element[]} roots
 */
async function fetchIcons(roots) {
  const shown = roots.flatMap((root) => [...root.querySelectorAll('svg')]).filter((svg) => spriteOf(svg) && svg.getBoundingClientRect().width);
  /** @type {Map<string, { href: string, color: string, viewBox: string }>} */
  const missing = new Map();
  for (const svg of shown) {
    const style = getComputedStyle(svg);
    const key = iconKey(svg, style);
    if (!icons.has(key)) missing.set(key, { href: spriteOf(svg), color: style.color, viewBox: svg.getAttribute('viewBox') ?? '0 0 24 24' });
  }
  await Promise.all([...missing].map(async ([key, { href, color, viewBox }]) => {
    const [address, name] = href.split('#');
    const inside = (await spritesAt(address)).getElementById(name)?.innerHTML;
    if (!inside) return;
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="96" height="96" color="${color}">${inside}</svg>`)}`;
    await image.decode();
    icons.set(key, image);
  })).catch((error) => console.warn(error));
}

/** @param {string} address */
function spritesAt(address) {
  let found = sprites.get(address);
  if (!found) {
    found = fetch(address).then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, 'image/svg+xml'));
    sprites.set(address, found);
    found.catch(() => sprites.delete(address));
  }
  return found;
}
