// Places of a world that stand on markers and pictures: looked for in the pictures of the page's one camera, beside whatever else is, and
// drawn as they are in the page of a server.

import { readAnchors } from '../app/anchors/anchored-content.js';
import { AnchorLayer } from '../app/anchors/anchor-layer.js';
import { Places } from '../engine/places.js';
import { pictureAt } from './picture-source.js';
import { sheetOf } from './style-sheet.js';

/**
 * @typedef {import('./world-session.js').WorldSession} WorldSession
 * @typedef {import('./shared-camera.js').SharedCamera} SharedCamera
 * @typedef {import('./shared-camera.js').Watch} Watch
 * @typedef {import('../app/session/content.js').Content} Content
 * @typedef {import('../app/anchors/anchored-content.js').PictureAnchor} PictureAnchor
 * @typedef {import('../app/vision/camera-vision.js').Sight} Sight
 */

const STYLE = `
.anchor-models { pointer-events: none; }
.world .anchor-labels { position: absolute; inset: 0; overflow: hidden; }
.world .anchor-label { position: absolute; left: 0; top: 0; width: max-content; max-width: min(70vw, 20rem); padding: 0.4375rem 0.75rem; border: 0;
  border-radius: 0.875rem; font: 650 0.9rem/1.25 system-ui, sans-serif; pointer-events: auto; cursor: pointer;
  color: var(--sightline-label-color, #fff); background: var(--sightline-label, rgb(12 18 24 / 0.88)); }
.world .anchor-label.dot { width: 24px; height: 24px; padding: 0; background: none; }
.world .anchor-label.dot::before { content: ""; position: absolute; inset: 5px; border-radius: 50%; background: var(--accent);
  box-shadow: 0 0 0 2px rgb(12 18 24 / 0.85), 0 0 0 3px rgb(255 255 255 / 0.6); }
.world .anchor-label.dot::after { content: ""; position: absolute; inset: -10px; }
`;

export class WorldPrints {
  /** @type {SharedCamera | null} */
  #camera = null;
  /** @type {Watch | null} */
  #watch = null;
  /** @type {PictureAnchor[]} */
  #pictures = [];
  /**
   * Pictures that cannot be looked for; each is told once.
   * @type {Set<string>}
   */
  #failed = new Set();

  /**
   * @param {HTMLElement} layer of labels
   * @param {ShadowRoot} root with the video
   * @param {WorldSession} world
   * @param {(message: string) => void} fail says which file cannot be used
   */
  constructor(layer, root, world, fail) {
    this.world = world;
    this.fail = fail;
    const sheet = sheetOf(STYLE);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.layer = new AnchorLayer(layer);
    // Over the camera's picture, and under all that the page and the world say about it.
    root.querySelector('.anchors')?.before(this.layer.picture, this.layer.canvas);
    this.layer.labels.addEventListener('click', (event) => event.stopPropagation());
    this.layer.on('measured', ({ feature, width, height }) => world.measured(feature, width, height));
    this.layer.on('bounds', ({ feature, low, high }) => world.tell({ type: 'modelBounds', feature, low, high }));
    this.layer.on('failed', ({ anchored, error }) => fail(`${anchored.text}: ${error}`));
    this.#off = world.on('camera', (camera) => this.#use(camera));
  }

  #off;

  /** @param {Content} content */
  show(content) {
    const { anchored, markers, pictures } = readAnchors(content, (index) => this.world.select(index));
    this.layer.show(anchored);
    this.#pictures = pictures;
    this.#watch = anchored.length
      ? { markers: markers.map(({ dictionary, id, length }) => ({ dictionary, id, size: length })), pictures: pictures.map(({ key }) => key), codes: false }
      : null;
    this.#use(this.world.camera);
  }

  close() {
    this.#off();
    this.#camera?.leave(this.#user);
    this.#camera = null;
    this.layer.close();
  }

  /** @type {import('./shared-camera.js').User} */
  #user = {
    see: (sight) => this.#see(sight),
    change: () => undefined,
    fail: (error) => this.fail(String(error)),
  };

  /** @param {SharedCamera | null} camera `null` while nothing is looked at */
  #use(camera) {
    if (camera !== this.#camera) {
      this.#camera?.leave(this.#user);
      camera?.join(this.#user);
      this.#camera = camera;
    }
    if (!camera) return this.layer.picture.hidden ||= true;
    camera.watch(this.#user, this.#watch);
    for (const picture of this.#pictures) void this.#learn(camera, picture);
  }

  /**
   * @param {SharedCamera} camera
   * @param {PictureAnchor} picture
   */
  async #learn(camera, { key, name, url, width }) {
    if (this.#failed.has(key)) return;
    try {
      if (!url) throw new Error('the world has no file of that name');
      const found = await camera.addPicture(key, width, () => pictureAt(url));
      if (found && found.stars < 1) throw new Error(`too little to be known by (${found.reasons.join(', ')}): take another picture`);
    } catch (error) {
      if (camera !== this.#camera || this.world.closed.aborted) return;
      this.#failed.add(key);
      this.fail(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** @param {Sight} sight */
  #see(sight) {
    const { world } = this;
    if (world.closed.aborted) return;
    const { rows, time, width, height, focal, lens } = sight;
    world.tell({ type: 'observations', rows, time, width, height, focal, lens });
    this.layer.draw(sight, world.engine.anchors(), world.engine.part(Places).lensReach(lens));
  }
}
