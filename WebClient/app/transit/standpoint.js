// Where the user stands: the phone's position, or a chosen one, which begins where there are timetables.

import { toRadians } from '../core/angles.js';
import { t } from '../core/i18n.js';
import { toast } from '../ui/toast.js';

/**
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('./data.js').TransitData} TransitData
 * @typedef {import('./api.js').Position} Position
 */

/** Metres from the demonstration's place at which going there is offered. */
const FAR = 20_000;

export class Standpoint {
  /** Whether the virtual phone has been given a place. */
  #isPlaced = false;

  /**
   * @param {import('../session/session.js').Session} session
   * @param {Device} device
   * @param {TransitData} data
   */
  constructor(session, device, data) {
    this.session = session;
    this.device = device;
    this.data = data;
  }

  /**
   * Where the user is, once that is known.
   * @returns {Position | null}
   */
  get position() {
    const { device } = this;
    const at = device.position();
    const isKnown = device.sources.position === 'sensor' ? device.location.state === 'running' : this.#isPlaced;
    return at && isKnown ? { latitude: at.latitude, longitude: at.longitude } : null;
  }

  /**
   * How far and which way a stop is.
   * @param {import('./types').Stop} stop
   * @returns {{ distance: number, bearing: number | null } | null} metres, radians
   */
  range(stop) {
    const from = this.data.position;
    if (!from || !Number.isFinite(stop.lat)) return null;
    const { engine } = this.session;
    const bearing = engine.bearing(from.latitude, from.longitude, stop.lat, stop.lon);
    return {
      distance: engine.distance(from.latitude, from.longitude, stop.lat, stop.lon),
      bearing: Number.isNaN(bearing) ? null : toRadians(bearing),
    };
  }

  /** @param {Position} position */
  place(position) {
    this.#isPlaced = true;
    this.device.phone.place(position);
  }

  /** A virtual phone without a place gets that where the user was last, or else one where the timetables are. */
  settle() {
    const { device, data } = this;
    if (this.#isPlaced || device.sources.position !== 'chosen') return;
    const at = device.location.last;
    if (at) return this.place({ latitude: at.latitude, longitude: at.longitude });
    const center = data.providers?.center;
    const bounds = data.providers?.providers.find((one) => one.bounds)?.bounds;
    if (center) this.place({ latitude: center.lat, longitude: center.lon });
    else if (bounds) this.place({ latitude: (bounds[0] + bounds[2]) / 2, longitude: (bounds[1] + bounds[3]) / 2 });
  }

  /**
   * A virtual phone that was not told where to look looks where the most stops are, near ones before far ones.
   * @param {import('./types').Stop[]} stops
   */
  face(stops) {
    const { phone, sources } = this.device;
    if (sources.direction !== 'hand' || stops.length === 0) return;
    const weight = (/** @type {number} */ heading) =>
      stops.reduce((sum, { bearing = 0, distance = 0 }) => {
        const off = Math.abs(((bearing - heading + 540) % 360) - 180);
        return sum + (off < 16 && distance > 30 ? 1 / (120 + distance) : 0);
      }, 0);
    const headings = Array.from({ length: 72 }, (_, k) => 5 * k);
    phone.pose.heading = headings.reduce((best, one) => (weight(one) > weight(best) ? one : best), 0);
    phone.turn(0, 0);
  }

  /**
   * Somebody far from where a demonstration plays can be put there.
   * @param {boolean} isEntered whether the user has come past the first questions
   */
  offer(isEntered) {
    const { device, data } = this;
    const { providers, position } = data;
    if (!isEntered || !providers?.demonstration || !providers.center || !position) return;
    const center = { latitude: providers.center.lat, longitude: providers.center.lon };
    if (data.distance(position, center) < FAR) return;
    toast(t('transit.demonstrationFar', { place: providers.providers.map(({ name }) => name).join(', ') }), {
      key: 'demonstration',
      action: {
        text: t('transit.goThere'),
        run: () => {
          this.place(center);
          device.use({ position: 'chosen' });
        },
      },
    });
  }
}
