// Flat pictures as anchors of an open world: what its places say stands on them, and on markers beside them, drawn while the
// camera sees them. The same layer draws both: everything flat has one frame.

import { t } from '../core/i18n.js';
import { fieldOfView } from '../device/camera.js';
import { MarkerLayer } from '../markers/marker-layer.js';
import { anchorOf } from '../markers/anchors.js';
import { SurveyedMarkers } from '../markers/surveyed.js';
import { modelFailureText } from '../models/failure.js';
import { pictureSource } from '../net/assets.js';
import { placeKey } from '../session/content.js';
import { announce, toast } from '../ui/toast.js';
import { stillOf, TargetVision } from './target-vision.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../types').Place} Place
 * @typedef {import('../markers/marker-layer.js').Anchored} Anchored
 * @typedef {import('../../engine/markers.js').FoundMarker} FoundMarker
 * @typedef {import('./target-vision.js').FoundTarget} FoundTarget
 * @typedef {import('./target-vision.js').Sight} Sight
 */

/** Stands for a dictionary where the layer asks for one. */
const PICTURES = 'picture';
/** Longest side of the pictures that targets are made of, pixels: more shows no more to a phone's camera. */
const LONGEST = 960;

export class TargetAnchors {
  /** Counts the worlds, so that pictures of the last one that come late are let go. */
  #turn = 0;
  /** @type {Map<string, number>} numbers that the layer knows pictures by */
  #numbers = new Map();

  /**
   * @param {Session} session
   * @param {Device} device
   * @param {HTMLElement} host
   */
  constructor(session, device, host) {
    this.session = session;
    this.device = device;
    this.layer = new MarkerLayer(host);
    this.vision = new TargetVision(device.camera.video, () => fieldOfView(device.camera.label));
    this.surveyed = new SurveyedMarkers(session, device);
    this.vision.on('sight', (sight) => {
      this.surveyed.see(sight);
      this.layer.draw({ ...sight, markers: [...sight.markers, ...this.#asMarkers(sight)] });
    });
    this.layer.on('found', ({ text }) => text && announce(t('markers.found', { name: text })));
    this.layer.on('failed', ({ anchored, error }) => {
      toast(`${anchored.text || t('card.unnamed')}: ${modelFailureText(error)}`, { kind: 'warning', key: anchored.key });
    });
    session.on('world', (content) => void this.#use(content));
    device.on('camera', () => this.#check());
    device.on('sources', () => this.#check());
    session.on('suspended', (isHeld) => {
      this.vision.isHeld = isHeld;
    });
    if (session.content) void this.#use(session.content);
    session.closed.addEventListener('abort', () => this.close());
  }

  /** @param {Content} content */
  async #use(content) {
    const turn = ++this.#turn;
    this.vision.remove(this.vision.keys);
    this.#numbers.clear();
    const onMarkers = content.places.flatMap((place, index) => (place.marker ? [anchorOf(content, place, index, this.session, place.marker)] : []));
    const onPictures = content.places.flatMap((place, index) => this.#onPicture(content, place, index));
    this.layer.show([...onMarkers, ...onPictures]);
    this.surveyed.use(content.places);
    this.vision.watchMarkers(onMarkers.length
      ? {
        dictionaries: [...new Set(onMarkers.map(({ dictionary }) => dictionary))],
        sides: onMarkers.map(({ dictionary, id, side }) => ({ dictionary, id, side })), usual: 0,
      }
      : null);
    this.#check();
    const wanted = new Map(content.places.flatMap(({ target }) => (target ? [[keyOf(target), target]] : [])));
    for (const [key, target] of wanted) {
      try {
        await this.#learn(turn, key, content.assetURL(target.assetID), target.width);
      } catch (error) {
        if (turn !== this.#turn) return;
        console.warn(error);
        toast(t('targets.unusable', { name: target.assetID }), { kind: 'warning', key });
      }
    }
  }

  /**
   * @param {number} turn
   * @param {string} key
   * @param {string | undefined} url
   * @param {number} width metres
   */
  async #learn(turn, key, url, width) {
    const response = await fetch(pictureSource(url ?? ''));
    if (!url || !response.ok) throw new Error(`${url}: ${response.status}`);
    const bitmap = await createImageBitmap(await response.blob());
    const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const still = stillOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    bitmap.close();
    if (turn !== this.#turn) return;
    const { description } = await this.vision.addPicture(key, still, width);
    if (description.stars < 1) throw new Error(`${url}: ${description.reasons.join(', ')}`);
  }

  /**
   * @param {Content} content
   * @param {Place} place
   * @param {number} index
   * @returns {Anchored[]}
   */
  #onPicture(content, place, index) {
    const { target } = place;
    if (!target) return [];
    const key = keyOf(target);
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.#numbers.size);
    const id = this.#numbers.get(key) ?? 0;
    const anchored = anchorOf(content, place, index, this.session, { dictionary: PICTURES, id, length: target.width });
    // Pictures are as wide as they are drawn beside a page, not as wide as the page itself.
    if (anchored.picture) anchored.picture.width = target.width / 2;
    return [{ ...anchored, key: placeKey(place, index) }];
  }

  /**
   * The pictures found, as the layer knows markers.
   * @param {Sight} sight
   * @returns {FoundMarker[]}
   */
  #asMarkers({ targets }) {
    return targets.flatMap((found) => {
      const id = this.#numbers.get(found.key);
      if (id === undefined || found.state === 'lost' || !found.corners || !found.pose) return [];
      return [{
        dictionary: PICTURES, id, corners: found.corners, confidence: found.agreement, side: 0,
        pose: { rotation: found.pose.rotation, translation: found.pose.translation, error: found.uncertainty },
      }];
    });
  }

  #check() {
    const isOn = this.device.sources.picture === 'camera' && this.device.camera.state === 'running';
    if (isOn) this.vision.start();
    else this.vision.stop();
  }

  state() {
    return { ...this.layer.state(), ...this.vision.counts, targets: this.vision.keys };
  }

  close() {
    this.vision.close();
    this.layer.close();
  }
}

/** @param {{ assetID: string, width: number }} target */
const keyOf = ({ assetID, width }) => `${assetID}@${width}`;
