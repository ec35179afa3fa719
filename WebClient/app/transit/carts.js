// Vehicles on the map, between two answers: each glides to where the last answer has it, and never beyond.

import { toRadians } from '../core/angles.js';
import { lineColors } from './colors.js';

/**
 * @typedef {import('./types').Vehicle} Vehicle
 * @typedef {import('../../engine/ground.js').Ground} Ground
 * @typedef {import('./renderer.js').Cart & { id: string, headsign: string, lineId: string | null,
 *   from: [number, number], to: [number, number], since: number }} MovingCart
 */

/** Milliseconds of a glide: the time between two answers. */
const GLIDE_MS = 5000;
/** Metres beyond which a vehicle is put where it is at once. */
const JUMP = 600;

export class Carts {
  /** @type {MovingCart[]} */
  all = [];

  /**
   * @param {Vehicle[]} vehicles
   * @param {Ground} ground
   * @param {number} now milliseconds
   */
  set(vehicles, ground, now) {
    const places = ground.convert(vehicles.flatMap(({ lat, lon }) => [lat, lon]));
    const before = new Map(this.all.map((cart) => [cart.id, cart]));
    this.all = vehicles.map((vehicle, k) => {
      /** @type {[number, number]} */
      const to = [places[2 * k], places[2 * k + 1]];
      const old = before.get(vehicle.id);
      /** @type {[number, number]} */
      const from = old ? [old.east, old.north] : to;
      const isJump = Math.hypot(to[0] - from[0], to[1] - from[1]) > JUMP;
      const { color, text } = lineColors({ color: vehicle.lineColor, textColor: vehicle.textColor, mode: vehicle.mode });
      return {
        id: vehicle.id, lineId: vehicle.lineId, headsign: vehicle.headsign ?? '', name: vehicle.line ?? vehicle.label ?? '·',
        color, text, bearing: vehicle.bearing === null ? null : toRadians(vehicle.bearing),
        from: isJump ? to : from, to, since: now, east: from[0], north: from[1],
      };
    });
  }

  /**
   * Whether some are on their way.
   * @param {number} now milliseconds
   */
  isGliding(now) {
    return this.all.some(({ from, to, since }) => now - since < GLIDE_MS && (from[0] !== to[0] || from[1] !== to[1]));
  }

  /** @param {number} now milliseconds */
  move(now) {
    for (const cart of this.all) {
      const part = Math.min(1, (now - cart.since) / GLIDE_MS);
      cart.east = cart.from[0] + (cart.to[0] - cart.from[0]) * part;
      cart.north = cart.from[1] + (cart.to[1] - cart.from[1]) * part;
    }
  }
}
