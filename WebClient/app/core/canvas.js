// Shapes that several canvases draw.

/**
 * A box with round corners, as a part of a canvas's path.
 * @type {(c: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, radius: number) => void}
 */
export function roundBox(c, x, y, width, height, radius) {
  c.moveTo(x + radius, y);
  c.arcTo(x + width, y, x + width, y + height, radius);
  c.arcTo(x + width, y + height, x, y + height, radius);
  c.arcTo(x, y + height, x, y, radius);
  c.arcTo(x, y, x + width, y, radius);
  c.closePath();
}

/**
 * A text as wide as there is room: its beginning and an ellipsis where all of it is too wide.
 * @param {CanvasRenderingContext2D} c with the text's letters
 * @param {string} text
 * @param {number} most
 */
export function shortened(c, text, most) {
  if (c.measureText(text).width <= most) return text;
  const signs = [...text];
  // As many as fit: wider texts are never narrower.
  let [least, beyond] = [0, signs.length];
  while (beyond - least > 1) {
    const middle = (least + beyond) >> 1;
    if (c.measureText(`${signs.slice(0, middle).join('')}…`).width <= most) least = middle;
    else beyond = middle;
  }
  return `${signs.slice(0, least).join('')}…`;
}
