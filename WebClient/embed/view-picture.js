// The camera's picture in a view: live, and while prints or surfaces are near, the one that they were found in.

import { make } from './view-cover.js';

export class ViewPicture {
  #video = /** @type {HTMLVideoElement} */ (make('video', { part: 'video', playsinline: '', 'aria-hidden': 'true', tabindex: '-1' }));
  #held = /** @type {HTMLCanvasElement} */ (make('canvas', { part: 'picture', 'aria-hidden': 'true', hidden: '' }));
  #painter = this.#held.getContext('2d', { alpha: false });

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.#video.muted = true;
    root.append(this.#video, this.#held);
  }

  /** @param {HTMLVideoElement | null} video whose pictures are shown */
  use(video) {
    const shared = video?.srcObject ?? null;
    if (this.#video.srcObject === shared) return;
    this.#video.srcObject = shared;
    // Without a picture behind it the content still stands where it belongs.
    if (shared) this.#video.play().catch(() => undefined);
  }

  /**
   * @param {CanvasImageSource} image
   * @param {{ width: number, height: number }} picture
   * @param {boolean} isNear whether something was found in it; otherwise the live one is earlier
   */
  hold(image, { width, height }, isNear) {
    this.#held.hidden = !isNear;
    if (!isNear) return;
    if (this.#held.width !== width) this.#held.width = width;
    if (this.#held.height !== height) this.#held.height = height;
    this.#painter?.drawImage(image, 0, 0, width, height);
  }

  stop() {
    this.#video.srcObject = null;
    this.#held.hidden = true;
  }
}
