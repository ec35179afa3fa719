// The mode that reads QR codes: what was read is shown first; only a tap opens it.

import { fileField } from '../controls/file-field.js';
import { h, icon, reducedMotion } from '../core/dom.js';
import { degrees } from '../core/format.js';
import { labelled, localized, onLanguage, t } from '../core/i18n.js';
import { formatRoute, parseRoute } from '../core/router.js';
import { load, save } from '../core/storage.js';
import { Camera } from '../device/camera.js';
import { keepAwake, letSleep } from '../device/wake-lock.js';
import { announce, toast } from '../ui/toast.js';
import { beep } from './beep.js';
import { meaningOf } from './meaning.js';
import { PartCollection } from './parts.js';
import { CameraVision } from '../vision/camera-vision.js';
import { stillOf } from '../vision/still.js';

/**
 * @typedef {import('../vision/camera-vision.js').Sight} Sight
 * @typedef {import('../../engine/codes.js').FoundCode} FoundCode
 * @typedef {import('./meaning.js').Meaning} Meaning
 * @typedef {import('../core/i18n.js').TextKey} TextKey
 */

const SVG = 'http://www.w3.org/2000/svg';
/** A code that was put aside is read again when it was out of sight for so long, milliseconds. */
const FORGET = 1500;
/** Longest side of a picture of the user's that is read, pixels. */
const LARGEST = 4096;

export class ScanPage {
  #life = new AbortController();
  /** @type {{ text: string, seen: number } | null} what was put aside last */
  #aside = null;
  /** @type {string | null} what is shown */
  #shown = null;
  #parts = new PartCollection();

  /** @param {() => void} leave */
  constructor(leave) {
    this.video = h('video', { class: 'scan-video', tabIndex: -1, 'aria-hidden': 'true' });
    this.held = h('canvas', { class: 'scan-held', hidden: true, 'aria-hidden': 'true' });
    this.outline = document.createElementNS(SVG, 'svg');
    this.outline.setAttribute('class', 'scan-outline');
    this.outline.setAttribute('aria-hidden', 'true');
    this.guide = h('div', { class: 'scan-guide', 'aria-hidden': 'true' });
    this.status = h('p', { class: 'scan-status glass', role: 'status' });
    this.result = h('section', { class: 'scan-result', id: 'scan-result', tabIndex: -1, hidden: true });
    this.camera = new Camera(this.video);
    this.vision = new CameraVision(this.video, () => this.camera.label);
    this.vision.watchCodes(true);
    this.vision.on('sight', (sight) => this.#see(sight));
    this.element = h('div', { id: 'scan-page', class: 'scan-page' }, this.video, this.held, this.outline, this.guide, this.#bar(leave),
      this.status, this.result);
    document.body.append(this.element);
    this.camera.on('state', () => this.#showState());
    onLanguage(() => this.#showState(), this.#life.signal);
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.camera.check();
      this.#run();
    }, { signal: this.#life.signal });
    this.#showState();
    void this.camera.start();
    void keepAwake();
  }

  /** @param {() => void} leave */
  #bar(leave) {
    const round = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {TextKey} */ key, /** @type {() => void} */ run) =>
      labelled(h('button', { type: 'button', class: 'round glass', id, onclick: run }, icon(symbol)), key);
    this.torch = round('scan-torch', 'torch', 'scan.torch', () => void this.#light());
    this.torch.hidden = true;
    this.torch.setAttribute('aria-pressed', 'false');
    this.sound = round('scan-sound', 'sound', 'scan.sound', () => {
      save('scanSound', !load('scanSound', true));
      this.#showSound();
    });
    this.#showSound();
    return h('header', { class: 'scan-bar' }, round('scan-back', 'back', 'common.back', leave),
      localized(h('h1', { class: 'glass glass-title' }), 'start.scan'), this.torch, this.sound,
      fileField({
        label: 'scan.picture', accept: 'image/*', id: 'scan-file', icon: 'picture', isRound: true, keep: false, pick: ([file]) => void this.#readFile(file),
      }));
  }

  #showSound() {
    this.sound?.setAttribute('aria-pressed', String(load('scanSound', true)));
  }

  async #light() {
    const on = this.torch?.getAttribute('aria-pressed') !== 'true';
    const is = await this.camera.light(on);
    this.torch?.setAttribute('aria-pressed', String(is && on));
  }

  #showState() {
    const { state } = this.camera;
    this.#run();
    if (this.torch) this.torch.hidden = state !== 'running' || !this.camera.hasLight;
    /** @type {Record<string, TextKey>} */
    const key = { idle: 'scan.starting', waiting: 'scan.starting', paused: 'pause.title', denied: 'markers.denied', missing: 'markers.missing' };
    this.status.textContent = t(state === 'running' ? 'scan.looking' : key[state]);
    if (state === 'denied' || state === 'missing' || state === 'paused') {
      this.status.append(' ', localized(h('button', {
        type: 'button', class: 'button', id: 'scan-retry', onclick: () => void this.camera.resume(),
      }), 'common.retry'));
    }
  }

  #run() {
    const runs = this.camera.state === 'running' && this.#shown === null && document.visibilityState === 'visible';
    if (runs) this.vision.start();
    else this.vision.stop();
  }

  /** @param {Sight} sight */
  #see(sight) {
    const { codes } = sight;
    // Not every picture is looked at.
    if (!codes) return;
    const now = performance.now();
    const aside = this.#aside;
    if (aside && now - aside.seen > FORGET) this.#aside = null;
    this.#draw(sight, codes.filter(({ text }) => text !== this.#aside?.text));
    for (const code of codes) {
      if (aside?.text === code.text) {
        aside.seen = now;
        continue;
      }
      if (this.#take(code)) return;
    }
  }

  /**
   * @param {FoundCode} code
   * @returns {boolean} whether there is something to show
   */
  #take(code) {
    if (!code.place || code.place.count < 2) {
      this.#signal();
      this.#show(code.text);
      return true;
    }
    const state = this.#parts.add(code.place, code.text);
    if (state.isNew) this.#signal();
    if (state.whole !== null) {
      this.#show(state.whole);
      return true;
    }
    this.status.textContent = t('scan.parts', { have: state.have, count: code.place.count });
    return false;
  }

  #signal() {
    navigator.vibrate?.(60);
    if (load('scanSound', true)) beep();
    if (!reducedMotion()) {
      this.guide.classList.remove('flash');
      void this.guide.offsetWidth;
      this.guide.classList.add('flash');
    }
  }

  /**
   * Outlines codes in the picture they were found in: by now the camera sees another one.
   * @param {{ image: CanvasImageSource, width: number, height: number }} picture
   * @param {FoundCode[]} codes
   */
  #draw({ image, width, height }, codes) {
    this.held.hidden = !codes.length;
    if (codes.length) {
      if (this.held.width !== width || this.held.height !== height) Object.assign(this.held, { width, height });
      this.held.getContext('2d', { alpha: false })?.drawImage(image, 0, 0, width, height);
    }
    // Covers the page as the video does.
    this.outline.setAttribute('viewBox', `-0.5 -0.5 ${width} ${height}`);
    this.outline.setAttribute('preserveAspectRatio', 'xMidYMid slice');
    this.outline.replaceChildren(...codes.map(({ corners }) => {
      const shape = document.createElementNS(SVG, 'polygon');
      shape.setAttribute('points', corners.map((corner) => corner.join(',')).join(' '));
      return shape;
    }));
  }

  /** @param {string} text */
  #show(text) {
    this.#shown = text;
    this.#run();
    const meaning = meaningOf(text);
    const heading = t(/** @type {TextKey} */ (`scan.kind.${meaning.kind}`));
    this.result.replaceChildren(
      h('h2', {}, heading),
      ...('host' in meaning ? [h('p', { class: 'scan-host' }, meaning.host)] : []),
      h('p', { class: 'scan-text', id: 'scan-text' }, text),
      ...(meaning.kind === 'here' && meaning.anchor
        ? [h('p', { class: 'setting-hint', id: 'scan-anchor' }, anchorText(meaning.anchor))]
        : []),
      h('div', { class: 'actions' }, ...this.#actions(meaning, text)),
    );
    this.result.hidden = false;
    this.guide.hidden = true;
    this.status.hidden = true;
    this.result.focus();
    announce(`${t('scan.found')}. ${heading}. ${'host' in meaning ? meaning.host : text}`);
  }

  /**
   * @param {Meaning} meaning
   * @param {string} text
   */
  #actions(meaning, text) {
    const button = (/** @type {TextKey} */ key, /** @type {string} */ id, /** @type {() => void} */ run, main = false) =>
      h('button', { type: 'button', class: main ? 'button primary' : 'button', id, onclick: run }, t(key));
    const page = (/** @type {string} */ url, /** @type {TextKey} */ key, main = false) =>
      h('a', { class: main ? 'button primary' : 'button', href: url, target: '_blank', rel: 'noopener noreferrer', id: 'scan-page-link' }, t(key));
    const world = (/** @type {import('../types').WorldAddress} */ address, main = false) =>
      button('scan.openWorld', 'scan-world', () => (location.hash = formatRoute({ address })), main);
    /** @type {(Node | false)[]} */
    let first = [];
    if (meaning.kind === 'here' && meaning.anchor) {
      first = [
        button('scan.openAnchored', 'scan-anchored', () => (location.href = meaning.url), true),
        button('scan.openPlain', 'scan-open', () => (location.hash = formatRoute({ ...parseRoute(new URL(meaning.url).hash), anchor: null }))),
      ];
    } else if (meaning.kind === 'here') {
      first = [button('common.open', 'scan-open', () => (location.href = meaning.url), true)];
    }
    if (meaning.kind === 'world') first = [world(meaning.address, true), meaning.page !== null && page(meaning.page, 'scan.openPage')];
    if (meaning.kind === 'page') first = [page(meaning.url, 'scan.openPage', true), world(meaning.address)];
    if (meaning.kind === 'link') first = [page(meaning.url, 'common.open', true)];
    return [
      ...first,
      button('scan.copy', 'scan-copy', () => void this.#copy(text)),
      button('scan.again', 'scan-again', () => this.#again(text), meaning.kind === 'text'),
    ];
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      toast(t('scan.copied'), { key: 'copy' });
    } catch {
      const range = document.createRange();
      const shown = this.result.querySelector('#scan-text');
      if (shown) range.selectNodeContents(shown);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    }
  }

  /** @param {string} text */
  #again(text) {
    this.#aside = { text, seen: performance.now() };
    this.#shown = null;
    this.result.hidden = true;
    this.guide.hidden = false;
    this.status.hidden = false;
    this.outline.replaceChildren();
    this.held.hidden = true;
    this.#showState();
    this.element.querySelector('button')?.focus();
  }

  /** @param {File} file */
  async #readFile(file) {
    let picture;
    try {
      picture = await createImageBitmap(file);
      const scale = LARGEST / Math.max(picture.width, picture.height);
      if (scale < 1) {
        const smaller = await createImageBitmap(picture, {
          resizeWidth: Math.round(picture.width * scale), resizeHeight: Math.round(picture.height * scale), resizeQuality: 'high',
        });
        picture.close();
        picture = smaller;
      }
    } catch {
      toast(t('scan.pictureBad'), { kind: 'warning', key: 'picture' });
      return;
    }
    const still = stillOf(picture, picture.width, picture.height);
    const codes = await this.vision.readCodes(still).catch(() => []);
    if (codes.length) this.#draw({ image: picture, width: picture.width, height: picture.height }, codes);
    picture.close();
    if (!codes.some((code) => this.#take(code)) && !codes.length) toast(t('scan.pictureNone'), { kind: 'warning', key: 'picture' });
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return { scan: { camera: this.camera.state, seen: this.vision.counts.seen, shown: this.#shown } };
  }

  close() {
    this.#life.abort();
    this.vision.close();
    this.camera.stop();
    letSleep();
    this.element.remove();
  }
}

/**
 * Where a code says that it hangs.
 * @param {import('../../engine/anchors.js').Survey} anchor
 */
function anchorText({ latitude, longitude, facing, size }) {
  return t('scan.anchor', {
    place: `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`, facing: degrees((facing + 360) % 360), size: String(Math.round(size * 100)),
  });
}
