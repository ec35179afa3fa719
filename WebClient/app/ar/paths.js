// Lines and areas on the ground, over the camera's picture: one canvas under the labels.

import { contextOf } from '../core/dom.js';
import { categoryHue } from '../session/content.js';

/**
 * @typedef {import('../../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../../engine/paths.js').PathRun} PathRun
 * @typedef {import('../session/session.js').Session} Session
 */

export class Paths {
  #isClear = true;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Session} session
   */
  constructor(canvas, session) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.session = session;
    this.scale = 1;
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {number} ratio device pixels per CSS pixel
   */
  resize(width, height, ratio) {
    this.scale = Math.min(2, ratio);
    this.canvas.width = Math.round(width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.#isClear = true;
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    const runs = this.session.content?.hasShapes ? this.session.paths() : [];
    if (!runs.length && this.#isClear) return;
    this.#isClear = !runs.length;
    const c = this.context;
    c.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    c.clearRect(0, 0, frame.width, frame.height);
    drawPaths(c, runs, this.session);
    this.session.town?.cut(c, frame);
  }
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {PathRun[]} runs
 * @param {Session} session
 */
export function drawPaths(c, runs, session) {
  const { content } = session;
  if (!content) return;
  c.lineJoin = 'round';
  c.lineCap = 'round';
  // Areas lie under the lines.
  const ordered = [...runs.filter(({ isRing }) => isRing), ...runs.filter(({ isRing }) => !isRing)];
  for (let first = 0; first < ordered.length;) {
    // Rings of one area are filled together.
    let end = first + 1;
    while (end < ordered.length && ordered[first].isRing && ordered[end].shape === ordered[first].shape) end += 1;
    const { feature, isRing } = ordered[first];
    const place = content.places[feature];
    const style = place.shapeStyle ?? {};
    const usual = `hsl(${categoryHue(content.categoryNumber(place))} 75% 62%)`;
    const width = (style.width ?? 5) * (session.selected === feature ? 1.6 : 1);
    c.beginPath();
    for (const run of ordered.slice(first, end)) {
      for (let k = 0; k < run.points.length; k += 2) {
        if (k === 0) c.moveTo(run.points[0], run.points[1]);
        else c.lineTo(run.points[k], run.points[k + 1]);
      }
      if (isRing) c.closePath();
    }
    if (isRing) {
      c.globalAlpha = style.fillOpacity ?? 0.22;
      c.fillStyle = style.fill ?? style.stroke ?? usual;
      c.fill('evenodd');
    }
    if (width > 0) {
      // A dark line under the coloured one is readable on any picture.
      const opacity = style.strokeOpacity ?? 0.95;
      c.globalAlpha = opacity * 0.5;
      c.strokeStyle = '#080c10';
      c.lineWidth = width + 2.5;
      c.stroke();
      c.globalAlpha = opacity;
      c.strokeStyle = style.stroke ?? usual;
      c.lineWidth = width;
      c.stroke();
    }
    first = end;
  }
  c.globalAlpha = 1;
}
