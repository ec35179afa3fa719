// What only some worlds have, each loaded with the first world that has it: lines and areas, things in true size, what is fixed to the view,
// what stands on prints, sounds.

/**
 * @typedef {import('./world-session.js').WorldSession} WorldSession
 * @typedef {import('../engine/types').SceneFrame} SceneFrame
 * @typedef {import('../app/session/content.js').Content} Content
 * @typedef {import('../app/session/session.js').Session} Session
 * @typedef {import('../app/audio/world-sounds.js').WorldSounds} Sounds
 * @typedef {{ root: ShadowRoot, lines: HTMLCanvasElement, scene: HTMLElement, overlays: HTMLElement, labels: HTMLElement }} Places where they are
 *   drawn: `lines` under all, `labels` those of prints
 * @typedef {{ fail: (message: string) => void, say: (text: string) => void, resized: () => void }} Host `fail`: one of the world's files cannot
 *   be used; `say`: what the user is to know of it; `resized`: something covers more of the view than before, or less
 */

export class WorldParts {
  /** @type {import('../app/ar/paths.js').Paths | null} */
  #paths = null;
  /** @type {import('../app/things/thing-layer.js').ThingLayer | null} */
  #things = null;
  /** @type {import('./world-overlays.js').WorldOverlays | null} */
  #overlays = null;
  /** @type {import('./world-prints.js').WorldPrints | null} */
  #prints = null;
  /** @type {Promise<Sounds | null> | null} */
  #sounds = null;
  /** @type {HTMLElement | null} */
  #pill = null;
  #observer = new ResizeObserver(() => this.host.resized());
  /** @type {[width: number, height: number, ratio: number]} */
  #size = [1, 1, 1];

  /**
   * @param {WorldSession} world
   * @param {Places} places
   * @param {Host} host
   */
  constructor(world, places, host) {
    this.world = world;
    this.places = places;
    this.host = host;
  }

  /** @param {Content} content */
  use(content) {
    const { dimension, places } = content;
    const failed = (/** @type {unknown} */ error) => this.host.fail(String(error));
    if (content.hasShapes && !this.#paths) this.#loadPaths().catch(failed);
    if (content.hasThings && !this.#things) this.#loadThings().catch(failed);
    if (this.#overlays) this.#showOverlays(this.#overlays, content);
    else if (dimension.overlays.length) this.#loadOverlays().catch(failed);
    if (this.#prints) this.#prints.show(content);
    else if (places.some(({ marker, target }) => marker || target)) this.#loadPrints().catch(failed);
    if (dimension.soundURL) this.#needSounds().catch(failed);
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {number} ratio device pixels per CSS pixel
   */
  resize(width, height, ratio) {
    this.#size = [width, height, ratio];
    this.#paths?.resize(...this.#size);
  }

  /** @param {SceneFrame} frame */
  draw(frame) {
    this.#paths?.draw(frame);
    this.#things?.draw(frame, this.#size[2]);
    this.#overlays?.draw(frame);
  }

  /** What covers the view. */
  get covering() {
    return [...this.#overlays?.elements ?? [], ...(this.#pill ? [this.#pill] : [])];
  }

  /**
   * The button by which a place's sound is heard.
   * @param {number} index
   * @returns {Promise<HTMLElement | null>} `null`: it has none
   */
  async soundButton(index) {
    const place = this.world.content?.places[index];
    if (!place?.soundURL) return null;
    return (await this.#needSounds())?.button(place) ?? null;
  }

  close() {
    this.#observer.disconnect();
    this.#things?.close();
    this.#prints?.close();
  }

  get #isOver() {
    return this.world.closed.aborted;
  }

  /** The drawing modules of the page need no more of a session than a world has: content, radius, `tell` and `on`. */
  get #session() {
    return /** @type {Session} */ (/** @type {unknown} */ (this.world));
  }

  async #loadPaths() {
    const { Paths } = await import('../app/ar/paths.js');
    if (this.#isOver || this.#paths) return;
    this.#paths = new Paths(this.places.lines, this.#session);
    this.#paths.resize(...this.#size);
  }

  async #loadThings() {
    const { ThingLayer } = await import('../app/things/thing-layer.js');
    if (this.#isOver || this.#things) return;
    const { content } = this.world;
    this.#things = new ThingLayer(this.places.lines, this.#session);
    this.#things.on('failed', ({ place, error }) => this.host.fail(`${content?.placeTitle(content.places[place])}: ${error}`));
  }

  async #loadOverlays() {
    const { WorldOverlays } = await import('./world-overlays.js');
    if (this.#isOver || this.#overlays) return;
    this.#overlays = new WorldOverlays(this.places.overlays, this.places.root, this.world);
    if (this.world.content) this.#showOverlays(this.#overlays, this.world.content);
  }

  /**
   * @param {import('./world-overlays.js').WorldOverlays} overlays
   * @param {Content} content
   */
  #showOverlays(overlays, content) {
    for (const element of overlays.elements) this.#observer.unobserve(element);
    overlays.show(content);
    for (const element of overlays.elements) this.#observer.observe(element);
  }

  async #loadPrints() {
    const { WorldPrints } = await import('./world-prints.js');
    if (this.#isOver || this.#prints) return;
    this.#prints = new WorldPrints(this.places.labels, this.places.root, this.world, (message) => this.host.fail(message));
    if (this.world.content) this.#prints.show(this.world.content);
  }

  #needSounds() {
    this.#sounds ??= this.#loadSounds().catch((error) => {
      this.#sounds = null;
      throw error;
    });
    return this.#sounds;
  }

  async #loadSounds() {
    const { soundsOf } = await import('./world-sounds.js');
    const { scene, root } = this.places;
    const sounds = this.#isOver ? null : await soundsOf(scene, root, this.world, (text) => this.host.say(text));
    this.#pill = sounds?.element ?? null;
    if (this.#pill) this.#observer.observe(this.#pill);
    return sounds;
  }
}
