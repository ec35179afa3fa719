// The camera: one stream, kept; its picture behind everything; its field of view, remembered for each lens.

import { Emitter } from '../core/emitter.js';
import { load, save } from '../core/storage.js';

/**
 * @typedef {'idle' | 'waiting' | 'running' | 'paused' | 'denied' | 'missing'} CameraState
 */

/** Degrees along the long side: what a phone's main lens shows in its video formats, and what most lie close to. */
export const DEFAULT_FIELD_OF_VIEW = 65;
export const FIELD_OF_VIEW_RANGE = { low: 40, high: 110 };
/** By how much the shapes of pictures of one crop differ, of the shape. */
const SAME_SHAPE = 0.01;

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
 * @param {Size} [size]
 */
export function fieldOfView(label, size) {
  return setFieldOf(label) ?? learnedLens(label, size)?.fieldOfView ?? DEFAULT_FIELD_OF_VIEW;
}

/** @param {string} label */
function setFieldOf(label) {
  const set = load('fieldOfView', /** @type {Record<string, number>} */ ({}))[label];
  return isFieldOfView(set) ? set : undefined;
}

/** @param {unknown} value */
function isFieldOfView(value) {
  return typeof value === 'number' && value >= FIELD_OF_VIEW_RANGE.low && value <= FIELD_OF_VIEW_RANGE.high;
}

/**
 * @typedef {{ width: number, height: number }} Size of the camera's pictures, pixels, however the phone is held
 * @typedef {{ fieldOfView: number, terms: number[], rowTime: number, timeOffset: number }} LearnedLens degrees along the long side; k1, k2, k3;
 *   seconds from one line to the next, and by how much the pictures' stamps are late
 */

/**
 * What world tracking learned of a camera with pictures of a size, by its long and its short side.
 * @param {string} label
 */
export function lensesOf(label) {
  const all = load('learnedLens', /** @type {Record<string, Record<string, LearnedLens>>} */ ({}))[label];
  return new Map(Object.entries(all ?? {}).filter(([, lens]) => isLearned(lens)));
}

/** @param {Size} size */
export const sidesOf = ({ width, height }) => `${Math.max(width, height)} ${Math.min(width, height)}`;

/** @param {string} sides */
const shapeOf = (sides) => {
  const [long, short] = sides.split(' ').map(Number);
  return long / short;
};

/**
 * What world tracking learned of a camera with pictures of this size; `null` when it has not seen enough.
 * @param {string} label
 * @param {Size} size
 * @returns {LearnedLens | null}
 */
export function lensAtSize(label, size) {
  return lensesOf(label).get(sidesOf(size)) ?? null;
}

/**
 * What comes closest to that: pictures of one shape mostly show the same, and of others more is known than of another camera.
 * @param {string} label
 * @param {Size} [size]
 * @returns {LearnedLens | null}
 */
export function learnedLens(label, size) {
  const lenses = lensesOf(label);
  // The last one that was learned comes first.
  const all = [...lenses].reverse();
  const sides = size ? sidesOf(size) : '';
  const [, lens = null] = all.find(([key]) => key === sides)
    ?? all.find(([key]) => Math.abs(shapeOf(key) / shapeOf(sides) - 1) < SAME_SHAPE) ?? all[0] ?? [];
  return lens;
}

/**
 * What a camera's pictures are taken to be before they are looked at.
 * @typedef {{ fieldOfView: number, learned: LearnedLens | null }} Optics degrees along the long side; what else tracking may begin with
 */

/**
 * @param {string} label
 * @param {Size} size
 * @returns {Optics}
 */
export function opticsOf(label, size) {
  const set = setFieldOf(label);
  // An angle that somebody set stands for itself: it is not what was learned.
  return { fieldOfView: fieldOfView(label, size), learned: set === undefined ? lensAtSize(label, size) : null };
}

/** @param {LearnedLens | undefined} lens */
export function isLearned(lens) {
  return Boolean(lens) && isFieldOfView(lens?.fieldOfView) && isLens(lens?.terms) && [lens?.rowTime, lens?.timeOffset].every(Number.isFinite);
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
 * @param {Size} [size]
 * @returns {number[]}
 */
export function lensOf(label, size) {
  const terms = load('lens', /** @type {Record<string, number[]>} */ ({}))[label];
  if (isLens(terms)) return terms;
  // An angle that somebody set stands for itself.
  return setFieldOf(label) === undefined ? learnedLens(label, size)?.terms ?? [] : [];
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
