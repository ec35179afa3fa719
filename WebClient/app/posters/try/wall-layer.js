// The held picture with the posters on the wall in it, all of one and the same frame.

import { h } from '../../core/dom.js';
import { pictureQuad } from '../../models/picture-quad.js';
import { ModelRenderer } from '../../models/renderer.js';

/**
 * @typedef {import('../../vision/camera-vision.js').Sight} Sight
 * @typedef {import('../../models/renderer.js').Drawable} Drawable
 * @typedef {import('../../../engine/plane.js').Plane} Plane
 * @typedef {import('./framing.js').Framed} Framed
 * @typedef {import('./light.js').Light} Light
 * @typedef {{ key: string, x: number, y: number, turn: number, framed: Framed | null, isNew: boolean }} OnWall metres,
 *   degrees; `isNew`: its drawing has changed
 */

/** Longest side of the drawing in pixels. */
const LARGEST = 1920;
/** What hangs later hangs before the others, metres. */
const LIFT = 0.001;

export class WallLayer {
  /** @type {Map<string, Drawable>} */
  #drawables = new Map();
  /** @type {ModelRenderer | null} */
  #renderer = null;
  #size = { width: 0, height: 0, focal: 1 };
  #clipFromCamera = new Float32Array(16);

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.picture = h('canvas', { class: 'wall-picture', 'aria-hidden': 'true' });
    this.canvas = h('canvas', { class: 'wall-posters', 'aria-hidden': 'true' });
    this.painter = this.picture.getContext('2d', { alpha: false });
    video.after(this.picture, this.canvas);
  }

  /**
   * @param {Sight} sight
   * @param {Plane | null} wall
   * @param {OnWall[]} posters in the order they were hung
   * @param {Light | null} light
   */
  draw(sight, wall, posters, light) {
    const { image, width, height, focal } = sight;
    if (this.picture.width !== width) this.picture.width = width;
    if (this.picture.height !== height) this.picture.height = height;
    this.painter?.drawImage(image, 0, 0, width, height);
    this.#size = { width, height, focal };
    const cover = Math.max(innerWidth / width, innerHeight / height) * Math.min(2, devicePixelRatio || 1);
    const scale = Math.min(cover, LARGEST / Math.max(width, height));
    this.#drawPosters(Math.round(width * scale), Math.round(height * scale), wall, posters, light);
  }

  /**
   * @param {number} width of the drawing
   * @param {number} height
   * @param {Plane | null} wall
   * @param {OnWall[]} posters
   * @param {Light | null} light
   */
  #drawPosters(width, height, wall, posters, light) {
    if (!posters.length && !this.#renderer) return;
    const renderer = this.#renderer ??= new ModelRenderer(this.canvas);
    renderer.resize(width, height);
    if (wall) this.#clipFromCamera = wall.clip(this.#size);
    const appearances = wall
      ? posters.flatMap((poster, index) => {
        const model = this.#drawable(renderer, poster);
        if (!model || !poster.framed) return [];
        lit(model, light);
        return [{ model, cameraFromModel: wall.matrix(poster, poster.framed.width, LIFT * (index + 1)), time: 0 }];
      })
      : [];
    renderer.draw(appearances, this.#clipFromCamera);
  }

  /**
   * @param {ModelRenderer} renderer
   * @param {OnWall} poster
   */
  #drawable(renderer, poster) {
    const known = this.#drawables.get(poster.key);
    if (known && !poster.isNew) return known;
    if (!poster.framed) return null;
    known?.delete();
    const made = pictureQuad(renderer.gl, poster.framed.canvas);
    const anisotropy = renderer.gl.getExtension('EXT_texture_filter_anisotropic');
    // Walls are seen at a slant: without this a poster blurs along the way.
    if (anisotropy) renderer.gl.texParameterf(renderer.gl.TEXTURE_2D, anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    this.#drawables.set(poster.key, made);
    poster.isNew = false;
    return made;
  }

  /** @param {string} key */
  forget(key) {
    this.#drawables.get(key)?.delete();
    this.#drawables.delete(key);
  }

  /**
   * Picture and posters in one, as large as the camera's picture.
   * @param {Plane | null} wall
   * @param {OnWall[]} posters
   * @param {Light | null} light
   * @returns {HTMLCanvasElement | null} `null` before the first picture
   */
  compose(wall, posters, light) {
    const { width, height } = this.#size;
    if (!width) return null;
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const c = canvas.getContext('2d');
    if (!c) return null;
    c.drawImage(this.picture, 0, 0);
    // The drawing is gone after this task: it is made and copied in one.
    this.#drawPosters(width, height, wall, posters, light);
    if (this.#renderer) c.drawImage(this.canvas, 0, 0, width, height);
    return canvas;
  }

  close() {
    for (const drawable of this.#drawables.values()) drawable.delete();
    this.#drawables.clear();
    this.#renderer?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.picture.remove();
    this.canvas.remove();
  }
}

/**
 * Shows a poster by the light of the scene: white paper as bright as white is there, ink no darker than black is there.
 * @param {Drawable} drawable
 * @param {Light | null} light
 */
function lit(drawable, light) {
  const material = drawable.model.description.materials[0];
  const { white, black } = light ?? { white: [1, 1, 1], black: [0, 0, 0] };
  material.baseColor = [white[0] - black[0], white[1] - black[1], white[2] - black[2], 1];
  material.emissive = [black[0], black[1], black[2]];
}
