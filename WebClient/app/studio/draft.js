// A world that is being edited: its states for undoing, and its way to the server. Edits are saved by themselves; until
// the server has confirmed them they are also kept on this device.

import { Emitter } from '../core/emitter.js';
import { load, save as store } from '../core/storage.js';
import { AccountError } from '../accounts/account-api.js';
import { sameContent, transplanted } from './content.js';
import { newerWorld, saveWorld } from './studio-api.js';

/**
 * @typedef {import('../types').Dimension} Dimension
 * @typedef {import('./studio-api.js').OpenWorld} OpenWorld
 * @typedef {import('./studio-api.js').Conflict} Conflict
 * @typedef {{ version: number, by: string, copy: number, dimension: Dimension, conflicts: Conflict[] }} Contradiction
 * @typedef {'saved' | 'dirty' | 'saving' | 'offline' | 'refused' | 'conflict'} SaveState
 */

const SAVE_AFTER_MS = 1200;
const RETRY_AFTER_MS = 8000;
const LOOK_EVERY_MS = 10_000;
/** Edits of the same field that follow each other as fast as this are one step. */
const ONE_STEP_MS = 2500;
const MOST_STEPS = 200;

/**
 * The steps of the drafts that were closed, for this visit: whoever tries a world and comes back can still undo.
 * @type {Map<string, { dimension: Dimension, past: Dimension[], future: Dimension[] }>}
 */
const closed = new Map();
const MOST_CLOSED = 5;

/** @extends {Emitter<{ change: { others: boolean }, state: SaveState, conflict: Contradiction }>} */
export class Draft extends Emitter {
  /** @type {Dimension[]} */
  #past = [];
  /** @type {Dimension[]} */
  #future = [];
  #step = { key: '', time: 0 };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<void> | null} */
  #running = null;
  #closed = false;
  /** @type {SaveState} */
  state = 'saved';
  /** The server's reason when it refuses the draft. */
  refusal = '';
  /** Who saved last, when that was somebody else. */
  other = '';

  /** @param {OpenWorld} answer */
  constructor(answer) {
    super();
    this.id = answer.world.id;
    this.version = answer.version;
    /** @type {Dimension} what the server has as `version` */
    this.confirmed = answer.dimension;
    this.dimension = answer.dimension;
    this.#looker = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#recover();
    this.#goOn();
  }

  /** The steps from before, as long as nobody has changed the world meanwhile. */
  #goOn() {
    const before = closed.get(this.id);
    closed.delete(this.id);
    if (!before || !sameContent(before.dimension, this.dimension)) return;
    this.#past = before.past;
    this.#future = before.future;
  }

  #looker;

  get canUndo() {
    return this.#past.length > 0;
  }
  get canRedo() {
    return this.#future.length > 0;
  }
  get isSaved() {
    return this.dimension === this.confirmed;
  }

  /** What an earlier visit could not send. */
  #recover() {
    const kept = load(this.#key, /** @type {{ version: number, dimension: Dimension } | null} */ (null));
    const isSound = kept && Array.isArray(kept.dimension?.places) && Array.isArray(kept.dimension.overlays) && Number.isFinite(kept.version);
    if (!isSound || sameContent(kept.dimension, this.dimension)) return store(this.#key, undefined);
    this.#past.push(this.dimension);
    this.dimension = kept.dimension;
    this.version = kept.version;
    this.#changed();
  }

  get #key() {
    return `studio.${this.id}`;
  }

  /**
   * One step of editing.
   * @param {(dimension: Dimension) => Dimension} change
   * @param {string} [key] steps with the same key that follow each other quickly are one
   */
  edit(change, key = '') {
    const next = change(this.dimension);
    if (next === this.dimension) return;
    const now = performance.now();
    if (!key || key !== this.#step.key || now - this.#step.time > ONE_STEP_MS || !this.#past.length) {
      this.#past.push(this.dimension);
      if (this.#past.length > MOST_STEPS) this.#past.shift();
    }
    this.#step = { key, time: now };
    this.#future = [];
    this.dimension = next;
    this.#changed();
  }

  undo() {
    const state = this.#past.pop();
    if (!state) return;
    this.#future.push(this.dimension);
    this.#go(state);
  }

  redo() {
    const state = this.#future.pop();
    if (!state) return;
    this.#past.push(this.dimension);
    this.#go(state);
  }

  /** @param {Dimension} state */
  #go(state) {
    this.#step = { key: '', time: 0 };
    this.dimension = state;
    this.#changed();
  }

  #changed() {
    store(this.#key, { version: this.version, dimension: this.dimension });
    this.emit('change', { others: false });
    this.#become('dirty');
    this.#schedule(SAVE_AFTER_MS);
  }

  /** @param {number} after milliseconds */
  #schedule(after) {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.save(), after);
  }

  /** @param {SaveState} state */
  #become(state) {
    this.state = state;
    this.emit('state', state);
  }

  /** Sends what is not confirmed; waits for one that is on its way. */
  async save() {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (this.state === 'conflict') return;
    if (this.isSaved) {
      // Undone and done again: it is what the server has.
      store(this.#key, undefined);
      if (this.state !== 'saved') this.#become('saved');
      return;
    }
    this.#running = this.#send().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  async #send() {
    const sent = this.dimension;
    this.#become('saving');
    try {
      const answer = await saveWorld(this.id, this.version, sent);
      if (!answer.dimension) {
        this.version = answer.version;
        this.confirmed = sent;
      } else if (this.dimension === sent) {
        this.#adopt(answer.version, answer.dimension);
      }
      // Joined with what others did while there were further edits here: those go from the same base once more, and
      // the server joins again.
      if (this.isSaved) {
        store(this.#key, undefined);
        this.#become('saved');
      } else {
        store(this.#key, { version: this.version, dimension: this.dimension });
        this.#become('dirty');
        this.#schedule(SAVE_AFTER_MS);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof AccountError)) throw error;
    if (error.code === 'studio.conflict') {
      this.#become('conflict');
      this.emit('conflict', error.body);
    } else if (error.status === 0 || error.status >= 500) {
      this.#become('offline');
      this.#schedule(RETRY_AFTER_MS);
    } else {
      this.refusal = error.detail;
      this.#become('refused');
    }
  }

  /**
   * Takes what others have done into the present state and into those that undoing leads to.
   * @param {number} version
   * @param {Dimension} dimension
   */
  #adopt(version, dimension) {
    const before = this.dimension;
    this.#past = this.#past.map((state) => transplanted(before, dimension, state));
    this.#future = this.#future.map((state) => transplanted(before, dimension, state));
    this.version = version;
    this.dimension = dimension;
    this.confirmed = dimension;
    this.emit('change', { others: true });
  }

  /**
   * Ends a contradiction with what was chosen.
   * @param {Contradiction} contradiction
   * @param {Dimension} dimension
   */
  async resolve(contradiction, dimension) {
    this.#past.push(this.dimension);
    this.#future = [];
    this.version = contradiction.version;
    this.dimension = dimension;
    this.state = 'dirty';
    this.emit('change', { others: true });
    store(this.#key, { version: this.version, dimension });
    await this.save();
  }

  /** Looks whether somebody else has saved. */
  async look() {
    if (document.visibilityState !== 'visible' || this.#running || !this.isSaved) return;
    try {
      const newer = await newerWorld(this.id, this.version);
      if (!newer || this.#closed || !this.isSaved || this.#running) return;
      this.other = newer.world.savedBy;
      this.#adopt(newer.version, newer.dimension);
      if (this.state !== 'saved') this.#become('saved');
    } catch {
      // The next look, or the next save, will tell.
    }
  }

  close() {
    this.#closed = true;
    if (this.#past.length + this.#future.length) closed.set(this.id, { dimension: this.dimension, past: this.#past, future: this.#future });
    for (const id of [...closed.keys()].slice(0, -MOST_CLOSED)) closed.delete(id);
    clearInterval(this.#looker);
    clearTimeout(this.#timer);
    if (!this.isSaved && this.state !== 'conflict') void this.save();
  }
}
