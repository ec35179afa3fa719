// Who stands in the world: the phone itself, or a virtual one that is led by hand. All three (picture, direction, position)
// change together, and a virtual phone begins where there is something to see.

import { VirtualPhone } from '../device/virtual-phone.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../core/router.js').Route} Route
 */

export class Standing {
  /** Whether a position was asked for, by the address or by hand. */
  #isPoseGiven = false;
  #isHeadingGiven = false;

  /**
   * @param {Session} session
   * @param {Device} device
   */
  constructor(session, device) {
    this.session = session;
    this.device = device;
    session.on('world', () => this.lookAtPlaces());
    device.on('sources', () => this.lookAtPlaces());
  }

  /**
   * @param {Route} route
   * @param {{ latitude: number, longitude: number } | null} center of the world, if the server said
   */
  begin({ pose }, center) {
    const { phone } = this.device;
    this.#isPoseGiven = pose.latitude !== undefined && pose.longitude !== undefined;
    this.#isHeadingGiven = pose.heading !== undefined;
    if (this.#isPoseGiven) phone.place({ latitude: pose.latitude, longitude: pose.longitude });
    else if (center) phone.place(center, true);
    if (pose.heading !== undefined) phone.pose.heading = (pose.heading + 360) % 360;
    if (pose.pitch !== undefined) phone.pose.pitch = pose.pitch;
  }

  /** From now on the virtual phone, where the real one was last if that is known. */
  useVirtual() {
    const at = this.device.location.state === 'idle' ? null : this.device.location.last;
    if (at && !this.#isPoseGiven) this.device.phone.place({
      latitude: at.latitude, longitude: at.longitude, altitude: at.altitude, altitudeDatum: at.altitudeDatum ?? 'ellipsoid',
    });
    this.device.use({ picture: 'drawn', direction: 'hand', position: 'chosen' });
  }

  useReal() {
    this.device.use({ picture: 'camera', direction: 'sensor', position: 'sensor' });
  }

  /** The virtual phone goes to where it sees the most, wherever it was. */
  forget() {
    this.#isPoseGiven = this.#isHeadingGiven = false;
    this.device.location.stop();
  }

  /** @returns {void} */
  lookAtPlaces() {
    const { content } = this.session;
    const { sources, phone } = this.device;
    // What is made around the phone is where it looks already.
    if (!content || sources.position !== 'chosen' || content.address.kind === 'around') return;
    if (!phone.places) return void VirtualPhone.prepare().then(() => this.session.closed.aborted || this.lookAtPlaces());
    const start = this.session.guarded(() => phone.places?.viewpoint(this.#isPoseGiven ? phone.pose : null));
    if (!start) return;
    phone.place({
      altitude: start.altitude,
      altitudeDatum: start.altitudeDatum,
      ...(this.#isPoseGiven ? {} : { latitude: start.latitude, longitude: start.longitude }),
    }, !this.#isPoseGiven);
    if (!this.#isHeadingGiven && sources.direction === 'hand') {
      phone.pose.heading = start.heading;
      phone.turn(0, 0);
    }
    // From now on the user decides.
    this.#isPoseGiven = true;
    this.#isHeadingGiven = true;
  }
}
