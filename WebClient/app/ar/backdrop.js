// What stands in for the camera picture: sky, hills, horizon, ground grid, the town, and a compass scale, drawn with the same
// matrix as everything else, so that the horizon is exactly where a camera would show it.

import { COMPASS_POINTS } from '../core/format.js';
import { t } from '../core/i18n.js';
import { dim, drawBodies, skyStops } from './sky.js';

/** @typedef {import('../../engine/types').SceneFrame} SceneFrame */

const DEGREE = Math.PI / 180;
/** Metres from the drawn ground to the eye. */
const EYE_HEIGHT = 1.7;
const NEAR = 0.4;

/** Two ridges of hills: elevation in radians at each whole degree of azimuth. */
const RIDGES = [ridge(11, 0.022, 0.010), ridge(29, 0.012, 0.005)];

export class Backdrop {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Pick<import('../session/session.js').Session, 'town'>} session
   */
  constructor(canvas, session) {
    this.canvas = canvas;
    this.session = session;
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('No 2-D canvas');
    this.context = context;
    this.scale = 1;
    this.key = '';
  }

  /**
   * Sun and moon of another time than now; without them the sky is that of a fine day.
   * @type {import('./sky.js').Bodies | null}
   */
  bodies = null;

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {number} ratio device pixels per CSS pixel
   */
  resize(width, height, ratio) {
    this.scale = Math.min(2, ratio);
    this.canvas.width = Math.round(width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.key = '';
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    const m = frame.clipFromWorld;
    const { town } = this.session;
    town?.isSeen(frame);
    // Eye and matrix say everything; if they are as before, so is the picture.
    const key = `${m[0]},${m[1]},${m[2]},${m[4]},${m[5]},${m[9]},${frame.eyeX.toFixed(2)},${
      frame.eyeY.toFixed(2)
    },${this.bodies?.sun.elevation.toFixed(3)},${this.bodies?.sun.azimuth.toFixed(3)},${this.canvas.width},${this.canvas.height},${town?.version}`;
    if (key === this.key) return;
    this.key = key;
    const c = this.context;
    c.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const view = new View(frame);
    this.#sky(view);
    if (this.bodies) drawBodies(c, view, this.bodies);
    this.#hills(view);
    this.#ground(view);
    this.#grid(view, frame);
    this.#horizon(view);
    const blocks = town?.blocks(frame, this.canvas.width, this.canvas.height);
    if (blocks) c.drawImage(blocks, 0, 0, view.width, view.height);
    if (this.bodies) dim(c, view, this.bodies.sun.elevation);
    this.#compass(view);
  }

  /** @param {View} view */
  #sky(view) {
    const c = this.context;
    c.fillStyle = view.gradient(c, skyStops(this.bodies));
    c.fillRect(0, 0, view.width, view.height);
  }

  /** @param {View} view */
  #hills(view) {
    const c = this.context;
    RIDGES.forEach((heights, index) => {
      c.fillStyle = index === 0 ? '#a3bccb' : '#8aa6b3';
      c.beginPath();
      let open = false;
      const step = 1;
      for (let azimuth = 0; azimuth <= 360; azimuth += step) {
        const a = azimuth * DEGREE;
        const b = (azimuth + step) * DEGREE;
        const quad = [
          view.direction(a, 0),
          view.direction(a, heights[azimuth % 360]),
          view.direction(b, heights[(azimuth + step) % 360]),
          view.direction(b, 0),
        ];
        if (quad.some((point) => !point)) continue;
        quad.forEach((point, i) => point && (i ? c.lineTo(point[0], point[1]) : c.moveTo(point[0], point[1])));
        c.closePath();
        open = true;
      }
      if (open) c.fill();
    });
  }

  /** @param {View} view */
  #ground(view) {
    const c = this.context;
    const polygon = view.below();
    if (polygon.length < 3) return;
    c.beginPath();
    polygon.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.closePath();
    c.fillStyle = view.gradient(c, [[-1.2, '#2e3f3a'], [-0.4, '#445a50'], [-0.08, '#6d8577'], [0, '#93a79b']]);
    c.fill();
  }

  /**
   * @param {View} view
   * @param {SceneFrame} frame
   */
  #grid(view, frame) {
    const c = this.context;
    const z = -EYE_HEIGHT;
    for (const [spacing, reach, alpha] of [[5, 60, 0.16], [50, 600, 0.22], [500, 5000, 0.25]]) {
      c.strokeStyle = `rgba(235, 245, 240, ${alpha})`;
      c.lineWidth = 1;
      c.beginPath();
      const x0 = Math.round(frame.eyeX / spacing) * spacing - frame.eyeX;
      const y0 = Math.round(frame.eyeY / spacing) * spacing - frame.eyeY;
      for (let offset = -reach; offset <= reach; offset += spacing) {
        view.segment(c, [x0 + offset, -reach, z], [x0 + offset, reach, z]);
        view.segment(c, [-reach, y0 + offset, z], [reach, y0 + offset, z]);
      }
      c.stroke();
    }
  }

  /** @param {View} view */
  #horizon(view) {
    const line = view.horizon();
    if (!line) return;
    const c = this.context;
    c.strokeStyle = 'rgba(255, 255, 255, 0.7)';
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(line[0][0], line[0][1]);
    c.lineTo(line[1][0], line[1][1]);
    c.stroke();
  }

  /** @param {View} view */
  #compass(view) {
    const c = this.context;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (let azimuth = 0; azimuth < 360; azimuth += 5) {
      const long = azimuth % 45 === 0;
      const foot = view.direction(azimuth * DEGREE, 0);
      const head = view.direction(azimuth * DEGREE, (long ? -1.6 : azimuth % 15 === 0 ? -1.1 : -0.6) * DEGREE);
      if (!foot || !head || foot[0] < -60 || foot[0] > view.width + 60 || foot[1] < -60 || foot[1] > view.height + 60) {
        continue;
      }
      c.strokeStyle = long ? 'rgba(255,255,255,0.95)' : 'rgba(255,255,255,0.6)';
      c.lineWidth = long ? 2 : 1;
      c.beginPath();
      c.moveTo(foot[0], foot[1]);
      c.lineTo(head[0], head[1]);
      c.stroke();
      if (azimuth % 15 !== 0) continue;
      const dx = head[0] - foot[0];
      const dy = head[1] - foot[1];
      const length = Math.hypot(dx, dy) || 1;
      c.save();
      c.translate(head[0] + (dx / length) * 11, head[1] + (dy / length) * 11);
      c.rotate(Math.atan2(dy, dx) - Math.PI / 2);
      c.font = long ? '700 13px system-ui, sans-serif' : '500 10px system-ui, sans-serif';
      c.fillStyle = long ? '#ffffff' : 'rgba(255,255,255,0.75)';
      c.fillText(long ? t(COMPASS_POINTS[azimuth / 45]) : `${azimuth}°`, 0, 0);
      c.restore();
    }
  }
}

/** Projection of directions and of points relative to the eye, taken from the frame's matrix. */
class View {
  /** @param {SceneFrame} frame */
  constructor(frame) {
    this.width = frame.width;
    this.height = frame.height;
    const m = frame.clipFromWorld;
    /** Rows x, y, w of the matrix for directions (the eye is at their origin). */
    this.rows = [[m[0], m[4], m[8]], [m[1], m[5], m[9]], [m[3], m[7], m[11]]];
    // "Up" of the ray through a screen point is a linear function of the point: a·x + b·y + c with the point in clip
    // units and a ray of depth 1. The horizon is its zero.
    this.up = upFunction(this.rows);
  }

  /** @param {number[]} p relative to the eye: east, north, up */
  clip(p) {
    const [x, y, w] = this.rows.map((row) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
    return [x, y, w];
  }

  /** @param {number[]} clip */
  screen([x, y, w]) {
    return [((x / w + 1) / 2) * this.width, ((1 - y / w) / 2) * this.height];
  }

  /**
   * @param {number} azimuth
   * @param {number} elevation
   * @returns {number[] | null}
   */
  direction(azimuth, elevation) {
    const flat = Math.cos(elevation);
    const clip = this.clip([Math.sin(azimuth) * flat, Math.cos(azimuth) * flat, Math.sin(elevation)]);
    return clip[2] > 0.05 ? this.screen(clip) : null;
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {number[]} from
   * @param {number[]} to
   */
  segment(c, from, to) {
    let a = this.clip(from);
    let b = this.clip(to);
    if (a[2] < NEAR && b[2] < NEAR) return;
    const cut = (/** @type {number[]} */ inside, /** @type {number[]} */ outside) => {
      const part = (NEAR - inside[2]) / (outside[2] - inside[2]);
      return inside.map((value, i) => value + (outside[i] - value) * part);
    };
    if (a[2] < NEAR) a = cut(b, a);
    if (b[2] < NEAR) b = cut(a, b);
    const [x1, y1] = this.screen(a);
    const [x2, y2] = this.screen(b);
    if (
      Math.max(x1, x2) < 0 || Math.min(x1, x2) > this.width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > this.height
    ) return;
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
  }

  /** Value of "up" at a screen point; it is the tangent of the elevation near the horizon. */
  upAt(/** @type {number} */ x, /** @type {number} */ y) {
    return this.up[0] * ((x / this.width) * 2 - 1) + this.up[1] * (1 - (y / this.height) * 2) + this.up[2];
  }

  /** The part of the screen below the horizon, as a polygon. */
  below() {
    const corners = [[0, 0], [this.width, 0], [this.width, this.height], [0, this.height]];
    /** @type {number[][]} */
    const polygon = [];
    corners.forEach((p, i) => {
      const q = corners[(i + 1) % 4];
      const a = this.upAt(p[0], p[1]);
      const b = this.upAt(q[0], q[1]);
      if (a <= 0) polygon.push(p);
      if (a <= 0 !== b <= 0) {
        const part = a / (a - b);
        polygon.push([p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part]);
      }
    });
    return polygon;
  }

  /** @returns {number[][] | null} the two ends of the horizon on the screen's border */
  horizon() {
    const polygon = this.below().filter(([x, y]) => Math.abs(this.upAt(x, y)) < 1e-6);
    return polygon.length >= 2 ? [polygon[0], polygon[1]] : null;
  }

  /**
   * A gradient across the screen by "up" (about the tangent of the elevation).
   * @param {CanvasRenderingContext2D} c
   * @param {[number, string][]} stops
   */
  gradient(c, stops) {
    const ux = (this.up[0] * 2) / this.width;
    const uy = (-this.up[1] * 2) / this.height;
    const slope = ux * ux + uy * uy;
    if (slope < 1e-12) {
      const here = this.up[2];
      return stops.reduce((
        best,
        stop,
      ) => (Math.abs(stop[0] - Math.sign(here)) < Math.abs(best[0] - Math.sign(here)) ? stop : best))[1];
    }
    const centre = this.upAt(this.width / 2, this.height / 2);
    const at = (/** @type {number} */ value) => {
      const k = (value - centre) / slope;
      return [this.width / 2 + ux * k, this.height / 2 + uy * k];
    };
    const low = stops[0][0];
    const high = stops[stops.length - 1][0];
    const [x0, y0] = at(low);
    const [x1, y1] = at(high);
    const gradient = c.createLinearGradient(x0, y0, x1, y1);
    for (const [value, colour] of stops) gradient.addColorStop((value - low) / (high - low), colour);
    return gradient;
  }
}

/**
 * @param {number[][]} rows
 * @returns {number[]} third row of the inverse of the 3×3 matrix
 */
function upFunction([r0, r1, r2]) {
  const cross = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const columns = [cross(r1, r2), cross(r2, r0), cross(r0, r1)];
  const determinant = r0[0] * columns[0][0] + r0[1] * columns[0][1] + r0[2] * columns[0][2];
  if (Math.abs(determinant) < 1e-12) return [0, 1, 0];
  return columns.map((column) => column[2] / determinant);
}

/**
 * A soft skyline that repeats after 360°: a few waves with fixed phases.
 * @param {number} seed
 * @param {number} base radians
 * @param {number} height radians
 */
function ridge(seed, base, height) {
  return Array.from({ length: 360 }, (_, azimuth) => {
    let sum = 0;
    for (let k = 1; k <= 7; k++) {
      sum += Math.sin(azimuth * DEGREE * (k * 2 + (seed % 3)) + seed * k * 1.7) / k;
    }
    return Math.max(0.002, base + (height * sum) / 2);
  });
}
