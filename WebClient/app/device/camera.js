// The camera: one stream, kept; its picture behind everything; its field of view, remembered for each lens.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';

/**
 * @typedef {'idle' | 'waiting' | 'running' | 'paused' | 'denied' | 'missing'} CameraState
 */

/** Degrees along the long side: what a phone's main lens shows in its video formats, and what most lie close to. */
export const DEFAULT_FIELD_OF_VIEW = 65;
export const FIELD_OF_VIEW_RANGE = { low: 40, high: 110 };

/** @extends {Emitter<{ state: CameraState, picture: void }>} */
export class Camera extends Emitter {
  /** @type {CameraState} */
  state = 'idle';
  /** @type {MediaStream | null} */
  #stream = null;
  /** Counts the calls of `start`, so that the answer to an overtaken one is dropped. */
  #attempt = 0;
  /** Once. */
  #mayPrefer = true;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    super();
    this.video = video;
    video.muted = true;
    video.playsInline = true;
    // The size comes from the frames, never from getSettings(); it changes when the phone is turned.
    video.addEventListener('resize', () => this.emit('picture', undefined));
    video.addEventListener('loadedmetadata', () => this.emit('picture', undefined));
  }

  get label() {
    return this.#stream?.getVideoTracks()[0]?.label ?? '';
  }

  get deviceID() {
    return this.#stream?.getVideoTracks()[0]?.getSettings().deviceId ?? '';
  }

  /** Whether there is a lamp that can be switched. */
  get hasLight() {
    const track = this.#track;
    return Boolean(/** @type {any} */ (track?.getCapabilities?.())?.torch);
  }

  /**
   * Switches the camera's lamp.
   * @param {boolean} on
   * @returns {Promise<boolean>} whether it worked
   */
  async light(on) {
    try {
      await this.#track?.applyConstraints(/** @type {any} */ ({ advanced: [{ torch: on }] }));
      return this.hasLight;
    } catch {
      return false;
    }
  }

  /**
   * Must be called inside the tap; calls getUserMedia before anything that waits.
   * @returns {Promise<void>}
   */
  async start() {
    if (this.state === 'running') return;
    const attempt = ++this.#attempt;
    if (!navigator.mediaDevices?.getUserMedia) return this.#set('missing');
    this.#set('waiting');
    const asked = load('camera', '');
    const chosen = asked || load('rearCamera', '');
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: constraints(chosen), audio: false });
      if (attempt !== this.#attempt) return stream.getTracks().forEach((track) => track.stop());
      await this.#use(stream);
      if (!chosen && this.#mayPrefer && /back/i.test(this.label)) void this.#preferMain(stream).catch(() => undefined);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      const name = error instanceof DOMException ? error.name : '';
      // A remembered lens can be gone: forget it and take what there is.
      const isDenied = name === 'NotAllowedError' || name === 'SecurityError';
      if (chosen && (name === 'OverconstrainedError' || name === 'NotFoundError' || (!asked && !isDenied))) {
        save(asked ? 'camera' : 'rearCamera', undefined);
        this.state = 'idle';
        return this.start();
      }
      this.#set(isDenied ? 'denied' : 'missing');
    }
  }

  /** @param {MediaStream} stream the browser's choice, left for the main rear camera */
  async #preferMain(stream) {
    this.#mayPrefer = false;
    const { mainRearCamera } = await import('./rear-camera.js');
    const main = mainRearCamera(this.label, await this.list());
    if (!main || this.#stream !== stream) return;
    save('rearCamera', main.id);
    await this.#anew();
  }

  /** @param {MediaStream} stream */
  async #use(stream) {
    this.#release();
    this.#stream = stream;
    const [track] = stream.getVideoTracks();
    track.addEventListener('ended', () => this.#lost(track));
    track.addEventListener('mute', () => this.#lost(track));
    track.addEventListener('unmute', () => track === this.#track && void this.resume());
    this.video.srcObject = stream;
    try {
      await this.video.play();
      this.#set('running');
    } catch {
      this.#set('paused');
    }
    this.emit('picture', undefined);
  }

  get #track() {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  /** @param {MediaStreamTrack} track */
  #lost(track) {
    if (track === this.#track && this.state === 'running') this.#set('paused');
  }

  /** After the page was hidden: the user is asked when the picture stands. */
  check() {
    const track = this.#track;
    if (this.state !== 'running' || !track) return;
    if (track.readyState === 'ended' || track.muted) this.#set('paused');
    else void this.video.play().catch(() => this.#set('paused'));
  }

  /** The user's "tap to go on". */
  async resume() {
    const track = this.#track;
    if (track?.readyState === 'live' && !track.muted) {
      try {
        await this.video.play();
        return this.#set('running');
      } catch {
        // A new stream.
      }
    }
    await this.#anew();
  }

  /** @param {string} deviceID empty for the rear camera of the browser's choice */
  async choose(deviceID) {
    save('camera', deviceID || undefined);
    await this.#anew();
  }

  async #anew() {
    this.#release();
    this.state = 'idle';
    await this.start();
  }

  /** @returns {Promise<{ id: string, label: string }[]>} */
  async list() {
    const devices = (await navigator.mediaDevices?.enumerateDevices?.()) ?? [];
    return devices.filter((device) => device.kind === 'videoinput' && device.label)
      .map((device) => ({ id: device.deviceId, label: device.label }));
  }

  /** @param {boolean} frozen */
  freeze(frozen) {
    if (this.state !== 'running') return;
    if (frozen) this.video.pause();
    else void this.video.play().catch(() => this.#set('paused'));
  }

  stop() {
    this.#attempt += 1;
    this.#release();
    this.#set('idle');
  }

  #release() {
    const stream = this.#stream;
    this.#stream = null;
    stream?.getTracks().forEach((track) => track.stop());
    this.video.srcObject = null;
  }

  /** @param {CameraState} state */
  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.emit('state', state);
  }
}

/**
 * @param {string} chosen
 * @returns {MediaTrackConstraints}
 */
function constraints(chosen) {
  return {
    ...(chosen ? { deviceId: { exact: chosen } } : { facingMode: { ideal: 'environment' } }),
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 30 },
    // Asking for an aspect the camera lacks crops the picture and so changes its field of view.
    resizeMode: { ideal: 'none' },
  };
}

/**
 * Degrees along the picture's long side: as it was set, else as it was learned.
 * @param {string} label of the camera
 */
export function fieldOfView(label) {
  const set = load('fieldOfView', /** @type {Record<string, number>} */ ({}))[label];
  return [set, learnedLens(label)?.fieldOfView].find(isFieldOfView) ?? DEFAULT_FIELD_OF_VIEW;
}

/** @param {unknown} value */
function isFieldOfView(value) {
  return typeof value === 'number' && value >= FIELD_OF_VIEW_RANGE.low && value <= FIELD_OF_VIEW_RANGE.high;
}

/** @typedef {{ fieldOfView: number, terms: number[] }} LearnedLens degrees along the long side; k1, k2, k3 */

/**
 * What world tracking learned of a camera; `null` when it has not seen enough.
 * @param {string} label
 * @returns {LearnedLens | null}
 */
export function learnedLens(label) {
  const lens = load('learnedLens', /** @type {Record<string, LearnedLens>} */ ({}))[label];
  return lens && isFieldOfView(lens.fieldOfView) && isLens(lens.terms) ? lens : null;
}

/**
 * Keeps what was learned of a camera; what somebody has set or measured goes before it.
 * @param {string} label
 * @param {LearnedLens} lens
 */
export function learnLens(label, lens) {
  if (!isFieldOfView(lens.fieldOfView) || !isLens(lens.terms)) return;
  save('learnedLens', { ...load('learnedLens', /** @type {Record<string, LearnedLens>} */ ({})), [label]: lens });
}

/** @param {unknown} terms */
function isLens(terms) {
  return Array.isArray(terms) && terms.length === 3 && terms.every((term) => Number.isFinite(term));
}

/**
 * @param {string} label
 * @param {number} degrees
 */
export function setFieldOfView(label, degrees) {
  const all = load('fieldOfView', /** @type {Record<string, number>} */ ({}));
  if (degrees === DEFAULT_FIELD_OF_VIEW) delete all[label];
  else all[label] = degrees;
  save('fieldOfView', all);
  // A lens was measured together with the angle before.
  setLens(label, []);
}

/**
 * How the lens bends what is straight, when a calibration or world tracking said so: k1, k2, k3 of r², r⁴, r⁶; nothing otherwise.
 * @param {string} label
 * @returns {number[]}
 */
export function lensOf(label) {
  const terms = load('lens', /** @type {Record<string, number[]>} */ ({}))[label];
  if (isLens(terms)) return terms;
  // An angle that somebody set stands for itself.
  const isSet = isFieldOfView(load('fieldOfView', /** @type {Record<string, number>} */ ({}))[label]);
  return isSet ? [] : learnedLens(label)?.terms ?? [];
}

/**
 * @param {string} label
 * @param {number[]} terms k1, k2, k3; none for a lens that nothing is known of
 */
export function setLens(label, terms) {
  const all = load('lens', /** @type {Record<string, number[]>} */ ({}));
  if (terms.length === 0 && !(label in all)) return;
  if (terms.length === 0) delete all[label];
  else all[label] = terms;
  save('lens', all);
}
