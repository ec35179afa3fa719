// Markers as anchors of an open world: what its places say stands on markers, drawn while the camera sees them.

import { t } from '../core/i18n.js';
import { fieldOfView, lensOf } from '../device/camera.js';
import { modelFailureText } from '../models/failure.js';
import { pictureSource } from '../net/assets.js';
import { placeKey } from '../session/content.js';
import { announce, toast } from '../ui/toast.js';
import { MarkerLayer } from './marker-layer.js';
import { MarkerVision } from './marker-vision.js';
import { SurveyedMarkers } from './surveyed.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../session/content.js').Content} Content
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../types').Place} Place
 * @typedef {import('./marker-layer.js').Anchored} Anchored
 */

/** A picture's width in marker sides: it covers the marker and its margin. */
const PICTURE_WIDTH = 1.5;

export class MarkerAnchors {
  /**
   * @param {Session} session
   * @param {Device} device
   * @param {HTMLElement} host
   */
  constructor(session, device, host) {
    this.session = session;
    this.device = device;
    this.layer = new MarkerLayer(host);
    this.vision = new MarkerVision(device.camera.video, () => fieldOfView(device.camera.label));
    this.surveyed = new SurveyedMarkers(session, device);
    this.vision.on('sight', (sight) => {
      this.surveyed.see(sight);
      this.layer.draw(sight);
    });
    this.layer.on('found', ({ text }) => text && announce(t('markers.found', { name: text })));
    this.layer.on('failed', ({ anchored, error }) => {
      toast(`${anchored.text || t('card.unnamed')}: ${modelFailureText(error)}`, { kind: 'warning', key: anchored.key });
    });
    session.on('world', (content) => this.#use(content));
    device.on('camera', () => this.#check());
    device.on('sources', () => this.#check());
    session.on('suspended', (isHeld) => {
      this.vision.isHeld = isHeld;
    });
    if (session.content) this.#use(session.content);
    session.closed.addEventListener('abort', () => this.close());
  }

  /** @param {Content} content */
  #use(content) {
    const anchored = content.places.flatMap((place, index) =>
      place.marker ? [anchorOf(content, place, index, this.session, place.marker)] : []);
    this.layer.show(anchored);
    this.surveyed.use(content.places);
    this.vision.watch({
      dictionaries: [...new Set(anchored.map(({ dictionary }) => dictionary))],
      sides: anchored.map(({ dictionary, id, side }) => ({ dictionary, id, side })),
      usual: 0,
    });
    this.#check();
  }

  #check() {
    const isOn = this.device.sources.picture === 'camera' && this.device.camera.state === 'running';
    this.vision.setLens(lensOf(this.device.camera.label));
    if (isOn) this.vision.start();
    else this.vision.stop();
  }

  state() {
    return { ...this.layer.state(), ...this.vision.counts, surveyed: this.surveyed.told };
  }

  close() {
    this.vision.stop();
    this.layer.close();
  }
}

/**
 * @param {Content} content
 * @param {Place} place
 * @param {number} index
 * @param {Session} session
 * @param {{ dictionary: string, id: number, length: number }} marker what it stands on
 * @returns {Anchored}
 */
export function anchorOf(content, place, index, session, marker) {
  const { visual, offset } = place;
  /** @type {Anchored} */
  const anchored = {
    key: placeKey(place, index), dictionary: marker.dictionary, id: marker.id, side: marker.length,
    text: content.labelText(place), offset: [offset.east, offset.north, offset.up],
    press: () => session.select(index), isSelected: () => session.selected === index,
  };
  if (visual.kind === 'text') return anchored;
  const url = content.assetURL(visual.assetID);
  const load = async () => {
    const response = await fetch(pictureSource(url ?? ''));
    if (!url || !response.ok) throw new Error(`${url}: ${response.status}`);
    return response;
  };
  if (visual.kind === 'image') {
    const picture = {
      width: PICTURE_WIDTH * marker.length,
      load: async () => createImageBitmap(await (await load()).blob(), { premultiplyAlpha: 'none' }),
    };
    return { ...anchored, picture };
  }
  const { xRotation, yRotation, zRotation, scale } = visual;
  return {
    ...anchored,
    model: {
      rotation: [xRotation, yRotation, zRotation], scale,
      load: async () => new Uint8Array(await (await load()).arrayBuffer()),
    },
  };
}
