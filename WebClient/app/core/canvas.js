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
