// How old the camera's picture is when something is drawn over it: labels belong to the moment it was taken, not to now.

/**
 * What the browser says of a frame of the video that it is about to show; times as of `performance.now()`.
 * @typedef {{ captureTime?: number, presentationTime?: number, expectedDisplayTime?: number }} FrameMetadata
 */

/** Milliseconds from the middle of the exposure to the page, where the browser does not tell: two frames of thirty. */
const PIPELINE_MS = 66;
/** A picture that seems older, or of the future, is timed by another clock. */
const LONGEST_MS = 300;

/**
 * When a picture of the camera was taken, milliseconds.
 * @param {number} now
 * @param {FrameMetadata} metadata
 */
export function takenAt(now, { captureTime, presentationTime }) {
  const isKnown = captureTime !== undefined && now - captureTime >= 0 && now - captureTime < LONGEST_MS;
  // What is handed to the compositor was a frame or two in the making.
  return isKnown ? captureTime : Math.min(presentationTime ?? now, now) - PIPELINE_MS;
}

export class PictureAge {
  /**
   * When the picture that is shown was taken, milliseconds.
   * @type {number | null}
   */
  #taken = null;
  #handle = 0;
  /** By how much pictures are older than that on the clock of the motion sensors, seconds, once tracking has learned it. */
  lateness = 0;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.video = video;
    this.#listen();
  }

  #listen() {
    if (typeof this.video.requestVideoFrameCallback !== 'function') return;
    this.#handle = this.video.requestVideoFrameCallback((now, metadata) => {
      this.take(now, metadata);
      this.#listen();
    });
  }

  /**
   * A new picture is shown.
   * @param {number} now milliseconds
   * @param {FrameMetadata} metadata
   */
  take(now, metadata) {
    this.#taken = takenAt(now, metadata);
  }

  /**
   * Seconds at a moment; 0 without a picture that runs.
   * @param {number} now milliseconds
   */
  at(now) {
    if (this.video.paused || !this.video.videoWidth) return 0;
    const age = this.#taken === null ? PIPELINE_MS : now - this.#taken;
    // Where pictures stop coming, a prediction of the past is of no use.
    return Math.max(0, (age >= 0 && age < LONGEST_MS ? age : PIPELINE_MS) / 1000 + this.lateness);
  }

  close() {
    if (this.#handle) this.video.cancelVideoFrameCallback(this.#handle);
  }
}
