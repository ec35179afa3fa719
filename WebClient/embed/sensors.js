// Direction and position of the phone for a session: what the sensors say is handed on, and what they cannot say is told too.

import { LocationSensor } from '../app/device/location.js';
import { OrientationSensor } from '../app/device/orientation.js';
import { Emitter } from '../app/core/emitter.js';

/**
 * @typedef {import('../app/device/orientation.js').SensorState} SensorState
 * @typedef {import('../engine/types').EngineEvent} EngineEvent
 */

/** @extends {Emitter<{ change: void }>} */
export class Sensors extends Emitter {
  orientation = new OrientationSensor();
  location = new LocationSensor();
  #isStopped = false;

  /** @param {(event: EngineEvent, time?: number) => void} tell */
  constructor(tell) {
    super();
    this.orientation.on('state', (reason) => {
      if (reason === 'denied' || reason === 'missing') tell({ type: 'orientationUnavailable', reason });
      this.emit('change', undefined);
    });
    this.orientation.on('reading', (reading) =>
      tell('heading' in reading ? { type: 'orientationWithCompass', ...reading } : { type: 'orientation', ...reading }));
    this.orientation.on('motion', ({ event, time }) => tell(event, time));
    this.location.on('state', (reason) => {
      if (reason === 'denied' || reason === 'missing') tell({ type: 'locationUnavailable', reason });
      this.emit('change', undefined);
    });
    this.location.on('fix', (fix) => tell({ type: 'fix', ...fix }));
  }

  /** Must be called inside the tap, before anything that waits. */
  async start() {
    const asked = this.orientation.start();
    this.location.start();
    await asked;
    // The answer of the user may come when nobody waits for it any more.
    if (this.#isStopped) this.orientation.stop();
  }

  stop() {
    this.#isStopped = true;
    this.orientation.stop();
    this.location.stop();
  }
}
