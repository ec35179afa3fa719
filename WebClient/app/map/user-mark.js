// The user on the map: a dot, which way they look, how far they want to see, and how well the position is known.

import * as L from '../../vendor/leaflet/leaflet.esm.js';
import { toDegrees } from '../core/angles.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 */

export class UserMark {
  /**
   * @param {L.LeafletMap} map
   * @param {Session} session
   * @param {Device} device
   */
  constructor(map, session, device) {
    this.map = map;
    this.session = session;
    this.device = device;
    this.wedge = h('div', { class: 'map-wedge' });
    const html = h('div', { class: 'map-me' }, this.wedge, h('div', { class: 'map-dot' }));
    this.marker = L.marker([0, 0], {
      icon: L.divIcon({ className: 'map-user', iconSize: [44, 44], html }),
      draggable: true,
      keyboard: false,
      // Below the pins: its wedge would lie over their numbers.
      zIndexOffset: -10_000,
      title: t('map.you'),
    });
    this.marker.on('dragend', ({ target }) => {
      const { lat, lng } = target.getLatLng();
      device.phone.place({ latitude: lat, longitude: lng });
    });
    this.reach = L.circle([0, 0], { radius: 1, className: 'map-reach', interactive: false });
    this.accuracy = L.circle([0, 0], { radius: 0, className: 'map-accuracy', interactive: false });
  }

  /** Where the mark is; null while it is not shown. */
  get place() {
    return this.map.hasLayer(this.marker) ? this.marker.getLatLng() : null;
  }

  move() {
    const { device, session } = this;
    const at = device.position();
    if (!at) {
      for (const part of [this.reach, this.accuracy, this.marker]) part.remove();
      return;
    }
    /** @type {L.LatLngTuple} */
    const p = [at.latitude, at.longitude];
    for (const part of [this.reach, this.accuracy, this.marker]) part.setLatLng(p).addTo(this.map);
    this.reach.setRadius(session.radius);
    const chosen = device.sources.position === 'chosen';
    this.accuracy.setRadius(chosen ? 0 : at.horizontalAccuracy);
    if (chosen) this.marker.dragging?.enable();
    else this.marker.dragging?.disable();
    const element = this.marker.getElement();
    if (element) {
      element.classList.toggle('draggable', chosen);
      element.title = t(chosen ? 'map.youVirtual' : 'map.you');
    }
    const { frame } = session;
    if (!frame) return;
    this.wedge.hidden = !frame.isValid;
    this.wedge.style.transform = `rotate(${frame.bearing.toFixed(3)}rad)`;
    this.wedge.style.setProperty('--opening', `${toDegrees(frame.horizontalFieldOfView).toFixed(1)}deg`);
  }
}
