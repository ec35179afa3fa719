// Leader lines from lifted labels to their places, and the dots on the places: one canvas, redrawn when something moved.

import { contextOf } from '../core/dom.js';

/** @typedef {import('../../engine/types').SceneFrame} SceneFrame */

export class Leaders {
  #wasEmpty = true;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
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
    this.#wasEmpty = true;
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    const isEmpty = ![frame.items, frame.clusters].some((all) => all.some(({ hasLeader }) => hasLeader));
    if (isEmpty && this.#wasEmpty) return;
    this.#wasEmpty = isEmpty;
    const c = this.context;
    c.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    c.clearRect(0, 0, frame.width, frame.height);
    drawLeaders(c, frame);
  }
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {SceneFrame} frame
 */
export function drawLeaders(c, frame) {
  const sin = Math.sin(frame.roll);
  const cos = Math.cos(frame.roll);
  c.lineCap = 'round';
  // A dark line under a light one is readable on any picture.
  for (
    const [width, colour, selectedColour] of /** @type {[number, string, string][]} */ ([
      [2.5, 'rgba(8, 12, 16, 0.45)', 'rgba(8, 12, 16, 0.6)'],
      [1, 'rgba(255, 255, 255, 0.9)', '#ffcf5c'],
    ])
  ) {
    c.lineWidth = width;
    for (const cluster of frame.clusters) {
      if (!cluster.hasLeader) continue;
      c.strokeStyle = colour;
      c.globalAlpha = cluster.opacity;
      c.beginPath();
      c.moveTo(cluster.centerX, cluster.centerY);
      c.lineTo(cluster.anchorX, cluster.anchorY);
      c.stroke();
    }
    for (const item of frame.items) {
      if (!item.hasLeader) continue;
      c.strokeStyle = item.isSelected ? selectedColour : colour;
      c.globalAlpha = item.opacity;
      // From the middle of the box's edge that faces the place, in the box's own turned axes.
      const dx = item.anchorX - item.centerX;
      const dy = item.anchorY - item.centerY;
      const across = dx * cos + dy * sin;
      const down = -dx * sin + dy * cos;
      const startAcross = Math.max(-item.width / 2 + 12, Math.min(item.width / 2 - 12, across));
      const startDown = (Math.sign(down) || 1) * (item.height / 2);
      const startX = item.centerX + startAcross * cos - startDown * sin;
      const startY = item.centerY + startAcross * sin + startDown * cos;
      c.beginPath();
      c.moveTo(startX, startY);
      c.lineTo(item.anchorX, item.anchorY);
      c.stroke();
    }
  }
  for (const item of frame.items) {
    if (!item.hasLeader) continue;
    c.globalAlpha = item.opacity;
    c.beginPath();
    c.arc(item.anchorX, item.anchorY, item.isSelected ? 4 : 2.5, 0, 2 * Math.PI);
    c.fillStyle = item.isSelected ? '#ffcf5c' : '#ffffff';
    c.fill();
    c.lineWidth = 1.5;
    c.strokeStyle = 'rgba(8, 12, 16, 0.75)';
    c.stroke();
  }
  c.globalAlpha = 1;
}
