// The phone as the session sees it: each of picture, direction and position comes from a sensor or, where that is not
// there or not wanted, from the virtual phone.

import { Emitter } from '../core/emitter.js';
import { Camera, DEFAULT_FIELD_OF_VIEW, fieldOfView, lensAtSize } from './camera.js';
import { isLocationAllowed, LocationSensor } from './location.js';
import { OrientationSensor } from './orientation.js';
import { PictureAge } from './picture-age.js';
import { VirtualPhone } from './virtual-phone.js';
import { keepAwake, letSleep } from './wake-lock.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {'ok' | 'missing' | 'denied' | 'waiting'} CheckState
 * @typedef {'camera' | 'location' | 'orientation' | 'secure'} CheckName
 * @typedef {{ picture: 'camera' | 'drawn', direction: 'sensor' | 'hand', position: 'sensor' | 'chosen' }} Sources
 */

/** Seconds by which the picture's age has to change to be told: a turn of 100° a second moves a label by one pixel. */
const AGE_STEP = 0.0005;
/** How long map and list wait for a position that may be read, milliseconds. */
const QUIET_MS = 2500;
/** Label under which the drawn picture's field of view is kept. */
const DRAWN = 'drawn horizon';

/** @extends {Emitter<{ checks: void, sources: Sources, camera: void }>} */
export class Device extends Emitter {
  /** @type {Sources} */
  sources = { picture: 'camera', direction: 'sensor', position: 'sensor' };
  /** Whether permissions were asked for. */
  started = false;
  /** Whether the world needs the camera alone: all its places stand on markers. */
  markersOnly = false;
  /** Whether a code has said where the phone is: from then on maps and lists go by what is drawn, not by the last fix. */
  isAnchored = false;
  orientation = new OrientationSensor();
  location = new LocationSensor();
  phone = new VirtualPhone(() => this.session.engine);

  /**
   * @param {Session} session
   * @param {HTMLVideoElement} video
   */
  constructor(session, video) {
    super();
    this.session = session;
    this.camera = new Camera(video);
    this.pictureAge = new PictureAge(video);
    this.camera.on('state', () => {
      this.emit('checks', undefined);
      this.emit('camera', undefined);
    });
    this.camera.on('picture', () => this.tellPicture());
    this.orientation.on('state', (state) => {
      this.emit('checks', undefined);
      if (this.sources.direction !== 'sensor') return;
      if (state === 'denied' || state === 'missing') session.tell({ type: 'orientationUnavailable', reason: state });
    });
    this.orientation.on('reading', (reading) => {
      if (this.sources.direction !== 'sensor') return;
      session.tell(
        'heading' in reading ? { type: 'orientationWithCompass', ...reading } : { type: 'orientation', ...reading },
      );
    });
    this.orientation.on('motion', ({ event, time }) => {
      if (this.sources.direction === 'sensor') session.tell(event, time);
    });
    this.location.on('state', (state) => {
      this.emit('checks', undefined);
      if (this.sources.position !== 'sensor') return;
      if (state === 'denied' || state === 'missing') session.tell({ type: 'locationUnavailable', reason: state });
    });
    this.location.on('fix', (fix) => {
      if (this.sources.position === 'sensor') session.tell({ type: 'fix', ...fix });
    });
    this.phone.on('turned', () => this.#tellDirection());
    this.phone.on('moved', () => this.#tellPosition());
    // Sensors report again and again; the virtual phone has to, or its readings would be called stale.
    this.beat = setInterval(() => {
      this.#tellDirection();
      this.#tellPosition();
    }, 500);
    addEventListener('resize', this.tellDisplay);
    screen.orientation?.addEventListener?.('change', this.tellDisplay);
    this.tellDisplay();
    this.tellPicture();
  }

  get isVirtual() {
    const { picture, direction, position } = this.sources;
    return picture === 'drawn' && direction === 'hand' && position === 'chosen';
  }

  /** Whether the direction comes from sensors, which may be wrong about north. */
  get hasCompass() {
    return this.sources.direction === 'sensor';
  }

  /**
   * The one tap. Everything that wants the user's gesture is called here before anything is waited for, sensors first.
   */
  start() {
    this.started = true;
    const { picture, direction, position } = this.sources;
    const sensors = direction === 'sensor' ? this.orientation.start() : undefined;
    const pictures = picture === 'camera' ? this.camera.start() : undefined;
    if (position === 'sensor') {
      this.session.wantSurroundings();
      this.location.start();
    }
    void keepAwake();
    this.emit('checks', undefined);
    return Promise.all([sensors, pictures]);
  }

  /**
   * Map and list are shown: nobody is asked for anything. What may be read without a question is read, and the world does not
   * wait for the rest.
   */
  async browse() {
    const { session, location, orientation } = this;
    if (this.sources.direction === 'sensor' && orientation.state === 'idle') {
      session.tell({ type: 'orientationUnavailable', reason: 'missing' });
    }
    if (this.sources.position !== 'sensor' || location.state !== 'idle') return;
    const isAllowed = await isLocationAllowed();
    if (session.closed.aborted || this.sources.position !== 'sensor' || location.state !== 'idle') return;
    const goOn = () => !location.last && session.tell({ type: 'locationUnavailable', reason: 'missing' });
    if (!isAllowed) return void goOn();
    location.start();
    setTimeout(() => session.closed.aborted || goOn(), QUIET_MS);
  }

  /** @param {boolean} only whether neither place nor direction matter, so that nobody is asked for them */
  setMarkersOnly(only) {
    if (only === this.markersOnly) return;
    this.markersOnly = only;
    const { direction, position } = this.sources;
    const isDrawn = this.sources.picture === 'drawn';
    this.use(only || isDrawn ? { direction, position } : { direction: 'sensor', position: 'sensor' });
    if (!only && this.started && !isDrawn) void this.start();
  }

  /**
   * @param {CheckName} name
   * @returns {boolean} whether the world has any use for it
   */
  needs(name) {
    return !this.markersOnly || name === 'camera' || name === 'secure';
  }

  /** @param {Partial<Sources>} change */
  use(change) {
    this.sources = { ...this.sources, ...change };
    if (this.markersOnly) Object.assign(this.sources, { direction: 'hand', position: 'chosen' });
    if (this.sources.picture === 'drawn' && this.camera.state !== 'idle') this.camera.stop();
    if (this.sources.direction === 'hand') this.orientation.stop();
    if (this.sources.position === 'chosen') this.location.stop();
    if (!this.phone.places && (this.sources.direction === 'hand' || this.sources.position === 'chosen')) void VirtualPhone.prepare();
    this.phone.canWalk = this.sources.position === 'chosen';
    this.tellDisplay();
    this.tellPicture();
    this.#tellDirection();
    this.#tellPosition();
    this.emit('sources', this.sources);
    this.emit('checks', undefined);
  }

  /**
   * @param {CheckName} name
   * @returns {CheckState}
   */
  check(name) {
    if (name === 'secure') return isSecureContext ? 'ok' : 'missing';
    if (name === 'camera') {
      if (this.sources.picture === 'drawn') return 'ok';
      const { state } = this.camera;
      if (state === 'running' || state === 'paused') return 'ok';
      return state === 'denied' || state === 'missing' ? state : 'waiting';
    }
    if (name === 'orientation' && this.sources.direction === 'hand') return 'ok';
    if (name === 'location' && this.sources.position === 'chosen') return 'ok';
    const { state } = name === 'orientation' ? this.orientation : this.location;
    if (state === 'running') return 'ok';
    return state === 'denied' || state === 'missing' ? state : 'waiting';
  }

  get ready() {
    return this.check('camera') === 'ok' && this.check('location') === 'ok' && this.check('orientation') === 'ok';
  }

  /** What the field of view is kept under. */
  get lens() {
    return this.sources.picture === 'camera' ? this.camera.label : DRAWN;
  }

  /** Of the camera's pictures, pixels; nothing without any. */
  get pictureSize() {
    const { videoWidth: width, videoHeight: height } = this.camera.video;
    return this.sources.picture === 'camera' && width > 0 ? { width, height } : undefined;
  }

  tellDisplay = () => {
    const angle = this.sources.direction === 'hand' ? 0 : screen.orientation?.angle ?? Number(window.orientation ?? 0);
    this.session.tell({
      type: 'display',
      width: innerWidth,
      height: innerHeight,
      screenAngle: ((angle % 360) + 360) % 360,
    });
    if (this.sources.picture === 'drawn' || !this.camera.video.videoWidth) this.tellPicture();
  };

  /** The picture as it is delivered; without one, a picture of the screen's own shape. */
  tellPicture() {
    const size = this.pictureSize;
    this.session.tell({
      type: 'camera',
      width: size?.width ?? innerWidth,
      height: size?.height ?? innerHeight,
      longSideFieldOfView: size || this.sources.picture === 'drawn' ? fieldOfView(this.lens, size) : DEFAULT_FIELD_OF_VIEW,
    });
    this.pictureAge.lateness = (size && lensAtSize(this.lens, size)?.timeOffset) ?? 0;
  }

  /**
   * How old the picture is that labels are about to be drawn over.
   * @param {number} now seconds
   */
  tellPictureAge(now) {
    const running = this.sources.picture === 'camera' && this.camera.state === 'running';
    const seconds = running ? this.pictureAge.at(now * 1000) : 0;
    if (Math.abs(seconds - this.#toldAge) < AGE_STEP) return;
    this.#toldAge = seconds;
    this.session.tell({ type: 'pictureAge', seconds }, now);
  }

  #toldAge = 0;

  #tellDirection() {
    if (this.sources.direction !== 'hand') return;
    this.session.tell({ type: 'orientation', ...this.phone.angles(), north: 'trueNorth' });
  }

  #tellPosition() {
    if (this.sources.position !== 'chosen') return;
    this.session.tell({ type: 'fix', ...this.phone.fix() });
  }

  /** The last position that was told. */
  fix() {
    return this.sources.position === 'chosen' ? this.phone.fix() : this.location.last;
  }

  /** Where the user is, for maps and lists. */
  position() {
    if (this.sources.position === 'chosen') return this.phone.fix();
    const { last } = this.location;
    const known = this.isAnchored ? this.session.standpoint() : null;
    return last && known ? { ...last, latitude: known.latitude, longitude: known.longitude, horizontalAccuracy: known.accuracy } : last;
  }

  close() {
    clearInterval(this.beat);
    this.pictureAge.close();
    removeEventListener('resize', this.tellDisplay);
    screen.orientation?.removeEventListener?.('change', this.tellDisplay);
    this.camera.stop();
    this.orientation.stop();
    this.location.stop();
    letSleep();
  }
}
