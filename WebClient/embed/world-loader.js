// What of a world every view has: when to open it, in which language to say what is wrong. All else is loaded when there is one.

/** @typedef {import('./world-view.js').WorldView} WorldView */

export class WorldLoader {
  /** @type {WorldView | null} */
  #shown = null;
  /** @type {{ tracker: import('./tracker.js').Tracker, world: string | object } | null} */
  #wanted = null;

  /**
   * @param {HTMLElement} view
   * @param {ShadowRoot} root
   */
  constructor(view, root) {
    this.view = view;
    this.root = root;
  }

  /**
   * @param {import('./tracker.js').Tracker | null} tracker
   * @param {string | object | null} world an address, or content of the page's own
   */
  async show(tracker, world) {
    const wanted = tracker && world !== null ? { tracker, world } : null;
    if (wanted && this.#wanted?.tracker === tracker) {
      if (this.#wanted.world === world) return;
      if (typeof world === 'object' && typeof this.#wanted.world === 'object' && this.#shown) {
        this.#wanted = wanted;
        return this.#shown.update(/** @type {object} */ (world));
      }
    }
    this.#wanted = wanted;
    this.#shown?.close();
    this.#shown = null;
    if (!wanted) return;
    try {
      const { WorldView } = await import('./world-view.js');
      const opened = await wanted.tracker.openWorld(wanted.world, this.view);
      if (this.#wanted !== wanted) return opened.close();
      this.#shown = new WorldView(this.view, this.root, opened);
    } catch (error) {
      if (this.#wanted !== wanted) return;
      const message = error instanceof Error ? error.message : String(error);
      this.view.dispatchEvent(new CustomEvent('error', { detail: { code: 'engine', message }, bubbles: true, composed: true }));
    }
  }

  /** Whether all of the world stands on markers and pictures. */
  get standsOnPrints() {
    return this.#shown?.world.standsOnPrints ?? false;
  }

  /** The world's own interface, while it is open. */
  get world() {
    return this.#shown?.world ?? null;
  }
}
