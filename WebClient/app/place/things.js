// What can be set down: the models that the page has, and files of one's own.

import { h } from '../core/dom.js';

/**
 * @typedef {import('../anchors/anchor-layer.js').Anchored} Anchored
 * @typedef {import('../../engine/types').ContentPlace} ContentPlace
 * @typedef {import('../../engine/odometry.js').Posture} Posture
 * @typedef {'offered' | 'windmill' | 'boat' | 'file'} Choice `offered`: what another page has brought
 * @typedef {{ posture: Posture, height: number, width: number | null, look: Pick<Anchored, 'model' | 'picture'>, scale: number, rotation?: [number, number, number] }} Kind
 *   `height` in metres: what fingers can take it by; `width` in metres of a picture, `null`: a model has its true size, `scale` metres a unit,
 *   `rotation` degrees about its own axes
 */

/** Widths that pictures may have, metres. */
export const WIDTHS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2];
/** What a picture has at first. */
export const FIRST_WIDTH = 0.6;
/** Width of the ring that shows where something would be set down, metres. */
export const RING = 0.24;

const MODELS = {
  // Of garden size: the file has it 10 cm high, as a toy.
  windmill: { file: 'windmill.glb', scale: 9, height: 0.9 },
  boat: { file: 'paper-boat.glb', scale: 3, height: 0.16 },
};

/**
 * @param {'windmill' | 'boat'} name
 * @returns {Kind}
 */
export function modelKind(name) {
  const { file, scale, height } = MODELS[name];
  const url = new URL(`../../models/${file}`, import.meta.url);
  return {
    posture: 'standing', height, width: null, scale,
    look: {
      model: async () => {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`${url}: ${response.status}`);
        return new Uint8Array(await response.arrayBuffer());
      },
    },
  };
}

/**
 * A picture or a model of one's own.
 * @param {File} file
 * @returns {Kind}
 */
export function fileKind(file) {
  if (file.type.startsWith('image/')) {
    return {
      posture: 'flat', height: 0, width: FIRST_WIDTH, scale: 1,
      look: { picture: () => createImageBitmap(file, { premultiplyAlpha: 'none' }) },
    };
  }
  const bytes = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  return { posture: 'standing', height: 0.3, width: null, scale: 1, look: { model: () => bytes } };
}

/**
 * What a session knows of something that was set down.
 * @param {number} number of its anchor
 * @param {Kind} kind
 * @returns {ContentPlace}
 */
export function placeOf(number, { width, scale, rotation: [xRotation, yRotation, zRotation] = [0, 0, 0] }) {
  return /** @type {ContentPlace} */ ({
    id: `placed ${number}`, title: `placed ${number}`, altitudeMode: 'eye', offset: { east: 0, north: 0, up: 0 }, pivot: 'BC',
    showInRadar: false, showOnFocus: [], categories: [], placed: { id: number, width: width ?? 1 },
    visual: width === null ? { kind: 'model', xRotation, yRotation, zRotation, scale } : { kind: 'image' },
  });
}

/** The ring that lies on what is under the middle of the display. @returns {Promise<ImageBitmap>} */
export function ringPicture() {
  const side = 256;
  const canvas = h('canvas', { width: side, height: side });
  const painter = canvas.getContext('2d');
  if (!painter) throw new Error('no canvas');
  const circle = (/** @type {number} */ radius, /** @type {number} */ width, /** @type {string} */ colour) => {
    painter.beginPath();
    painter.arc(side / 2, side / 2, radius, 0, 2 * Math.PI);
    painter.lineWidth = width;
    painter.strokeStyle = colour;
    painter.stroke();
  };
  circle(104, 26, 'rgb(0 0 0 / 0.45)');
  circle(104, 14, 'white');
  circle(8, 16, 'white');
  return createImageBitmap(canvas, { premultiplyAlpha: 'none' });
}
