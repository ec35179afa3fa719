// Looks for codes with a place of their own while a world is open: seeing one tells where the phone is and where north is.

import { parseRoute, sameAddress } from '../core/router.js';
import { meaningOf } from '../scan/meaning.js';
import { Scanner } from '../scan/scanner.js';

/**
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {import('../device/device.js').Device} Device
 * @typedef {import('../scan/scanner.js').Reading} Reading
 */

export class CodeWatch {
  /** Codes that were handed to the engine. */
  seen = 0;

  /**
   * @param {Session} session
   * @param {Device} device
   */
  constructor(session, device) {
    this.session = session;
    this.device = device;
    this.scanner = new Scanner(device.camera.video, (reading) => this.#look(reading));
    device.on('camera', () => this.#check());
    device.on('sources', () => this.#check());
    session.closed.addEventListener('abort', () => this.close());
    this.#check();
  }

  #check() {
    const isOn = this.device.sources.picture === 'camera' && this.device.camera.state === 'running';
    this.scanner.stop();
    if (isOn) void this.scanner.start();
  }

  /** @param {Reading} reading */
  #look({ codes, width, height, time }) {
    for (const { text, corners } of codes) {
      const meaning = meaningOf(text);
      if (meaning.kind !== 'here' || !meaning.anchor) continue;
      // Codes of other worlds may hang beside those of this one; they are not what the user trusted.
      const { address } = parseRoute(new URL(meaning.url).hash);
      if (!this.session.worlds.list.some((world) => sameAddress(world.address, address))) continue;
      const now = performance.now() / 1000;
      this.session.tell({ type: 'codeSeen', anchor: meaning.anchor, corners, width, height, age: now - time });
      this.seen += 1;
      this.device.isAnchored = true;
      return;
    }
  }

  close() {
    this.scanner.close();
  }
}
