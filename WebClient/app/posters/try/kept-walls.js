// Walls that stay on this device: offered when it is asked where the wall is, and written down as they change.

import { h, icon } from '../../core/dom.js';
import { labelled, language, localized, t } from '../../core/i18n.js';
import { toast } from '../../ui/toast.js';
import { keepWall, removeWall } from '../kept.js';
import { WallAnchor } from './anchor.js';

/**
 * @typedef {import('../kept.js').KeptWall} KeptWall
 * @typedef {import('../../vision/camera-vision.js').CameraVision} CameraVision
 * @typedef {import('./hung.js').Hung} Hung
 */

/** Wait after a change, milliseconds: a poster that is dragged changes with every picture. */
const PAUSE = 400;
/** Width of the picture that a wall is known again by, pixels. */
const LOOK = 240;

/**
 * The walls of earlier visits.
 * @param {KeptWall[]} walls
 * @param {(wall: KeptWall) => void} take
 * @returns {HTMLElement | null}
 */
export function wallList(walls, take) {
  if (!walls.length) return null;
  const list = h('ul', { class: 'kept-walls' }, ...walls.map((wall) => {
    const date = new Date(wall.used).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
    const look = h('span', { class: 'kept-look' });
    if (wall.look) {
      const url = URL.createObjectURL(wall.look);
      const image = h('img', { alt: '', src: url });
      image.onload = image.onerror = () => URL.revokeObjectURL(url);
      look.append(image);
    }
    const item = h('li', {},
      h('button', { type: 'button', class: 'way', dataset: { wall: wall.id }, onclick: () => take(wall) }, look,
        h('span', { class: 'way-words' }, localized(h('strong'), /** @type {any} */ (`posters.way.${wall.kind}`)), h('span', {}, date))),
      labelled(h('button', { type: 'button', class: 'round small plain', dataset: { forget: wall.id }, onclick: async () => {
        forgotten.add(wall.id);
        await removeWall(wall.id);
        // Gone from the list when it is gone from the device.
        item.remove();
        section.hidden = !list.children.length;
      } }, icon('close')), 'posters.forgetWall'));
    return item;
  }));
  const section = h('section', {}, localized(h('h3', { class: 'kept-heading' }), 'posters.walls'),
    localized(h('p', { class: 'wall-note' }), 'posters.wallsNote'), list);
  return section;
}

/**
 * Looks for a wall of an earlier visit again.
 * @param {KeptWall} wall
 * @param {CameraVision} vision
 * @param {() => string} nextKey
 * @returns {Promise<import('./aiming.js').Aimed | null>} `null` when it cannot be used any more
 */
export async function restoredWall(wall, vision, nextKey) {
  const anchor = new WallAnchor(wall.kind, wall.isTrue);
  anchor.scale = wall.scale;
  anchor.marker = wall.marker;
  try {
    if (wall.marker) vision.watchMarkers({ dictionaries: [wall.marker.dictionary], sides: [], usual: wall.marker.side });
    for (const { file, width, center } of wall.targets) {
      const key = nextKey();
      await vision.addFile(key, file, width);
      anchor.targets.push({ key, center, file, width });
    }
    return { anchor, beside: 0, kept: wall };
  } catch (error) {
    // Of another version of the engine, or damaged: it helps nobody any more.
    console.warn(error);
    vision.remove(vision.keys);
    vision.watchMarkers(null);
    await removeWall(wall.id);
    toast(t('posters.wallGone'), { kind: 'warning', key: 'anchor' });
    return null;
  }
}

/** Walls that were removed: what was about to be written down of one must not bring it back. @type {Set<string>} */
const forgotten = new Set();

/** Writes down the wall that is open. */
export class WallKeeper {
  #id = '';
  /** @type {Blob | null} */
  #look = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {KeptWall['hung']} */
  #missing = [];
  #changes = 0;
  #written = 0;

  /** Whether all changes have been written down. */
  get isKept() {
    return this.#written === this.#changes;
  }

  /**
   * @param {() => { anchor: WallAnchor | null, hung: Hung[], upright: number, picture: HTMLCanvasElement | null }} now what is to be kept;
   *   `picture` only while the wall is seen
   */
  constructor(now) {
    this.now = now;
  }

  /**
   * @param {KeptWall | undefined} kept the wall that is gone on with; `undefined`: a new one
   * @param {KeptWall['hung']} missing what hangs there and cannot be shown now
   */
  begin(kept, missing) {
    clearTimeout(this.#timer);
    this.#missing = missing;
    this.#id = kept?.id ?? `wall-${Date.now().toString(36)}`;
    this.#look = kept?.look ?? null;
    this.change();
  }

  change() {
    this.#changes += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), PAUSE);
  }

  async #write() {
    const { anchor, hung, upright, picture } = this.now();
    if (!anchor || !(anchor.targets.length || anchor.marker)) return;
    const [id, changes] = [this.#id, this.#changes];
    if (picture) this.#look = await lookOf(picture);
    // Another wall was begun while the picture was drawn.
    if (id !== this.#id || forgotten.has(id)) return;
    await keepWall({
      id, used: Date.now(), kind: anchor.kind, isTrue: anchor.isTrue, scale: anchor.scale, upright, marker: anchor.marker,
      targets: anchor.targets.map(({ file, width, center }) => ({ file, width, center })),
      hung: [...this.#missing, ...hung.map(({ poster, frame, size, x, y, turn }) => ({ id: poster.id, frame, size, x, y, turn }))],
      look: this.#look,
    });
    this.#written = changes;
  }

  close() {
    clearTimeout(this.#timer);
    void this.#write();
  }
}

/**
 * @param {HTMLCanvasElement} picture
 * @returns {Promise<Blob | null>}
 */
function lookOf(picture) {
  const canvas = document.createElement('canvas');
  canvas.width = LOOK;
  canvas.height = Math.max(1, Math.round((LOOK * picture.height) / picture.width));
  const painter = canvas.getContext('2d');
  if (painter) painter.imageSmoothingQuality = 'high';
  painter?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
}
