// What an open world has on anchors: tells the one vision worker which markers, pictures and codes to look for, hands what it saw to the
// session, and draws what stands there. Where it stands, and what a marker or code says of where the phone is, the engine decides.

import { Places } from '../../engine/places.js';
import { readAnchors } from './anchored-content.js';
import { AnchorLayer } from './anchor-layer.js';
import { loadTexts, t } from '../core/i18n.js';
import { parseRoute, sameAddress } from '../core/router.js';
import { modelFailureText } from '../models/failure.js';
import { pictureSource } from '../net/assets.js';
import { meaningOf } from '../scan/meaning.js';
import { announce, toast } from '../ui/toast.js';
import { CameraVision } from '../vision/camera-vision.js';
import { pathEvent } from '../vision/path-event.js';
import { stillOf } from '../vision/still.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../vision/camera-vision.js').Sight} Sight
 * @typedef {import('./anchored-content.js').PictureAnchor} PictureAnchor
 */

/** Longest side of the pictures that targets are made of, pixels: more shows no more to a phone's camera. */
const LONGEST = 960;

export class WorldAnchors {
  /** Counts the worlds, so that pictures of the last one that come late are let go. */
  #turn = 0;
  #looksForCodes = false;
  /** Codes that say where they hang, and belong to an open world. */
  #codesSeen = 0;

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {HTMLElement} host
   */
  constructor(session, device, host) {
    this.session = session;
    this.device = device;
    this.layer = new AnchorLayer(host);
    this.vision = new CameraVision(device.camera.video, () => device.camera.label, () => session.engine);
    this.vision.on('sight', (sight) => this.#see(sight));
    this.layer.on('found', ({ text }) => text && announce(t('markers.found', { name: text })));
    this.layer.on('failed', ({ anchored, error }) => void modelFailureText(error).then((text) => {
      toast(`${anchored.text || t('card.unnamed')}: ${text}`, { kind: 'warning', key: anchored.key });
    }));
    this.layer.on('measured', ({ feature, width, height }) => session.tell({ type: 'labelSize', feature, width, height }));
    this.layer.on('bounds', ({ feature, low, high }) => session.tell({ type: 'modelBounds', feature, low, high }));
    session.on('world', (content) => void this.use(content));
    device.on('camera', () => this.#check());
    device.on('sources', () => this.#check());
    session.on('suspended', (isHeld) => {
      this.vision.isHeld = isHeld;
    });
    session.closed.addEventListener('abort', () => this.close());
  }

  /** @param {Content} content */
  async use(content) {
    const turn = ++this.#turn;
    const { anchored, markers, pictures } = readAnchors(content, (index) => this.session.select(index));
    this.layer.show(anchored);
    this.vision.watchMarkers(markers.length
      ? {
        dictionaries: [...new Set(markers.map(({ dictionary }) => dictionary))],
        sides: markers.map(({ dictionary, id, length }) => ({ dictionary, id, side: length })), usual: 0,
      }
      : null);
    const kept = new Set(pictures.map(({ key }) => key));
    this.vision.remove(this.vision.keys.filter((key) => !kept.has(key)));
    this.#check();
    for (const picture of pictures) await this.#learn(turn, picture);
  }

  /**
   * @param {number} turn
   * @param {PictureAnchor} picture
   */
  async #learn(turn, { key, name, url, width }) {
    if (turn !== this.#turn || this.vision.keys.includes(key)) return;
    try {
      const response = await fetch(pictureSource(url ?? ''));
      if (!url || !response.ok) throw new Error(`${url}: ${response.status}`);
      const bitmap = await createImageBitmap(await response.blob());
      const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
      const still = stillOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
      bitmap.close();
      if (turn !== this.#turn) return;
      const { description } = await this.vision.addPicture(key, still, width);
      if (description.stars < 1) throw new Error(`${url}: ${description.reasons.join(', ')}`);
    } catch (error) {
      if (turn !== this.#turn) return;
      console.warn(error);
      await loadTexts('targets');
      if (turn !== this.#turn) return;
      toast(t('targets.unusable', { name }), { kind: 'warning', key });
    }
  }

  /** The user came by a code that knows where it hangs, and wants to be where it says. */
  watchCodes() {
    this.#looksForCodes = true;
    this.vision.watchCodes(true);
    this.#check();
  }

  /** @param {Sight} sight */
  #see(sight) {
    if (sight.codes) this.#believe(sight);
    const { rows, time, width, height, focal, lens } = sight;
    if (sight.tracked) this.session.tell(pathEvent(sight.tracked));
    this.session.tell({ type: 'observations', rows, time, width, height, focal, lens });
    if (this.session.surveyCount > 0) this.device.isAnchored = true;
    const frame = this.session.anchors();
    if (frame) this.layer.draw(sight, frame, this.session.engine.part(Places).lensReach(lens));
  }

  /**
   * Codes of the open worlds that say where they hang are believed; those of other worlds may hang beside them, and are not what the
   * user trusted.
   * @param {Sight} sight
   */
  #believe({ codes, observations }) {
    const hashes = observations.filter(({ kind, state }) => kind === 'code' && state !== 'lost').map(({ hash }) => hash);
    (codes ?? []).forEach(({ text }, k) => {
      const meaning = meaningOf(text);
      if (meaning.kind !== 'here' || !meaning.anchor) return;
      const { address } = parseRoute(new URL(meaning.url).hash);
      if (!this.session.worlds.list.some((world) => sameAddress(world.address, address))) return;
      this.session.tell({ type: 'survey', anchor: { kind: 'code', hash: hashes[k] }, survey: meaning.anchor });
      this.#codesSeen += 1;
    });
  }

  #check() {
    const isOn = this.device.sources.picture === 'camera' && this.device.camera.state === 'running';
    this.vision.checkLens();
    if (isOn) this.vision.start();
    else this.vision.stop();
  }

  /** What `window.sightline.state()` tells. */
  state() {
    return {
      markers: { ...this.layer.state(), ...this.vision.counts, surveyed: this.session.surveyCount, targets: this.vision.keys, extended: this.vision.extended },
      codes: this.#looksForCodes ? this.#codesSeen : null,
    };
  }

  close() {
    // What is still being made for this view is no failure to be told of in the next.
    this.#turn += 1;
    this.vision.close();
    this.layer.close();
  }
}
