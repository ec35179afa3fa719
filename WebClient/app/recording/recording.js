// Recording in the page: the question before it, the light while it runs, the file at its end.

import { find, h, icon } from '../core/dom.js';
import { bytes as bytesText, clock } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { showDialog } from '../ui/dialog.js';
import { announce, toast } from '../ui/toast.js';

/**
 * @typedef {import('./recorder.js').Recorder} Recorder
 * @typedef {{ record: (recorder: Recorder | null) => void, closed: AbortSignal }} Recorded a session
 * @typedef {{ sources: { picture: 'camera' | 'drawn' }, camera: { video: HTMLVideoElement } }} Seen where its pictures come from
 */

/** A recording that grows beyond so many bytes is stopped: phones have no more to give. */
const LARGEST_RECORDING = 400 * 2 ** 20;

export class Recording {
  /** @type {Recorder | null} */
  #recorder = null;
  /** @type {() => void} */
  #stopPictures = () => undefined;
  #timer = 0;

  /**
   * @param {Recorded} session
   * @param {Seen} device
   * @param {HTMLElement} place where the light stands
   */
  constructor(session, device, place) {
    this.session = session;
    this.device = device;
    this.time = h('span', { class: 'recording-time' });
    this.button = h('button', {
      type: 'button',
      class: 'glass recording-light',
      id: 'recording-stop',
      hidden: true,
      onclick: () => this.stop(),
    }, h('span', { class: 'recording-dot', 'aria-hidden': 'true' }), this.time, icon('stop'));
    labelled(this.button, 'record.stop');
    place.append(this.button);
    onLanguage(() => this.#show(), session.closed);
    session.closed.addEventListener('abort', () => this.#end());
  }

  get running() {
    return this.#recorder !== null;
  }

  /** The plain question before anything is kept. */
  ask() {
    const choice = (/** @type {string} */ value, /** @type {import('../core/i18n.js').TextKey} */ key,
      /** @type {boolean} */ checked) => {
      const input = h('input', { type: 'radio', name: 'positions', value, id: `record-${value}`, checked });
      input.addEventListener('change', update);
      return h('label', { class: 'choice' }, input, localized(h('span'), key));
    };
    const pictures = h('input', { type: 'checkbox', id: 'record-pictures' });
    const picturesRow = h('label', { class: 'choice' }, pictures, localized(h('span'), 'record.pictures'));
    const why = h('p', { class: 'setting-hint', id: 'record-pictures-why' });
    pictures.setAttribute('aria-describedby', why.id);
    const hasCamera = this.device.sources.picture === 'camera';
    const update = () => {
      const keep = find('#record-keep', HTMLInputElement).checked;
      pictures.disabled = !keep || !hasCamera;
      if (pictures.disabled) pictures.checked = false;
      why.hidden = !pictures.disabled;
      why.textContent = hasCamera ? t('record.picturesNeedPositions') : t('record.picturesNeedCamera');
    };
    const start = localized(
      h('button', {
        type: 'button',
        class: 'button primary',
        id: 'record-start',
        onclick: () => {
          const options = { positions: find('#record-keep', HTMLInputElement).checked, pictures: pictures.checked };
          dialog.close();
          // The dialog has suspended the session; the recording begins with the view that comes back.
          void dialog.closed.then(() => this.#start(options));
        },
      }),
      'record.start',
    );
    const dialog = showDialog(
      { title: t('record.title'), id: 'record-dialog' },
      localized(h('p'), 'record.text'),
      h(
        'fieldset',
        { class: 'choices' },
        localized(h('legend'), 'record.positions'),
        choice('strip', 'record.strip', true),
        choice('keep', 'record.keep', false),
      ),
      picturesRow,
      why,
      start,
    );
    update();
  }

  /** @param {{ positions: boolean, pictures: boolean }} options */
  async #start({ positions, pictures }) {
    // Few sessions are recorded: the page does not begin with what only they need.
    const [{ Recorder }, { takePictures }] = await Promise.all([import('./recorder.js'), import('./pictures.js')]);
    if (this.#recorder || this.session.closed.aborted) return;
    const recorder = new Recorder({
      positions,
      time: performance.now() / 1000,
      created: new Date(),
      device: navigator.userAgent,
    });
    this.#recorder = recorder;
    this.session.record(recorder);
    if (pictures) {
      this.#stopPictures = takePictures(this.device.camera.video, (...all) => recorder.picture(...all));
    }
    this.#timer = window.setInterval(() => this.#show(), 1000);
    this.#show();
    announce(t('record.running'));
  }

  #show() {
    const recorder = this.#recorder;
    this.button.hidden = !recorder;
    if (!recorder) return;
    this.time.textContent = clock(performance.now() / 1000 - recorder.startTime);
    if (recorder.size > LARGEST_RECORDING) {
      toast(t('record.full'), { kind: 'warning' });
      this.stop();
    }
  }

  #end() {
    const recorder = this.#recorder;
    this.#recorder = null;
    this.session.record(null);
    this.#stopPictures();
    this.#stopPictures = () => undefined;
    clearInterval(this.#timer);
    this.#show();
    return recorder;
  }

  /** Ends the recording and offers the file. */
  stop() {
    const recorder = this.#end();
    if (!recorder) return;
    void this.#offer(recorder, recorder.finish());
  }

  /**
   * @param {Recorder} recorder
   * @param {Blob} file
   */
  async #offer(recorder, file) {
    const url = URL.createObjectURL(file);
    let isDealtWith = false;
    const stamp = recorder.created.toISOString().slice(0, 16).replace(/[:T]/g, '-');
    const link = localized(
      h('a', { class: 'button primary', id: 'record-download', href: url, download: `sightline-${stamp}.slrec`, onclick: () => (isDealtWith = true) }),
      'record.download',
    );
    const discard = () => {
      isDealtWith = true;
      dialog.close();
    };
    const dialog = showDialog(
      { title: t('record.done'), id: 'record-done-dialog' },
      h('p', {}, t('record.facts', { size: bytesText(recorder.size), events: recorder.count })),
      localized(h('p', { class: 'setting-hint' }), recorder.positions ? 'record.kept' : 'record.stripped'),
      link,
      localized(h('button', { type: 'button', class: 'button', id: 'record-discard', onclick: discard }),
        'record.discard'),
    );
    await dialog.closed;
    URL.revokeObjectURL(url);
    if (isDealtWith || this.session.closed.aborted) return;
    // Closed by a slip of the finger: nothing is lost without a question.
    const { confirmDialog } = await import('../controls/confirm.js');
    if (!await confirmDialog({ title: t('record.lose'), text: t('record.loseText'), action: t('record.discard'), danger: true })) {
      void this.#offer(recorder, file);
    }
  }
}
