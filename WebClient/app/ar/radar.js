// The radar disc: rings, view wedge, north needle, blips.

import { contextOf } from '../core/dom.js';
import { t } from '../core/i18n.js';

/**
 * @typedef {import('../../engine/types').RadarFrame} RadarFrame
 */

/** CSS pixels: in a corner of the view, as large as one makes it by a tap, and in a picture of the view. */
export const RADAR_SIZES = { small: 72, large: 168, picture: 112 };
/** Below it there is no room for letters and thick dots. */
const ROOMY = 100;
/** CSS pixels: what moves less is not seen. */
const LEAST = 0.1;

export class Radar {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.scale = 1;
    this.size = RADAR_SIZES.small;
    /** @type {number[]} */
    this.drawn = [];
    this.letter = '';
  }

  /**
   * @param {number} ratio device pixels of a CSS pixel
   * @param {number} [size] CSS pixels
   */
  resize(ratio, size = this.size) {
    this.size = size;
    this.scale = Math.min(3, Math.max(1, ratio));
    this.canvas.width = this.canvas.height = Math.round(size * this.scale);
    this.drawn.length = 0;
  }

  /**
   * @param {RadarFrame} radar
   * @param {(feature: number) => number | null} hueOf the colour of a place's category, degrees; null without one
   */
  draw(radar, hueOf) {
    const { drawn, letter } = this;
    const { attitude, north, wedgeDirection, wedgeOpening, wedgeLength } = radar;
    const wanted = [attitude === 'upsideDown' ? 1 : 0, north, wedgeDirection, wedgeOpening, wedgeLength];
    for (const { x, y, feature, isSelected } of radar.blips) wanted.push(x, y, hueOf(feature) ?? -1, isSelected ? 1 : 0);
    this.letter = t('compass.n');
    // Parts of the radius and radians: the same at the rim.
    const isSame = (/** @type {number} */ value, /** @type {number} */ k) => Math.abs(value - drawn[k]) * this.size < 2 * LEAST;
    if (letter === this.letter && wanted.length === drawn.length && wanted.every(isSame)) return;
    this.drawn = wanted;
    const c = this.context;
    c.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    c.clearRect(0, 0, this.size, this.size);
    drawRadar(c, radar, this.size, hueOf);
  }
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {RadarFrame} radar
 * @param {number} size CSS pixels
 * @param {(feature: number) => number | null} hueOf the colour of a place's category, degrees; null without one
 */
export function drawRadar(c, radar, size, hueOf) {
  const isRoomy = size >= ROOMY;
  const middle = size / 2;
  const radius = middle - 7;
  c.save();
  c.translate(middle, middle);
  disc(c, 0, 0, radius + 5, 'rgba(10, 15, 20, 0.72)');
  c.strokeStyle = 'rgba(255, 255, 255, 0.24)';
  c.lineWidth = 1;
  for (const part of [0.5, 1]) {
    c.beginPath();
    c.arc(0, 0, radius * part, 0, 2 * Math.PI);
    c.stroke();
  }
  if (radar.wedgeLength > 0) wedge(c, radar, radius);
  if (radar.attitude !== 'upsideDown') {
    c.save();
    c.beginPath();
    c.arc(0, 0, radius + 3, 0, 2 * Math.PI);
    c.clip();
    c.lineWidth = 1;
    c.strokeStyle = 'rgba(6, 10, 14, 0.8)';
    // Far ones first, so that the near and the selected lie on top.
    for (let i = radar.blips.length - 1; i >= 0; i--) {
      const blip = radar.blips[i];
      if (!blip.isSelected) dot(c, blip.x * radius, blip.y * radius, isRoomy ? 3 : 2.2, colourOf(hueOf(blip.feature)));
    }
    for (const blip of radar.blips) if (blip.isSelected) dot(c, blip.x * radius, blip.y * radius, isRoomy ? 4.5 : 3.6, '#ffcf5c');
    c.restore();
    needle(c, radar.north, radius, isRoomy);
  }
  disc(c, 0, 0, 2.2, '#ffffff');
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {RadarFrame} radar
 * @param {number} radius
 */
function wedge(c, radar, radius) {
  const length = radius * radar.wedgeLength;
  const gradient = c.createRadialGradient(0, 0, 0, 0, 0, length);
  gradient.addColorStop(0, 'rgba(255, 255, 255, 0.5)');
  gradient.addColorStop(1, 'rgba(255, 255, 255, 0.08)');
  const middle = radar.wedgeDirection - Math.PI / 2;
  c.beginPath();
  c.moveTo(0, 0);
  c.arc(0, 0, length, middle - radar.wedgeOpening / 2, middle + radar.wedgeOpening / 2);
  c.closePath();
  c.fillStyle = gradient;
  c.fill();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} north radians clockwise from the top
 * @param {number} radius
 * @param {boolean} isNamed whether the letter of north stands at it
 */
function needle(c, north, radius, isNamed) {
  c.save();
  c.rotate(north);
  c.beginPath();
  c.moveTo(0, -radius - 5);
  c.lineTo(4.5, -radius + 5);
  c.lineTo(0, -radius + 2.5);
  c.lineTo(-4.5, -radius + 5);
  c.closePath();
  c.fillStyle = '#ff7a6b';
  c.fill();
  if (!isNamed) return c.restore();
  c.translate(0, -radius + 12);
  c.rotate(-north);
  c.font = '700 9px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = '#ffd5cf';
  c.fillText(t('compass.n'), 0, 0);
  c.restore();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 */
function disc(c, x, y, radius, colour) {
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.fillStyle = colour;
  c.fill();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 */
function dot(c, x, y, radius, colour) {
  disc(c, x, y, radius, colour);
  c.stroke();
}

/** @type {Map<number, string>} */
const colours = new Map();

/**
 * Made once for each: thousands of blips are drawn with each picture.
 * @param {number | null} hue degrees
 */
function colourOf(hue) {
  if (hue === null) return '#7ff0cf';
  let colour = colours.get(hue);
  if (!colour) colours.set(hue, colour = `hsl(${hue} 72% 62%)`);
  return colour;
}
