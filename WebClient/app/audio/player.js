// Sounds of a world and of its places: nothing is heard before a tap, one at a time, with a switch that mutes, and nothing once the
// world is left or out of sight.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';
import { pictureSource } from '../net/assets.js';
import { limitedBlob } from '../net/limited.js';

/** @typedef {{ url: string, name: string }} Sound `url`: as the world names it, absolute */

/** A recording of nothing: an element that has played it may play what comes later than the tap. 44 bytes of head and two of silence. */
const SILENCE = Uint8Array.from([
  0x52, 0x49, 0x46, 0x46, 38, 0, 0, 0, 0x57, 0x41, 0x56, 0x45, 0x66, 0x6d, 0x74, 0x20, 16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0,
  16, 0, 0x64, 0x61, 0x74, 0x61, 2, 0, 0, 0, 0, 0,
]);
/** Larger ones are not fetched to their end: a phone in the street has better use for its volume of data. */
const LARGEST = 32 * 2 ** 20;

/** @extends {Emitter<{ changed: void, failed: Sound }>} */
export class SoundPlayer extends Emitter {
  /**
   * What is heard, or on its way.
   * @type {Sound | null}
   */
  sound = null;
  /** @type {'silent' | 'coming' | 'playing'} */
  state = 'silent';
  #audio = new Audio();
  #turn = 0;
  #address = '';

  /** @param {AbortSignal} closed */
  constructor(closed) {
    super();
    this.#audio.muted = load('muted', false);
    this.#audio.addEventListener('ended', () => this.state === 'playing' && this.stop());
    const stop = () => document.visibilityState === 'hidden' && this.stop();
    document.addEventListener('visibilitychange', stop, { signal: closed });
    closed.addEventListener('abort', () => this.stop());
  }

  get isMuted() {
    return this.#audio.muted;
  }

  /** @param {boolean} isMuted */
  mute(isMuted) {
    this.#audio.muted = isMuted;
    save('muted', isMuted || undefined);
    this.emit('changed', undefined);
  }

  /** @param {string} url */
  isOf(url) {
    return this.sound?.url === url;
  }

  /**
   * Begins a sound, or ends it where it is the one that is heard. Called inside the tap.
   * @param {Sound} sound
   */
  async toggle(sound) {
    if (this.isOf(sound.url)) return this.stop();
    this.stop();
    const turn = ++this.#turn;
    this.sound = sound;
    this.#set('coming');
    this.#use(new Blob([SILENCE], { type: 'audio/wav' }));
    // Without an answer: it only opens the way for what follows.
    this.#audio.play().catch(() => undefined);
    try {
      const answer = await fetch(pictureSource(sound.url));
      if (!answer.ok) throw new Error(`${sound.url}: ${answer.status}`);
      const blob = await limitedBlob(answer, LARGEST);
      if (turn !== this.#turn) return;
      this.#use(blob);
      await this.#audio.play();
      if (turn === this.#turn) this.#set('playing');
    } catch (error) {
      if (turn !== this.#turn) return;
      console.warn(error);
      this.stop();
      this.emit('failed', sound);
    }
  }

  stop() {
    if (!this.sound) return;
    this.#turn += 1;
    this.sound = null;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    URL.revokeObjectURL(this.#address);
    this.#set('silent');
  }

  /** @param {Blob} blob */
  #use(blob) {
    URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(blob);
    this.#audio.src = this.#address;
  }

  /** @param {SoundPlayer['state']} state */
  #set(state) {
    this.state = state;
    this.emit('changed', undefined);
  }
}
