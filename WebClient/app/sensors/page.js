// "Record sensors": what camera and sensors of this phone say, with their clocks, into a recording that world tracking can be run over
// again; and how often, how evenly and how late they come.

import { h, icon } from '../core/dom.js';
import { bytes as bytesText, clock } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { Camera } from '../device/camera.js';
import { LocationSensor } from '../device/location.js';
import { askForSensors } from '../device/orientation.js';
import { keepAwake, letSleep } from '../device/wake-lock.js';
import { announce, toast } from '../ui/toast.js';
import { CameraOdometry } from '../vision/camera-odometry.js';
import { Figures } from './figures.js';
import { offerRecording } from './offer.js';
import { SensorStreams } from './streams.js';

/** @typedef {import('../vision/camera-odometry.js').TrackedSight} TrackedSight */

/** Seconds and bytes of a recording: what a phone's browser holds without harm. */
const LONGEST = 60;
const LARGEST = 256 * 2 ** 20;
/** What is asked of the camera: as large as world tracking looks at pictures, so that they can be kept as fast as they come. */
const SIZE = { width: { ideal: 640 }, height: { ideal: 480 } };

export class SensorsPage {
  #life = new AbortController();
  /** @type {{ begin: number, created: Date, hasFixes: boolean } | null} what is recorded now */
  #running = null;
  /** A recording is about to begin. */
  #isAsked = false;
  #timer = 0;
  /** Bytes of the recording. */
  #taped = 0;
  #location = new LocationSensor();
  #fixes = h('input', { type: 'checkbox', id: 'sensors-fixes' });
  #time = h('span', { class: 'clip-time' });
  #record = localized(h('button', { type: 'button', class: 'button primary', id: 'sensors-record', disabled: true, onclick: () => void (this.#running ? this.#stop() : this.#begin()) }), 'sensors.record');

  /** @param {() => void} leave */
  constructor(leave) {
    document.title = `${t('record.sensors')} · ${t('app.name')}`;
    this.video = h('video', { class: 'markers-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.camera = new Camera(this.video);
    this.odometry = new CameraOdometry(this.video, () => this.camera.label);
    // At rest, too, every picture counts.
    this.odometry.isBusy = true;
    this.figures = new Figures();
    this.streams = new SensorStreams(this.#life.signal, (event, time) => this.#running && this.odometry.tell(event, time));
    this.status = h('p', { class: 'sensors-status', role: 'status', id: 'sensors-status' });
    this.element = h('div', { id: 'sensors-page', class: 'markers-page sensors-page' }, this.video);
    document.body.append(this.element);
    this.element.append(
      h('header', { class: 'markers-bar' },
        labelled(h('button', { type: 'button', class: 'round glass', id: 'sensors-back', onclick: leave }, icon('back')), 'common.back'),
        localized(h('h1', { class: 'glass glass-title' }), 'record.sensors')),
      h('div', { class: 'sensors-panel glass' }, this.status, this.figures.element, h('div', { class: 'sensors-do' }, this.#record, this.#time)),
      this.#gate());
    this.odometry.on('sight', (sight) => this.#see(sight));
    this.odometry.on('restarted', () => this.#lose());
    this.camera.on('state', () => this.#showState());
    this.#location.on('fix', (fix) => this.streams.fix(fix));
    onLanguage(() => this.#showState(), this.#life.signal);
    document.addEventListener('visibilitychange', () => this.#hide(), { signal: this.#life.signal });
  }

  /** What is recorded, before anybody is asked for anything. */
  #gate() {
    const gate = h('div', { class: 'place-gate', id: 'sensors-gate' },
      localized(h('p'), 'sensors.text'), localized(h('p'), 'sensors.privacy'),
      h('label', { class: 'choice' }, this.#fixes, localized(h('span'), 'sensors.fixes')),
      localized(h('button', {
        type: 'button', class: 'button primary large', id: 'sensors-start',
        onclick: () => {
          gate.remove();
          void this.#start();
        },
      }), 'sensors.start'));
    return gate;
  }

  async #start() {
    // Both inside the tap: whoever is asked second is not refused for it.
    const asked = askForSensors();
    const begun = this.camera.start();
    if (this.#fixes.checked) this.#location.start();
    void keepAwake();
    const [isAllowed] = await Promise.all([asked, begun]);
    if (!isAllowed) toast(t('sensors.denied'), { kind: 'warning', key: 'motion' });
    const [track] = this.video.srcObject instanceof MediaStream ? this.video.srcObject.getVideoTracks() : [];
    await track?.applyConstraints(SIZE).catch(() => undefined);
    this.#timer = window.setInterval(() => this.#show(), 500);
  }

  /** @param {TrackedSight & { taped?: number }} sight */
  #see(sight) {
    this.streams.picture(sight.time, sight.heard);
    this.#taped = sight.taped ?? 0;
    this.figures.see(sight);
    this.#record.disabled = this.#isAsked;
  }

  #showState() {
    const { state } = this.camera;
    if (state === 'running' && document.visibilityState === 'visible') {
      this.camera.check();
      this.odometry.start();
    } else {
      this.odometry.stop();
    }
    const keys = { idle: 'sensors.limit', waiting: 'markers.waiting', running: 'sensors.hint', paused: 'pause.title', denied: 'markers.denied', missing: 'markers.missing' };
    this.status.textContent = t(/** @type {import('../core/i18n.js').TextKey} */ (keys[state]), { seconds: LONGEST, size: bytesText(LARGEST) });
    if (state === 'denied' || state === 'missing' || state === 'paused') {
      this.status.append(' ', localized(h('button', { type: 'button', class: 'button', id: 'sensors-retry', onclick: () => void this.camera.resume() }), 'common.retry'));
    }
    this.#show();
  }

  #show() {
    this.figures.show(this.streams, { lost: this.odometry.counts.dropped, camera: this.camera.label });
    const running = this.#running;
    localized(this.#record, running ? 'sensors.stop' : 'sensors.record');
    this.#time.textContent = running ? `${clock(this.#seconds)} · ${bytesText(this.#taped)}` : '';
    if (running && (this.#seconds >= LONGEST || this.#taped >= LARGEST)) {
      announce(t('sensors.full'));
      void this.#stop();
    }
  }

  get #seconds() {
    return this.#running ? performance.now() / 1000 - this.#running.begin : 0;
  }

  async #begin() {
    const [begin, created, { width, height }] = [performance.now() / 1000, new Date(), screen];
    this.#isAsked = this.#record.disabled = true;
    const hasBegun = await this.odometry.tape({
      time: begin, created, device: navigator.userAgent,
      fields: { camera: this.camera.label, screen: `${width} × ${height}`, pictures: `${this.video.videoWidth} × ${this.video.videoHeight}` },
    }).catch(() => false);
    this.#isAsked = this.#record.disabled = false;
    if (this.#life.signal.aborted) return;
    if (!hasBegun) return void toast(t('sensors.failed'), { kind: 'warning', key: 'sensors' });
    this.#running = { begin, created, hasFixes: this.#fixes.checked };
    this.#taped = 0;
    announce(t('sensors.begun'));
    this.#show();
  }

  async #stop() {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.#show();
    const made = await this.odometry.untape().catch(() => null);
    if (!made) return void toast(t('sensors.failed'), { kind: 'warning', key: 'sensors' });
    await offerRecording(made, running);
  }

  /** The worker is another one: what it recorded is gone. */
  #lose() {
    if (!this.#running) return;
    this.#running = null;
    toast(t('sensors.failed'), { kind: 'warning', key: 'sensors' });
    this.#show();
  }

  #hide() {
    if (document.visibilityState === 'hidden') void this.#stop();
    this.#showState();
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return {
      sensors: {
        ...this.odometry.counts, isLooking: this.odometry.worker !== null, camera: this.camera.state, isRecording: this.#running !== null, taped: this.#taped,
        figures: this.streams.figures, tracked: this.figures.tracked && { ...this.figures.tracked, rows: 0 },
      },
    };
  }

  close() {
    clearInterval(this.#timer);
    this.#life.abort();
    this.odometry.close();
    this.camera.stop();
    this.#location.stop();
    letSleep();
    this.element.remove();
  }
}
