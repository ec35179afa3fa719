// A clip of the view: what the picture of the view shows, thirty times a second at most, as a video without sound.

import { drawView } from './screenshot.js';

/**
 * @typedef {import('./screenshot.js').Caption} Caption
 * @typedef {() => { roots: Element[], caption: Caption }} Seen what is seen now
 * @typedef {'asked' | 'full' | 'hidden' | 'left' | 'failed'} End why a clip ended: a tap, time or size, the page was hidden, the view was
 *   left, the browser gave up
 */

/** Longest side, pixels. */
const LARGEST = 1280;
/** Seconds. */
export const LONGEST = 30;
/** Bytes a clip may have: three times what it has at this rate. */
const MOST_BYTES = 48 * 1024 * 1024;
const BITS_A_SECOND = 4_000_000;
/** Milliseconds between two pictures. */
const INTERVAL = 1000 / 30;
/** Painting may take one part of the time in so many: the view comes first. */
const SHARE = 3;
/** What iPhones play comes first. Level 4 has room for the pictures of tablets. */
const KINDS = ['video/mp4;codecs=avc1.42E028', 'video/mp4;codecs=avc1', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

export class Clip {
  /** @type {Blob[]} */
  #chunks = [];
  #bytes = 0;
  #begin = performance.now();
  #next = 0;
  #isPainting = false;
  #life = new AbortController();
  #canvas = document.createElement('canvas');
  /** @type {MediaRecorder} */
  #recorder;
  /** @type {MediaStream} */
  #stream;
  /** @type {Seen} */
  #seen;
  /** @type {End} */
  #end = 'asked';

  /**
   * @param {Seen} seen
   * @param {AbortSignal} left the view was left
   * @param {(clip: Blob | null, end: End) => void} done
   */
  constructor(seen, left, done) {
    this.#seen = seen;
    const scale = Math.min(2, devicePixelRatio || 1, LARGEST / Math.max(innerWidth, innerHeight));
    // Videos want even numbers.
    this.#canvas.width = 2 * Math.round(innerWidth * scale / 2);
    this.#canvas.height = 2 * Math.round(innerHeight * scale / 2);
    this.#canvas.className = 'clip-canvas';
    this.#canvas.setAttribute('aria-hidden', 'true');
    // Firefox has a stream only of what is drawn on already.
    this.#canvas.getContext('2d', { alpha: false });
    this.#stream = this.#canvas.captureStream(30);
    const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    this.#recorder = new MediaRecorder(this.#stream, { mimeType, videoBitsPerSecond: BITS_A_SECOND });
    this.#recorder.addEventListener('dataavailable', ({ data }) => {
      this.#chunks.push(data);
      this.#bytes += data.size;
      if (this.#bytes > MOST_BYTES) this.stop('full');
    });
    this.#recorder.addEventListener('error', () => this.stop('failed'));
    this.#recorder.addEventListener('stop', () => {
      this.#release();
      done(this.#bytes ? new Blob(this.#chunks, { type: this.#recorder.mimeType.split(';')[0] }) : null, this.#end);
    }, { once: true });
    const { signal } = this.#life;
    left.addEventListener('abort', () => this.stop('left'), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.stop('hidden'), { signal });
    // In parts, so that its size is known while it grows.
    this.#recorder.start(1000);
    // Safari gives pictures only of canvases that stand in the page.
    document.body.append(this.#canvas);
    requestAnimationFrame(this.#tick);
  }

  get seconds() {
    return (performance.now() - this.#begin) / 1000;
  }

  /** @param {End} end */
  stop(end) {
    if (this.#life.signal.aborted) return;
    this.#life.abort();
    this.#end = end;
    // After an error it stops by itself.
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
  }

  #release() {
    // Where the browser ended it by itself.
    if (!this.#life.signal.aborted) this.#end = 'failed';
    this.#life.abort();
    for (const track of this.#stream.getTracks()) track.stop();
    this.#canvas.remove();
  }

  #tick = (/** @type {number} */ now) => {
    if (this.#life.signal.aborted) return;
    if (this.seconds >= LONGEST) return this.stop('full');
    requestAnimationFrame(this.#tick);
    if (!this.#isPainting && now >= this.#next) void this.#paint(now);
  };

  /** @param {number} now */
  async #paint(now) {
    const { roots, caption } = this.#seen();
    // The map or the list is shown in place of the view.
    if (!roots.some((root) => root.isConnected && root.getClientRects().length)) return this.stop('left');
    this.#isPainting = true;
    const begin = performance.now();
    await drawView(this.#canvas, roots, caption).catch((error) => {
      console.warn(error);
      this.stop('failed');
    });
    this.#next = now + Math.max(INTERVAL - 2, SHARE * (performance.now() - begin));
    this.#isPainting = false;
  }
}
